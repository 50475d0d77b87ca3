#include "server/config/interceptor_config.hpp"

#include <set>
#include <string>

#include "config/suggest.hpp"

namespace postbus::server {

addressing::AddressingConfig addressingOf(const Interceptors& interceptors) {
    for (const InterceptorConfig& each : interceptors)
        if (each.addressing) return *each.addressing;
    return {};
}

void checkInterceptors(const Interceptors& interceptors, const config::Site& site) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < interceptors.size(); ++i)
        forEachField<InterceptorConfig>([&](const auto& each) {
            if ((interceptors[i].*each.member).has_value() && !seen.insert(each.name).second)
                site[i].refuse("names " + std::string(each.name) + " a second time");
        });
}

}  // namespace postbus::server
