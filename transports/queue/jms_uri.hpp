#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::queue {

/// A jms: URI (RFC 6167): "jms:queue:orders?replyToName=answers".
struct JmsUri {
    enum class Variant { Jndi, Queue, Topic };
    Variant variant = Variant::Queue;
    std::string destination;                        ///< decoded
    std::map<std::string, std::string> parameters;  ///< likewise

    /// Strict, as SOAP over JMS wants it: Invalid for another scheme or variant, a broken escape, a parameter given
    /// twice, and deliveryMode, priority and timeToLive with values they can't have.
    static Result<JmsUri> parse(std::string_view text);
    /// Up to the destination, without parameters.
    std::string text() const;
};

}  // namespace postbus::queue
