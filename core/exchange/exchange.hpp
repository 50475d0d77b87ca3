#pragma once

#include <postbus/abi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/log/event.hpp"
#include "base/result.hpp"
#include "base/timer_wheel.hpp"
#include "core/exchange/conversation.hpp"
#include "core/exchange/dependent.hpp"
#include "core/exchange/diversion.hpp"
#include "core/exchange/exchange_ids.hpp"
#include "core/exchange/fault.hpp"
#include "core/exchange/note.hpp"
#include "core/exchange/watch_list.hpp"
#include "core/forward.hpp"
#include "core/message/payload_writer.hpp"
#include "core/message/wire.hpp"
#include "core/routing/admission.hpp"
#include "formats/wsdl/contract.hpp"
#include "formats/xml/tape.hpp"

namespace postbus::core {

/// Hands an exchange that nobody answered back to the bus, which answers a Receiver fault: no caller is left waiting.
struct DropExchange {
    void operator()(Exchange* exchange) const;
};
using ExchangePtr = std::unique_ptr<Exchange, DropExchange>;

/// The answer while it is being built.
struct AnswerDraft {
    Buffer bytes;              ///< behind headroom for the binding's and the transport's head
    xml::Tape tape;            ///< instead, for a caller inside of the bus
    PayloadWriter writer;      ///< writes into the one that the binding has chosen
    std::string contentType;   ///< empty: the binding's own
    std::string headerBlocks;  ///< of the envelope, by interceptors: elements that stand by themselves
    int status = 200;          ///< for bindings without a fault model of their own
    bool raw = false;          ///< bytes were set, not written
    bool empty() const { return bytes.empty() && tape.empty() && !raw; }
    std::vector<std::pair<std::string, std::string>> headers;
    // Of an answer that is passed on as it came.
    Headers passed;  ///< views into the memory of `bytes`, before its content
    std::shared_ptr<BodyPipe> stream;
    std::optional<std::uint64_t> length;  ///< of a body that is not there, since only its head was asked for

    void clear();
};

/// What a plugin is lent as a postbus_call: a request to answer, or one of its own to write. A base of its own, so that
/// the way from a postbus_call back to its owner is a cast the language defines.
struct LentCall {
    postbus_call call_{};
    PayloadWriter* writer_ = nullptr;  ///< what postbus_writer writes to
    void* lender_ = nullptr;           ///< a word for whoever lends it

    static LentCall& of(const postbus_call* call) {
        // A standard-layout struct and its first member have one address.
        return *reinterpret_cast<LentCall*>(const_cast<postbus_call*>(call));
    }
};

/// Is told that nobody waits for an exchange any more: for endpoints that wait for others themselves.
class Watcher {
public:
    virtual ~Watcher() = default;
    /// The deadline has passed, or the caller is gone. On the exchange's home loop, once at most; the exchange is still
    /// the holder's to end.
    virtual void onCancelled() = 0;
};

/// What a request from inside of the bus brings along.
struct Origin {
    xml::Tape* tape = nullptr;  ///< the message, read already; changes hands by swapping
    TimePoint begun;            ///< of a message that is a tape alone: when it was sent, about
    TimePoint deadline = TimePoint::max();
    std::uint8_t hops = 0;  ///< exchanges that this one was begun for, one for the other
    /// The route table is the caller's, who holds it until it is answered: the exchange takes a share of its own only
    /// if it goes on after receive(). For an admission whose table has none.
    bool tableLent = false;
    /// The caller keeps its message until the exchange has ended: in-only is not accepted before, and its caller is
    /// told of a fault.
    bool untilEnd = false;
};

/// Through so many endpoints a message may pass; one that comes further runs in a circle.
inline constexpr std::uint8_t mostHops = 16;

/// One conversation between a caller and an endpoint, under a message exchange pattern.
///
/// Carried by ExchangePtr and ended exactly once: by reply(), fail() or, dropped, by a Receiver fault of its own. It
/// may be ended on any thread; the way back runs on the loop that read the request. If the deadline passes or the
/// caller goes first, the caller is answered without it and what comes later is counted; the memory of the request, and
/// all that the ABI lends, lives until the holder ends or drops the exchange.
///
/// What an end means is the pattern's to say (conversation.hpp): under in-only the caller has been told that its
/// message was accepted before the endpoint sees it, and a fault has nobody to go to but the log.
///
/// Owned by one thread at a time; nothing in it is locked.
class Exchange : private LentCall {
public:
    /// The answer as drafted; Done, where the pattern has none, or may have none and the draft is empty.
    static void reply(ExchangePtr exchange);
    static void fail(ExchangePtr exchange, Fault fault);
    static void fail(ExchangePtr exchange, Error error) { fail(std::move(exchange), toFault(std::move(error))); }

    const WireRequest& request() const { return request_; }
    std::string_view id() const { return id_.view(); }
    const Admission& admission() const { return admission_; }
    TimePoint begun() const { return begun_; }
    TimePoint deadline() const { return deadline_; }
    std::uint8_t hops() const { return hops_; }
    /// Whether nobody waits for the answer any more: the deadline has passed, or the caller is gone. From any thread.
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
    /// On the home loop: `watcher` is told when nobody waits any more, until the exchange ends; at once, if that is so.
    void watch(std::shared_ptr<Watcher> watcher);
    /// Who is told of that, from any thread while the exchange is held.
    WatchList& watches() { return watches_; }
    /// The loop that it was begun on.
    ExchangePool& home() const { return *home_; }

