#include "transports/queue/soap_jms.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "formats/mime/media_type.hpp"
#include "transports/queue/jms_uri.hpp"

namespace postbus::queue {
namespace {

constexpr std::string_view prefix = "SOAPJMS_";

core::Fault fault(std::string_view subcode, std::string reason) {
    core::Fault made;
    made.code = core::Fault::Code::Sender;
    made.kind = Error::Kind::Invalid;
    made.reason = std::move(reason);
    made.subcodeUri = soapJmsUri;
    made.subcode = subcode;
    return made;
}

/// The text of the first property that has one of these names; names are told apart by case (JMS 2.0 section 3.5.1).
std::string_view text(const queues::Message& message, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        for (const queues::Property& each : message.properties)
            if (each.name == name)
                if (const auto* value = std::get_if<std::string>(&each.value)) return *value;
    return {};
}

bool followsRecommendation(const queues::Message& message) {
    for (const queues::Property& each : message.properties)
        if (each.name.starts_with(prefix)) return true;
    return false;
}

/// The encoding that an XML declaration names, or nothing.
std::string_view declaredEncoding(std::string_view body) {
    if (!body.starts_with("<?xml")) return {};
    const std::string_view declaration = body.substr(0, body.find("?>"));
    const auto at = declaration.find("encoding");
    if (at == std::string_view::npos) return {};
    const auto quote = declaration.find_first_of("\"'", at);
    if (quote == std::string_view::npos) return {};
    const auto end = declaration.find(declaration[quote], quote + 1);
    return end == std::string_view::npos ? std::string_view() : declaration.substr(quote + 1, end - quote - 1);
}

/// Section 2.2.4: what the content type says must agree with the XML, and in SOAP 1.2 with the soapAction.
std::optional<core::Fault> checkContentType(const queues::Message& message, const RequestProperties& properties) {
    const auto type = mime::MediaType::parse(properties.contentType);
    if (!type) return fault("contentTypeMismatch", "SOAPJMS_contentType: " + type.error().message());
    std::string memory;
    const std::string_view declared = properties.contentEncoding.empty() ? declaredEncoding(message.body) : "";
    const auto charset = type->parameter("charset", memory);
    if (charset && !declared.empty() && !mime::sameIgnoringCase(*charset, declared))
        return fault("contentTypeMismatch", "SOAPJMS_contentType has the charset " + std::string(*charset) +
                                                ", the XML declares " + std::string(declared));
    const auto action = type->parameter("action", memory);
    if (action && !properties.soapAction.empty() && *action != properties.soapAction)
        return fault("mismatchedSoapAction", "SOAPJMS_soapAction is not the action of SOAPJMS_contentType");
    return std::nullopt;
}

std::optional<core::Fault> checkUri(const queues::Message& message) {
    const std::string_view given = text(message, {"SOAPJMS_requestURI"});
    if (given.empty()) return fault("missingRequestURI", "the message has no property SOAPJMS_requestURI");
    const auto uri = JmsUri::parse(given);
    if (!uri) return fault("malformedRequestURI", uri.error().message());
    if (uri->parameters.contains("targetService"))
        return fault("targetServiceNotAllowedInRequestURI",
                     "SOAPJMS_requestURI has a targetService; that belongs to SOAPJMS_targetService");
    return std::nullopt;
}

}  // namespace

std::string_view withoutQuotes(std::string_view value) {
    return value.size() >= 2 && value.front() == '"' && value.back() == '"' ? value.substr(1, value.size() - 2) : value;
}

std::optional<core::Fault> readRequest(const queues::Message& message, RequestProperties& properties) {
    if (!followsRecommendation(message)) {
        properties.contentType = text(message, {"Content-Type", "Content_Type", "contentType"});
        if (properties.contentType.empty()) properties.contentType = message.contentType;
        properties.soapAction = text(message, {"SOAPAction", "soapAction", "SoapAction"});
        properties.targetService = text(message, {"targetService"});
        if (properties.contentType.empty()) return fault("missingContentType", "the message has no content type");
        return std::nullopt;
    }
    properties.contentType = text(message, {"SOAPJMS_contentType"});
    properties.soapAction = withoutQuotes(text(message, {"SOAPJMS_soapAction"}));
    properties.targetService = text(message, {"SOAPJMS_targetService"});
    properties.contentEncoding = text(message, {"SOAPJMS_contentEncoding"});
    if (const std::string_view version = text(message, {"SOAPJMS_bindingVersion"}); version != "1.0")
        return fault("unrecognizedBindingVersion", version.empty()
                                                       ? "the message has no property SOAPJMS_bindingVersion"
                                                       : "SOAPJMS_bindingVersion is not 1.0");
    if (auto wrong = checkUri(message)) return wrong;
    if (properties.contentType.empty())
        return fault("missingContentType", "the message has no property SOAPJMS_contentType");
    return checkContentType(message, properties);
}

AnswerProperties readAnswer(const queues::Message& message) {
    AnswerProperties its;
    its.contentType = text(message, {"SOAPJMS_contentType", "Content-Type", "Content_Type", "contentType"});
    if (its.contentType.empty()) its.contentType = message.contentType;
    its.contentEncoding = text(message, {"SOAPJMS_contentEncoding"});
    for (const queues::Property& each : message.properties)
        if (each.name == "SOAPJMS_isFault")
            if (const bool* value = std::get_if<bool>(&each.value)) its.isFault = *value;
    return its;
}

std::uint8_t hopsOf(const queues::Message& message) {
    for (const queues::Property& each : message.properties)
        if (each.name == hopsProperty)
            if (const auto* value = std::get_if<std::int64_t>(&each.value))
                return static_cast<std::uint8_t>(std::clamp<std::int64_t>(*value, 0, UINT8_MAX));
    return 0;
}

queues::Message makeAnswer(const queues::Message& request, std::string_view contentType, std::string_view body,
                           bool isFault) {
    queues::Message answer;
    answer.correlationId = request.correlationId.empty() ? request.id : request.correlationId;
    answer.contentType = contentType;
    answer.priority = request.priority;
    answer.persistent = request.persistent;
    if (request.expires > request.timestamp && request.timestamp)
        answer.timeToLive = milliseconds(request.expires - request.timestamp);
    answer.properties = {{"SOAPJMS_bindingVersion", std::string("1.0")},
                         {"SOAPJMS_contentType", std::string(contentType)},
                         {"SOAPJMS_isFault", isFault}};
    answer.body = body;
    return answer;
}

queues::Message makeOutgoing(const JmsUri& address, const Outgoing& outgoing) {
    const auto parameter = [&](const char* name) -> const std::string* {
        const auto found = address.parameters.find(name);
        return found == address.parameters.end() ? nullptr : &found->second;
    };
    queues::Message message;
    message.correlationId = outgoing.relatesTo;
    message.contentType = outgoing.contentType;
    message.body = outgoing.body;
    if (const std::string* mode = parameter("deliveryMode")) message.persistent = *mode != "NON_PERSISTENT";
    // JmsUri::parse() has checked both.
    if (const std::string* priority = parameter("priority"))
        message.priority = static_cast<std::uint8_t>(priority->front() - '0');
    if (const std::string* time = parameter("timeToLive")) message.timeToLive = milliseconds(std::stoll(*time));
    if (const std::string* replyTo = parameter("replyToName")) message.replyTo = *replyTo;
    message.properties = {{"SOAPJMS_bindingVersion", std::string("1.0")},
                          {"SOAPJMS_requestURI", address.text()},
                          {"SOAPJMS_contentType", std::string(outgoing.contentType)},
                          {"SOAPJMS_isFault", outgoing.isFault}};
    if (outgoing.hops) message.properties.push_back({std::string(hopsProperty), std::int64_t{outgoing.hops}});
    if (!outgoing.action.empty()) message.properties.push_back({"SOAPJMS_soapAction", std::string(outgoing.action)});
    if (const std::string* service = parameter("targetService"))
        message.properties.push_back({"SOAPJMS_targetService", *service});
    return message;
}

}  // namespace postbus::queue
