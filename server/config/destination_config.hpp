#pragma once

#include <postbus/fields.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "base/clock.hpp"
#include "config/site.hpp"
#include "endpoints/destination/destination.hpp"
#include "server/config/forward.hpp"
#include "server/config/queue_config.hpp"

namespace postbus::server {

/// The topic that an endpoint subscribes to.
struct EndpointTopicConfig {
    std::string name;
    std::string subscription;  ///< empty: the endpoint's name
    bool durable = true;
    std::string selector;
    std::uint32_t consumers = 1;
    std::uint32_t prefetch = 10;
    QueueRetryConfig retry;
    std::string deadLetter;

    static constexpr std::string_view shorthand = "name";
    static constexpr auto fields() {
        return std::tuple{
            field("name", &EndpointTopicConfig::name, "Name of the topic; made when there is none."),
            field("subscription", &EndpointTopicConfig::subscription,
                  "Name of the shared subscription; default: the endpoint's. Each subscription gets a copy of every "
                  "message; those who name one together share its messages."),
            field("durable", &EndpointTopicConfig::durable,
                  "Whether messages are gathered while the endpoint does not listen."),
            field("selector", &EndpointTopicConfig::selector,
                  "Which messages, as a JMS selector (SQL-92); default: all. Another one needs another subscription."),
            field("consumers", &EndpointTopicConfig::consumers,
                  "Messages that are worked on at once. With 1 they are in the order of the topic."),
            field("prefetch", &EndpointTopicConfig::prefetch,
                  "Messages that each of them holds, with the one at work."),
            field("retry", &EndpointTopicConfig::retry,
                  "When a message comes again whose service was unavailable or too slow; of the subscription, which is "
                  "a queue of its own."),
            field("dead-letter", &EndpointTopicConfig::deadLetter,
                  "Queue that messages go to which failed for good; default: DLQ. and the subscription's name."),
        };
    }
    void validate(const config::Site& site);
    /// Of the subscription.
    queues::QueueSettings settings() const;
};

/// How messages are sent to the queue or topic that an endpoint leads to.
struct SendConfig {
    std::string pattern;  ///< empty: in-out to a queue, in-only to a topic
    bool persistent = true;
    std::uint32_t priority = 4;
    milliseconds timeToLive{0};

    static constexpr auto fields() {
        return std::tuple{
            field("pattern", &SendConfig::pattern,
                  "Exchange pattern. in-out, the default: the answer is waited for, on a temporary queue. in-only: the "
                  "caller is told 202 when the queue has the message for good; for a topic the only one. "
                  "robust-in-only, in-opt-out: 202 when no fault, or no answer, has come within limits.timeout."),
            field("persistent", &SendConfig::persistent,
                  "Whether messages outlive the daemon; others are kept in memory alone."),
            field("priority", &SendConfig::priority, "0 to 9; 9 is delivered first."),
            field("time-to-live", &SendConfig::timeToLive,
                  "How long a message may wait for its consumer. 0s: for ever, or what the queue says. One whose "
                  "answer is waited for lives no longer than that."),
        };
    }
};

/// Checks an endpoint whose `to` is a queue or a topic.
void checkDestination(const EndpointConfig& endpoint, const config::Site& site);

/// What holds for messages to any queue.
void checkSend(const SendConfig& send, const config::Site& here);

/// What a configuration that has been checked says of the messages to `to`.
destination::Sending sendingOf(const EndpointConfig& endpoint);

}  // namespace postbus::server
