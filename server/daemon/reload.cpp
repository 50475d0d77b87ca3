#include "server/daemon/reload.hpp"

#include "config/problems.hpp"
#include "server/config/load.hpp"
#include "server/daemon/daemon_events.hpp"
#include "server/daemon/place_of_listener.hpp"

namespace postbus::server {
namespace {

template <class Section>
void addChanged(const std::string& prefix, const Section& a, const Section& b, std::vector<std::string>& keys) {
    forEachField<Section>([&](const auto& field) {
        if (!(a.*field.member == b.*field.member)) keys.push_back(prefix + '.' + std::string(field.name));
    });
}

admin::ReloadReport refused(std::vector<std::string> problems, bool invalid) {
    return {false, invalid, std::move(problems), {}};
}

}  // namespace

DaemonConfig load(const Options& options) {
    return loadDaemonConfig(options.config.empty() ? std::nullopt : std::optional(options.config), options.set);
}

std::vector<std::string> keysForRestart(const DaemonConfig& inForce, const DaemonConfig& wanted) {
    std::vector<std::string> keys;
    if (inForce.transports.http.threads != wanted.transports.http.threads) keys.push_back("transports.http.threads");
    addChanged("plugins", inForce.plugins, wanted.plugins, keys);
    addChanged("admin", inForce.admin, wanted.admin, keys);
    addChanged("workers", inForce.workers, wanted.workers, keys);
    return keys;
}

admin::ReloadReport Reloader::tryIt() {
    DaemonConfig wanted;
    try {
        wanted = load(options_);
    } catch (const config::ConfigError& error) {
        return refused(error.problems(), true);
    }
    const std::string file = options_.config.empty() ? "built-in defaults" : options_.config;
    auto opened = logging_.prepare(wanted.logging, state_);
    if (!opened) return refused({file + ": logging.access: " + opened.error().message()}, false);
    auto prepared = parts_.http.prepare(wanted.transports.http);
    if (!prepared) {
        const std::string& trouble = prepared.error().message();
        return refused({placeOfListener(options_, trouble) + ": transports.http.listen: " + trouble}, false);
    }

    // From here on nothing fails.
    parts_.composition.configure(wanted.endpoints);
    parts_.http.apply(std::move(*prepared));
    parts_.queues.configure(wanted);
    parts_.watchdog.watch(wanted.watchdog.limit);
    logging_.apply(wanted.logging, std::move(*opened));
    inForce_ = std::move(wanted);
    return {true, false, {}, keysForRestart(started_, inForce_)};
}

admin::ReloadReport Reloader::run() {
    admin::ReloadReport report = tryIt();
    for (const std::string& each : report.problems) log::emit(ConfigRefused, {{"problem", each}});
    if (!report.reloaded) return report;
    for (const std::string& each : report.restart) log::emit(ConfigNeedsRestart, {{"key", each}});
    progress_.needRestartFor(report.restart);
    log::emit(ConfigReloaded, {{"file", options_.config}});
    return report;
}

}  // namespace postbus::server
