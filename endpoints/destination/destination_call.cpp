#include "endpoints/destination/destination_call.hpp"

#include <algorithm>
#include <utility>

#include "base/log/event.hpp"
#include "bindings/soap/answer_reader.hpp"
#include "bindings/soap/version_shape.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/message/payload_writer.hpp"
#include "endpoints/destination/destination_events.hpp"
#include "formats/mime/content_coding.hpp"
#include "formats/mime/media_type.hpp"
#include "transports/queue/soap_jms.hpp"

namespace postbus::destination {
namespace {

/// How long before the caller's own deadline the wait ends, so that the fault can name the destination: the timers of a
/// loop are late by up to two ticks.
constexpr milliseconds early{48};
constexpr std::size_t largestAnswer = std::size_t{64} << 20;

Error named(const DestinationEndpoint& endpoint, Error&& error) { return std::move(error).in(endpoint.origin()); }

}  // namespace

void DestinationCall::begin(std::shared_ptr<DestinationEndpoint> endpoint,
                            const std::shared_ptr<queues::Engine>& engine, core::ExchangePtr exchange) {
    const auto call = std::make_shared<DestinationCall>(std::move(endpoint), std::move(exchange));
    auto made = call->message();
    if (!made) return call->fail(std::move(made).error());
    if (call->pattern_ == core::Pattern::InOnly)
        return call->send(*engine, std::move(*made), [call](Result<void> stored) {
            if (!stored) return call->fail(std::move(stored).error());
            core::Exchange::reply(std::move(call->exchange_));
        });
    auto ticket = call->endpoint_->client().await(engine, call);
    if (!ticket) return call->fail(std::move(ticket).error());
    call->correlationId_ = made->correlationId = ticket->correlationId;
    made->replyTo = ticket->replyTo;
    call->start(*engine, std::move(*made));
}

/// Of one that waits for an answer.
void DestinationCall::start(queues::Engine& engine, queues::Message message) {
    const auto self = shared_from_this();
    if (const TimePoint deadline = exchange_->deadline(); deadline != TimePoint::max()) {
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
        const milliseconds wait = std::max(left, milliseconds(1));
        message.timeToLive = message.timeToLive.count() ? std::min(message.timeToLive, wait) : wait;
        exchange_->home().loop().setTimer(*this, deadline - early);
    }
    exchange_->watch(self);
    if (!exchange_) return;  // its caller is gone
    send(engine, std::move(message), [self](Result<void> stored) {
        if (stored || !self->claim()) return;
        self->later([self, error = std::move(stored).error()]() mutable { self->fail(std::move(error)); });
    });
}

Result<queues::Message> DestinationCall::message() const {
    const core::WireRequest& request = exchange_->request();
    queue::Outgoing outgoing;
    std::string enveloped;
    if (exchange_->tape().empty()) {
        outgoing.contentType = request.head.contentType;
        outgoing.action = queue::withoutQuotes(request.head.headers.find("SOAPAction").value_or(std::string_view()));
        outgoing.body = request.body;
    } else {
        auto written = envelope();
        if (!written) return std::move(written).error();
        enveloped = std::move(*written);
        outgoing.contentType = soap::shapeOf(endpoint_->soapVersion()).contentType;
        outgoing.body = enveloped;
    }
    outgoing.hops = static_cast<std::uint8_t>(exchange_->hops() + 1);
    return queue::makeOutgoing(endpoint_->uri(), outgoing);
}

Result<std::string> DestinationCall::envelope() const {
    const soap::VersionShape& shape = soap::shapeOf(endpoint_->soapVersion());
    Buffer out;
    out.append(shape.start);
    if (const Element payload = exchange_->payload()) {
        core::PayloadWriter writer;
        writer.begin(out);
        writer.copy(payload);
        if (auto finished = writer.finish(); !finished) return std::move(finished).error();
    }
    out.append(shape.end);
    return std::string(out.view());
}

void DestinationCall::send(queues::Engine& engine, queues::Message message, queues::Done done) const {
    const Destination& to = endpoint_->destination();
    if (to.topic)
        engine.publish(to.name, std::move(message), std::move(done));
    else
        engine.send(to.name, std::move(message), std::move(done));
}

/// Whether the end is the caller's to make.
bool DestinationCall::claim() { return endpoint_->client().leave(correlationId_); }

/// For who has claimed it: until the exchange has ended its loop is there.
void DestinationCall::later(std::function<void()> task) { exchange_->home().loop().post(std::move(task)); }

void DestinationCall::onReply(std::shared_ptr<const queues::Message> answer) {
    later([self = shared_from_this(), answer = std::move(answer)] { self->end(*answer); });
}

void DestinationCall::onReplyLost() {
    later([self = shared_from_this()] {
        self->fail(Error(Error::Kind::Unavailable, "the queues were opened anew while the answer was waited for"));
    });
}

void DestinationCall::onCancelled() {
    if (!claim()) return;
    exchange_->home().loop().cancelTimer(*this);
    core::Exchange::fail(std::move(exchange_), Error(Error::Kind::Timeout, "the caller does not wait any more"));
}

void DestinationCall::onTimer() {
    if (!claim()) return;
    if (pattern_ != core::Pattern::InOut) return core::Exchange::reply(std::move(exchange_));
    fail(Error(Error::Kind::Timeout, "no answer came in time"));
}

void DestinationCall::end(const queues::Message& answer) {
    exchange_->home().loop().cancelTimer(*this);
    const queue::AnswerProperties properties = queue::readAnswer(answer);
    std::string_view bytes = answer.body;
    Buffer unpacked;
    if (!properties.contentEncoding.empty() && !core::sameName(properties.contentEncoding, "identity")) {
        const auto coding = mime::codingNamed(properties.contentEncoding);
        if (!coding)
            return fail(Error(Error::Kind::BadGateway,
                              "the answer has the SOAPJMS_contentEncoding " + std::string(properties.contentEncoding)));
        if (auto done = mime::inflate(bytes, *coding, largestAnswer, unpacked); !done)
            return fail(Error(Error::Kind::BadGateway, "the answer can't be unpacked: " + done.error().message()));
        bytes = unpacked.view();
    }
    if (properties.isFault || !exchange_->tape().empty())
        return open(bytes, properties.contentType, properties.isFault);
    if (pattern_ != core::Pattern::RobustInOnly) {  // that has no place for an answer
        core::AnswerDraft& draft = exchange_->draft();
        draft.contentType = properties.contentType;
        draft.bytes.append(bytes);
        draft.raw = true;
    }
    core::Exchange::reply(std::move(exchange_));
}

/// The answer's envelope is opened: for callers that take payloads, and faults.
void DestinationCall::open(std::string_view bytes, std::string_view contentType, bool isFault) {
    xml::Tape tape;
    std::string memory;
    const auto type = mime::MediaType::parse(contentType);
    auto read = soap::readAnswer(bytes, type ? type->parameter("charset", memory).value_or("") : "", tape);
    if (!read) return fail(Error(Error::Kind::BadGateway, "the answer is no SOAP message: " + read.error().message()));
    if (read->fault) return core::Exchange::fail(std::move(exchange_), std::move(*read->fault));
    if (isFault)
        return fail(
            Error(Error::Kind::BadGateway, "the answer says that it is a fault (SOAPJMS_isFault), and is none"));
    if (read->payload && pattern_ != core::Pattern::RobustInOnly) exchange_->draft().writer.copy(read->payload);
    core::Exchange::reply(std::move(exchange_));
}

void DestinationCall::fail(Error error) {
    // Elsewhere no timer was set.
    if (core::ExchangePool& home = exchange_->home(); home.loop().here()) home.loop().cancelTimer(*this);
    Error told = named(*endpoint_, std::move(error));
    log::emit(SendFailed, {{"request", exchange_->id()}, {"endpoint", endpoint_->name()}, {"reason", told.message()}});
    core::Exchange::fail(std::move(exchange_), std::move(told));
}

}  // namespace postbus::destination
