#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/timer_wheel.hpp"
#include "core/bus.hpp"
#include "core/exchange/conversation.hpp"
#include "transports/inproc/invocation.hpp"

namespace postbus::inproc {

/// One exchange that a service begins, under a pattern whose first message is an Out: to where the configuration says
/// that messages of this name go, a queue, a topic or an http address, or to a callback address that it allows.
///
/// Begun, written through writer(), then sent, once; or dropped. What comes back is held against the pattern:
///
///     out-only         Done once the receiver has the message; an answer that comes all the same is not passed on
///     robust-out-only  Done, or the fault that the message triggered
///     out-in           the answer, or a fault in its place; nothing is a fault as well
///     out-opt-in       the answer, the fault, or Done
///
/// A message that could not be sent is a fault under each of them, and conversation() has ended in Error. It is told
/// exactly once, on the thread of a loop, perhaps before send() returns; the time is 30 s, or what the configuration or
/// limit() says.
class OutExchange final : public core::LentCall,
                          public core::Replier,
                          public Timer,
                          public std::enable_shared_from_this<OutExchange> {
public:
    using Then = void (*)(void* context, const Outcome& outcome);

    /// `cause` is the exchange in which the service found reason for it, or null: its hops are counted on, but it may
    /// end before this one. `pattern` is one of those that begin with Out.
    static std::shared_ptr<OutExchange> begin(core::Bus& bus, const core::Exchange* cause, std::string_view service,
                                              std::string_view message, core::Pattern pattern);

    core::PayloadWriter& writer() { return payload_; }
    const core::Conversation& conversation() const { return conversation_; }
    /// Whose it is and what it is called: Stock#priceChanged.
    std::string_view name() const { return name_; }
    /// Of the loop that it was sent from; null before.
    core::ExchangePool* pool() const { return pool_; }
    /// The address of this one's receiver, as a subscriber has given it. Before send().
    void to(std::string_view address) { address_ = address; }
    /// Only ever shortens the time.
    void limit(TimePoint deadline);
    /// Whether this thread is a loop's, and so must not wait for the outcome.
    bool onLoop() const;
    /// Sends what was written; `then` is called once.
    void send(Then then, void* context);

    static OutExchange& of(const postbus_call* call) { return static_cast<OutExchange&>(LentCall::of(call)); }

private:
    OutExchange(core::Bus& bus, std::string_view service, std::string_view message, core::Pattern pattern);
    void start(core::ExchangePool& pool);
    Result<core::Admission> admit() const;
    void answer(core::WireAnswer&& answer) override;
    void onTimer() override;
    void refuse(Error error);
    void tell(Outcome& outcome);

    core::Bus& bus_;
    const std::string service_, message_, name_;
    std::string address_;  ///< empty: where the configuration says
    core::Conversation conversation_;
    core::Origin origin_;
    xml::Tape tape_;
    core::PayloadWriter payload_;
    core::WireRequest request_;
    core::ExchangeRef exchange_;
    core::ExchangePool* pool_ = nullptr;
    Then then_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace postbus::inproc
