#include "server/daemon/answer_delivery.hpp"

#include <string>
#include <utility>

#include "core/message/headers.hpp"
#include "transports/queue/jms_uri.hpp"
#include "transports/queue/soap_jms.hpp"

namespace postbus::server {
namespace {

queue::Outgoing outgoing(const addressing::SentAnswer& answer) {
    queue::Outgoing its;
    its.contentType = answer.contentType;
    its.action = answer.action;
    its.body = answer.body.view();
    its.relatesTo = answer.relatesTo;
    its.isFault = answer.isFault;
    return its;
}

bool isJms(std::string_view address) { return core::sameName(address.substr(0, 4), "jms:"); }

}  // namespace

void AnswerDelivery::send(addressing::SentAnswer&& answer, Done done) {
    if (!isJms(answer.address))
        return done(Error(Error::Kind::Unsupported, "no transport of this daemon sends to " + answer.address));
    const auto uri = queue::JmsUri::parse(answer.address);
    if (!uri) return done(uri.error());
    enqueue(uri->destination, queue::makeOutgoing(*uri, answer.address, outgoing(answer)), std::move(done));
}

void AnswerDelivery::keep(std::string_view queue, addressing::SentAnswer&& answer, std::string_view reason, Done done) {
    queue::JmsUri here;
    here.destination = queue;
    queues::Message message = queue::makeOutgoing(here, "jms:queue:" + here.destination, outgoing(answer));
    message.properties.push_back({"undeliveredTo", answer.address});
    message.properties.push_back({"undeliveredReason", std::string(reason)});
    enqueue(queue, std::move(message), std::move(done));
}

void AnswerDelivery::enqueue(std::string_view queue, queues::Message message, Done done) const {
    const auto engine = queues_.current();
    if (!engine) return done(Error(Error::Kind::Unavailable, "the queues are out of service"));
    engine->send(queue, std::move(message), std::move(done));
}

}  // namespace postbus::server
