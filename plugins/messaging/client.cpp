#include "plugins/messaging/client.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log/event.hpp"
#include "plugins/messaging/convert.hpp"
#include "plugins/messaging/messaging_events.hpp"
#include "plugins/tables/check.hpp"
#include "queues/selector/selector.hpp"

namespace postbus::messaging {
namespace {

using tables::view;

constexpr std::chrono::nanoseconds longestWait = std::chrono::hours(24);
constexpr std::uint32_t mostConcurrent = 256, mostPrefetched = 10'000;

void deliver(const Session& session, const Destination& to, queues::Message message, queues::Done done) {
    if (to.topic)
        session->publish(to.name, std::move(message), std::move(done));
    else
        session->send(to.name, std::move(message), std::move(done));
}

/// The selector, checked.
Result<std::string> readSelector(const postbus_consumer* how) {
    if (!how || how->size < sizeof(postbus_consumer)) return Error::invalid("no consumer is described");
    std::string text(view(how->selector));
    if (auto selector = queues::Selector::compile(text); !selector) return std::move(selector).error().in("selector");
    return text;
}

}  // namespace

Client::Client(Hub& hub, Owner& owner) : hub_(hub), owner_(owner) { hub_.join(*this); }

Client::~Client() {
    hub_.leave(*this);
    leave();
    giveUp();
}

void Client::send(const postbus_destination* given, const postbus_message* message, bool wait, postbus_queue_then then,
                  void* context) {
    owe(hub_, owner_, wait, then, context, [&](OwedPtr owed) {
        auto to = readDestination(given);
        if (!to) return owed->tell(Ended::of(to.error()));
        auto copy = readMessage(message);
        if (!copy) return owed->tell(Ended::of(copy.error()));
        if (const Session session = hub_.session())
            return deliver(session, *to, std::move(*copy), Owed::by(std::move(owed)));
        hub_.use([owed = std::move(owed), to = std::move(*to),
                  copy = std::move(*copy)](const Result<Session>& session) mutable {
            session ? deliver(*session, to, std::move(copy), Owed::by(owed)) : owed->tell(Ended::of(session.error()));
        });
    });
}

void Client::receive(const postbus_call* caller, const postbus_destination* given, const postbus_consumer* how,
                     std::int64_t nanoseconds, bool wait, postbus_queue_then then, void* context) {
    owe(hub_, owner_, wait, then, context, [&](OwedPtr owed) {
        auto from = readDestination(given);
        if (!from) return owed->tell(Ended::of(from.error()));
        if (from->topic) return owed->tell({POSTBUS_QUEUE_INVALID, "messages of a topic are subscribed to"});
        auto selector = readSelector(how);
        if (!selector) return owed->tell(Ended::of(selector.error()));
        const auto time = std::clamp(std::chrono::nanoseconds(nanoseconds), std::chrono::nanoseconds(0), longestWait);
        Receive::Wanted wanted{std::move(from->name), std::move(*selector), Clock::now() + time, caller};
        const auto receive = std::make_shared<Receive>(hub_, owner_, receives_, std::move(wanted), std::move(owed));
        bool late = false;
        {
            const std::lock_guard lock(mutex_);
            late = leaving_ && !caller;
            if (!late) receives_->add(receive);
        }
        late ? receive->end(Ended::leaving()) : receive->begin();
    });
}

Result<Subscription*> Client::subscribe(const postbus_destination* given, const postbus_consumer* how, Taker taker) {
    auto from = readDestination(given);
    if (!from) return std::move(from).error();
    auto selector = readSelector(how);
    if (!selector) return std::move(selector).error();
    SubscriptionOptions options{std::move(*from), std::move(*selector), std::string(view(how->name)), how->concurrency,
                                how->prefetch};
    if (!options.name.empty() && !options.from.topic)
        return Error::invalid("subscriptions of topics have names, those of queues have none");
    if (options.concurrency == 0 || options.concurrency > mostConcurrent)
        return Error::invalid("concurrency is 1 to " + std::to_string(mostConcurrent));
    if (options.prefetch > mostPrefetched)
        return Error::invalid("prefetch is at most " + std::to_string(mostPrefetched));
    const auto made = std::make_shared<Subscription>(hub_, owner_, std::move(options), taker);
    {
        const std::lock_guard lock(mutex_);
        if (leaving_) return Error(Error::Kind::Unavailable, "the service leaves: it takes no more messages");
        subscriptions_.push_back(made);
        if (!serving_) return made.get();
        made->begin();
    }
    hub_.open(made);
    return made.get();
}

std::vector<std::shared_ptr<Subscription>> Client::subscriptions() const {
    const std::lock_guard lock(mutex_);
    return subscriptions_;
}

void Client::serve() {
    std::vector<std::shared_ptr<Subscription>> all;
    {
        const std::lock_guard lock(mutex_);
        if (serving_ || leaving_) return;
        serving_ = true;
        all = subscriptions_;
        for (const auto& each : all) each->begin();
    }
    for (const auto& each : all) hub_.open(each);
}

void Client::leave() {
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
    }
    for (const auto& each : subscriptions()) each->close();
    for (const auto& each : receives_->all())
        if (!each->bound()) each->end(Ended::leaving());
}

void Client::giveUp() {
    std::size_t count = 0;
    for (const auto& each : subscriptions()) count += each->giveUp();
    for (const auto& each : receives_->all()) {
        each->end({POSTBUS_QUEUE_CLOSED, "the queues are no longer there for this service"});
        if (each->giveUp()) ++count;
    }
    if (count) log::emit(MessagesGivenUp, {{"service", owner_.name()}, {"messages", count}});
}

std::size_t Client::atWork() const {
    std::size_t count = 0;
    for (const auto& each : subscriptions()) count += each->atWork();
    return count;
}

bool Client::idle() const {
    const auto all = subscriptions();
    return receives_->empty() && std::all_of(all.begin(), all.end(), [](const auto& each) { return each->ended(); });
}

}  // namespace postbus::messaging
