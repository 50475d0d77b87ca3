#include "transports/queue/jms_uri.hpp"

#include <algorithm>
#include <utility>

#include "core/message/headers.hpp"

namespace postbus::queue {
namespace {

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (static_cast<unsigned char>(text[i]) <= ' ' || text[i] == 0x7f)
            return Error::invalid("a white space or control character stands in it");
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const int high = i + 1 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hexDigit(text[i + 2]) : -1;
        if (high < 0 || low < 0) return Error::invalid("'%' is not followed by two hexadecimal digits");
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.size() <= 18 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Result<void> checkValue(const std::string& name, const std::string& value) {
    if (name == "deliveryMode" && value != "PERSISTENT" && value != "NON_PERSISTENT")
        return Error::invalid("deliveryMode is neither PERSISTENT nor NON_PERSISTENT");
    if (name == "priority" && !(value.size() == 1 && isNumber(value)))
        return Error::invalid("priority is no digit from 0 to 9");
    if (name == "timeToLive" && !isNumber(value)) return Error::invalid("timeToLive is no number");
    return ok();
}

Result<void> addParameter(std::string_view text, JmsUri& uri) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return Error::invalid("a parameter is not NAME=VALUE");
    auto name = decoded(text.substr(0, equals)), value = decoded(text.substr(equals + 1));
    if (!name) return std::move(name).error();
    if (!value) return std::move(value).error();
    if (auto good = checkValue(*name, *value); !good) return good;
    if (!uri.parameters.emplace(*name, std::move(*value)).second)
        return Error::invalid("the parameter " + *name + " is given twice");
    return ok();
}

Result<JmsUri> parsed(std::string_view text) {
    constexpr std::string_view scheme = "jms:";
    if (!core::sameName(text.substr(0, scheme.size()), scheme)) return Error::invalid("it does not begin with jms:");
    text.remove_prefix(scheme.size());
    const auto colon = text.find(':');
    const std::string_view variant = text.substr(0, colon);
    JmsUri uri;
    if (variant == "jndi")
        uri.variant = JmsUri::Variant::Jndi;
    else if (variant == "topic")
        uri.variant = JmsUri::Variant::Topic;
    else if (variant != "queue" || colon == std::string_view::npos)
        return Error::invalid("jms: is not followed by jndi:, queue: or topic:");
    text.remove_prefix(colon + 1);

    const auto question = text.find('?');
    auto destination = decoded(text.substr(0, question));
    if (!destination) return std::move(destination).error();
    if (destination->empty()) return Error::invalid("it names no destination");
    uri.destination = std::move(*destination);
    if (question == std::string_view::npos) return uri;
    for (std::string_view left = text.substr(question + 1);;) {
        const auto next = left.find('&');
        if (auto added = addParameter(left.substr(0, next), uri); !added) return std::move(added).error();
        if (next == std::string_view::npos) return uri;
        left.remove_prefix(next + 1);
    }
}

}  // namespace

Result<JmsUri> JmsUri::parse(std::string_view text) {
    auto uri = parsed(text);
    if (!uri) return std::move(uri).error().in("the request URI");
    return uri;
}

std::string JmsUri::text() const {
    constexpr std::string_view names[] = {"jms:jndi:", "jms:queue:", "jms:topic:"}, plain = "-._~!$&'()*+,;=:@/";
    constexpr char digits[] = "0123456789ABCDEF";
    std::string out(names[static_cast<std::size_t>(variant)]);
    for (const char c : destination) {
        const auto byte = static_cast<unsigned char>(c);
        if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || plain.find(c) != plain.npos) {
            out += c;
            continue;
        }
        out += '%';
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

}  // namespace postbus::queue
