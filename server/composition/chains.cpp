#include "server/composition/chains.hpp"

#include <algorithm>

#include "interceptors/addressing/addressing.hpp"

namespace postbus::server {

std::shared_ptr<const core::Chain> makeChain(const wsdl::Contract& contract, const Interceptors& interceptors,
                                             const std::shared_ptr<addressing::AnswerSender>& sender) {
    auto chain = std::make_shared<core::Chain>();
    const auto addAddressing = [&](const addressing::AddressingConfig& config) {
        if (config.policy != addressing::Policy::Off) chain->add(addressing::makeAddressing(contract, config, sender));
    };
    const bool named = std::any_of(interceptors.begin(), interceptors.end(),
                                   [](const InterceptorConfig& each) { return each.addressing.has_value(); });
    if (!named) addAddressing({});
    for (const InterceptorConfig& each : interceptors) {
        if (each.addressing) addAddressing(*each.addressing);
        if (each.validate) chain->add(validate::makeValidate(contract, *each.validate));
    }
    if (chain->empty()) return nullptr;
    return chain;
}

wsdl::AddressingPolicy policyOf(const Interceptors& interceptors) {
    using Use = wsdl::AddressingPolicy::Use;
    using Responses = wsdl::AddressingPolicy::Responses;
    const addressing::AddressingConfig config = addressingOf(interceptors);
    wsdl::AddressingPolicy policy;
    if (config.policy == addressing::Policy::Optional) policy.use = Use::Optional;
    if (config.policy == addressing::Policy::Required) policy.use = Use::Required;
    if (config.responses == addressing::Responses::Anonymous || config.replyTo.empty())
        policy.responses = Responses::Anonymous;
    else if (config.responses == addressing::Responses::NonAnonymous)
        policy.responses = Responses::NonAnonymous;
    return policy;
}

}  // namespace postbus::server
