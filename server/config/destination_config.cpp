#include "server/config/destination_config.hpp"

#include "config/reader.hpp"
#include "core/exchange/pattern.hpp"
#include "queues/selector/selector.hpp"
#include "server/config/daemon_config.hpp"

namespace postbus::server {
namespace {

constexpr std::size_t longestName = 255;

void checkTopicName(const std::string& name, const config::Site& site) {
    if (name.empty()) return site.refuse("is empty; name a topic");
    if (name.size() > longestName) return site.refuse("the name of a topic is longer than 255 bytes");
    if (config::hasControlCharacter(name)) site.refuse("the name of a topic has a control character");
}

void checkPattern(const std::string& text, bool topic, const config::Site& site) {
    const auto pattern = core::patternNamed(text);
    if (!pattern)
        return site.refuse(config::inQuotes(text) +
                           " is no exchange pattern; write in-only, robust-in-only, in-out or in-opt-out");
    if (core::rulesOf(*pattern).serviceFirst)
        return site.refuse(config::inQuotes(text) +
                           " begins with the service; an endpoint's callers begin here, so it is in-only, "
                           "robust-in-only, in-out or in-opt-out");
    if (topic && *pattern != core::Pattern::InOnly)
        site.refuse(config::inQuotes(text) + " is no pattern for a topic, whose messages are in-only");
}

}  // namespace

void EndpointTopicConfig::validate(const config::Site& site) {
    constexpr std::uint32_t most = 1'024;
    checkTopicName(name, site["name"]);
    if (subscription.size() > longestName) site["subscription"].refuse("is longer than 255 bytes");
    if (config::hasControlCharacter(subscription)) site["subscription"].refuse("has a control character");
    if (auto good = queues::Selector::compile(selector); !good)
        site["selector"].refuse(config::inQuotes(selector) + ": " + good.error().message());
    if (consumers == 0) site["consumers"].refuse("is 0; leave the topic out if nothing is to be taken from it");
    if (consumers > most) site["consumers"].refuse("is more than " + std::to_string(most));
    if (prefetch == 0) site["prefetch"].refuse("is 0; a consumer holds at least the message it works on");
    if (!deadLetter.empty()) checkQueueName(deadLetter, site["dead-letter"]);
}

queues::QueueSettings EndpointTopicConfig::settings() const {
    queues::QueueSettings its;
    retry.applyTo(its);
    its.deadLetter = deadLetter;
    return its;
}

void checkDestination(const EndpointConfig& endpoint, const config::Site& site) {
    const auto to = destination::Destination::parse(endpoint.to);
    if (!to) return site["to"].refuse(config::inQuotes(endpoint.to) + " " + to.error().message());
    if (to->topic)
        checkTopicName(to->name, site["to"]);
    else
        checkQueueName(to->name, site["to"]);
    const bool circle = to->topic ? endpoint.topic && endpoint.topic->name == to->name
                                  : endpoint.queue && endpoint.queue->name == to->name;
    if (circle) site["to"].refuse("is where the endpoint takes its messages from; they would run in a circle");
    if (!endpoint.interceptors.empty())
        site["interceptors"].refuse("stands at an endpoint that passes messages on as they are; it has none");
    if (!endpoint.send) return;
    const config::Site here = site["send"];
    if (!endpoint.send->pattern.empty()) checkPattern(endpoint.send->pattern, to->topic, here["pattern"]);
    checkSend(*endpoint.send, here);
}

void checkSend(const SendConfig& send, const config::Site& here) {
    if (send.priority > 9) here["priority"].refuse("is more than 9");
}

destination::Sending sendingOf(const EndpointConfig& endpoint) {
    destination::Sending sending;
    if (endpoint.to.starts_with("topic:")) sending.pattern = core::Pattern::InOnly;
    if (!endpoint.send) return sending;
    sending.pattern = core::patternNamed(endpoint.send->pattern).value_or(sending.pattern);
    sending.persistent = endpoint.send->persistent;
    sending.priority = static_cast<std::uint8_t>(endpoint.send->priority);
    sending.timeToLive = endpoint.send->timeToLive;
    return sending;
}

}  // namespace postbus::server
