#include "transports/inproc/out_exchange.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/routing/out_name.hpp"
#include "transports/inproc/out_binding.hpp"

namespace postbus::inproc {
namespace {

constexpr std::chrono::seconds usualLimit{30};

using Party = core::Conversation::Party;
using Move = core::Conversation::Move;

}  // namespace

OutExchange::OutExchange(core::Bus& bus, std::string_view service, std::string_view message, core::Pattern pattern)
    : bus_(bus), service_(service), message_(message), name_(core::outName(service, message)), conversation_(pattern) {
    writer_ = &payload_;
    payload_.begin(tape_);
    origin_.deadline = Clock::now() + usualLimit;
}

std::shared_ptr<OutExchange> OutExchange::begin(core::Bus& bus, const core::Exchange* cause, std::string_view service,
                                                std::string_view message, core::Pattern pattern) {
    assert(core::rulesOf(pattern).serviceFirst);
    std::shared_ptr<OutExchange> made(new OutExchange(bus, service, message, pattern));
    if (cause) made->origin_.hops = static_cast<std::uint8_t>(cause->hops() + 1);
    return made;
}

void OutExchange::limit(TimePoint deadline) { origin_.deadline = std::min(origin_.deadline, deadline); }

bool OutExchange::onLoop() const {
    bool loop = false;
    bus_.visitPools([&](const core::ExchangePool& pool) { loop = loop || pool.loop().here(); });
    return loop;
}

void OutExchange::send(Then then, void* context) {
    then_ = then;
    context_ = context;
    (void)conversation_.make(Party::Service, Move::Out);
    if (auto written = payload_.finish(); !written) return refuse(std::move(written).error());
    core::ExchangePool* here = nullptr;
    bool posted = false;
    bus_.visitPools([&](core::ExchangePool& pool) {
        if (pool.loop().here()) here = &pool;
    });
    if (here) return start(*here);
    bus_.visitPools([&](core::ExchangePool& pool) {
        if (std::exchange(posted, true)) return;
        pool.loop().post([self = shared_from_this(), &pool] { self->start(pool); });
    });
    if (!posted) refuse(Error(Error::Kind::Unavailable, "the bus is stopping"));
}

/// On the loop.
void OutExchange::start(core::ExchangePool& pool) {
    const auto self = shared_from_this();
    pool_ = &pool;
    auto admission = admit();
    if (!admission) return refuse(std::move(admission).error());
    request_.head.method = "POST";
    request_.head.path = admission->route->path;
    request_.head.peer = "in-process";
    origin_.tape = &tape_;
    exchange_ =
        bus_.port().receive(pool, std::move(*admission), request_, core::ReplyTo(self), milliseconds(0), origin_);
    if (exchange_.open()) pool.loop().setTimer(*this, exchange_.deadline());
}

Result<core::Admission> OutExchange::admit() const {
    core::Admission admission{bus_.routes(), nullptr, &OutBinding::of(conversation_.pattern())};
    if (admission.table) {
        const auto found = admission.table->byName().find(name_);
        if (found != admission.table->byName().end()) admission.route = found->second.front();
    }
    const std::string what = message_ + " of service " + service_;
    if (!admission.route || !admission.route->endpoint)
        return Error(Error::Kind::NotFound, "the configuration does not say where " + what +
                                                " goes to: give its endpoint out: {" + message_ +
                                                ": queue:NAME}, topic:NAME or http://HOST:PORT/PATH");
    if (address_.empty()) return admission;
    if (!admission.route->callbacks)
        return Error(Error::Kind::NotFound, "the configuration lets " + what +
                                                " go to no address of its sender's choice: give its endpoint out: {" +
                                                message_ + ": {addresses: [http://HOST:PORT/PATH]}}");
    auto receiver = admission.route->callbacks->endpointAt(address_);
    if (!receiver) return std::move(receiver).error().in(what);
    // The exchange holds on to its table alone; this route lives as long.
    using Held = std::pair<std::shared_ptr<const core::RouteTable>, core::Route>;
    const auto held = std::make_shared<Held>(std::move(admission.table), *admission.route);
    held->second.endpoint = std::move(*receiver);
    admission.table = {held, held->first.get()};
    admission.route = &held->second;
    return admission;
}

void OutExchange::onTimer() { exchange_.expire(Error(Error::Kind::Timeout, name_ + " was not answered in time")); }

void OutExchange::answer(core::WireAnswer&& answer) {
    pool_->loop().cancelTimer(*this);
    const bool empty = answer.body.empty() && (!answer.tape || !answer.tape->root());
    Outcome outcome;
    if (answer.cause) {
        outcome.kind = Outcome::Kind::Fault;
        outcome.fault = answer.cause;
        if (conversation_.allows(Party::Caller, Move::Fault))
            (void)conversation_.make(Party::Caller, Move::Fault);
        else
            conversation_.abort();
    } else if (!empty && conversation_.allows(Party::Caller, Move::In)) {
        (void)conversation_.make(Party::Caller, Move::In);
        outcome.kind = Outcome::Kind::Answer;
        outcome.tape = answer.tape;
        outcome.bytes = answer.body.view();
        outcome.contentType = answer.contentType;
    } else if (!conversation_.make(Party::Caller, Move::Done)) {
        refuse(Error(Error::Kind::BadGateway, name_ + " got no answer, and its pattern, " +
                                                  std::string(core::uriOf(conversation_.pattern())) + ", wants one"));
        return pool_->giveBuffer(std::move(answer.body));
    }
    (void)conversation_.make(Party::Service, Move::Done);  // of a message or a fault that came
    tell(outcome);
    pool_->giveBuffer(std::move(answer.body));
}

void OutExchange::refuse(Error error) {
    conversation_.abort();
    const core::Fault fault = core::toFault(std::move(error));
    Outcome outcome;
    outcome.kind = Outcome::Kind::Fault;
    outcome.fault = &fault;
    tell(outcome);
}

void OutExchange::tell(Outcome& outcome) { std::exchange(then_, nullptr)(context_, outcome); }

}  // namespace postbus::inproc
