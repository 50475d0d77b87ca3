#include "transports/inproc/invocation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "transports/inproc/tape_binding.hpp"

namespace postbus::inproc {
namespace {

constexpr std::chrono::seconds usualLimit{30};
constexpr std::size_t keptInvocations = 64, keptTape = 64 * 1024;

const TapeBinding binding;

/// Those that are over, to be used again by the thread on which they ended: most begin there as well.
std::vector<std::shared_ptr<Invocation>>& spare() {
    thread_local std::vector<std::shared_ptr<Invocation>> list;
    return list;
}

Error callerGone() { return {Error::Kind::Unavailable, "nobody waits any more for the call that this one is for"}; }

}  // namespace

std::shared_ptr<Invocation> Invocation::taken() {
    auto& list = spare();
    while (!list.empty()) {
        std::shared_ptr<Invocation> last = std::move(list.back());
        list.pop_back();
        if (last.use_count() == 1) return last;  // else its holder has not let go of it
    }
    return std::shared_ptr<Invocation>(new Invocation);
}

std::shared_ptr<Invocation> Invocation::begin(core::Bus& bus, core::Exchange* caller, std::string_view endpoint) {
    std::shared_ptr<Invocation> made = taken();
    made->bus_ = &bus;
    made->home_ = caller ? &caller->home() : nullptr;
    if (caller) made->caller_ = core::ExchangeTie(*caller);
    made->endpoint_ = endpoint;
    made->callerDeadline_ = caller ? caller->deadline() : TimePoint::max();
    made->origin_.deadline = std::min(Clock::now() + usualLimit, made->callerDeadline_);
    made->origin_.hops = caller ? static_cast<std::uint8_t>(caller->hops() + 1) : std::uint8_t{0};
    made->payload_.begin(made->tape_);
    return made;
}

void Invocation::limit(TimePoint deadline) { origin_.deadline = std::min(origin_.deadline, deadline); }

bool Invocation::onLoop() const {
    bool loop = home_ && home_->loop().here();
    bus_->visitPools([&](const core::ExchangePool& pool) { loop = loop || pool.loop().here(); });
    return loop;
}

void Invocation::send(Then then, void* context) {
    then_ = then;
    context_ = context;
    if (auto written = payload_.finish(); !written) return refuse(std::move(written).error());
    if (home_) {
        if (home_->loop().here()) return start(*home_);
        return home_->loop().post([self = shared_from_this()] { self->start(*self->home_); });
    }
    bool posted = false;
    bus_->visitPools([&](core::ExchangePool& pool) {
        if (std::exchange(posted, true)) return;
        pool.loop().post([self = shared_from_this(), &pool] { self->start(pool); });
    });
    if (!posted) refuse(Error(Error::Kind::Unavailable, "the bus is stopping"));
}

/// On the loop.
void Invocation::start(core::ExchangePool& pool) {
    const auto self = shared_from_this();
    pool_ = &pool;
    cancelled_ = caller_.cancelled();
    if (cancelled_) return refuse(callerGone());
    core::Admission admission{bus_->routes(), nullptr, &binding};
    if (admission.table) {
        const auto found = admission.table->byName().find(endpoint_);
        if (found != admission.table->byName().end()) admission.route = found->second.front();
    }
    if (!admission.route) return refuse(Error(Error::Kind::NotFound, "there is no endpoint named '" + endpoint_ + "'"));
    request_.head.method = "POST";
    request_.head.path = admission.route->path;
    request_.head.peer = "in-process";
    origin_.tape = &tape_;
    exchange_ =
        bus_->port().receive(pool, std::move(admission), request_, core::ReplyTo(self), milliseconds(0), origin_);
    if (exchange_.open()) {
        // Where the time is the caller's own, the caller's end ends it.
        const TimePoint deadline = exchange_.deadline();
        if (!caller_.awaited() || deadline < callerDeadline_) pool.loop().setTimer(*this, deadline);
        (void)caller_.join(*this);
    }
    caller_.release();
}

void Invocation::onTimer() {
    exchange_.expire(Error(Error::Kind::Timeout, "endpoint " + endpoint_ + " gave no answer in time"));
}

void Invocation::onCancel() {
    cancelled_ = true;
    exchange_.cancel(callerGone());
}

void Invocation::answer(core::WireAnswer&& answer) {
    pool_->loop().cancelTimer(*this);
    leave();
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
    pool_->giveBuffer(std::move(answer.body));
    if (spare().size() >= keptInvocations) return;
    reset();
    spare().push_back(shared_from_this());
}

void Invocation::refuse(Error error) {
    const core::Fault fault = core::toFault(std::move(error));
    Outcome outcome;
    outcome.kind = Outcome::Kind::Fault;
    outcome.fault = &fault;
    tell(outcome);
}

void Invocation::tell(Outcome& outcome) {
    outcome.cancelled = cancelled_;
    std::exchange(then_, nullptr)(context_, outcome);
}

void Invocation::reset() {
    tape_.clear();
    tape_.shrink(keptTape);
    request_.clear();
    origin_ = {};
    exchange_ = {};
    pool_ = nullptr;
    caller_.release();
    cancelled_ = false;
    call_ = {};
}

}  // namespace postbus::inproc
