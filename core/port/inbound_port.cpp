#include "core/port/inbound_port.hpp"

#include <algorithm>
#include <string>

#include "base/bump.hpp"

namespace postbus::core {
namespace {

const Binding* bindingOf(const Route& route, const RequestHead& head) {
    for (const auto& each : route.bindings)
        if (each->claims(head)) return each.get();
    return nullptr;
}

}  // namespace

int httpStatus(Error::Kind kind) {
    switch (kind) {
        case Error::Kind::Unauthorized:
            return 401;
        case Error::Kind::Forbidden:
            return 403;
        case Error::Kind::NotFound:
            return 404;
        case Error::Kind::WrongMethod:
            return 405;
        case Error::Kind::TooLarge:
            return 413;
        case Error::Kind::Unsupported:
            return 415;
        case Error::Kind::Unavailable:
            return 503;
        case Error::Kind::Timeout:
            return 504;
        case Error::Kind::BadGateway:
            return 502;
        case Error::Kind::Internal:
            return 500;
        default:
            return 400;
    }
}

Admission InboundPort::admit(const RequestHead& head) const {
    Admission admission{routes_.get(), nullptr, nullptr};
    if (!admission.table) return admission;
    admission.route = admission.table->find(head.listener, head.path);
    if (admission.route) admission.binding = bindingOf(*admission.route, head);
    return admission;
}

Admission InboundPort::admitNamed(std::string_view endpoint, const RequestHead& head) const {
    Admission admission{routes_.get(), nullptr, nullptr};
    if (!admission.table) return admission;
    admission.route = admission.table->named(endpoint);
    if (admission.route) admission.binding = bindingOf(*admission.route, head);
    return admission;
}

Error InboundPort::wrongMethod(const Route& route, std::string_view method) {
    std::string text = "method " + std::string(method) + " is not allowed here";
    for (const auto& each : route.bindings)
        if (each->methods().find(method) != std::string_view::npos && !each->hint().empty())
            (text += "; ") += each->hint();
    return {Error::Kind::Unsupported, std::move(text)};
}

Result<void> InboundPort::check(const Admission& admission, const RequestHead& head) const {
    if (!admission.route) return Error(Error::Kind::NotFound, "nothing is served at this path");
    if (!admission.binding) return wrongMethod(*admission.route, head.method);
    return admission.binding->inspect(head);
}

ExchangeRef InboundPort::receive(ExchangePool& pool, Admission&& admission, WireRequest& request, ReplyTo replyTo,
                                 milliseconds timeLimit, const Origin& origin) const {
    ExchangePtr exchange = pool.begin(std::move(admission), request, std::move(replyTo));
    const milliseconds own = exchange->admission_.route->limits.timeout;
    const milliseconds limit = own.count() ? own : timeLimit;
    exchange->deadline_ = origin.deadline;
    // Of a request that still comes in the transport says when its time begins.
    if (limit.count() && !exchange->request_.stream)
        exchange->deadline_ = std::min(origin.deadline, exchange->begun_ + limit);
    return proceed(std::move(exchange), origin);
}

ExchangeRef InboundPort::receive(ExchangePool& pool, Admission&& admission, ReplyTo replyTo,
                                 const Origin& origin) const {
    ExchangePtr exchange = pool.begin(std::move(admission), origin.begun, std::move(replyTo));
    const Route& route = *exchange->admission_.route;
    RequestHead& head = exchange->request_.head;
    head.method = "POST";
    head.path = route.path;
    head.peer = "in-process";
    exchange->deadline_ = origin.deadline;
    if (route.limits.timeout.count())
        exchange->deadline_ = std::min(origin.deadline, Clock::now() + route.limits.timeout);
    return proceed(std::move(exchange), origin);
}

/// From where a request has become an exchange, whatever it came by.
ExchangeRef InboundPort::proceed(ExchangePtr exchange, const Origin& origin) const {
    ExchangeRef ref(*exchange);
    const Route& route = *exchange->admission_.route;
    exchange->call_.deadline =
        exchange->deadline_ == TimePoint::max() ? 0 : exchange->deadline_.time_since_epoch().count();
    exchange->hops_ = origin.hops;
    exchange->untilEnd_ = origin.untilEnd;
    exchange->tableLent_ = origin.tableLent;
    if (origin.tape) exchange->tape_.swap(*origin.tape);

    if (!route.enter()) {
        Exchange::fail(std::move(exchange), Error(Error::Kind::Unavailable, "endpoint " + route.name + " is busy"));
        return ref;
    }
    if (origin.hops >= mostHops) {
        Exchange::fail(std::move(exchange), Error::internal("the message has passed through " +
                                                            std::to_string(mostHops) + " endpoints, " + route.name +
                                                            " would be one more: they call each other in a "
                                                            "circle"));
        return ref;
    }
    if (auto refused = enter(*exchange)) {
        Exchange::fail(std::move(exchange), *std::move(refused));
        return ref;
    }
    const wsdl::Operation* operation = exchange->operation();
    if (!operation) {
        Exchange::reply(std::move(exchange));
        return ref;
    }
    exchange->admission_.binding->prepare(*exchange);
    dispatch(std::move(exchange));
    if (origin.tableLent) ref.holdTable();
    return ref;
}

/// Who need not wait is answered once nothing but the endpoint can refuse the request: the caller of an in-only
/// operation, and one whose answer goes elsewhere.
void InboundPort::dispatch(ExchangePtr exchange) const {
    const bool inOnly = exchange->conversation_.pattern() == Pattern::InOnly;
    const bool leaving = (inOnly || exchange->diversion_.whole()) && !exchange->untilEnd_;
    const auto release = [inOnly](Exchange& its) { inOnly ? its.accept() : its.detach(); };
    const Route& route = *exchange->admission_.route;
    if (leaving) exchange->holdTable();  // its caller may be gone with it
    if (route.runsInline(*exchange->operation_)) {
        if (leaving) release(*exchange);
        const LoopSight::Call inside(exchange->home_->sight(), route.name, exchange->operation_->name, exchange->id(),
                                     exchange->begun_);
        Endpoint& endpoint = *route.endpoint;
        endpoint.process(std::move(exchange));
        return;
    }
    Exchange* handed = exchange.release();
    if (!workers_.submit([handed] { handed->admission().route->endpoint->process(ExchangePtr(handed)); }))
        return Exchange::fail(ExchangePtr(handed), Error(Error::Kind::Unavailable, "all workers are busy"));
    // It can't have ended yet: its way back comes to this loop.
    if (leaving) release(*handed);
}

std::optional<Fault> InboundPort::enter(Exchange& exchange) {
    const Binding& binding = *exchange.admission_.binding;
    const Chain* chain = exchange.admission_.route->chain.get();
    if (auto read = binding.read(exchange); !read) return toFault(std::move(read).error());
    if (chain && binding.hasEnvelopes())
        if (auto refused = chain->enterEnvelope(exchange)) return refused;
    if (auto unwrapped = binding.unwrap(exchange); !unwrapped) return toFault(std::move(unwrapped).error());
    if (chain && exchange.operation_) return chain->enterPayload(exchange);
    return std::nullopt;
}

/// Shows the answer, or the fault that it ends in, to the interceptors.
void InboundPort::intercept(Exchange& exchange, std::optional<Fault>& fault) {
    const Chain* chain = exchange.admission_.route->chain.get();
    if (!chain) return;
    chain->leavePayload(exchange, fault);
    chain->leaveEnvelope(exchange, fault);
}

WireAnswer InboundPort::done(const Exchange& exchange) {
    WireAnswer answer = exchange.admission_.binding->done(exchange);
    sign(exchange, answer);
    return answer;
}

/// Says whose answer it is.
void InboundPort::sign(const Exchange& exchange, WireAnswer& answer) {
    answer.requestId = exchange.id();
    answer.endpoint = exchange.admission_.route->name;
    if (!exchange.operation_) return;
    answer.operation = exchange.operation_->name;
    answer.unheard = rulesOf(exchange.conversation_.pattern()).faults == FaultRule::None;
}

/// Fills `answer`, which is as it was made.
void InboundPort::answered(Exchange& exchange, WireAnswer& answer) {
    const Binding& binding = *exchange.admission_.binding;
    const bool wasFault = exchange.fault_.has_value();
    if (!wasFault)
        if (auto finished = binding.finish(exchange); !finished) exchange.fault_ = toFault(std::move(finished).error());
    if (exchange.admission_.route->chain) intercept(exchange, exchange.fault_);
    if (!exchange.fault_) {
        auto written = binding.write(exchange, answer);
        if (written) return sign(exchange, answer);
        exchange.fault_ = toFault(std::move(written).error());
    }
    if (!wasFault) bump(exchange.home_->counters_.faults);
    exchange.draft_.bytes.clear();
    answer = binding.writeFault(exchange.request_.head, &exchange, *exchange.fault_, exchange.id(),
                                std::move(exchange.draft_.bytes));
    sign(exchange, answer);
    answer.fault = exchange.fault_->reason;
    answer.cause = &*exchange.fault_;
}

WireAnswer InboundPort::refuse(const Admission& admission, const RequestHead& head, Error error,
                               std::string_view requestId, Buffer memory) const {
    WireAnswer answer;
    if (admission.binding) {
        answer = refuse(admission, head, toFault(std::move(error)), requestId, std::move(memory));
        answer.cause = nullptr;
        return answer;
    } else {
        const bool isThere = admission.route != nullptr;
        answer.status = isThere ? 405 : httpStatus(error.kind());
        if (isThere) answer = options(admission), answer.status = 405;
        answer.contentType = "text/plain; charset=utf-8";
        memory.clear(transportHeadroom);
        memory.append(error.message());
        memory.append(" (request ");
        memory.append(requestId);
        memory.append(")\n");
        answer.body = std::move(memory);
    }
    answer.requestId = requestId;
    if (admission.route) answer.endpoint = admission.route->name;
    return answer;
}

WireAnswer InboundPort::refuse(const Admission& admission, const RequestHead& head, const Fault& fault,
                               std::string_view requestId, Buffer memory) {
    WireAnswer answer = admission.binding->writeFault(head, nullptr, fault, requestId, std::move(memory));
    answer.requestId = requestId;
    answer.endpoint = admission.route->name;
    answer.cause = &fault;
    return answer;
}

WireAnswer InboundPort::options(const Admission& admission) const {
    WireAnswer answer;
    answer.status = admission.route ? 204 : 404;
    if (!admission.route) return answer;
    std::string allow;
    for (const auto& each : admission.route->bindings) {
        if (!allow.empty()) allow += ", ";
        allow += each->methods();
    }
    allow += allow.empty() ? "OPTIONS" : ", OPTIONS";
    answer.headers.emplace_back("Allow", std::move(allow));
    return answer;
}

}  // namespace postbus::core
