#include "endpoints/callback/nobody.hpp"

#include <utility>

namespace postbus::callback {

Nobody::Nobody(std::string name) {
    contract_.name = std::move(name);
    wsdl::Operation& any = contract_.operations.emplace_back();
    any.name = "any";
    any.any = any.nonblocking = true;
}

void Nobody::process(core::ExchangePtr exchange) {
    core::Exchange::fail(
        std::move(exchange),
        Error(Error::Kind::NotFound, contract_.name + ": the message names no address, and the configuration has "
                                                      "none for it: give it to: as well"));
}

}  // namespace postbus::callback
