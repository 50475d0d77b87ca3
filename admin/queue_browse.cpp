#include <cstdint>
#include <optional>
#include <utility>

#include "admin/asked.hpp"
#include "admin/queue_answer.hpp"
#include "admin/queue_json.hpp"
#include "admin/queue_operations.hpp"

namespace postbus::admin {
namespace {

ShownMessage shown(const queues::Browsed& browsed, bool body) {
    return {*browsed.message,   static_cast<std::uint64_t>(browsed.id),
            browsed.deliveries, browsed.deliveries > 0,
            browsed.scheduled,  body,
            browsed.size,       browsed.deadLetter};
}

/// That one with its body, if it is there.
Result<std::optional<queues::Browsed>> whole(const Asked& what, queues::MessageId number) {
    queues::BrowseQuery query;
    query.after = number - 1;
    query.limit = 1;
    query.bodies = true;
    auto found = what.engine->browse(what.queue, query);
    if (!found) return std::move(found).error();
    if (found->empty() || found->front().id != number) return std::optional<queues::Browsed>();
    return std::optional(std::move(found->front()));
}

Result<std::shared_ptr<Handover>> browseOne(const Asked& what, core::Exchange& exchange, bool raw) {
    const auto number = what.query.number("number", 0, INT64_MAX);
    if (!number) return number.error();
    auto found = *number ? whole(what, static_cast<queues::MessageId>(*number)) : std::optional<queues::Browsed>();
    if (!found) return std::move(found).error();
    if (!*found)
        return Error(Error::Kind::NotFound, "there is no message " + std::to_string(*number) + " in " + what.queue +
                                                ", or it is under delivery");
    if (raw) return answerRaw(exchange, shown(**found, true), (*found)->message, {});
    json::Writer json(exchange.draft().bytes);
    json.object([&] {
        json.array("messages", [&] { write(json, shown(**found, true)); });
        json.member("more", false);
    });
    exchange.draft().bytes.append('\n');
    return std::shared_ptr<Handover>();
}

/// Writes the messages with their bodies as long as there is room for these; whether there was for all. One body is in
/// memory at a time. What has gone meanwhile is not shown.
Result<bool> writeWhole(json::Writer& json, const Asked& what, const std::vector<queues::Browsed>& all) {
    std::uint64_t bodies = 0;
    for (const queues::Browsed& each : all) {
        if (bodies > 0 && bodies + each.size > mostBodies.bytes) return false;
        auto found = whole(what, each.id);
        if (!found) return std::move(found).error();
        if (!*found) continue;
        bodies += each.size;
        write(json, shown(**found, true));
    }
    return true;
}

}  // namespace

Result<std::shared_ptr<Handover>> browseQueue(Management& management, core::Exchange& exchange) {
    auto what = Asked::of(management, exchange.request(), Management::Need::IfAny, Asked::Named::There);
    if (!what) return std::move(what).error();
    const auto raw = wantsRaw(what->query);
    if (!raw) return raw.error();
    if (what->query.has("number")) return browseOne(*what, exchange, *raw);
    if (*raw) return Error::invalid("body=raw is for one message: say which with number, as browsing shows it");
    const auto after = what->query.number("after", 0, INT64_MAX), limit = what->query.number("limit", 100, 1'000);
    if (!after) return after.error();
    if (!limit) return limit.error();
    queues::BrowseQuery query;
    query.after = static_cast<queues::MessageId>(*after);
    query.limit = *limit + 1;  // whether there is one more
    query.selector = what->query.text("selector");
    auto found = what->engine->browse(what->queue, query);
    if (!found) return std::move(found).error();
    bool more = found->size() > *limit;
    if (more) found->pop_back();
    const bool bodies = what->query.text("bodies") == "true";
    json::Writer json(exchange.draft().bytes);
    Result<bool> complete = true;
    json.object([&] {
        json.array("messages", [&] {
            if (bodies)
                complete = writeWhole(json, *what, *found);
            else
                for (const queues::Browsed& each : *found) write(json, shown(each, false));
        });
        more = more || !complete || !*complete;
        json.member("more", more);
    });
    if (!complete) return std::move(complete).error();
    exchange.draft().bytes.append('\n');
    return std::shared_ptr<Handover>();
}

}  // namespace postbus::admin
