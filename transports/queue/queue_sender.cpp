#include "transports/queue/queue_sender.hpp"

#include <string>
#include <utility>

#include "core/message/headers.hpp"
#include "transports/queue/jms_uri.hpp"
#include "transports/queue/soap_jms.hpp"

namespace postbus::queue {
namespace {

Result<JmsUri> queueAt(std::string_view uri) {
    auto parsed = JmsUri::parse(uri);
    if (!parsed) return parsed;
    if (parsed->variant != JmsUri::Variant::Queue)
        return Error(Error::Kind::Unsupported, std::string(uri) + " is no queue; write jms:queue:NAME");
    return parsed;
}

Outgoing outgoing(const core::OutboundMessage& message) {
    Outgoing its;
    its.contentType = message.contentType;
    its.body = message.body.view();
    its.hops = static_cast<std::uint8_t>(message.hops + 1);
    for (const auto& [name, value] : message.headers) {
        if (core::sameName(name, "SOAPAction")) its.action = withoutQuotes(value);
        if (core::sameName(name, "JMSCorrelationID")) its.relatesTo = value;
        if (core::sameName(name, "SOAPJMS_isFault")) its.isFault = value == "true";
    }
    return its;
}

}  // namespace

Result<void> QueueSender::check(std::string_view uri) const {
    if (auto parsed = queueAt(uri); !parsed) return std::move(parsed).error();
    return ok();
}

void QueueSender::send(std::string_view uri, core::OutboundMessage message, TimePoint, Sent sent) {
    const auto parsed = queueAt(uri);
    if (!parsed) return sent(parsed.error());
    const auto engine = engine_();
    if (!engine) return sent(Error(Error::Kind::Unavailable, std::string(uri) + ": the queues are out of service"));
    engine->send(parsed->destination, makeOutgoing(*parsed, outgoing(message)),
                 [sent = std::move(sent), to = std::string(uri)](Result<void> stored) {
                     if (!stored) return sent(std::move(stored).error().in(to));
                     sent(core::OutboundReply{});
                 });
}

}  // namespace postbus::queue
