#include "core/port/chain.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace postbus::core {
namespace {

template <class Interceptors>
std::optional<Fault> enter(const Interceptors& all, Exchange& exchange, std::uint8_t& passed) {
    for (const auto& each : all) {
        if (auto refused = each->onRequest(exchange)) return refused;
        ++passed;
    }
    return std::nullopt;
}

template <class Interceptors>
void leave(const Interceptors& all, Exchange& exchange, std::uint8_t& passed, std::optional<Fault>& fault) {
    while (passed > 0) {
        --passed;
        if (auto instead = all[passed]->onAnswer(exchange, fault ? &*fault : nullptr)) fault = std::move(instead);
    }
}

}  // namespace

std::optional<Fault> Chain::enterEnvelope(Exchange& exchange) const {
    return enter(envelopes_, exchange, exchange.passedEnvelope_);
}

std::optional<Fault> Chain::enterPayload(Exchange& exchange) const {
    return enter(payloads_, exchange, exchange.passedPayload_);
}

void Chain::leavePayload(Exchange& exchange, std::optional<Fault>& fault) const {
    leave(payloads_, exchange, exchange.passedPayload_, fault);
}

void Chain::leaveEnvelope(Exchange& exchange, std::optional<Fault>& fault) const {
    leave(envelopes_, exchange, exchange.passedEnvelope_, fault);
}

bool Chain::understands(const Exchange& exchange, Element block) const {
    return std::any_of(envelopes_.begin(), envelopes_.end(),
                       [&](const auto& each) { return each->understands(exchange, block); });
}

}  // namespace postbus::core
