#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "admin/asked.hpp"
#include "admin/queue_answer.hpp"
#include "admin/queue_json.hpp"
#include "admin/queue_operations.hpp"
#include "admin/taker.hpp"
#include "core/exchange/exchange_pool.hpp"

namespace postbus::admin {
namespace {

constexpr milliseconds little{200}, longestWait{50'000};

struct Taken {
    std::vector<queues::Delivery> deliveries;
    bool more = false;  ///< there was one that had no place any more
};

/// Who waits may be there before the one who sends: it is the queue, too, that is waited for. It is not made for that;
/// a name that was misspelt would be a queue from then on.
Result<Asked> askedInTime(Management& management, core::Exchange& exchange, TimePoint until) {
    for (;;) {
        auto what = Asked::of(management, exchange.request(), Management::Need::IfAny, Asked::Named::There);
        const bool comes = !what && what.error().kind() == Error::Kind::NotFound;
        if (!comes || Clock::now() >= until || exchange.cancelled()) return what;
        std::this_thread::sleep_for(milliseconds(20));
    }
}

Taken take(Taker& taker, std::uint64_t count, TimePoint waitUntil, core::Exchange& exchange) {
    // A little for the engine's thread even without a wait.
    TimePoint until = std::max(waitUntil, Clock::now() + little);
    bool late = false;
    Taken taken;
    for (std::uint64_t bodies = 0; taken.deliveries.size() < count;) {
        // A large message may have taken all of the time: what stands behind it is looked for all the same, once.
        if (!late && !taken.deliveries.empty() && Clock::now() + little > until) {
            late = true;
            until = Clock::now() + little;
        }
        auto delivery = taker.next(until, exchange);
        if (!delivery) break;
        bodies += delivery->message->body.size();
        if (bodies > mostBodies.bytes && !taken.deliveries.empty()) {
            taker.giveBack(*delivery);
            taken.more = true;
            break;
        }
        taken.deliveries.push_back(std::move(*delivery));
    }
    return taken;
}

ShownMessage shown(const queues::Delivery& delivery) {
    return {*delivery.message,  0, delivery.count, delivery.redelivered, false, true, delivery.message->body.size(),
            delivery.deadLetter};
}

void writeAll(Buffer& bytes, Taken& taken) {
    json::Writer json(bytes);
    json.object([&] {
        json.array("messages", [&] {
            for (queues::Delivery& each : taken.deliveries) {
                write(json, shown(each));
                each.message.reset();  // it is there twice now
            }
        });
        json.member("more", taken.more);
    });
    bytes.append('\n');
}

}  // namespace

Result<std::shared_ptr<Handover>> receiveMessages(Management& management, core::Exchange& exchange) {
    const auto query = Query::parse(exchange.request().head.query);
    if (!query) return query.error();
    const auto raw = wantsRaw(*query);
    const auto count = query->number("count", 1, 1'000);
    const auto wait = query->duration("wait", milliseconds(0));
    if (!raw) return raw.error();
    if (!count) return count.error();
    if (!wait) return wait.error();
    if (*raw && *count != 1) return Error::invalid("body=raw is for one message: leave count out");
    const TimePoint until = Clock::now() + std::min(*wait, longestWait);
    auto what = askedInTime(management, exchange, until);
    if (!what) return std::move(what).error();
    auto opened = Taker::open(*what->engine, what->queue, what->query.text("selector"));
    if (!opened) return std::move(opened).error();
    const std::shared_ptr<Taker> taker = std::move(*opened);

    Taken taken = take(*taker, *count, until, exchange);
    // It would be handed to nobody.
    if (exchange.cancelled()) return Error(Error::Kind::Unavailable, "the caller has gone");
    if (taken.deliveries.empty()) {
        *raw ? answerNothing(exchange) : writeAll(exchange.draft().bytes, taken);
        return std::shared_ptr<Handover>();
    }
    const queues::Tag last = taken.deliveries.back().tag;
    Handover::Confirm confirm = [taker, last](queues::Done done) { taker->acknowledge(last, std::move(done)); };
    if (*raw) {
        const queues::Delivery& first = taken.deliveries.front();
        return answerRaw(exchange, shown(first), first.message, std::move(confirm));
    }
    const auto bytes = std::make_shared<Buffer>();
    writeAll(*bytes, taken);
    auto made = Handover::make(exchange.home().loop(), {bytes, bytes->view()}, std::move(confirm));
    exchange.draft().stream = std::move(made.stream);
    exchange.draft().length = bytes->size();
    return std::move(made.handover);
}

}  // namespace postbus::admin
