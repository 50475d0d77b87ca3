#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "base/buffer.hpp"

namespace postbus::host {

/// Numbers of a fixed width, as they go into frames.
template <class T>
concept Plain = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// Writes the members of a message one behind the other. Its sibling Unpacker reads them: a message has one function
/// that names its members, for both.
class Packer {
public:
    static constexpr bool reads = false;
    explicit Packer(Buffer& out) : out_(out) {}

    template <Plain T>
    void operator()(const T& value) {
        out_.append({reinterpret_cast<const char*>(&value), sizeof value});
    }
    void operator()(const std::string_view& text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        out_.append(text);
    }

private:
    Buffer& out_;
};

/// Reads the members of a message from a body that anybody may have written. What it can't find is zero or empty, and
/// stays so for all that follows: look at whole() once, at the end.
class Unpacker {
public:
    static constexpr bool reads = true;
    explicit Unpacker(std::string_view body) : rest_(body) {}

    template <Plain T>
    void operator()(T& value) {
        const std::string_view bytes = take(sizeof value);
        value = 0;
        if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    }
    /// Lent by the body.
    void operator()(std::string_view& text) {
        std::uint32_t size = 0;
        (*this)(size);
        text = take(size);
    }
    /// A count of things that take `atLeast` bytes each: no more than there can be.
    std::uint32_t count(std::size_t atLeast) {
        std::uint32_t number = 0;
        (*this)(number);
        if (number <= rest_.size() / atLeast) return number;
        fail();
        return 0;
    }

    /// All that has not been read.
    std::string_view remainder() {
        const std::string_view all = rest_;
        rest_ = {};
        return all;
    }

    /// It was no such message.
    void fail() {
        good_ = false;
        rest_ = {};
    }
    bool good() const { return good_; }
    /// Whether all was there, and nothing more.
    bool whole() const { return good_ && rest_.empty(); }

private:
    std::string_view take(std::size_t size) {
        if (size > rest_.size()) {
            fail();
            return {};
        }
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view rest_;
    bool good_ = true;
};

}  // namespace postbus::host
