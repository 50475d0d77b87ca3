#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/bus.hpp"
#include "plugins/deployer/deployer.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/log_capture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace postbus::test {

inline constexpr std::string_view endingsNs = "urn:postbus:test:endings";
/// What the plugin has, and how it may be told to end a call.
inline constexpr const char* endingsOperations[] = {"inline", "pooled", "task", "only", "robust", "optional"};
inline constexpr const char* endingsHows[] = {"reply", "fault", "throw", "forget", "hold", "twice"};

/// A bus and a deploy folder whose one plugin (tests/plugins/endings) ends calls in every way there is.
struct EndingsHouse {
    using AddRoutes = std::function<Result<void>(core::RouteTable&, const deployer::ActiveService&)>;

    explicit EndingsHouse(AddRoutes routes = addRoute) : addRoutes(std::move(routes)) {
        std::filesystem::create_directory(folder());
        deployer::DeployerOptions options;
        options.folder = folder();
        options.cache = (std::filesystem::path(scratch.path()) / "cache").string();
        options.probe = POSTBUS_PROBE;
        options.bus = &bus;
        options.quiet = milliseconds(5);
        deployer = std::make_unique<deployer::Deployer>(options, [this](const auto& all) { return publish(all); });
    }
    std::string folder() const { return (std::filesystem::path(scratch.path()) / "deploy").string(); }
    void deploy(int version) const {
        namespace fs = std::filesystem;
        const fs::path part = fs::path(folder()) / ".part", target = fs::path(folder()) / "endings.so";
        const char* const built = version == 1 ? "endings_v1.so" : "endings_v2.so";
        fs::copy_file(fs::path(POSTBUS_TEST_PLUGINS) / built, part, fs::copy_options::overwrite_existing);
        fs::rename(part, target);
    }
    /// False when the plugin does not come to serve.
    bool open() {
        deploy(1);
        deployer->start();
        return eventually([&] { return serves(); });
    }
    void undeploy() const { std::filesystem::remove(std::filesystem::path(folder()) / "endings.so"); }
    static Result<void> addRoute(core::RouteTable& table, const deployer::ActiveService& service) {
        core::Route route;
        route.name = service.name;
        route.path = service.path;
        route.endpoint = service.endpoint;
        return table.add(std::move(route));
    }
    Result<void> publish(const std::vector<deployer::ActiveService>& services) {
        auto table = std::make_shared<core::RouteTable>();
        for (const auto& each : services)
            if (auto added = addRoutes(*table, each); !added) return added;
        bus.publish(std::move(table));
        return ok();
    }
    std::size_t loaded() const { return log.count(" plugin.active ") + log.count(" plugin.replaced "); }
    std::size_t unloaded() const { return log.count(" plugin.unloaded "); }
    bool serves() const { return bus.routes() && bus.routes()->byName().contains("Endings"); }

    test::LogCapture log;
    test::ScratchFolder scratch;
    core::Bus bus{4, 64};
    const AddRoutes addRoutes;
    std::unique_ptr<deployer::Deployer> deployer;
};

}  // namespace postbus::test
