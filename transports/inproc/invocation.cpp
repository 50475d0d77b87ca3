#include "transports/inproc/invocation.hpp"

#include <algorithm>
#include <utility>

#include "transports/inproc/tape_binding.hpp"

namespace postbus::inproc {

/// Those that are over, to be used again by the thread on which they ended: most begin there as well.
class Spare {
public:
    Spare() = default;
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    ~Spare() {
        while (first_) delete std::exchange(first_, first_->next_);
    }
    Invocation* take() {
        if (!first_) return nullptr;
        --count_;
        return std::exchange(first_, first_->next_);
    }
    bool give(Invocation& invocation) {
        if (count_ == kept) return false;
        ++count_;
        invocation.next_ = std::exchange(first_, &invocation);
        return true;
    }

private:
    static constexpr std::size_t kept = 64;
    Invocation* first_ = nullptr;
    std::size_t count_ = 0;
};

namespace {

constexpr std::chrono::seconds usualLimit{30};
using Table = std::shared_ptr<const core::RouteTable>;

constexpr std::size_t keptTape = 64 * 1024;

const TapeBinding binding;
thread_local Spare spare;

Error callerGone() { return {Error::Kind::Unavailable, "nobody waits any more for the call that this one is for"}; }

}  // namespace

void Recycle::operator()(Invocation* invocation) const {
    invocation->reset();
    if (!spare.give(*invocation)) delete invocation;
}

InvocationPtr Invocation::begin(core::Bus& bus, core::Exchange* caller, std::string_view endpoint) {
    Invocation* const last = spare.take();
    InvocationPtr made(last ? last : new Invocation);
    made->bus_ = &bus;
    if (made->endpoint_ != endpoint) {
        made->endpoint_ = endpoint;
        made->routeTable_ = 0;
    }
    if (caller) {
        made->home_ = &caller->home();
        made->caller_ = core::ExchangeTie(*caller);
        made->callerDeadline_ = caller->deadline();
        made->hops_ = static_cast<std::uint8_t>(caller->hops() + 1);
    }
    // Most callers have no more than the usual time: for them no clock is looked at.
    made->deadline_ = made->callerDeadline_;
    if (!caller || made->callerDeadline_ > caller->begun() + usualLimit)
        made->deadline_ = std::min(Clock::now() + usualLimit, made->callerDeadline_);
    made->payload_.begin(made->tape_);
    return made;
}

void Invocation::limit(TimePoint deadline) { deadline_ = std::min(deadline_, deadline); }

bool Invocation::onLoop() const {
    bool loop = isHome();
    bus_->visitPools([&](const core::ExchangePool& pool) { loop = loop || pool.loop().here(); });
    return loop;
}

void Invocation::send(InvocationPtr invocation, Then then) {
    Invocation* const self = invocation.release();  // its own from here on
    self->then_ = then;
    if (auto written = self->payload_.finish(); !written) return self->refuse(std::move(written).error());
    if (core::ExchangePool* const home = self->home_) {
        if (home->loop().here()) return self->start(*home);
        return home->loop().post([self] { self->start(*self->home_); });
    }
    bool posted = false;
    self->bus_->visitPools([&](core::ExchangePool& pool) {
        if (std::exchange(posted, true)) return;
        pool.loop().post([self, &pool] { self->start(pool); });
    });
    if (!posted) self->refuse(Error(Error::Kind::Unavailable, "the bus is stopping"));
}

/// On the loop.
void Invocation::start(core::ExchangePool& pool) {
    pool_ = &pool;
    cancelled_ = caller_.cancelled();
    if (cancelled_) return refuse(callerGone());
    // While this waits for its answer the caller's exchange is there, and with it the table: most calls take no share.
    const bool lent = caller_ && bus_->routesAre(caller_.table());
    core::Admission admission{lent ? Table(Table(), caller_.table().get()) : bus_->routes(), nullptr, &binding};
    admission.route = admission.table ? routeIn(*admission.table) : nullptr;
    if (!admission.route) return refuse(Error(Error::Kind::NotFound, "there is no endpoint named '" + endpoint_ + "'"));
    core::Origin origin;
    origin.tape = &tape_;
    origin.begun = coarseNow();
    origin.deadline = deadline_;
    origin.hops = hops_;
    origin.tableLent = lent;
    const core::ExchangeRef begun = bus_->port().receive(pool, std::move(admission), core::ReplyTo(*this), origin);
    if (!begun.open()) return;  // it has been answered: this may be another's already
    exchange_ = begun;
    armed_ = true;
    // Where the time is the caller's own, the caller's end ends it.
    const TimePoint deadline = begun.deadline();
    if (!caller_.awaited() || deadline < callerDeadline_) pool.loop().setTimer(*this, deadline);
    (void)caller_.join(*this);
    caller_.release();
}

const core::Route* Invocation::routeIn(const core::RouteTable& table) {
    if (routeTable_ != table.serial()) {
        route_ = table.named(endpoint_);
        routeTable_ = table.serial();
    }
    return route_;
}

void Invocation::onTimer() {
    core::ExchangeRef its = exchange_;  // this one may be another's before it returns
    its.expire(Error(Error::Kind::Timeout, "endpoint " + endpoint_ + " gave no answer in time"));
}

void Invocation::onCancel() {
    cancelled_ = true;
    core::ExchangeRef its = exchange_;
    its.cancel(callerGone());
}

void Invocation::answer(core::WireAnswer&& answer) {
    core::ExchangePool& pool = *pool_;
    if (armed_) {
        armed_ = false;
        pool.loop().cancelTimer(*this);
        leave();
    }
    Outcome outcome;
    if (answer.cause) {
        outcome.kind = Outcome::Kind::Fault;
        outcome.fault = answer.cause;
    } else if (answer.tape || !answer.body.empty()) {
        outcome.kind = Outcome::Kind::Answer;
        outcome.tape = answer.tape;
        outcome.bytes = answer.body.view();
        outcome.contentType = answer.contentType;
    }
    tell(outcome);
    if (answer.body.capacity()) pool.giveBuffer(std::move(answer.body));
}

void Invocation::refuse(Error error) {
    const core::Fault fault = core::toFault(std::move(error));
    Outcome outcome;
    outcome.kind = Outcome::Kind::Fault;
    outcome.fault = &fault;
    tell(outcome);
}

/// The last that it does.
void Invocation::tell(Outcome& outcome) {
    outcome.cancelled = cancelled_;
    std::exchange(then_, nullptr)(InvocationPtr(this), outcome);
}

void Invocation::reset() {
    caller_.release();
    home_ = nullptr;
    callerDeadline_ = TimePoint::max();
    hops_ = 0;
    tape_.clear();
    tape_.shrink(keptTape);
    exchange_ = {};
    pool_ = nullptr;
    cancelled_ = false;
    note = {};
    lender_ = nullptr;
}

}  // namespace postbus::inproc
