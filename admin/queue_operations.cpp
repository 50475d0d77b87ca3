#include "admin/queue_operations.hpp"

#include <algorithm>
#include <charconv>
#include <future>
#include <random>
#include <utility>

#include "admin/admin_events.hpp"
#include "admin/asked.hpp"
#include "admin/queue_json.hpp"
#include "admin/waited.hpp"

namespace postbus::admin {
namespace {

std::string freshId() {
    std::random_device random;
    char text[40];
    const int length = std::snprintf(text, sizeof text, "ID:%08x%08x%08x", random(), random(), random());
    return {text, static_cast<std::size_t>(length)};
}

/// NAME=TEXT, or NAME:=VALUE with true, false or a number.
Result<queues::Property> property(std::string_view given) {
    const auto equals = given.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return Error::invalid("a property is NAME=TEXT or NAME:=VALUE");
    const std::string_view value = given.substr(equals + 1);
    if (given[equals - 1] != ':') return queues::Property{std::string(given.substr(0, equals)), std::string(value)};
    const std::string name(given.substr(0, equals - 1));
    if (value == "true" || value == "false") return queues::Property{name, value == "true"};
    const char* const end = value.data() + value.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(value.data(), end, whole); read.ec == std::errc() && read.ptr == end)
        return queues::Property{name, whole};
    double number = 0;
    if (const auto read = std::from_chars(value.data(), end, number); read.ec == std::errc() && read.ptr == end)
        return queues::Property{name, number};
    return Error::invalid("the value of the property " + name + " is neither true, false nor a number");
}

Result<queues::Message> messageOf(const Query& query, const core::WireRequest& request) {
    queues::Message message;
    message.id = query.has("id") ? std::string(query.text("id")) : freshId();
    if (query.has("id")) message.duplicateKey = message.id;
    message.correlationId = query.text("correlation-id");
    message.replyTo = query.text("reply-to");
    message.type = query.text("type");
    message.group = query.text("group");
    message.contentType = request.head.contentType;
    message.persistent = query.text("persistent") != "false";
    const auto priority = query.number("priority", message.priority, 9);
    const auto timeToLive = query.duration("time-to-live", milliseconds(0));
    const auto delay = query.duration("delay", milliseconds(0));
    if (!priority) return priority.error();
    if (!timeToLive) return timeToLive.error();
    if (!delay) return delay.error();
    message.priority = static_cast<std::uint8_t>(*priority);
    message.timeToLive = *timeToLive;
    message.delay = *delay;
    for (const std::string_view each : query.all("property")) {
        auto made = property(each);
        if (!made) return std::move(made).error();
        message.properties.push_back(std::move(*made));
    }
    message.body = request.body;
    return message;
}

Result<queues::Choice> choiceOf(const Query& query) {
    queues::Choice choice;
    for (const std::string_view each : query.all("number")) {
        queues::MessageId id = 0;
        const auto read = std::from_chars(each.data(), each.data() + each.size(), id);
        if (read.ec != std::errc() || read.ptr != each.data() + each.size())
            return Error::invalid("number is not one that browsing shows");
        choice.ids.push_back(id);
    }
    choice.selector = query.text("selector");
    const auto limit = query.number("limit", 0, UINT64_MAX);
    if (!limit) return limit.error();
    choice.limit = *limit;
    return choice;
}

using Bulk = std::function<void(const Asked&, const queues::Choice&, queues::Counted)>;

Result<int> inBulk(std::string_view action, Management& management, const core::WireRequest& request,
                   json::Writer& json, const Bulk& bulk) {
    auto what = Asked::of(management, request, Management::Need::IfAny, Asked::Named::There);
    if (!what) return std::move(what).error();
    auto choice = choiceOf(what->query);
    if (!choice) return std::move(choice).error();
    auto count = waited<Result<std::uint64_t>>([&](queues::Counted done) { bulk(*what, *choice, std::move(done)); });
    if (!count) return std::move(count).error();
    log::emit(QueueManaged, {{"action", action}, {"queue", what->queue}, {"messages", *count}});
    json.object([&] { json.member("messages", *count); });
    return 200;
}

std::string_view nameOf(queues::QueueStore::State state) {
    switch (state) {
        case queues::QueueStore::State::Open:
            return "open";
        case queues::QueueStore::State::Full:
            return "full";
        default:
            return "failed";
    }
}

}  // namespace

