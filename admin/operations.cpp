#include "admin/operations.hpp"

#include <string>
#include <vector>

#include "admin/plugin_operations.hpp"
#include "admin/queue_operations.hpp"

namespace postbus::admin {
namespace {

void list(json::Writer& json, std::string_view name, const std::vector<std::string>& texts) {
    json.array(name, [&] {
        for (const std::string& each : texts) json.value(each);
    });
}

Result<int> healthz(Management&, const core::WireRequest&, json::Writer& json) {
    json.object([&] { json.member("healthy", true); });
    return 200;
}

Result<int> readyz(Management& management, const core::WireRequest&, json::Writer& json) {
    const ReadyReport report = management.ready();
    json.object([&] {
        json.member("ready", report.ready);
        list(json, "reasons", report.reasons);
    });
    return report.ready ? 200 : 503;
}

void figures(json::Writer& json, const StatusReport& report) {
    const core::Bus::Figures& sum = report.exchanges;
    json.object("exchanges", [&] {
        json.member("begun", sum.begun);
        json.member("open", sum.open);
        json.member("faults", sum.faults);
        json.member("timeouts", sum.timeouts);
        json.member("abandoned", sum.abandoned);
        json.member("late", sum.late);
        json.member("dropped", sum.dropped);
    });
    json.object("http", [&] {
        json.member("connections", report.http.connections);
        json.member("accepted", report.http.accepted);
        json.member("requests", report.http.requests);
        json.member("refused", report.http.refused);
    });
    json.array("loops", [&] {
        for (const core::Watchdog::Lag& each : report.loops)
            json.object([&] {
                json.member("name", each.loop);
                json.member("lagMicroseconds", each.last.count());
                json.member("longestLagMicroseconds", each.longest.count());
            });
    });
    json.object("memory", [&] {
        json.member("resident", report.memory.resident);
        json.member("anonymous", report.memory.anonymous);
    });
}

Result<int> status(Management& management, const core::WireRequest&, json::Writer& json) {
    const StatusReport report = management.status();
    json.object([&] {
        json.member("version", report.version);
        json.member("state", report.state);
        json.member("ready", report.ready.ready);
        list(json, "reasons", report.ready.reasons);
        json.member("pid", report.pid);
        json.member("uptime", report.uptime);
        json.member("configFile", report.configFile);
        json.member("stateFolder", report.stateFolder);
        json.array("listeners", [&] {
            for (const ListenerReport& each : report.listeners)
                json.object([&] {
                    json.member("transport", each.transport);
                    json.member("name", each.name);
                    json.member("address", each.address);
                    json.member("connections", each.connections);
                });
        });
        figures(json, report);
        list(json, "troubles", report.troubles);
        list(json, "restart", report.restart);
    });
    return 200;
}

Result<int> endpoints(Management& management, const core::WireRequest&, json::Writer& json) {
    json.object([&] {
        json.array("endpoints", [&] {
            for (const EndpointReport& each : management.endpoints())
                json.object([&] {
                    json.member("name", each.name);
                    json.member("state", each.state);
                    json.member("reason", each.reason);
                    json.member("service", each.service);
                    json.member("plugin", each.plugin);
                    json.member("version", each.version);
                    json.member("queue", each.queue);
                    list(json, "paths", each.paths);
                    list(json, "urls", each.urls);
                    list(json, "wsdl", each.wsdl);
                    list(json, "operations", each.operations);
                    json.member("open", each.open);
                });
        });
    });
    return 200;
}

Result<int> exchanges(Management& management, const core::WireRequest&, json::Writer& json) {
    const ExchangesReport report = management.exchanges();
    json.object([&] {
        json.member("total", report.total);
        json.member("complete", report.complete);
        json.array("exchanges", [&] {
            for (const ExchangeReport& each : report.exchanges)
                json.object([&] {
                    json.member("id", each.id);
                    json.member("endpoint", each.endpoint);
                    json.member("operation", each.operation);
                    json.member("peer", each.peer);
                    json.member("age", static_cast<double>(each.age.count()) / 1000);
                });
        });
    });
    return 200;
}

Result<int> reload(Management& management, const core::WireRequest&, json::Writer& json) {
    const ReloadReport report = management.reload();
    json.object([&] {
        json.member("reloaded", report.reloaded);
        if (!report.reloaded) {
            json.member("error", "nothing was changed");
            json.member("invalid", report.invalid);
        }
        list(json, "problems", report.problems);
        list(json, "restart", report.restart);
    });
    return report.reloaded ? 200 : 422;
}

constexpr Operation table[] = {
    {"GET", "/healthz", "healthz", true, false, healthz},
    {"GET", "/readyz", "readyz", true, false, readyz},
    {"GET", "/status", "status", false, false, status},
    {"GET", "/endpoints", "endpoints", false, false, endpoints},
    {"GET", "/plugins", "plugins", false, false, listPlugins},
    {"GET", "/plugins/changes", "plugin changes", false, false, listPluginChanges},
    {"POST", "/plugins/deploy", "plugin deploy", false, true, deployPlugin},
    {"POST", "/plugins/undeploy", "plugin undeploy", false, true, undeployPlugin},
    {"POST", "/plugins/rollback", "plugin rollback", false, true, rollBackPlugin},
    {"POST", "/plugins/enable", "plugin enable", false, true, enablePlugin},
    {"POST", "/plugins/disable", "plugin disable", false, true, disablePlugin},
    {"GET", "/exchanges", "exchanges", false, true, exchanges},
    {"POST", "/reload", "reload", false, true, reload},
    {"GET", "/queues", "queues", false, true, listQueues},
    {"POST", "/queues/send", "queue send", false, true, sendMessage},
    {"POST", "/queues/receive", "queue receive", false, true, nullptr, receiveMessages},
    {"GET", "/queues/browse", "queue browse", false, true, nullptr, browseQueue},
    {"POST", "/queues/purge", "queue purge", false, true, purgeQueue},
    {"POST", "/queues/move", "queue move", false, true, moveMessages},
    {"POST", "/queues/retry", "queue retry", false, true, retryMessages},
    {"POST", "/queues/pause", "queue pause", false, true, pauseQueue},
    {"POST", "/queues/resume", "queue resume", false, true, resumeQueue},
    {"POST", "/queues/remove", "queue remove", false, true, removeQueue},
    {"POST", "/queues/reopen", "queue reopen", false, true, reopenQueues},
};

}  // namespace

std::span<const Operation> operations() { return table; }

}  // namespace postbus::admin
