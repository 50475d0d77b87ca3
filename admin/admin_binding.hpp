#pragma once

#include <string>
#include <string_view>

#include "admin/guard.hpp"
#include "core/port/binding.hpp"

namespace postbus::admin {

/// The admin interface on HTTP: method and path name the operation, answers and errors are JSON. Who may not use it,
/// what is not there, and a wrong method are found before the body is read.
class AdminBinding : public core::Binding {
public:
    /// Borrows `contract`, the endpoint's.
    AdminBinding(Guard guard, const wsdl::Contract& contract) : guard_(std::move(guard)), contract_(contract) {}

    bool claims(const core::RequestHead&) const override { return true; }
    std::string_view methods() const override { return "GET, HEAD, POST"; }
    Result<void> inspect(const core::RequestHead& head) const override;
    Result<void> read(core::Exchange&) const override { return ok(); }
    Result<void> unwrap(core::Exchange& exchange) const override;
    void prepare(core::Exchange& exchange) const override;
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override;
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override;

private:
    /// What a head asks for, or why not.
    Result<const wsdl::Operation*> find(const core::RequestHead& head) const;

    Guard guard_;
    const wsdl::Contract& contract_;
};

}  // namespace postbus::admin
