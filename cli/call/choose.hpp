#pragma once

#include "cli/call/call_arguments.hpp"
#include "formats/wsdl/reader/description.hpp"

namespace postbus::cli {

/// The port and the operation that are meant. Borrows the description.
struct Choice {
    const wsdl::Port* port = nullptr;
    const wsdl::PortOperation* operation = nullptr;
};

/// That the WSDL has a port at all, and the one of --port. Throws CallFailure.
void checkPort(const wsdl::Description& description, const CallArguments& call);

/// Of the ports that have the operation: the one that --port names, else one of the SOAP version that is wished for,
/// else one of SOAP 1.1, else the first. Throws CallFailure that says what there is.
Choice choose(const wsdl::Description& description, const CallArguments& call);

}  // namespace postbus::cli