Result<int> listQueues(Management& management, const core::WireRequest&, json::Writer& json) {
    auto engine = management.queues(Management::Need::IfAny);
    if (!engine) return std::move(engine).error();
    json.object([&] {
        json.member("store", *engine ? nameOf((*engine)->storeState()) : "none");
        json.array("queues", [&] {
            if (*engine)
                for (const queues::QueueStatus& each : (*engine)->status()) write(json, each);
        });
    });
    return 200;
}

Result<int> sendMessage(Management& management, const core::WireRequest& request, json::Writer& json) {
    auto what = Asked::of(management, request, Management::Need::Open, Asked::Named::Anything);
    if (!what) return std::move(what).error();
    auto message = messageOf(what->query, request);
    if (!message) return std::move(message).error();
    const std::string id = message->id;
    auto sent = waited<Result<void>>(
        [&](queues::Done done) { what->engine->send(what->queue, std::move(*message), std::move(done)); });
    if (!sent) return std::move(sent).error();
    json.object([&] {
        json.member("queue", what->queue);
        json.member("id", id);
    });
    return 200;
}

Result<int> purgeQueue(Management& management, const core::WireRequest& request, json::Writer& json) {
    return inBulk("purge", management, request, json,
                  [](const Asked& what, const queues::Choice& choice, queues::Counted done) {
                      what.engine->purge(what.queue, choice, std::move(done));
                  });
}

Result<int> moveMessages(Management& management, const core::WireRequest& request, json::Writer& json) {
    return inBulk("move", management, request, json,
                  [](const Asked& what, const queues::Choice& choice, queues::Counted done) {
                      what.engine->move(what.queue, what.query.text("to"), choice, std::move(done));
                  });
}

Result<int> retryMessages(Management& management, const core::WireRequest& request, json::Writer& json) {
    return inBulk("retry", management, request, json,
                  [](const Asked& what, const queues::Choice& choice, queues::Counted done) {
                      what.engine->retry(what.queue, choice, std::move(done));
                  });
}

Result<int> pauseQueue(Management& management, const core::WireRequest& request, json::Writer& json) {
    auto what = Asked::of(management, request, Management::Need::IfAny, Asked::Named::There);
    if (!what) return std::move(what).error();
    const std::string_view direction = what->query.text("direction");
    if (!direction.empty() && direction != "in" && direction != "out")
        return Error::invalid("direction is in or out; leave it out for both");
    if (auto done = what->engine->pause(what->queue, direction != "out", direction != "in"); !done)
        return std::move(done).error();
    log::emit(QueueManaged, {{"action", "pause"}, {"queue", what->queue}});
    json.object([&] { json.member("queue", what->queue); });
    return 200;
}

Result<int> resumeQueue(Management& management, const core::WireRequest& request, json::Writer& json) {
    auto what = Asked::of(management, request, Management::Need::IfAny, Asked::Named::There);
    if (!what) return std::move(what).error();
    if (auto done = what->engine->resume(what->queue); !done) return std::move(done).error();
    log::emit(QueueManaged, {{"action", "resume"}, {"queue", what->queue}});
    json.object([&] { json.member("queue", what->queue); });
    return 200;
}

Result<int> removeQueue(Management& management, const core::WireRequest& request, json::Writer& json) {
    auto what = Asked::of(management, request, Management::Need::IfAny, Asked::Named::Anything);  // or a topic
    if (!what) return std::move(what).error();
    const auto topics = what->engine->topics();
    if (std::find(topics.begin(), topics.end(), what->queue) == topics.end())
        what = Asked::of(management, request, Management::Need::IfAny, Asked::Named::There);
    if (!what) return std::move(what).error();
    auto removed = waited<Result<void>>([&](queues::Done done) { what->engine->remove(what->queue, std::move(done)); });
    if (!removed) return std::move(removed).error();
    log::emit(QueueManaged, {{"action", "remove"}, {"queue", what->queue}});
    json.object([&] { json.member("queue", what->queue); });
    return 200;
}

Result<int> reopenQueues(Management& management, const core::WireRequest&, json::Writer& json) {
    if (auto done = management.reopenQueues(); !done) return std::move(done).error();
    log::emit(QueueManaged, {{"action", "reopen"}});
    json.object([&] { json.member("store", "open"); });
    return 200;
}

}  // namespace postbus::admin
