/// The durable queues and the topics of the bus: sending, receiving, subscribing.
#pragma once

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "abi.h"
#include "abi_queues.h"
#include "call.hpp"
#include "cancellation.hpp"
#include "fault.hpp"
#include "message.hpp"
#include "subscription.hpp"
#include "task.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// What has been begun with the queues and is not over: shared by the bus and by whoever waits.
template <class T>
class QueueState {
public:
    explicit QueueState(const postbus_queues* table) : table_(table) {}

    /// For the bus, once; it lets go by it.
    static void take(void* context, const postbus_queue_result* told) {
        auto& self = *static_cast<QueueState*>(context);
        self.result_.emplace(queueResult<T>(self.table_, *told));
        self.cancelled_ = told->kind == POSTBUS_QUEUE_CANCELLED;
        if (self.phase_.exchange(Told, std::memory_order_acq_rel) == Awaited) self.goOn();
        self.drop();
    }
    void drop() {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

    bool told() const { return phase_.load(std::memory_order_acquire) == Told; }
    /// False: it has been told meanwhile, and whoever waits goes on.
    bool await(std::coroutine_handle<> awaiting, Chain* chain) {
        awaiting_ = awaiting;
        chain_ = chain;
        return phase_.exchange(Awaited, std::memory_order_acq_rel) != Told;
    }
    QueueResult<T> result() { return std::move(*result_); }

private:
    enum Phase { Begun, Awaited, Told };

    void goOn() {
        if (cancelled_)
            chain_->abandon();
        else
            proceed(awaiting_);
    }

    const postbus_queues* table_;
    std::optional<QueueResult<T>> result_;
    std::atomic<int> owners_{2};
    std::atomic<Phase> phase_{Begun};
    bool cancelled_ = false;
    std::coroutine_handle<> awaiting_;
    Chain* chain_ = nullptr;
};

/// For a function that is called with what came of it.
template <class T, class F>
struct QueueContinuation {
    const postbus_queues* table;
    F function;

    static void take(void* context, const postbus_queue_result* told) {
        const std::unique_ptr<QueueContinuation> self(static_cast<QueueContinuation*>(context));
        try {
            self->function(queueResult<T>(self->table, *told));
        } catch (...) {  // a Call or a Delivery that it held sees to itself
        }
    }
};

}  // namespace sdk

/// Something that has been begun with the queues: co_await it in a coroutine of a service, once, for its QueueResult.
///
///     auto sending = queue("orders").sendAsync(order);
///     auto logging = queue("journal").sendAsync(order);  // at the same time
///     const auto sent = co_await sending;
///
/// In two statements, see Invocation. One that is not awaited goes on all the same, but a message that it receives is
/// rejected.
template <class T>
class [[nodiscard]] Pending {
public:
    explicit Pending(sdk::QueueState<T>* state) : state_(state) {}
    Pending(Pending&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    Pending& operator=(Pending&&) = delete;
    ~Pending() {
        if (state_) state_->drop();
    }

    bool await_ready() const noexcept { return state_->told(); }
    template <sdk::OfOperation Promise>
    bool await_suspend(std::coroutine_handle<Promise> awaiting) {
        return state_->await(awaiting, awaiting.promise().chain());
    }
    QueueResult<T> await_resume() { return state_->result(); }

private:
    sdk::QueueState<T>* state_;
};

namespace sdk {

/// What queues and topics have in common. A value: cheap to make and to copy.
class DestinationBase {
public:
    std::string_view name() const { return name_; }

    /// Sends, and waits until the message is durable. For threads that may wait: operations that are not nonblocking,
    /// handlers of messages, threads of your own.
    Sent send(std::string_view body, const MessageOptions& options = {}) const {
        QueueWait<void> wait{table_};
        start(body, options, 1, QueueWait<void>::take, &wait);
        return std::move(wait.result);
    }
    /// Sends; `told` gets the Sent, once, on a thread of the bus: it must not wait. It may be move-only.
    template <class F>
    requires std::is_invocable_v<F&, Sent>
    void send(std::string_view body, const MessageOptions& options, F told) const {
        using Continuation = QueueContinuation<void, F>;
        start(body, options, 0, Continuation::take, new Continuation{table_, std::move(told)});
    }
    /// Sends, for coroutines to wait for.
    Pending<void> sendAsync(std::string_view body, const MessageOptions& options = {}) const {
        auto* const state = new QueueState<void>(table_);
        Pending<void> pending(state);
        start(body, options, 0, QueueState<void>::take, state);
        return pending;
    }

protected:
    DestinationBase(const postbus_host* host, postbus_service_context* context, std::uint32_t kind,
                    std::string_view name)
        : table_(static_cast<const postbus_queues*>(host->extension(context, borrow(POSTBUS_QUEUES)))),
          context_(context),
          kind_(kind),
          name_(name) {}

