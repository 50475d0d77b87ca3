#pragma once

#include <string_view>

#include "admin/management.hpp"
#include "core/endpoint/endpoint.hpp"

namespace postbus::admin {

/// The management service, an endpoint like any other: its operations are those of admin/operations.hpp, its answers
/// JSON. Borrows `management`.
class AdminEndpoint : public core::Endpoint {
public:
    explicit AdminEndpoint(Management& management);

    void process(core::ExchangePtr exchange) override;
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return contract_.name; }
    std::string_view origin() const override { return "postbusd"; }

private:
    Management& management_;
    wsdl::Contract contract_;
};

}  // namespace postbus::admin
