#pragma once

#include <postbus/fields.hpp>

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "config/site.hpp"
#include "interceptors/addressing/addressing_config.hpp"
#include "interceptors/validate/validate.hpp"

namespace postbus::server {

/// One interceptor of an endpoint, by its name. This is the list of all there are: a new one is a folder below
/// interceptors/, a field here and a line in server/composition/chains.cpp.
struct InterceptorConfig {
    std::optional<addressing::AddressingConfig> addressing;
    std::optional<validate::ValidateConfig> validate;

    static constexpr std::string_view oneOf = "interceptor";
    static constexpr auto fields() {
        return std::tuple{
            field("addressing", &InterceptorConfig::addressing,
                  "WS-Addressing. There for each SOAP endpoint, in front of all others where it is not named."),
            field("validate", &InterceptorConfig::validate,
                  "Messages have to be valid by the XML Schema of the service's contract."),
        };
    }
};

using Interceptors = std::vector<InterceptorConfig>;

/// The addressing that they name, or the default's.
addressing::AddressingConfig addressingOf(const Interceptors& interceptors);

/// Each of them stands there once.
void checkInterceptors(const Interceptors& interceptors, const config::Site& site);

}  // namespace postbus::server
