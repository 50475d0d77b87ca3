#include "cli/call/call_arguments.hpp"

#include <algorithm>
#include <charconv>

namespace postbus::cli {
namespace {

constexpr std::string_view flags[] = {"--list", "--template", "--verbose"};
constexpr std::string_view valued[] = {"--header",  "--port", "--soap", "--soap-header",
                                       "--timeout", "--url",  "--user", "--xml"};

/// 5s, 500ms, 2m; a number alone is seconds.
Result<std::chrono::milliseconds> durationOf(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const double scale = unit == "ms" ? 1 : unit == "s" || unit.empty() ? 1'000 : unit == "m" ? 60'000 : 0;
    const double milliseconds = number * scale;
    const bool good = error == std::errc() && milliseconds >= 1 && milliseconds <= 24.0 * 3'600'000;
    if (!good) return Error::invalid("--timeout wants a time like 5s, 500ms or 2m, up to a day; got '" + text + "'");
    return std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
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
        auto duration = durationOf(value);
        if (!duration) return std::move(duration).error();
        call.timeout = *duration;
    }
    return ok();
}

}  // namespace

OptionKind callOption(std::string_view name) {
    if (std::find(std::begin(flags), std::end(flags), name) != std::end(flags)) return OptionKind::Flag;
    const bool known = std::find(std::begin(valued), std::end(valued), name) != std::end(valued);
    return known ? OptionKind::Value : OptionKind::None;
}

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
