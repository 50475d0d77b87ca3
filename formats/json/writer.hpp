#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "base/buffer.hpp"

namespace postbus::json {

/// Writes one JSON text (RFC 8259), straight into a buffer.
///
///     json::Writer json(buffer);
///     json.object([&] {
///         json.member("name", name);
///         json.array("paths", [&] { for (auto& each : paths) json.value(each); });
///     });
///
/// Commas and colons are its own business; what it writes is always well-formed, and valid UTF-8 whatever the values
/// hold: bytes that are not UTF-8 become U+FFFD. Borrows the buffer.
class Writer {
public:
    explicit Writer(Buffer& out) : out_(out) {}

    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool flag);
    /// The shortest digits that give the same number back; null for what JSON has no number for.
    void value(double number);
    template <std::integral Integer>
    void value(Integer number) {
        if constexpr (std::signed_integral<Integer>)
            integer(static_cast<std::int64_t>(number));
        else
            natural(static_cast<std::uint64_t>(number));
    }
    /// A number as it is to stand there: `text` must be one of JSON. For digits that a double would lose.
    void number(std::string_view text) {
        separate();
        out_.append(text);
    }
    void null();

    template <class Value>
    void member(std::string_view name, const Value& content) {
        key(name);
        value(content);
    }
    template <class Members>
    void object(Members&& members) {
        open('{');
        members();
        close('}');
    }
    template <class Members>
    void object(std::string_view name, Members&& members) {
        key(name);
        object(members);
    }
    template <class Elements>
    void array(Elements&& elements) {
        open('[');
        elements();
        close(']');
    }
    template <class Elements>
    void array(std::string_view name, Elements&& elements) {
        key(name);
        array(elements);
    }
    void key(std::string_view name);

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void integer(std::int64_t number);
    void natural(std::uint64_t number);
    void quoted(std::string_view text);

    Buffer& out_;
    bool first_ = true;      // nothing stands yet in the object or array that is open
    bool afterKey_ = false;  // the next value belongs to the key just written
};

}  // namespace postbus::json