    // Filled by the binding on the way in.
    xml::Tape& tape() { return tape_; }
    const xml::Tape& tape() const { return tape_; }
    /// Names the operation, and with it the pattern. Once, by Binding::unwrap().
    void identify(const wsdl::Operation& operation, std::uint32_t payload, std::uint32_t content);
    const wsdl::Operation* operation() const { return operation_; }
    const Conversation& conversation() const { return conversation_; }
    Element payload() const { return {tape_.view(), call_.payload}; }
    Element content() const { return {tape_.view(), call_.content}; }
    /// A word the binding keeps with the exchange, e.g. which SOAP version to answer in.
    int variant = 0;

    // Filled by interceptors on the way in, on the home loop.
    /// What the message says that it is for, other than by its payload and its transport; empty: nothing.
    std::string_view action;
    /// Keeps `note` until the exchange is over, for its owner to find.
    void keep(const void* owner, std::unique_ptr<Note> note) { notes_.emplace_back(owner, std::move(note)); }
    /// Or null.
    Note* noteOf(const void* owner) const;
    void divert(Diversion diversion) { diversion_ = std::move(diversion); }

    // Filled by the endpoint on the way back.
    AnswerDraft& draft() { return draft_; }
    const std::optional<Fault>& fault() const { return fault_; }

    /// The C side of this exchange, as lent to plugins. of() is the way back, and assumes the call is one of ours.
    postbus_call* call() { return &call_; }
    static Exchange& of(const postbus_call* call);
    /// Takes an exchange back from a plugin that was lent call() after release(). Empty when it was given back before.
    static ExchangePtr reclaim(postbus_call* call);
    /// Lends: the exchange now belongs to the plugin until reclaim().
    static postbus_call* lend(ExchangePtr exchange);

private:
    friend class Chain;
    friend class ExchangePool;
    friend class InboundPort;
    friend class ExchangeRef;
    friend class ExchangeTie;
    friend struct DropExchange;

    class Deadline;

    explicit Exchange(ExchangePool& home) : home_(&home) {}
    void begin(Admission&& admission, ReplyTo&& replyTo, std::uint64_t serial, const ExchangeId& id);
    void clear();
    static void end(ExchangePtr exchange, std::optional<Fault> fault);
    void tellWatcher();
    void wayBack();
    void accept();
    void detach();
    void deliver(WireAnswer&& answer, bool isMessage);
    Conversation::Move lastWord() const;
    void leaveRoute();
    void holdTable();
    void cancel();
    void tellOfCancel();
    void over();
    void untied();
    bool tied() const { return homeTies_ != 0 || ties_.load(std::memory_order_relaxed) != 0; }
    void tell(const log::Event& event, std::string_view reason) const;

    ExchangePool* home_;
    Exchange* next_ = nullptr;  // in the pool's list, free or open
    Exchange* previous_ = nullptr;
    std::uint64_t serial_ = 0;  // changes with each use; 0 in the pool
    bool answered_ = false;     // the caller has its answer; touched on the home loop only
    bool accepted_ = false;     // that was before the endpoint had the message (in-only)
    std::atomic<bool> lent_{false};
    std::atomic<bool> cancelled_{false};
    bool over_ = false;                   // ended, and back in the pool when nothing is tied to it any more
    std::atomic<std::uint32_t> ties_{0};  // made on other threads
    std::uint32_t homeTies_ = 0;          // made on the home loop
    Dependent* dependents_ = nullptr;     // the home loop's
    WatchList watches_;
    std::uint8_t hops_ = 0;
    bool untilEnd_ = false, tableLent_ = false;  // see Origin
    bool detached_ = false;  // the caller was told that the request is taken; all else goes where diversion_ says
    std::uint8_t passedEnvelope_ = 0, passedPayload_ = 0;  // interceptors that are to see the answer

    Admission admission_;
    WireRequest request_;
    ReplyTo replyTo_;
    std::shared_ptr<Watcher> watcher_;
    xml::Tape tape_;
    const wsdl::Operation* operation_ = nullptr;
    Conversation conversation_;
    AnswerDraft draft_;
    std::optional<Fault> fault_;
    std::vector<std::pair<const void*, std::unique_ptr<Note>>> notes_;
    Diversion diversion_;
    std::unique_ptr<Timer> timer_;  // of one that is detached
    TimePoint begun_, deadline_;
    ExchangeId id_;
};

/// A transport's hold on an exchange it has begun: a way to end it early that is harmless once it has ended. For the
/// loop that began it.
class ExchangeRef {
public:
    ExchangeRef() = default;
    explicit ExchangeRef(Exchange& exchange) : exchange_(&exchange), serial_(exchange.serial_) {}

    /// Whether the caller still waits for its answer.
    bool open() const { return exchange_ && exchange_->serial_ == serial_ && !exchange_->answered_; }
    TimePoint deadline() const { return open() ? exchange_->deadline_ : TimePoint::max(); }
    /// Sets it anew, for a request whose body has come to its end after the exchange began; only ever earlier.
    void limit(TimePoint deadline) {
        if (open()) exchange_->deadline_ = std::min(exchange_->deadline_, deadline);
    }
    /// Answers the caller with a fault made of `error`, now; the endpoint's answer will come too late and be counted.
    void expire(Error error);
    /// The caller has gone: nothing is sent.
    void abandon();
    /// The caller has no use for the answer any more: it is answered with `error`, as if it had gone.
    void cancel(Error error);
    /// Of one whose table was lent: it has a share of its own from now on.
    void holdTable() {
        if (exchange_ && exchange_->serial_ == serial_) exchange_->holdTable();
    }

private:
    void answerWith(Error error);

    Exchange* exchange_ = nullptr;
    std::uint64_t serial_ = 0;
};

}  // namespace postbus::core
