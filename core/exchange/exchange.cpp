#include "core/exchange/exchange.hpp"

#include <cassert>
#include <cstddef>

#include "base/bump.hpp"
#include "base/log/event.hpp"
#include "core/exchange/exchange_events.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/port/inbound_port.hpp"

namespace postbus::core {

void AnswerDraft::clear() {
    bytes.clear();
    contentType.clear();
    headerBlocks.clear();
    status = 200;
    raw = false;
    headers.clear();
    passed.clear();
    stream.reset();
    length.reset();
    if (!tape.empty()) tape.clear();
}

void Exchange::begin(Admission&& admission, ReplyTo&& replyTo, std::uint64_t serial, const ExchangeId& id) {
    serial_ = serial;
    admission_ = std::move(admission);
    conversation_ = Conversation();
    (void)conversation_.make(Conversation::Party::Caller, Conversation::Move::In);
    replyTo_ = std::move(replyTo);

    id_ = id;

    writer_ = &draft_.writer;
    call_ = {};
    call_.size = sizeof call_;
    call_.payload = call_.content = POSTBUS_NO_NODE;
    call_.id = {id_.view().data(), id_.view().size()};
    call_.content_type = {request_.head.contentType.data(), request_.head.contentType.size()};
}

void Exchange::identify(const wsdl::Operation& operation, std::uint32_t payload, std::uint32_t content) {
    assert(!operation_);
    operation_ = &operation;
    conversation_ = Conversation(static_cast<Pattern>(operation.mep));
    (void)conversation_.make(Conversation::Party::Caller, Conversation::Move::In);
    call_.operation = operation.id;
    call_.payload = payload;
    call_.content = content;
    call_.tape = tape_.empty() ? nullptr : tape_.view();
    if (!call_.tape) call_.bytes = {request_.body.data(), request_.body.size()};
}

void Exchange::clear() {
    constexpr std::size_t keep = 64 * 1024;
    admission_ = {};
    replyTo_ = {};
    watcher_.reset();
    request_.clear();
    tape_.clear();
    tape_.shrink(keep);
    if (draft_.bytes.capacity() > keep) draft_.bytes = Buffer();
    draft_.tape.shrink(keep);
    if (request_.memory.capacity() > keep) request_.memory = Buffer();
    if (request_.decoded.capacity() > keep) request_.decoded = Buffer();
    draft_.clear();
    fault_.reset();
    operation_ = nullptr;
    variant = 0;
    action = {};
    answered_ = accepted_ = detached_ = false;
    passedEnvelope_ = passedPayload_ = 0;
    notes_.clear();
    diversion_ = {};
    timer_.reset();
    hops_ = 0;
    untilEnd_ = tableLent_ = false;
    cancelled_.store(false, std::memory_order_relaxed);
    watches_.reset();
    over_ = false;
    serial_ = 0;
}

void Exchange::reply(ExchangePtr exchange) { end(std::move(exchange), std::nullopt); }

void Exchange::fail(ExchangePtr exchange, Fault fault) { end(std::move(exchange), std::move(fault)); }

void Exchange::end(ExchangePtr exchange, std::optional<Fault> fault) {
    Exchange* ending = exchange.release();
    ending->watches_.drop();
    ending->fault_ = std::move(fault);
    Executor& loop = ending->home_->loop();
    if (loop.here())
        ending->wayBack();
    else
        loop.post([ending] { ending->wayBack(); });
}

/// What the service's end of the conversation comes to under its pattern.
Conversation::Move Exchange::lastWord() const {
    using Move = Conversation::Move;
    constexpr auto service = Conversation::Party::Service;
    if (fault_) return conversation_.allows(service, Move::Fault) ? Move::Fault : Move::Error;
    if (conversation_.allows(service, Move::Done) && (draft_.empty() || !conversation_.allows(service, Move::Out)))
        return Move::Done;
    return Move::Out;
}

void Exchange::wayBack() {
    using Move = Conversation::Move;
    const Move word = lastWord();
    (void)conversation_.make(Conversation::Party::Service, word);
    if (fault_ && (accepted_ || !answered_)) bump(home_->counters_.faults);
    if (accepted_) {
        leaveRoute();
        if (fault_) tell(FaultUnheard, fault_->reason);
    } else if (answered_) {
        bump(home_->counters_.late);
        conversation_.abort();
    } else {
        answered_ = true;
        if (fault_ && operation_ && fault_->kind == Error::Kind::Internal) tell(ExchangeFailed, fault_->reason);
        const bool isMessage = word != Move::Done;
        WireAnswer answer;
        if (isMessage)
            InboundPort::answered(*this, answer);
        else
            answer = InboundPort::done(*this);
        leaveRoute();
        deliver(std::move(answer), isMessage);
    }
    over();
}

/// Back to the pool, now or when the last tie is gone. On the home loop.
void Exchange::over() {
    while (dependents_) dependents_->leave();  // they go on by themselves
    over_ = true;
    untied();
}

/// Perhaps the last tie is gone. On the home loop.
void Exchange::untied() {
    if (over_ && !tied()) home_->give(*this);
}

/// Nobody waits for it any more: tells those who want to know, but not from within whoever found out.
void Exchange::cancel() {
    cancelled_.store(true, std::memory_order_relaxed);
    const bool watched = watches_.cancel();
    if (!watched && !dependents_) return;
    home_->loop().post([this, tie = std::make_shared<ExchangeTie>(*this)] { tellOfCancel(); });
}

void Exchange::tellOfCancel() {
    while (!over_ && dependents_) {
        Dependent& first = *dependents_;
        first.leave();
        first.onCancel();
    }
    if (!over_) watches_.tell();
}

ExchangeTie::ExchangeTie(Exchange& exchange) : exchange_(&exchange), atHome_(exchange.home_->loop().here()) {
    if (atHome_)
        ++exchange.homeTies_;
    else
        exchange.ties_.fetch_add(1, std::memory_order_relaxed);
}

const std::shared_ptr<const RouteTable>& ExchangeTie::table() const { return exchange_->admission_.table; }

bool ExchangeTie::awaited() const { return exchange_ && !exchange_->over_ && !exchange_->answered_; }

bool ExchangeTie::cancelled() const { return exchange_ && !exchange_->over_ && exchange_->cancelled(); }

bool ExchangeTie::join(Dependent& dependent) const {
    if (!exchange_ || exchange_->over_) return false;
    dependent.join(exchange_->dependents_);
    return true;
}

/// The count is taken back on the loop, whichever it is: an exchange that is over is given back there.
void ExchangeTie::untie() {
    Exchange* const exchange = std::exchange(exchange_, nullptr);
    const auto untie = [exchange, atHome = atHome_] {
        if (atHome)
            --exchange->homeTies_;
        else
            exchange->ties_.fetch_sub(1, std::memory_order_relaxed);
        exchange->untied();
    };
    Executor& loop = exchange->home_->loop();
    if (loop.here())
        untie();
    else
        loop.post(untie);
}

/// In-only: the caller's part is over once the message is known to be one. On the home loop, before or while the
/// endpoint works: touches nothing that the endpoint does.
void Exchange::accept() {
    answered_ = accepted_ = true;
    replyTo_(InboundPort::done(*this));
}

/// Ends the exchange when its caller's transport no longer does.
class Exchange::Deadline final : public Timer {
public:
    explicit Deadline(Exchange& exchange) : exchange_(exchange) {}
    void onTimer() override {
        ExchangeRef its = exchange_;  // this timer may be gone with the exchange
        its.expire(Error(Error::Kind::Timeout, "the service gave no answer in time"));
    }

private:
    ExchangeRef exchange_;
};

/// The caller's part is over, as in accept(), and the exchange goes on without it: its transport's hold on it ends
/// here.
void Exchange::detach() {
    detached_ = true;
    serial_ = ++home_->serial_;
    replyTo_(InboundPort::done(*this));
    timer_ = std::make_unique<Deadline>(*this);
    home_->loop().setTimer(*timer_, deadline_);
}

/// The end, to whom it concerns.
void Exchange::deliver(WireAnswer&& answer, bool isMessage) {
    const bool notTaken = answer.cause && answer.cause->kind == Error::Kind::Unavailable && !detached_;
    Replier* other = nullptr;
    if (isMessage && !notTaken) other = answer.cause ? diversion_.fault.get() : diversion_.answer.get();
    if (other) {
        other->answer(std::move(answer));
        if (!detached_) replyTo_(InboundPort::done(*this));
    } else if (!detached_) {
        replyTo_(std::move(answer));
    }
}

Note* Exchange::noteOf(const void* owner) const {
    for (const auto& [its, note] : notes_)
        if (its == owner) return note.get();
    return nullptr;
}

void Exchange::tell(const log::Event& event, std::string_view reason) const {
    log::emit(event, {{"request", id()},
                      {"endpoint", admission_.route->name},
                      {"operation", operation_ ? std::string_view(operation_->name) : std::string_view()},
                      {"reason", reason}});
}

void Exchange::holdTable() {
    if (std::exchange(tableLent_, false)) admission_.table = admission_.table->shared_from_this();
}

void Exchange::leaveRoute() {
    if (admission_.route) admission_.route->leave();
}

Exchange& Exchange::of(const postbus_call* call) { return static_cast<Exchange&>(LentCall::of(call)); }

postbus_call* Exchange::lend(ExchangePtr exchange) {
    exchange->lent_.store(true, std::memory_order_release);
    return &exchange.release()->call_;
}

ExchangePtr Exchange::reclaim(postbus_call* call) {
    Exchange& exchange = of(call);
    return exchange.lent_.exchange(false, std::memory_order_acq_rel) ? ExchangePtr(&exchange) : ExchangePtr{};
}

void Exchange::watch(std::shared_ptr<Watcher> watcher) {
    watcher_ = std::move(watcher);
    if (cancelled()) tellWatcher();
}

/// The last thing: the watcher may end the exchange.
void Exchange::tellWatcher() {
    if (const auto watcher = std::exchange(watcher_, nullptr)) watcher->onCancelled();
}

void DropExchange::operator()(Exchange* exchange) const {
    exchange->home_->counters_.dropped.fetch_add(1, std::memory_order_relaxed);
    Exchange::fail(ExchangePtr(exchange), Error::internal("the service gave no answer"));
}

void ExchangeRef::expire(Error error) {
    if (!open()) return;
    bump(exchange_->home_->counters_.timeouts);
    answerWith(std::move(error));
}

void ExchangeRef::cancel(Error error) {
    if (!open()) return;
    bump(exchange_->home_->counters_.abandoned);
    answerWith(std::move(error));
}

void ExchangeRef::answerWith(Error error) {
    Exchange& exchange = *exchange_;
    exchange.answered_ = true;
    exchange.cancel();
    const Admission& admission = exchange.admission_;
    // The endpoint may still be writing into the draft: this answer has memory of its own.
    std::optional<Fault> fault = toFault(std::move(error));
    if (fault->kind == Error::Kind::Timeout) exchange.tell(ExchangeTimedOut, fault->reason);
    InboundPort::intercept(exchange, fault);
    WireAnswer answer = admission.binding->writeFault(exchange.request_.head, &exchange, *fault, exchange.id(),
                                                      exchange.home_->takeBuffer());
    answer.cause = &*fault;
    InboundPort::sign(exchange, answer);
    exchange.leaveRoute();
    exchange.deliver(std::move(answer), true);
    exchange.tellWatcher();
}

void ExchangeRef::abandon() {
    if (!open()) return;
    exchange_->answered_ = true;
    exchange_->cancel();
    bump(exchange_->home_->counters_.abandoned);
    Exchange& exchange = *exchange_;
    exchange.leaveRoute();
    exchange.replyTo_ = {};
    exchange.tellWatcher();
}

}  // namespace postbus::core
