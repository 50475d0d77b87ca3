#include "admin/message_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace postbus::admin {
namespace {

// What clients take of one answer is often 100 fields or 16 KiB of them: the transport's own come on top.
constexpr std::size_t mostFields = 80, mostBytes = 12 * 1024, mostInOne = 8000;

bool visible(char c) { return c > 0x20 && c < 0x7f; }

/// Percent-encoded (RFC 3986 section 2.1), with blanks left where a field keeps them. `further`: what else is encoded.
std::string encoded(std::string_view text, std::string_view further = {}) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool inside = i > 0 && i + 1 < text.size() && text[i - 1] != ' ';
        const bool plain = c == ' ' ? inside : visible(c) && c != '%';
        if (plain && further.find(c) == std::string_view::npos) {
            out += c;
            continue;
        }
        const auto byte = static_cast<std::uint8_t>(c);
        out += '%';
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

template <class Number>
std::string digitsOf(Number number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string textOf(bool value) { return value ? "true" : "false"; }

/// As sending takes it: NAME=TEXT or NAME:=VALUE. No comma: fields of one name may be joined by one on their way.
std::string textOf(const queues::Property& property) {
    const std::string name = encoded(property.name, "=:,");
    return std::visit(
        [&](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::string>)
                return name + '=' + encoded(value, ",");
            else if constexpr (std::is_same_v<Value, bool>)
                return name + ":=" + textOf(value);
            else
                return name + ":=" + digitsOf(value);
        },
        property.value);
}

bool isFieldValue(std::string_view text) {
    return visible(text.front()) && visible(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || visible(c); });
}

}  // namespace

Result<MessageFields> fieldsOf(const ShownMessage& shown) {
    const queues::Message& message = shown.message;
    MessageFields made;
    const auto add = [&](std::string_view name, std::string value) {
        made.fields.emplace_back("Postbus-" + std::string(name), std::move(value));
    };
    const auto addText = [&](std::string_view name, std::string_view text) {
        if (!text.empty()) add(name, encoded(text));
    };
    if (!message.contentType.empty()) {
        const bool fits = isFieldValue(message.contentType);
        made.contentType = fits ? message.contentType : "application/octet-stream";
        if (!fits) addText("Content-Type", message.contentType);
    }
    if (shown.number) add("Number", digitsOf(shown.number));
    addText("Message-Id", message.id);
    addText("Correlation-Id", message.correlationId);
    addText("Reply-To", message.replyTo);
    addText("Type", message.type);
    addText("Group", message.group);
    add("Priority", digitsOf(unsigned{message.priority}));
    add("Persistent", textOf(message.persistent));
    add("Timestamp", digitsOf(message.timestamp));
    if (message.expires) add("Expires", digitsOf(message.expires));
    add("Deliveries", digitsOf(shown.deliveries));
    add("Redelivered", textOf(shown.redelivered));
    if (shown.scheduled) add("Scheduled", textOf(true));
    if (shown.deadLetter) {
        addText("Dead-Letter-Origin", shown.deadLetter->origin);
        addText("Dead-Letter-Reason", shown.deadLetter->reason);
        add("Dead-Letter-Attempts", digitsOf(shown.deadLetter->attempts));
        add("Dead-Letter-At", digitsOf(shown.deadLetter->at));
    }
    for (const queues::Property& each : message.properties) add("Property", textOf(each));
    std::size_t bytes = made.contentType.size();
    bool tooLarge = made.fields.size() > mostFields || bytes > mostInOne;
    for (const auto& [name, value] : made.fields) {
        tooLarge = tooLarge || value.size() > mostInOne;
        bytes += name.size() + value.size() + 4;
    }
    if (tooLarge || bytes > mostBytes)
        return Error(Error::Kind::TooLarge,
                     "the properties of this message are too large for the fields of an HTTP "
                     "answer; ask for it without body=raw");
    return made;
}

}  // namespace postbus::admin
