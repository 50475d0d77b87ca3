#pragma once

#include <postbus/fields.hpp>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "config/site.hpp"

namespace postbus::addressing {

enum class Policy { Off, Accepted, Optional, Required };
constexpr auto enumerators(Policy) {
    return std::array{enumerator("off", Policy::Off), enumerator("accepted", Policy::Accepted),
                      enumerator("optional", Policy::Optional), enumerator("required", Policy::Required)};
}

enum class Responses { Any, Anonymous, NonAnonymous };
constexpr auto enumerators(Responses) {
    return std::array{enumerator("any", Responses::Any), enumerator("anonymous", Responses::Anonymous),
                      enumerator("non-anonymous", Responses::NonAnonymous)};
}

struct AddressingConfig {
    Policy policy = Policy::Accepted;
    Responses responses = Responses::Any;
    std::vector<std::string> replyTo;
    std::string undelivered;

    static constexpr std::string_view shorthand = "policy";
    static constexpr auto fields() {
        return std::tuple{
            field("policy", &AddressingConfig::policy,
                  "accepted: the headers count as soon as they come. optional: the WSDL says so too, and names the "
                  "actions. required: a message without them is refused. off: they are not looked at."),
            field("responses", &AddressingConfig::responses,
                  "Where callers may have their answers: non-anonymous, to an address of reply-to; anonymous, on "
                  "their own connection or nowhere."),
            field("reply-to", &AddressingConfig::replyTo,
                  "Addresses that answers and faults may be sent to, as in http://HOST:PORT/PATH or jms:queue:NAME; a "
                  "'*' at the end stands for any end. All others are refused."),
            field("undelivered", &AddressingConfig::undelivered,
                  "Queue that keeps answers which could not be sent to their address; default: they are logged and "
                  "dropped."),
        };
    }
    void validate(const config::Site& site);
};

}  // namespace postbus::addressing
