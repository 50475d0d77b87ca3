#pragma once

#include <string>

#include "core/endpoint/endpoint.hpp"

namespace postbus::callback {

/// Where messages go that should have named an address and have not. Thread-safe.
class Nobody final : public core::Endpoint {
public:
    /// `name` is what the messages' endpoint is called.
    explicit Nobody(std::string name);

    void process(core::ExchangePtr exchange) override;
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return contract_.name; }

private:
    wsdl::Contract contract_;
};

}  // namespace postbus::callback
