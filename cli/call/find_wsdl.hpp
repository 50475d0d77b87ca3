#pragma once

#include <string>

#include "cli/call/call_arguments.hpp"
#include "formats/wsdl/reader/description.hpp"

namespace postbus::cli {

/// Where the WSDL of the call's target is: a URL, a file, or what the daemon says about an endpoint of that name.
/// Throws CallFailure, or Unreachable when the daemon is needed and not there.
std::string findWsdl(const CallArguments& call);

/// Loads it, with all it refers to. Headers and --user go only to the server that the target names. Throws CallFailure.
wsdl::Description loadWsdl(const CallArguments& call, const std::string& location);

/// "Basic ..." of --user.
std::string basicCredentials(const std::string& user);

}  // namespace postbus::cli