    static postbus_queue_result noQueues() {
        postbus_queue_result result{};
        result.size = sizeof result;
        result.kind = POSTBUS_QUEUE_UNAVAILABLE;
        result.reason = borrow("this bus has no queues");
        return result;
    }
    postbus_destination destination() const { return {sizeof(postbus_destination), kind_, borrow(name_)}; }

    template <class F>
    Subscription subscribeWith(F handler, std::uint32_t concurrency, std::uint32_t prefetch, std::string_view selector,
                               std::string_view name) const {
        if (!table_) throw Fault::receiver("this bus has no queues");
        auto taker = std::make_unique<sdk::Taker<F>>(table_, std::move(handler));
        const postbus_destination from = destination();
        const postbus_consumer how{sizeof(postbus_consumer), concurrency, prefetch, borrow(selector), borrow(name)};
        postbus_subscription* const made =
            table_->subscribe(context_, &from, &how, sdk::Taker<F>::take, sdk::Taker<F>::closed, taker.get());
        if (!made)
            throw Fault::receiver("the bus refuses the subscription to '" + name_ + "'; a line of its log says why");
        (void)taker.release();
        return Subscription(table_, made);
    }

    const postbus_queues* table_;
    postbus_service_context* context_;

private:
    void start(std::string_view body, const MessageOptions& options, int wait, postbus_queue_then then,
               void* thenContext) const {
        if (!table_) {
            const postbus_queue_result result = noQueues();
            return then(thenContext, &result);
        }
        postbus_message message{};
        message.size = sizeof message;
        message.priority = options.priority;
        message.persistent = options.persistent ? 1 : 0;
        message.group_sequence = options.groupSequence;
        message.body = borrow(body);
        message.content_type = borrow(options.contentType);
        message.id = borrow(options.id);
        message.correlation_id = borrow(options.correlationId);
        message.reply_to = borrow(options.replyTo);
        message.type = borrow(options.type);
        message.group = borrow(options.group);
        message.duplicate_key = borrow(options.duplicateKey);
        message.time_to_live = options.timeToLive.count();
        message.delay = options.delay.count();
        std::vector<postbus_property> properties;
        for (const Property& each : options.properties) properties.push_back(lentProperty(each));
        message.properties = properties.data();
        message.property_count = static_cast<std::uint32_t>(properties.size());
        message.property_size = sizeof(postbus_property);
        const postbus_destination to = destination();
        table_->send(context_, &to, &message, wait, then, thenContext);
    }
    static postbus_property lentProperty(const Property& property) {
        postbus_property lent{};
        lent.name = borrow(property.name);
        switch (property.value.index()) {
            case 0:
                lent.kind = POSTBUS_PROPERTY_BOOL;
                lent.integer = *std::get_if<bool>(&property.value) ? 1 : 0;
                break;
            case 1:
                lent.kind = POSTBUS_PROPERTY_INTEGER;
                lent.integer = *std::get_if<std::int64_t>(&property.value);
                break;
            case 2:
                lent.kind = POSTBUS_PROPERTY_REAL;
                lent.real = *std::get_if<double>(&property.value);
                break;
            default:
                lent.kind = POSTBUS_PROPERTY_TEXT;
                lent.text = borrow(*std::get_if<std::string_view>(&property.value));
        }
        return lent;
    }

    std::uint32_t kind_;
    std::string name_;
};

}  // namespace sdk

/// A durable queue, by its name: queue("orders") in a service.
///
///     if (const auto sent = queue("orders").send(order, {.contentType = "text/xml"}); !sent) throw sent.fault();
///
/// A queue comes to be by its first use. Any thread.
class Queue : public sdk::DestinationBase {
public:
    Queue(const postbus_host* host, postbus_service_context* context, std::string_view name)
        : DestinationBase(host, context, POSTBUS_DESTINATION_QUEUE, name) {}

