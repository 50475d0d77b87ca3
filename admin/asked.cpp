#include "admin/asked.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "config/path.hpp"
#include "config/suggest.hpp"

namespace postbus::admin {
namespace {

/// `engine`: null where there never was a queue.
Error noQueue(const std::string& name, const queues::Engine* engine) {
    std::string text = "there is no queue " + config::inQuotes(name);
    if (!engine) return {Error::Kind::NotFound, text + "; there are none at all"};
    const auto all = engine->status();
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const queues::QueueStatus& each : all) names.emplace_back(each.name);
    const std::string_view meant = config::nearest(name, names);
    return {Error::Kind::NotFound, text + (meant.empty() ? "; postbus queue list shows those there are"
                                                         : ", did you mean " + config::inQuotes(meant) + '?')};
}

}  // namespace

Result<Asked> Asked::of(Management& management, const core::WireRequest& request, Management::Need need, Named named) {
    auto query = Query::parse(request.head.query);
    if (!query) return std::move(query).error();
    std::string queue(query->text("queue"));
    if (queue.empty()) return Error::invalid("say which queue: ?queue=NAME");
    auto engine = management.queues(need);
    if (!engine) return std::move(engine).error();
    const bool missing = !*engine || (named == Named::There && !(*engine)->status(queue));
    if (missing) return noQueue(queue, engine->get());
    return Asked{std::move(*query), std::move(queue), std::move(*engine)};
}

}  // namespace postbus::admin
