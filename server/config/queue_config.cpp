#include "server/config/queue_config.hpp"

#include "config/reader.hpp"
#include "server/config/daemon_config.hpp"

namespace postbus::server {

void checkQueueName(const std::string& name, const config::Site& site) {
    constexpr std::size_t longest = 255;
    if (name.empty()) return site.refuse("is empty; name a queue");
    const std::string shown = config::inQuotes(name);
    if (name.size() > longest) return site.refuse("the name of a queue is longer than 255 bytes");
    if (config::hasControlCharacter(name)) return site.refuse("the name of a queue has a control character");
    if (name.starts_with("topic/") || name.starts_with("temp."))
        return site.refuse(shown + ": names of queues don't begin with topic/ or temp.");
}

void QueueRetryConfig::validate(const config::Site& site) const {
    if (multiplier == 0u) site["multiplier"].refuse("is 0; 1 keeps the delay as it is");
}

void QueueRetryConfig::applyTo(queues::QueueSettings& settings) const {
    settings.maxDeliveries = attempts.value_or(settings.maxDeliveries);
    settings.redeliveryDelay = delay.value_or(settings.redeliveryDelay);
    settings.redeliveryMultiplier = multiplier.value_or(settings.redeliveryMultiplier);
    settings.maxRedeliveryDelay = maxDelay.value_or(settings.maxRedeliveryDelay);
}

void EndpointQueueConfig::validate(const config::Site& site) {
    constexpr std::uint32_t most = 1'024;
    checkQueueName(name, site["name"]);
    if (consumers == 0) site["consumers"].refuse("is 0; leave the queue out if nothing is to be taken from it");
    if (consumers > most) site["consumers"].refuse("is more than " + std::to_string(most));
    if (prefetch == 0) site["prefetch"].refuse("is 0; a consumer holds at least the message it works on");
    if (!deadLetter.empty()) checkQueueName(deadLetter, site["dead-letter"]);
}

std::map<std::string, queues::QueueSettings> queuesOf(const DaemonConfig& config) {
    std::map<std::string, queues::QueueSettings> all = config.queues;
    for (const auto& [name, endpoint] : config.endpoints) {
        if (!endpoint.queue) continue;
        queues::QueueSettings& settings = all[endpoint.queue->name];
        endpoint.queue->retry.applyTo(settings);
        if (!endpoint.queue->deadLetter.empty()) settings.deadLetter = endpoint.queue->deadLetter;
    }
    return all;
}

}  // namespace postbus::server
