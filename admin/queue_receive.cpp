#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "admin/query.hpp"
#include "admin/queue_json.hpp"
#include "admin/queue_operations.hpp"
#include "admin/waited.hpp"

namespace postbus::admin {
namespace {

constexpr milliseconds longestWait{50'000};

/// Where deliveries come in; outlives the request, since one may come when nobody waits any more.
struct Inbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<queues::Delivery> deliveries;

    std::optional<queues::Delivery> next(TimePoint until) {
        std::unique_lock lock(mutex);
        if (!arrived.wait_until(lock, until, [this] { return !deliveries.empty(); })) return std::nullopt;
        queues::Delivery first = std::move(deliveries.front());
        deliveries.pop_front();
        return first;
    }
};

}  // namespace

Result<int> receiveMessages(Management& management, const core::WireRequest& request, json::Writer& json) {
    auto query = Query::parse(request.head.query);
    if (!query) return std::move(query).error();
    const std::string queue(query->text("queue"));
    if (queue.empty()) return Error::invalid("say which queue: ?queue=NAME");
    const auto count = query->number("count", 1, 1'000);
    const auto wait = query->duration("wait", milliseconds(0));
    if (!count) return count.error();
    if (!wait) return wait.error();
    auto engine = management.queues(Management::Need::Open);
    if (!engine) return std::move(engine).error();

    const auto inbox = std::make_shared<Inbox>();
    const auto session = (*engine)->connect();
    queues::ConsumerOptions options;
    options.selector = query->text("selector");
    options.prefetch = 0;  // one by one: what is not shown is not touched
    auto consumer = session->consume(queue, options, [inbox](queues::Delivery delivery) {
        const std::lock_guard lock(inbox->mutex);
        inbox->deliveries.push_back(std::move(delivery));
        inbox->arrived.notify_one();
    });
    if (!consumer) return std::move(consumer).error();

    // A little for the engine's thread even without a wait.
    const TimePoint until = Clock::now() + std::clamp(*wait, milliseconds(200), longestWait);
    std::vector<queues::Delivery> taken;
    while (taken.size() < *count) {
        session->addCredit(*consumer, 1);
        auto delivery = inbox->next(until);
        if (!delivery) break;
        auto done = waited<Result<void>>(
            [&](queues::Done then) { session->acknowledge(delivery->consumer, delivery->tag, std::move(then)); });
        if (!done && taken.empty()) return std::move(done).error();
        if (!done) break;
        taken.push_back(std::move(*delivery));
    }
    json.object([&] {
        json.array("messages", [&] {
            for (const queues::Delivery& each : taken)
                write(json, ShownMessage{*each.message, 0, each.count, each.redelivered, false, true,
                                         each.message->body.size(), each.deadLetter});
        });
    });
    return 200;
}

}  // namespace postbus::admin
