#pragma once

#include <postbus/fields.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/clock.hpp"
#include "config/site.hpp"
#include "queues/engine/settings.hpp"
#include "server/config/forward.hpp"

namespace postbus::server {

enum class OnFailure { GoOn, Exit };
constexpr auto enumerators(OnFailure) {
    return std::array{enumerator("go-on", OnFailure::GoOn), enumerator("exit", OnFailure::Exit)};
}

/// Of the store that all queues lie in.
struct QueueStoreConfig {
    OnFailure onFailure = OnFailure::GoOn;

    static constexpr auto fields() {
        return std::tuple{
            field("on-failure", &QueueStoreConfig::onFailure,
                  "What the daemon does when a write or a flush has failed. go-on: the queues are out of service until "
                  "`postbus queue reopen`, all else goes on. exit: it answers what it has accepted and ends with "
                  "status 1, for a supervisor to start it anew."),
        };
    }
};

struct QueueRetryConfig {
    std::optional<std::uint32_t> attempts;
    std::optional<milliseconds> delay;
    std::optional<std::uint32_t> multiplier;
    std::optional<milliseconds> maxDelay;

    static constexpr auto fields() {
        return std::tuple{
            field("attempts", &QueueRetryConfig::attempts, "The queue's max-deliveries."),
            field("delay", &QueueRetryConfig::delay, "The queue's redelivery-delay."),
            field("multiplier", &QueueRetryConfig::multiplier, "The queue's redelivery-multiplier."),
            field("max-delay", &QueueRetryConfig::maxDelay, "The queue's max-redelivery-delay."),
        };
    }
    void validate(const config::Site& site) const;
    /// Puts what it says over `settings`.
    void applyTo(queues::QueueSettings& settings) const;
};

/// Where an endpoint takes messages from.
struct EndpointQueueConfig {
    std::string name;
    std::uint32_t consumers = 1;
    std::uint32_t prefetch = 10;
    QueueRetryConfig retry;
    std::string deadLetter;

    static constexpr std::string_view shorthand = "name";
    static constexpr auto fields() {
        return std::tuple{
            field("name", &EndpointQueueConfig::name, "Name of the queue; made when there is none."),
            field("consumers", &EndpointQueueConfig::consumers,
                  "Messages that are worked on at once. With 1 they are in the order of the queue."),
            field("prefetch", &EndpointQueueConfig::prefetch,
                  "Messages that each of them holds, with the one at work."),
            field("retry", &EndpointQueueConfig::retry,
                  "When a message comes again whose service was unavailable or too slow; what is left out is the "
                  "queue's own setting."),
            field("dead-letter", &EndpointQueueConfig::deadLetter,
                  "Queue that messages go to which failed for good; default: the queue's own setting."),
        };
    }
    void validate(const config::Site& site);
};

/// What a queue is called: 1-255 bytes without control characters, and not what the engine keeps for itself.
void checkQueueName(const std::string& name, const config::Site& site);

/// Every queue that a configuration names, with its settings: those of `queues:`, and over them what the endpoint that
/// takes from it says.
std::map<std::string, queues::QueueSettings> queuesOf(const DaemonConfig& config);

}  // namespace postbus::server
