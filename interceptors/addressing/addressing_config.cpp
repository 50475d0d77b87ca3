#include "interceptors/addressing/addressing_config.hpp"

#include "config/suggest.hpp"
#include "interceptors/addressing/allowed_addresses.hpp"

namespace postbus::addressing {

void AddressingConfig::validate(const config::Site& site) {
    for (std::size_t i = 0; i < replyTo.size(); ++i)
        if (auto good = AllowedAddresses::checkPattern(replyTo[i]); !good)
            site["reply-to"][i].refuse(config::inQuotes(replyTo[i]) + " " + good.error().message());
    if (responses == Responses::NonAnonymous && replyTo.empty())
        site["responses"].refuse("is non-anonymous, and reply-to allows no address: nobody could be answered");
}

}  // namespace postbus::addressing
