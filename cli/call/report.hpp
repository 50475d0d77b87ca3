#pragma once

#include <string>

#include "cli/call/call_arguments.hpp"
#include "cli/call/choose.hpp"
#include "cli/call/envelope.hpp"
#include "cli/call/http.hpp"

namespace postbus::cli {

/// What came of a call.
struct Outcome {
    Choice choice;
    wsdl::Soap soap = wsdl::Soap::V11;
    std::string url;
    HttpAnswer http;
    std::optional<SoapAnswer> answer;  ///< none: it was accepted, without one
};

/// Prints it: the answer on standard output, faults and times on standard error; with --json all of it on standard
/// output. The exit status.
int report(const CallArguments& call, const Outcome& outcome, xsd::SchemaSet& schemas);

/// Both messages as they went over the wire, on standard error. Passwords are left out.
void showRequest(const HttpRequest& request);
void showAnswer(const HttpAnswer& answer);

}  // namespace postbus::cli
