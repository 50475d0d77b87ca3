#include "server/daemon/reports.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "base/version.hpp"
#include "server/daemon/open_exchanges.hpp"

namespace postbus::server {
namespace {

/// From /proc/self/status; zeros where there is none.
admin::MemoryReport memory() {
    admin::MemoryReport report;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/status", "re"), std::fclose);
    char line[256];
    while (file && std::fgets(line, sizeof line, file.get())) {
        unsigned long long kilobytes = 0;
        if (std::sscanf(line, "VmRSS: %llu", &kilobytes) == 1) report.resident = kilobytes * 1024;
        if (std::sscanf(line, "RssAnon: %llu", &kilobytes) == 1) report.anonymous = kilobytes * 1024;
    }
    return report;
}

/// What a caller on this machine writes before the path; empty when that is no URL.
std::string base(const std::string& address) {
    if (address.rfind("unix:", 0) == 0) return {};
    for (const std::string_view any : {"0.0.0.0:", "*:", "[::]:"})
        if (address.rfind(any, 0) == 0) return "http://localhost:" + address.substr(any.size());
    return "http://" + address;
}

std::string takesNothing(const queue::QueueTransport::Refused& refused) {
    return "takes nothing from " + refused.source + ": " + refused.reason;
}

std::string_view nameOf(EndpointView::State state) {
    switch (state) {
        case EndpointView::State::Serving:
            return "serving";
        case EndpointView::State::Waiting:
            return "waiting";
        case EndpointView::State::Unreachable:
            return "unreachable";
    }
    return "unknown";
}

admin::EndpointReport reportOf(const EndpointView& view, const std::vector<http::ListenerStatus>& listeners) {
    admin::EndpointReport report;
    report.name = view.name;
    report.service = view.service;
    report.plugin = view.plugin;
    report.version = view.version;
    report.state = nameOf(view.state);
    report.reason = view.reason;
    report.queue = view.queue;
    report.operations = view.operations;
    report.open = view.open;
    const bool described = !destination::Destination::isOne(view.service);
    for (const auto& place : view.places) {
        report.paths.push_back(place.path);
        for (const http::ListenerStatus& each : listeners) {
            const std::string url = base(each.address);
            if (url.empty() || (!place.listener.empty() && place.listener != each.name)) continue;
            report.urls.push_back(url + place.path);
            if (view.state == EndpointView::State::Serving && described)
                report.wsdl.push_back(url + place.path + "?wsdl");
        }
    }
    return report;
}

/// Without a path nobody reaches it but through that queue.
void addRefusal(admin::EndpointReport& report, const queue::QueueTransport::Refused& refused) {
    if (report.state == nameOf(EndpointView::State::Serving) && report.paths.empty())
        report.state = nameOf(EndpointView::State::Unreachable);
    (report.reason += report.reason.empty() ? "" : "; ") += takesNothing(refused);
}

}  // namespace

admin::ReadyReport Reports::ready() const {
    admin::ReadyReport report;
    if (progress_.phase() != Progress::Phase::Serving) {
        report.reasons.push_back("the daemon is " + std::string(progress_.name()));
        return report;
    }
    if (!wasReady_)
        for (const std::string& each : parts_.composition.waiting())
            report.reasons.push_back("endpoint " + each + " waits for its service");
    if (std::string trouble = parts_.queues.trouble(); !trouble.empty()) report.reasons.push_back(std::move(trouble));
    report.ready = report.reasons.empty();
    if (report.ready) wasReady_ = true;
    return report;
}

admin::StatusReport Reports::status() const {
    admin::StatusReport report;
    report.version = version();
    report.state = progress_.name();
    report.pid = getpid();
    report.uptime = std::chrono::duration<double>(Clock::now() - progress_.begun()).count();
    report.configFile = identity_.configFile;
    report.stateFolder = identity_.stateFolder;
    const auto add = [&](const char* transport, const std::vector<http::ListenerStatus>& listeners) {
        for (const auto& each : listeners)
            report.listeners.push_back({transport, each.name, each.address, each.connections});
    };
    add("http", parts_.http.listeners());
    add("admin", admin_->listeners());
    report.exchanges = parts_.bus.figures();
    report.loops = parts_.watchdog.lags();
    report.http = parts_.http.figures();
    report.memory = memory();
    report.ready = ready();
    for (const auto& each : parts_.queues.refused())
        report.troubles.push_back("endpoint " + each.endpoint + ' ' + takesNothing(each));
    report.restart = progress_.restart();
    return report;
}

std::vector<admin::EndpointReport> Reports::endpoints() const {
    const auto listeners = parts_.http.listeners();
    std::vector<admin::EndpointReport> reports;
    for (const EndpointView& each : parts_.composition.view()) reports.push_back(reportOf(each, listeners));
    for (const auto& refused : parts_.queues.refused())
        for (admin::EndpointReport& each : reports)
            if (each.name == refused.endpoint) addRefusal(each, refused);
    return reports;
}

std::vector<admin::PluginReport> Reports::plugins() const {
    std::vector<admin::PluginReport> reports;
    for (deployer::PluginStatus& each : parts_.deployer.status()) {
        reports.push_back({std::move(each.name), std::move(each.version), std::move(each.file), std::move(each.hash),
                           std::string(deployer::nameOf(each.state)), std::move(each.reason), each.bundled,
                           std::move(each.services)});
    }
    return reports;
}

std::string Reports::pluginTrouble() const { return parts_.deployer.folderTrouble(); }

std::vector<admin::PluginChange> Reports::pluginChanges() const {
    std::vector<admin::PluginChange> changes;
    for (deployer::StateChange& each : parts_.deployer.changes())
        changes.push_back({each.at, std::string(deployer::nameOf(each.state)), std::move(each.plugin),
                           std::move(each.version), std::move(each.file), std::move(each.hash),
                           std::move(each.reason)});
    return changes;
}

std::vector<std::pair<std::string, std::uint64_t>> Reports::pluginCounts() const {
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    const auto all = parts_.deployer.counts();
    for (std::size_t i = 0; i < all.size(); ++i)
        counts.emplace_back(deployer::nameOf(static_cast<deployer::PluginState>(i)), all[i]);
    return counts;
}

namespace {

deployer::Order::Kind kindOf(admin::PluginOrder::Kind kind) {
    switch (kind) {
        case admin::PluginOrder::Kind::Deploy:
            return deployer::Order::Kind::Deploy;
        case admin::PluginOrder::Kind::Undeploy:
            return deployer::Order::Kind::Undeploy;
        case admin::PluginOrder::Kind::Rollback:
            return deployer::Order::Kind::Rollback;
        case admin::PluginOrder::Kind::Enable:
            return deployer::Order::Kind::Enable;
        default:
            return deployer::Order::Kind::Disable;
    }
}

}  // namespace

Result<admin::PluginDone> Reports::order(admin::PluginOrder&& order) {
    // A plugin may take its time to start; the client waits longer than this.
    constexpr std::chrono::seconds longest{60};
    deployer::Order asked;
    asked.kind = kindOf(order.kind);
    asked.name = std::move(order.name);
    asked.bytes = std::move(order.bytes);
    auto done = parts_.deployer.perform(std::move(asked), Clock::now() + longest);
    if (!done) return std::move(done).error();
    return admin::PluginDone{std::move(done->plugin),
                             std::move(done->version),
                             std::move(done->file),
                             std::move(done->former),
                             std::string(deployer::nameOf(done->state)),
                             done->bundled,
                             done->unchanged};
}

admin::ExchangesReport Reports::exchanges() const { return openExchanges(parts_.bus, milliseconds(1000)); }

}  // namespace postbus::server
