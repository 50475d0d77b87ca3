#include "transports/inproc/out_binding.hpp"

#include <array>

#include "core/exchange/exchange.hpp"
#include "core/routing/route_table.hpp"

namespace postbus::inproc {

const OutBinding& OutBinding::of(core::Pattern pattern) {
    using core::Pattern;
    static const std::array all{OutBinding(Pattern::OutOnly), OutBinding(Pattern::RobustOutOnly),
                                OutBinding(Pattern::OutIn), OutBinding(Pattern::OutOptionalIn)};
    return all[static_cast<std::size_t>(pattern) - static_cast<std::size_t>(Pattern::OutOnly)];
}

Result<void> OutBinding::unwrap(core::Exchange& exchange) const {
    const core::Endpoint& receiver = *exchange.admission().route->endpoint;
    auto operation = receiver.operationUnder(core::mirrorOf(pattern_));
    if (!operation) return std::move(operation).error();
    const Element root = exchange.tape().root();
    if (!*operation)
        operation =
            receiver.contract().find(root ? root.uri() : std::string_view(), root ? root.local() : std::string_view());
    if (!*operation) return Error::invalid(std::string(receiver.name()) + " has no operation for this message");
    exchange.identify(**operation, root ? 0 : POSTBUS_NO_NODE, POSTBUS_NO_NODE);
    return ok();
}

}  // namespace postbus::inproc
