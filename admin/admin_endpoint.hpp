#pragma once

#include <memory>
#include <string_view>

#include "admin/handover.hpp"
#include "admin/management.hpp"
#include "core/endpoint/endpoint.hpp"

namespace postbus::admin {

struct Operation;

/// The management service, an endpoint like any other: its operations are those of admin/operations.hpp, its answers
/// JSON, or the bodies of messages. Borrows `management`.
class AdminEndpoint : public core::Endpoint {
public:
    explicit AdminEndpoint(Management& management);

    void process(core::ExchangePtr exchange) override;
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return contract_.name; }
    std::string_view origin() const override { return "postbusd"; }

private:
    Result<std::shared_ptr<Handover>> run(const Operation& operation, core::Exchange& exchange);

    Management& management_;
    wsdl::Contract contract_;
};

}  // namespace postbus::admin
