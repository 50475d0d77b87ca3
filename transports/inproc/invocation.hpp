#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/timer_wheel.hpp"
#include "core/bus.hpp"

namespace postbus::inproc {

/// What came of an invocation. Lent: valid during the call that tells it; the tape is the receiver's to swap out.
struct Outcome {
    enum class Kind {
        Answer,
        Done,  ///< the exchange ended, or was accepted, and its pattern has no answer for the caller
        Fault
    };
    Kind kind = Kind::Done;
    xml::Tape* tape = nullptr;            ///< of an answer that is XML
    std::string_view bytes, contentType;  ///< of one that is not
    const core::Fault* fault = nullptr;
    bool cancelled = false;  ///< nobody waits any more for the call that it was made for
};

/// One call to an endpoint of this bus, by its name, from a plugin or a part of the daemon.
///
/// Begun, written through writer(), then sent, once; or dropped. It is answered exactly once, on the thread of a loop:
/// that of the exchange on whose behalf it is made, else any. An operation that is nonblocking runs within send() when
/// that is called on the loop. The deadline is the caller's own, an earlier one that was set, or 30 s; hops are counted
/// on. When the exchange it is made for is cancelled it is cancelled too, and told of at once. Kept alive by those who
/// hold it and, once sent, until it is answered.
class Invocation final : public core::LentCall,
                         public core::Replier,
                         public Timer,
                         public core::Dependent,
                         public std::enable_shared_from_this<Invocation> {
public:
    using Then = void (*)(void* context, const Outcome& outcome);

    /// `caller` is the exchange that it is made for, or null; it must not have ended yet.
    static std::shared_ptr<Invocation> begin(core::Bus& bus, core::Exchange* caller, std::string_view endpoint);

    core::PayloadWriter& writer() { return payload_; }
    std::string_view endpoint() const { return endpoint_; }
    /// Of the loop that it was sent from; null before.
    core::ExchangePool* pool() const { return pool_; }
    /// Only ever shortens the time.
    void limit(TimePoint deadline);
    /// Whether this thread is a loop's, and so must not wait for the answer.
    bool onLoop() const;
    /// Sends what was written; `then` is called once, perhaps before this returns.
    void send(Then then, void* context);

    static Invocation& of(const postbus_call* call) { return static_cast<Invocation&>(LentCall::of(call)); }

private:
    Invocation() { writer_ = &payload_; }
    static std::shared_ptr<Invocation> taken();
    void reset();
    void start(core::ExchangePool& pool);
    void answer(core::WireAnswer&& answer) override;
    void onTimer() override;
    void onCancel() override;
    void refuse(Error error);
    void tell(Outcome& outcome);

    core::Bus* bus_ = nullptr;
    core::ExchangePool* home_ = nullptr;  // of the caller; null: any
    std::string endpoint_;
    core::Origin origin_;
    core::ExchangeTie caller_;  // until it has joined
    TimePoint callerDeadline_;
    bool cancelled_ = false;
    xml::Tape tape_;
    core::PayloadWriter payload_;
    core::WireRequest request_;
    core::ExchangeRef exchange_;
    core::ExchangePool* pool_ = nullptr;
    Then then_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace postbus::inproc
