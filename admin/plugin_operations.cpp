#include "admin/plugin_operations.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "admin/query.hpp"

namespace postbus::admin {
namespace {

Result<int> order(PluginOrder::Kind kind, Management& management, const core::WireRequest& request,
                  json::Writer& json) {
    auto query = Query::parse(request.head.query);
    if (!query) return std::move(query).error();
    PluginOrder wanted{kind, std::string(query->text("name")), {}};
    if (wanted.name.empty())
        return Error::invalid(kind == PluginOrder::Kind::Deploy ? "say what the file is called: ?name=NAME.so"
                                                                : "say which plugin: ?name=NAME");
    if (kind == PluginOrder::Kind::Deploy) {
        wanted.bytes = request.body;
        if (wanted.bytes.empty()) return Error::invalid("the request's body is to be the plugin file, and is empty");
    }
    auto done = management.order(std::move(wanted));
    if (!done) return std::move(done).error();
    json.object([&] {
        json.member("name", done->plugin);
        json.member("state", done->state);
        json.member("version", done->version);
        json.member("former", done->former);
        json.member("file", done->file);
        json.member("bundled", done->bundled);
        json.member("unchanged", done->unchanged);
    });
    return 200;
}

}  // namespace

Result<int> listPlugins(Management& management, const core::WireRequest&, json::Writer& json) {
    json.object([&] {
        json.array("plugins", [&] {
            for (const PluginReport& each : management.plugins())
                json.object([&] {
                    json.member("name", each.name);
                    json.member("version", each.version);
                    json.member("state", each.state);
                    json.member("reason", each.reason);
                    json.member("bundled", each.bundled);
                    json.member("file", each.file);
                    json.member("hash", each.hash);
                    json.array("services", [&] {
                        for (const std::string& name : each.services) json.value(name);
                    });
                });
        });
        json.member("trouble", management.pluginTrouble());
        json.object("entered", [&] {
            for (const auto& [state, count] : management.pluginCounts()) json.member(state, count);
        });
    });
    return 200;
}

Result<int> listPluginChanges(Management& management, const core::WireRequest& request, json::Writer& json) {
    auto query = Query::parse(request.head.query);
    if (!query) return std::move(query).error();
    const std::string_view name = query->text("name");
    json.object([&] {
        json.array("changes", [&] {
            for (const PluginChange& each : management.pluginChanges()) {
                if (!name.empty() && each.plugin != name && each.file != name) continue;
                json.object([&] {
                    json.member("timestamp",
                                static_cast<std::int64_t>(
                                    std::chrono::duration_cast<milliseconds>(each.at.time_since_epoch()).count()));
                    json.member("state", each.state);
                    json.member("name", each.plugin);
                    json.member("version", each.version);
                    json.member("file", each.file);
                    json.member("hash", each.hash);
                    json.member("reason", each.reason);
                });
            }
        });
    });
    return 200;
}

Result<int> deployPlugin(Management& management, const core::WireRequest& request, json::Writer& json) {
    return order(PluginOrder::Kind::Deploy, management, request, json);
}
Result<int> undeployPlugin(Management& management, const core::WireRequest& request, json::Writer& json) {
    return order(PluginOrder::Kind::Undeploy, management, request, json);
}
Result<int> rollBackPlugin(Management& management, const core::WireRequest& request, json::Writer& json) {
    return order(PluginOrder::Kind::Rollback, management, request, json);
}
Result<int> enablePlugin(Management& management, const core::WireRequest& request, json::Writer& json) {
    return order(PluginOrder::Kind::Enable, management, request, json);
}
Result<int> disablePlugin(Management& management, const core::WireRequest& request, json::Writer& json) {
    return order(PluginOrder::Kind::Disable, management, request, json);
}

}  // namespace postbus::admin
