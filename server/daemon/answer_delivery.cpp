#include "server/daemon/answer_delivery.hpp"

#include <string>
#include <utility>

#include "transports/queue/jms_uri.hpp"
#include "transports/queue/soap_jms.hpp"

namespace postbus::server {
namespace {

/// How long the receiver of an answer may take to take it.
constexpr std::chrono::seconds patience{30};

/// A message of its own to its receiver: with the action where the SOAP version has it, and for a queue what SOAP over
/// JMS wants to know.
core::OutboundMessage messageOf(addressing::SentAnswer& answer) {
    core::OutboundMessage message;
    message.contentType = answer.contentType;
    message.body = std::move(answer.body);
    message.requestId = answer.requestId;
    message.hops = answer.hops;
    message.headers.emplace_back("SOAPAction", '"' + std::string(answer.action) + '"');
    if (answer.address.starts_with("http")) {
        if (answer.contentType.starts_with("application/soap+xml")) {
            message.contentType += "; action=" + message.headers.back().second;
            message.headers.clear();
        }
        return message;
    }
    message.headers.emplace_back("JMSCorrelationID", std::string(answer.relatesTo));
    message.headers.emplace_back("SOAPJMS_isFault", answer.isFault ? "true" : "false");
    return message;
}

}  // namespace

void AnswerDelivery::send(addressing::SentAnswer&& answer, Done done) {
    core::Sender* sender = senders_.find(answer.address);
    if (!sender) return done(Error(Error::Kind::Unsupported, "no transport of this daemon sends to " + answer.address));
    const std::string address = answer.address;
    sender->send(address, messageOf(answer), Clock::now() + patience,
                 [done = std::move(done), address](Result<core::OutboundReply> reply) {
                     if (!reply) return done(std::move(reply).error());
                     constexpr int firstRefusal = 300;
                     if (reply->status >= firstRefusal)
                         return done(Error(Error::Kind::Unavailable,
                                           address + " answered with status " + std::to_string(reply->status)));
                     done(ok());
                 });
}

void AnswerDelivery::keep(std::string_view queue, addressing::SentAnswer&& answer, std::string_view reason, Done done) {
    const auto engine = queues_.current();
    if (!engine) return done(Error(Error::Kind::Unavailable, "the queues are out of service"));
    queue::JmsUri here;
    here.destination = queue;
    queue::Outgoing its;
    its.contentType = answer.contentType;
    its.action = answer.action;
    its.body = answer.body.view();
    its.relatesTo = answer.relatesTo;
    its.isFault = answer.isFault;
    queues::Message message = queue::makeOutgoing(here, its);
    message.properties.push_back({"undeliveredTo", answer.address});
    message.properties.push_back({"undeliveredReason", std::string(reason)});
    engine->send(queue, std::move(message), std::move(done));
}

}  // namespace postbus::server
