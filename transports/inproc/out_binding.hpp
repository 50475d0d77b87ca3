#pragma once

#include "core/exchange/pattern.hpp"
#include "transports/inproc/tape_binding.hpp"

namespace postbus::inproc {

/// For messages of a service that speaks first: as TapeBinding, but for the operation, which is the one that the
/// receiver has for the pattern.
class OutBinding final : public core::Binding {
public:
    explicit OutBinding(core::Pattern pattern) : pattern_(pattern) {}
    /// The one of this pattern.
    static const OutBinding& of(core::Pattern pattern);

    bool claims(const core::RequestHead&) const override { return true; }
    std::string_view methods() const override { return {}; }
    Result<void> read(core::Exchange&) const override { return ok(); }
    Result<void> unwrap(core::Exchange& exchange) const override;
    void prepare(core::Exchange& exchange) const override { tape_.prepare(exchange); }
    Result<void> finish(core::Exchange& exchange) const override { return tape_.finish(exchange); }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        return tape_.write(exchange, answer);
    }
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        return tape_.writeFault(head, exchange, fault, requestId, std::move(memory));
    }

private:
    const core::Pattern pattern_;
    const TapeBinding tape_;
};

}  // namespace postbus::inproc
