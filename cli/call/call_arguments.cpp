#include "cli/call/call_arguments.hpp"

#include <algorithm>

#include "config/quantities.hpp"

namespace postbus::cli {
namespace {

constexpr std::string_view options[] = {"--list",        "--template", "--verbose", "--header", "--port", "--soap",
                                        "--soap-header", "--timeout",  "--url",     "--user",   "--xml"};
constexpr std::size_t flags = 3;  // the first of them

Result<milliseconds> timeoutOf(const std::string& text) {
    auto read = config::durationOf(text);
    if (!read) return std::move(read).error().in("--timeout");
    if (*read < milliseconds(1) || *read > std::chrono::hours(24))
        return Error::invalid("--timeout: '" + text + "' is not between 1ms and 24h");
    return *read;
}

Result<std::pair<std::string, std::string>> headerOf(const std::string& text) {
    const std::size_t colon = text.find(':');
    const bool broken = text.find_first_of("\r\n") != std::string::npos;
    if (colon == std::string::npos || colon == 0 || broken || text.find_first_of(" \t") < colon)
        return Error::invalid("--header wants 'NAME: VALUE', got '" + text + "'");
    const std::size_t value = text.find_first_not_of(" \t", colon + 1);
    return std::pair{text.substr(0, colon), value == std::string::npos ? std::string() : text.substr(value)};
}

Result<void> take(CallArguments& call, const std::string& name, const std::string& value) {
    if (name == "--list") call.list = true;
    if (name == "--template") call.example = true;
    if (name == "--verbose") call.verbose = true;
    if (name == "--url") call.url = value;
    if (name == "--port") call.port = value;
    if (name == "--xml") call.xml = value;
    if (name == "--soap-header") call.soapHeader = value;
    if (name == "--user") {
        if (value.find(':') == std::string::npos) return Error::invalid("--user wants NAME:PASSWORD");
        call.user = value;
    }
    if (name == "--soap") {
        if (value != "1.1" && value != "1.2") return Error::invalid("--soap wants 1.1 or 1.2, got '" + value + "'");
        call.soap = value == "1.1" ? wsdl::Soap::V11 : wsdl::Soap::V12;
    }
    if (name == "--header") {
        auto header = headerOf(value);
        if (!header) return std::move(header).error();
        call.headers.push_back(*std::move(header));
    }
    if (name == "--timeout") {
        auto duration = timeoutOf(value);
        if (!duration) return std::move(duration).error();
        call.timeout = *duration;
    }
    return ok();
}

}  // namespace

OptionKind callOption(std::string_view name) {
    const auto at = std::find(std::begin(options), std::end(options), name) - std::begin(options);
    if (static_cast<std::size_t>(at) == std::size(options)) return OptionKind::None;
    return static_cast<std::size_t>(at) < flags ? OptionKind::Flag : OptionKind::Value;
}

std::span<const std::string_view> callOptions() { return options; }

Result<CallArguments> readCallArguments(const Arguments& arguments) {
    CallArguments call;
    call.admin = arguments.admin;
    call.json = arguments.json;
    for (const auto& [name, value] : arguments.options) {
        if (callOption(name) == OptionKind::None) return Error::invalid("call does not take " + name);
        if (auto taken = take(call, name, value); !taken) return std::move(taken).error();
    }
    if (arguments.operands.empty())
        return Error::invalid("call needs an endpoint, the URL of a WSDL or a file with one");
    call.target = arguments.operands[0];
    std::size_t next = 1;
    // KEY=VALUE is no operation: with --template or --list it may be forgotten, and should be told.
    if (arguments.operands.size() > 1) call.operation = arguments.operands[next++];
    if (call.operation.find('=') != std::string::npos)
        return Error::invalid("'" + call.operation + "' stands where the operation's name should");
    call.values.assign(arguments.operands.begin() + static_cast<std::ptrdiff_t>(next), arguments.operands.end());
    for (const std::string& each : call.values) {
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error::invalid("'" + each + "' is not of the form KEY=VALUE");
    }
    if (call.operation.empty()) {
        if (call.example || call.xml) return Error::invalid("which operation? --list shows them");
        call.list = true;
    }
    const int ways = int(call.list) + int(call.example) + int(call.xml.has_value()) + int(!call.values.empty());
    if (ways > 1) return Error::invalid("of --list, --template, --xml and KEY=VALUE only one has a meaning");
    return call;
}

}  // namespace postbus::cli