    /// Waits for a message, that long. Of those that a JMS selector selects, if one is given. For threads that may
    /// wait. Ends early, with Closed, when the service leaves: a thread that receives over and over ends then.
    Received receive(std::chrono::nanoseconds time, std::string_view selector = {}) const {
        return waited(nullptr, time, selector);
    }
    /// The same on behalf of a call: ends when that is cancelled, and not when the service leaves.
    Received receive(const Request& caller, std::chrono::nanoseconds time, std::string_view selector = {}) const {
        return waited(sdk::RequestAccess::call(caller), time, selector);
    }
    /// `told` gets the Received, once, on a thread of the bus: it must not wait. It may be move-only.
    template <class F>
    requires std::is_invocable_v<F&, Received>
    void receive(std::chrono::nanoseconds time, std::string_view selector, F told) const {
        using Continuation = sdk::QueueContinuation<Delivery, F>;
        start(nullptr, time, selector, 0, Continuation::take, new Continuation{table_, std::move(told)});
    }
    /// For coroutines to wait for.
    Pending<Delivery> receiveAsync(std::chrono::nanoseconds time, std::string_view selector = {}) const {
        return begun(nullptr, time, selector);
    }
    /// The same on behalf of a call: when that is cancelled, a coroutine that waits here is destroyed.
    Pending<Delivery> receiveAsync(const Request& caller, std::chrono::nanoseconds time,
                                   std::string_view selector = {}) const {
        return begun(sdk::RequestAccess::call(caller), time, selector);
    }

    struct SubscribeOptions {
        std::uint32_t concurrency = 1;  ///< messages at work at once; with 1 they keep their order
        std::uint32_t prefetch = 10;    ///< what each of them holds ready
        std::string_view selector{};    ///< JMS's: "region = 'north' AND JMSPriority > 5"
    };
    /// Has `handler` called for each message, on a worker, where it may wait: from when the service serves until it
    /// leaves. See Subscription for what handlers may be. Throws a Fault when the bus refuses it.
    template <class F>
    Subscription subscribe(F handler, const SubscribeOptions& options) const {
        return subscribeWith(std::move(handler), options.concurrency, options.prefetch, options.selector, {});
    }
    template <class F>
    Subscription subscribe(F handler) const {
        return subscribe(std::move(handler), SubscribeOptions{});
    }

private:
    Received waited(const postbus_call* caller, std::chrono::nanoseconds time, std::string_view selector) const {
        sdk::QueueWait<Delivery> wait{table_};
        start(caller, time, selector, 1, sdk::QueueWait<Delivery>::take, &wait);
        return std::move(wait.result);
    }
    Pending<Delivery> begun(const postbus_call* caller, std::chrono::nanoseconds time,
                            std::string_view selector) const {
        auto* const state = new sdk::QueueState<Delivery>(table_);
        Pending<Delivery> pending(state);
        start(caller, time, selector, 0, sdk::QueueState<Delivery>::take, state);
        return pending;
    }
    void start(const postbus_call* caller, std::chrono::nanoseconds time, std::string_view selector, int wait,
               postbus_queue_then then, void* thenContext) const {
        if (!table_) {
            const postbus_queue_result result = noQueues();
            return then(thenContext, &result);
        }
        const postbus_destination from = destination();
        const postbus_consumer how{sizeof(postbus_consumer), 1, 0, sdk::borrow(selector), {}};
        table_->receive(context_, caller, &from, &how, time.count(), wait, then, thenContext);
    }
};

/// A topic, by its name: topic("prices") in a service. What is sent goes to each of its subscriptions. Any thread.
class Topic : public sdk::DestinationBase {
public:
    Topic(const postbus_host* host, postbus_service_context* context, std::string_view name)
        : DestinationBase(host, context, POSTBUS_DESTINATION_TOPIC, name) {}

    struct SubscribeOptions {
        /// Of a durable subscription: it gathers messages while nobody listens, and all who subscribe by its name share
        /// them. Not given: the service gets what is sent while it serves.
        std::string_view name{};
        std::uint32_t concurrency = 1;  ///< messages at work at once; with 1 they keep their order
        std::uint32_t prefetch = 10;    ///< what each of them holds ready
        std::string_view selector{};    ///< JMS's; a durable subscription keeps the one that it was made with
    };
    /// As Queue::subscribe().
    template <class F>
    Subscription subscribe(F handler, const SubscribeOptions& options) const {
        return subscribeWith(std::move(handler), options.concurrency, options.prefetch, options.selector, options.name);
    }
    template <class F>
    Subscription subscribe(F handler) const {
        return subscribe(std::move(handler), SubscribeOptions{});
    }
};

}  // namespace POSTBUS_SDK_VISIBILITY
