#include "deploy_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

namespace postbus::test {
namespace {

std::optional<std::string> reasonNow(const deployer::Deployer& deployer, const std::string& file,
                                     deployer::PluginState state) {
    for (const auto& row : deployer.status())
        if (row.file == file && row.state == state) return row.reason;
    return std::nullopt;
}

fs::path freshFolder() {
    std::string pattern = (fs::temp_directory_path() / "postbus-deployer-XXXXXX").string();
    return mkdtemp(pattern.data());
}

}  // namespace

bool eventually(const std::function<bool()>& condition, milliseconds limit) {
    for (const TimePoint until = Clock::now() + limit; Clock::now() < until;
         std::this_thread::sleep_for(milliseconds(5)))
        if (condition()) return true;
    return condition();
}

DeployFolder::DeployFolder(bool withBundled)
    : root(freshFolder()), folder(root / "deploy"), cache(root / "cache"), bundled(root / "bundled") {
    fs::create_directory(folder);
    if (withBundled) fs::create_directory(bundled);
}

DeployFolder::~DeployFolder() {
    stop();
    fs::remove_all(root);
}

void DeployFolder::start() {
    options.folder = folder.string();
    options.cache = cache.string();
    if (fs::exists(bundled)) options.bundled = bundled.string();
    if (options.probe.empty()) options.probe = POSTBUS_PROBE;
    deployer = std::make_unique<deployer::Deployer>(options, [this](const auto& all) { return rig.publish(all); });
    deployer->start();
}

void DeployFolder::stop(milliseconds within) {
    if (!deployer) return;
    rig.publishNothing();
    deployer->stop(Clock::now() + within);
    deployer.reset();
}

fs::path DeployFolder::fixture(const std::string& name) {
    return fs::path(POSTBUS_TEST_PLUGINS) / "deployer" / (name + ".so");
}

bool DeployFolder::becomes(const std::string& path, const std::string& wanted, milliseconds limit) {
    std::string last;
    const bool became = eventually([&] { return (last = call(path)) == wanted; }, limit);
    BOOST_TEST(last == wanted);
    return became;
}

std::optional<std::string> DeployFolder::reasonOf(const std::string& file, deployer::PluginState state,
                                                  milliseconds limit) {
    std::optional<std::string> reason;
    eventually([&] { return (reason = reasonNow(*deployer, file, state)).has_value(); }, limit);
    return reason;
}

std::optional<std::string> DeployFolder::gone(const std::string& file, deployer::PluginState state) {
    std::optional<std::string> reason;
    eventually([&] { return !(reason = reasonNow(*deployer, file, state)).has_value(); });
    return reason;
}

int DeployFolder::mapped() const {
    std::ifstream maps("/proc/self/maps");
    std::set<std::string> files;
    for (std::string line; std::getline(maps, line);)
        if (const auto at = line.find(cache.string()); at != std::string::npos) files.insert(line.substr(at));
    return static_cast<int>(files.size());
}

bool DeployFolder::mappedBecomes(int count) const {
    const bool became = eventually([&] { return mapped() == count; });
    BOOST_TEST(mapped() == count);
    return became;
}

void copyOver(const fs::path& from, const fs::path& to) { shell("cp " + from.string() + ' ' + to.string()); }

void moveInto(const fs::path& from, const fs::path& to) {
    const fs::path beside = to.parent_path().parent_path() / "beside";
    shell("cp " + from.string() + ' ' + beside.string() + " && mv " + beside.string() + ' ' + to.string());
}

void shell(const std::string& command) { BOOST_REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command); }

}  // namespace postbus::test
