#pragma once

#include <postbus/abi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/timer_wheel.hpp"
#include "core/bus.hpp"

namespace postbus::inproc {

class Invocation;

/// Puts an invocation aside for the next one.
struct Recycle {
    void operator()(Invocation* invocation) const;
};
using InvocationPtr = std::unique_ptr<Invocation, Recycle>;

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
/// on. When the exchange it is made for is cancelled it is cancelled too, and told of at once.
///
/// Owned by one thread at a time: by whoever has begun it until send(), then by itself until it is answered.
class Invocation final : public core::LentCall, public core::Replier, public Timer, public core::Dependent {
public:
    /// Gets the invocation back, for good or to be recycled when it returns.
    using Then = void (*)(InvocationPtr invocation, const Outcome& outcome);

    /// `caller` is the exchange that it is made for, or null; it must not have ended yet.
    static InvocationPtr begin(core::Bus& bus, core::Exchange* caller, std::string_view endpoint);

    core::PayloadWriter& writer() { return payload_; }
    std::string_view endpoint() const { return endpoint_; }
    /// Of the loop that it was sent from; null before.
    core::ExchangePool* pool() const { return pool_; }
    /// Only ever shortens the time.
    void limit(TimePoint deadline);
    /// Whether this thread is a loop's, and so must not wait for the answer.
    bool onLoop() const;
    /// Whether this thread is that of the loop it will be answered on.
    bool isHome() const { return home_ && home_->loop().here(); }
    /// Sends what was written; `then` is called once, perhaps before this returns.
    static void send(InvocationPtr invocation, Then then);

    static Invocation& of(const postbus_call* call) { return static_cast<Invocation&>(LentCall::of(call)); }

    /// Words for `then`, of whoever sends it.
    struct Note {
        void (*function)(void* context, const postbus_outcome* outcome) = nullptr;
        void* context = nullptr;
        bool* toldWithin = nullptr;
        bool counted = false;
    } note;
    /// Memory for the same.
    alignas(std::max_align_t) std::array<std::byte, 64> room;

private:
    friend struct Recycle;
    friend class Spare;

    Invocation() { writer_ = &payload_; }
    void reset();
    void start(core::ExchangePool& pool);
    const core::Route* routeIn(const core::RouteTable& table);
    void answer(core::WireAnswer&& answer) override;
    void onTimer() override;
    void onCancel() override;
    void refuse(Error error);
    void tell(Outcome& outcome);

    core::Bus* bus_ = nullptr;
    core::ExchangePool* home_ = nullptr;  // of the caller; null: any
    std::string endpoint_;
    core::ExchangeTie caller_;  // until it has joined
    TimePoint callerDeadline_ = TimePoint::max(), deadline_ = TimePoint::max();
    std::uint8_t hops_ = 0;
    bool cancelled_ = false;
    bool armed_ = false;  // a timer may be set, or an exchange joined
    xml::Tape tape_;
    core::PayloadWriter payload_;
    core::ExchangeRef exchange_;
    core::ExchangePool* pool_ = nullptr;
    Then then_ = nullptr;

    // Left over from the last use, which most often was one of the same endpoint's.
    const core::Route* route_ = nullptr;
    std::uint64_t routeTable_ = 0;  // the serial of the table that route_ stands in

    Invocation* next_ = nullptr;  // among those put aside
};

}  // namespace postbus::inproc
