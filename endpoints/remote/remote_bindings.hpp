#pragma once

#include <memory>
#include <vector>

#include "bindings/soap/soap_binding.hpp"
#include "core/port/binding.hpp"
#include "endpoints/remote/remote_endpoint.hpp"

namespace postbus::remote {

/// What stands at the path of a remote endpoint: ?wsdl and what belongs to it are answered from the service's
/// documents, with our address; all else goes on as it is.
std::vector<std::shared_ptr<const core::Binding>> makeBindings(const RemoteEndpoint& endpoint,
                                                               const soap::SoapConfig& soap);

}  // namespace postbus::remote
