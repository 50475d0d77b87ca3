#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "bus_rig.hpp"
#include "load.hpp"
#include "plugins/deployer/deployer.hpp"

namespace postbus::test {

namespace fs = std::filesystem;

/// Only against hanging: a machine that is busy with other things takes its time.
inline constexpr milliseconds patience{60'000};

/// Whether it holds within a while.
bool eventually(const std::function<bool()>& condition, milliseconds limit = patience);

/// A deploy folder of its own with a deployer on it, a bus behind and fixtures to drop.
struct DeployFolder {
    explicit DeployFolder(bool withBundled = false);
    ~DeployFolder();

    void start();
    void stop(milliseconds within = patience);
    /// The fixture's file as it was built.
    static fs::path fixture(const std::string& name);
    /// Whether `path` answers `wanted` within `limit`.
    bool becomes(const std::string& path, const std::string& wanted, milliseconds limit = patience);
    /// The reason in the row with this state for the file, as soon as there is one.
    std::optional<std::string> reasonOf(const std::string& file, deployer::PluginState state,
                                        milliseconds limit = patience);
    /// The like, as soon as there is none.
    std::optional<std::string> gone(const std::string& file, deployer::PluginState state);
    std::string call(const std::string& path) { return caller.call(path); }
    /// How many copies in the cache are mapped into this process.
    int mapped() const;
    bool mappedBecomes(int count) const;

    fs::path root, folder, cache, bundled;
    deployer::DeployerOptions options;  ///< to be changed before start()
    BusRig rig;
    Caller caller{rig};
    std::unique_ptr<deployer::Deployer> deployer;
};

/// The ways people bring a file into a folder. They run the real programs.
void copyOver(const fs::path& from, const fs::path& to);
void moveInto(const fs::path& from, const fs::path& to);
void shell(const std::string& command);

}  // namespace postbus::test
