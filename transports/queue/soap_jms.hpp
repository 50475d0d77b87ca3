#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/exchange/fault.hpp"
#include "queues/engine/message.hpp"
#include "transports/queue/jms_uri.hpp"

/// The properties of SOAP over JMS 1.0 (W3C Recommendation, 16 February 2012), both ways.
namespace postbus::queue {

/// How many endpoints a message has passed, as a property of ours.
inline constexpr std::string_view hopsProperty = "PostbusHops";
std::uint8_t hopsOf(const queues::Message& message);

/// Of the binding's own fault codes.
inline constexpr std::string_view soapJmsUri = "http://www.w3.org/2010/soapjms/";

/// What a request's properties say. Views into the message.
struct RequestProperties {
    std::string_view contentType, soapAction, targetService, contentEncoding;
};

/// Reads and checks them; the fault to answer where they don't hold what the binding asks for.
///
/// A message with any property SOAPJMS_* has to follow the recommendation. One without is taken from clients that are
/// older than it, or know nothing of it: a content type is enough, in the message or in a property of one of the usual
/// names (Content-Type, Content_Type, contentType), and SOAPAction or soapAction may stand beside it.
std::optional<core::Fault> readRequest(const queues::Message& message, RequestProperties& properties);

/// The answer to a request: correlated with it, as urgent, as lasting and as durable.
queues::Message makeAnswer(const queues::Message& request, std::string_view contentType, std::string_view body,
                           bool fault);

/// What an answer's properties say, or those of one that is no SOAP over JMS. Views into the message.
struct AnswerProperties {
    std::string_view contentType, contentEncoding;
    bool isFault = false;
};
AnswerProperties readAnswer(const queues::Message& message);

/// A SOAPAction without the quotes around it.
std::string_view withoutQuotes(std::string_view value);

/// A message that leaves for a jms: address on its own, such as an answer that goes where its request's ReplyTo says.
struct Outgoing {
    std::string_view contentType, action, body;
    std::string_view relatesTo;  ///< what it answers, for the correlation; or empty
    bool isFault = false;
    std::uint8_t hops = 0;  ///< with the one that it is on now
};

/// With the properties of a request, since whoever takes it may be a service, and the delivery mode, priority, time to
/// live, reply-to and target service that the address asks for.
queues::Message makeOutgoing(const JmsUri& address, const Outgoing& outgoing);

}  // namespace postbus::queue
