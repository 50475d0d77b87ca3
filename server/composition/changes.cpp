#include "server/composition/changes.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "server/composition/composition_events.hpp"

namespace postbus::server {
namespace {

/// Endpoint, path, listener, plugin, version: what one line tells.
using Line = std::tuple<std::string, std::string, std::string, std::string, std::string>;
using Path = std::pair<std::string, std::string>;

std::set<Line> serving(const std::vector<EndpointView>& view) {
    std::set<Line> lines;
    for (const EndpointView& each : view)
        if (each.state == EndpointView::State::Serving)
            for (const auto& place : each.places)
                lines.emplace(each.name, place.path, place.listener, each.plugin, each.version);
    return lines;
}

std::set<Path> pathsOf(const std::set<Line>& lines) {
    std::set<Path> paths;
    for (const Line& each : lines) paths.emplace(std::get<0>(each), std::get<1>(each));
    return paths;
}

/// Whether `view` has this endpoint in the same trouble.
bool known(const std::vector<EndpointView>& view, const EndpointView& trouble) {
    return std::any_of(view.begin(), view.end(), [&](const EndpointView& each) {
        return each.name == trouble.name && each.state == trouble.state && each.reason == trouble.reason;
    });
}

}  // namespace

void tellChanges(const std::vector<EndpointView>& before, const std::vector<EndpointView>& after) {
    const std::set<Line> former = serving(before), now = serving(after);
    const std::set<Path> paths = pathsOf(now);
    for (const auto& [endpoint, path] : pathsOf(former))
        if (!paths.contains({endpoint, path})) log::emit(EndpointGone, {{"endpoint", endpoint}, {"path", path}});
    for (const Line& each : now) {
        if (former.contains(each)) continue;
        const auto& [endpoint, path, listener, plugin, version] = each;
        log::emit(EndpointServing, {{"endpoint", endpoint},
                                    {"path", path},
                                    {"listener", listener.empty() ? std::string_view("all") : listener},
                                    {"plugin", plugin},
                                    {"version", version}});
    }
    for (const EndpointView& each : after) {
        if (each.state == EndpointView::State::Serving || known(before, each)) continue;
        const bool waits = each.state == EndpointView::State::Waiting;
        log::emit(waits ? EndpointWaiting : EndpointUnreachable, {{"endpoint", each.name}, {"reason", each.reason}});
    }
}

}  // namespace postbus::server
