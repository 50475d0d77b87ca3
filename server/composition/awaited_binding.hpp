#pragma once

#include <memory>
#include <string>

#include "core/port/binding.hpp"

namespace postbus::server {

/// Stands at the path of an endpoint whose service is not deployed: turns every request away with Unavailable (503,
/// Retry-After), in the terms of the binding that will serve there.
class AwaitedBinding : public core::Binding {
public:
    AwaitedBinding(std::shared_ptr<const core::Binding> terms, std::string reason)
        : terms_(std::move(terms)), reason_(std::move(reason)) {}

    bool claims(const core::RequestHead& head) const override { return terms_->claims(head); }
    std::string_view methods() const override { return terms_->methods(); }
    Result<void> inspect(const core::RequestHead&) const override { return Error(Error::Kind::Unavailable, reason_); }
    // inspect() lets nothing get this far.
    Result<void> read(core::Exchange&) const override { return Error(Error::Kind::Unavailable, reason_); }
    Result<void> unwrap(core::Exchange&) const override { return Error(Error::Kind::Unavailable, reason_); }
    void prepare(core::Exchange& exchange) const override { terms_->prepare(exchange); }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        return terms_->write(exchange, answer);
    }
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        return terms_->writeFault(head, exchange, fault, requestId, std::move(memory));
    }

private:
    std::shared_ptr<const core::Binding> terms_;
    std::string reason_;
};

}  // namespace postbus::server
