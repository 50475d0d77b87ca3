#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/arguments.hpp"
#include "formats/wsdl/reader/description.hpp"

namespace postbus::cli {

/// postbus call TARGET [OPERATION [KEY=VALUE]...], with its options.
struct CallArguments {
    std::string target;               ///< an endpoint's name, the URL of a WSDL, or a file
    std::string operation;            ///< empty: list them
    std::vector<std::string> values;  ///< KEY=VALUE, in order

    bool list = false, example = false, verbose = false, json = false;
    std::string url;                 ///< in place of the WSDL's address
    std::string port;                ///< empty: one that has the operation
    std::optional<wsdl::Soap> soap;  ///< none: as the port says
    std::optional<std::string> xml;  ///< file of the payload, "-" for standard input; in place of values
    std::string soapHeader;          ///< file of a header block, or of a Header with some
    std::vector<std::pair<std::string, std::string>> headers;  ///< of HTTP
    std::string user;                                          ///< NAME:PASSWORD
    std::chrono::milliseconds timeout{30'000};                 ///< for each exchange, from connecting to the last byte
    std::string admin;
};

/// An option of `postbus call`: whether there is one of that name, and whether it takes a value.
OptionKind callOption(std::string_view name);

/// The names of all of them.
std::span<const std::string_view> callOptions();

/// Error texts are for the user.
Result<CallArguments> readCallArguments(const Arguments& arguments);

}  // namespace postbus::cli
