#pragma once

#include "core/port/binding.hpp"

namespace postbus::inproc {

/// For messages that are tapes already: the payload is the root, and the answer a tape again, handed over by
/// WireAnswer::tape. Nothing is written to text or parsed, unless the service gives its answer as bytes. A fault is
/// handed over as it is, by WireAnswer::cause.
class TapeBinding final : public core::Binding {
public:
    bool claims(const core::RequestHead&) const override { return true; }
    std::string_view methods() const override { return {}; }
    Result<void> read(core::Exchange&) const override { return ok(); }
    /// The operation is that of the root, in the contract of the route's endpoint.
    Result<void> unwrap(core::Exchange& exchange) const override;
    void prepare(core::Exchange& exchange) const override;
    Result<void> finish(core::Exchange& exchange) const override;
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override;
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override;
};

}  // namespace postbus::inproc
