#include "config/scalars.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

#include "config/suggest.hpp"

namespace postbus::config {
namespace {

Error expected(std::string_view what, const Node& node) {
    if (node.kind == Node::Kind::Null) return Error::invalid("has no value; expected " + std::string(what));
    return Error::invalid("expected " + std::string(what) + ", got " + node.described());
}

bool isPlain(const Node& node) { return node.kind == Node::Kind::Scalar && !node.quoted; }

Error overMost(const Node& node, const std::string& most) {
    return Error::invalid(inQuotes(node.text) + " is too large; the most is " + most);
}

}  // namespace

Result<std::string> textOf(const Node& node) {
    if (node.kind != Node::Kind::Scalar) return expected("a text", node);
    return node.text;
}

Result<bool> boolOf(const Node& node) {
    if (isPlain(node)) {
        for (const std::string_view yes : {"true", "on", "yes", "True", "TRUE"})
            if (node.text == yes) return true;
        for (const std::string_view no : {"false", "off", "no", "False", "FALSE"})
            if (node.text == no) return false;
    }
    return expected("true or false", node);
}

Result<std::uint64_t> unsignedOf(const Node& node, std::uint64_t most) {
    if (!isPlain(node)) return expected("a whole number", node);
    std::uint64_t value = 0, below = 0;
    const std::string_view text = node.text;
    if (text.substr(0, 1) == "-" && digits(text.substr(1), below) != Digits::Malformed && text != "-0")
        return Error::invalid(inQuotes(text) + " is negative; the least is 0");
    const Digits found = digits(text, value);
    if (found == Digits::Malformed) return expected("a whole number", node);
    if (found == Digits::TooLarge || value > most) return overMost(node, std::to_string(most));
    return value;
}

Result<std::int64_t> signedOf(const Node& node, std::int64_t least, std::int64_t most) {
    if (!isPlain(node)) return expected("a whole number", node);
    const bool negative = node.text.compare(0, 1, "-") == 0;
    std::uint64_t magnitude = 0;
    const Digits found = digits(std::string_view(node.text).substr(negative ? 1 : 0), magnitude);
    if (found == Digits::Malformed) return expected("a whole number", node);
    // Two's complement reaches one further below zero than above.
    const std::uint64_t reach =
        negative ? std::uint64_t{0} - static_cast<std::uint64_t>(least) : static_cast<std::uint64_t>(most);
    if (found == Digits::TooLarge || magnitude > reach) {
        if (!negative) return overMost(node, std::to_string(most));
        return Error::invalid(inQuotes(node.text) + " is too small; the least is " + std::to_string(least));
    }
    return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

Result<double> doubleOf(const Node& node) {
    if (!isPlain(node)) return expected("a number", node);
    double value = 0;
    const char* const end = node.text.data() + node.text.size();
    const auto [stop, fault] = std::from_chars(node.text.data(), end, value);
    if (fault == std::errc::result_out_of_range) return Error::invalid(inQuotes(node.text) + " is out of range");
    if (fault != std::errc{} || stop != end || !std::isfinite(value)) return expected("a number", node);
    return value;
}

Result<milliseconds> durationOf(const Node& node) {
    if (node.kind != Node::Kind::Scalar) return expected(aDuration, node);
    return durationOf(std::string_view(node.text));
}

Result<ByteSize> byteSizeOf(const Node& node) {
    if (node.kind != Node::Kind::Scalar) return expected(aSize, node);
    return byteSizeOf(std::string_view(node.text));
}

Result<std::size_t> choiceOf(const Node& node, std::span<const std::string_view> names) {
    for (std::size_t i = 0; node.kind == Node::Kind::Scalar && i < names.size(); ++i)
        if (node.text == names[i]) return i;
    if (node.kind == Node::Kind::Scalar)
        return Error::invalid("unknown value " + inQuotes(node.text) + remedy(node.text, names));
    return expected("one of: " + listed(names), node);
}

}  // namespace postbus::config
