#include "transports/queue/queue_exchange.hpp"

#include <utility>

#include "base/log/event.hpp"
#include "formats/mime/content_coding.hpp"
#include "transports/queue/inbound_queue.hpp"
#include "transports/queue/queue_events.hpp"

namespace postbus::queue {
namespace {

/// For endpoints without a limit of their own.
constexpr milliseconds usualTime{30'000};
/// Of what a packed body may hold, likewise.
constexpr std::size_t usualSize = std::size_t{64} << 20;

bool mayPass(const core::Fault& fault) {
    return fault.code == core::Fault::Code::Receiver &&
           (fault.kind == Error::Kind::Unavailable || fault.kind == Error::Kind::Timeout ||
            fault.kind == Error::Kind::BadGateway);
}

core::Fault senderFault(Error::Kind kind, std::string reason) { return core::toFault(Error(kind, std::move(reason))); }

}  // namespace

core::WireRequest QueueExchange::request(const RequestProperties& properties, const core::Route& route) const {
    const queues::Message& message = *delivery_.message;
    const std::string peer = "queue:" + delivery_.queue;
    core::WireRequest made;
    // All at once: views must stay valid.
    (void)made.memory.prepare(message.body.size() + properties.contentType.size() + properties.soapAction.size() +
                              peer.size() + route.path.size());
    const auto kept = [&](std::string_view text) {
        made.memory.append(text);
        return made.memory.view().substr(made.memory.size() - text.size());
    };
    made.body = kept(message.body);
    made.head.method = "POST";
    made.head.scheme = "jms";
    made.head.path = kept(route.path);
    made.head.contentType = kept(properties.contentType);
    made.head.peer = kept(peer);
    if (!properties.soapAction.empty()) made.head.headers.add("SOAPAction", kept(properties.soapAction));
    return made;
}

/// What speaks against the request, apart from its properties; unpacks its body.
std::optional<core::Fault> QueueExchange::objection(const core::Admission& admission, core::WireRequest& request,
                                                    const RequestProperties& properties) const {
    const core::Route& route = *admission.route;
    const std::string_view wanted = properties.targetService;
    if (!wanted.empty() && wanted != route.name && wanted != route.endpoint->name() &&
        wanted != route.endpoint->contract().name)
        return senderFault(Error::Kind::NotFound,
                           "this queue leads to " + route.name + ", not to the targetService " + std::string(wanted));
    const std::size_t limit = route.limits.body ? route.limits.body : usualSize;
    if (!properties.contentEncoding.empty() && !core::sameName(properties.contentEncoding, "identity")) {
        const auto coding = mime::codingNamed(properties.contentEncoding);
        if (!coding)
            return senderFault(Error::Kind::Unsupported, "SOAPJMS_contentEncoding " +
                                                             std::string(properties.contentEncoding) +
                                                             " is not known; send gzip, or none");
        if (auto unpacked = mime::inflate(request.body, *coding, limit, request.decoded); !unpacked)
            return core::toFault(std::move(unpacked).error());
        request.body = request.decoded.view();
    }
    if (request.body.size() > limit)
        return senderFault(Error::Kind::TooLarge, "the message is larger than " + std::to_string(limit) + " bytes");
    if (auto good = owner_->port().check(admission, request.head); !good) return core::toFault(std::move(good).error());
    return std::nullopt;
}

/// A message that expires is not worked on for longer.
TimePoint QueueExchange::deadline() const {
    if (!delivery_.message->expires) return TimePoint::max();
    const auto wall = std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    return Clock::now() + milliseconds(delivery_.message->expires) - wall;
}

void QueueExchange::begin(core::Admission&& admission) {
    RequestProperties properties;
    std::optional<core::Fault> wrong = readRequest(*delivery_.message, properties);
    core::WireRequest made = request(properties, *admission.route);
    if (!wrong) wrong = objection(admission, made, properties);
    core::ExchangePool& pool = owner_->loop().exchanges();
    if (wrong)
        return answer(
            core::InboundPort::refuse(admission, made.head, *wrong, delivery_.message->id, pool.takeBuffer()));

    core::Origin origin;
    origin.deadline = deadline();
    origin.hops = hopsOf(*delivery_.message);
    origin.untilEnd = true;
    const auto self = shared_from_this();
    exchange_ = owner_->port().receive(pool, std::move(admission), made, core::ReplyTo(self), usualTime, origin);
    if (exchange_.open()) owner_->loop().setTimer(*this, exchange_.deadline());
}

void QueueExchange::onTimer() {
    exchange_.expire(Error(Error::Kind::Timeout, "endpoint " + owner_->endpoint().name + " gave no answer in time"));
}

void QueueExchange::giveUp() {
    owner_->loop().cancelTimer(*this);
    exchange_.abandon();
}

void QueueExchange::answer(core::WireAnswer&& answer) {
    const auto self = shared_from_this();
    owner_->loop().cancelTimer(*this);
    settle(answer);
    owner_->loop().exchanges().giveBuffer(std::move(answer.body));
    owner_->ended(consumer_);
}

/// Whether the message names a queue that this answer is for.
bool QueueExchange::awaited(const core::WireAnswer& answer) const {
    if (delivery_.message->replyTo.empty()) return false;
    if (answer.cause) return !answer.unheard;
    constexpr int accepted = 202;  // with nothing in it: the exchange is done, and has no answer
    return !answer.body.empty() || answer.status != accepted;
}

/// Whether the message is to come again. On its last attempt the caller, if there is one, is told of the fault instead.
bool QueueExchange::triedAgain(const core::WireAnswer& answer) const {
    const std::uint32_t most = owner_->endpoint().maxDeliveries;
    const bool last = most != 0 && delivery_.count >= most;
    return answer.cause && mayPass(*answer.cause) && !(last && awaited(answer));
}

void QueueExchange::settle(const core::WireAnswer& answer) {
    queues::Session& session = owner_->session();
    if (triedAgain(answer)) {
        (void)session.fail(delivery_.consumer, delivery_.tag, answer.cause->reason);
    } else if (awaited(answer)) {
        reply(answer);
    } else if (answer.cause) {
        (void)session.setAside(delivery_.consumer, delivery_.tag, answer.cause->reason);
    } else {
        session.acknowledge(delivery_.consumer, delivery_.tag, owner_->watched());
    }
}

void QueueExchange::reply(const core::WireAnswer& answer) {
    queues::Session& session = owner_->session();
    const queues::Message& request = *delivery_.message;
    const auto transaction = session.begin();
    auto sent = session.send(transaction, request.replyTo,
                             makeAnswer(request, answer.contentType, answer.body.view(), answer.cause != nullptr));
    if (!sent) {
        const std::string reason = "the answer could not be put on " + request.replyTo + ": " + sent.error().message();
        log::emit(AnswerRefused, {{"endpoint", owner_->endpoint().name},
                                  {"queue", request.replyTo},
                                  {"message", request.id},
                                  {"reason", sent.error().message()}});
        (void)session.rollBack(transaction);
        if (sent.error().kind() == Error::Kind::Unavailable)
            (void)session.fail(delivery_.consumer, delivery_.tag, reason);
        else
            (void)session.setAside(delivery_.consumer, delivery_.tag, reason);
        return;
    }
    if (!session.acknowledge(transaction, delivery_.consumer, delivery_.tag)) {
        // The delivery is not this one's any more: whoever gets the message next answers it.
        (void)session.rollBack(transaction);
        return;
    }
    session.commit(transaction, owner_->watched());
}

}  // namespace postbus::queue
