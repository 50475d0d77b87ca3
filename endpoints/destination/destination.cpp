#include "endpoints/destination/destination.hpp"

namespace postbus::destination {

Result<Destination> Destination::parse(std::string_view text) {
    if (!isOne(text)) return Error::invalid("is neither queue:NAME nor topic:NAME");
    Destination made;
    made.topic = text.starts_with("topic:");
    made.name = text.substr(text.find(':') + 1);
    if (made.name.empty()) return Error::invalid(made.topic ? "names no topic" : "names no queue");
    return made;
}

queue::JmsUri addressOf(const Destination& destination, const Sending& sending) {
    queue::JmsUri uri;
    uri.variant = destination.topic ? queue::JmsUri::Variant::Topic : queue::JmsUri::Variant::Queue;
    uri.destination = destination.name;
    uri.parameters["deliveryMode"] = sending.persistent ? "PERSISTENT" : "NON_PERSISTENT";
    uri.parameters["priority"] = std::to_string(sending.priority);
    if (sending.timeToLive.count()) uri.parameters["timeToLive"] = std::to_string(sending.timeToLive.count());
    return uri;
}

}  // namespace postbus::destination
