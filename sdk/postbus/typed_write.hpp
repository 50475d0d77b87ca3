/// Writing structs as the answer.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "describe.hpp"
#include "fault.hpp"
#include "lexical.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// Writes structs through the bus's writer: children in the order of fields(), empty optionals left out.
/// Allocates nothing.
class TypedWriter {
public:
    /// Children go into the namespace `childUri`, by custom none.
    TypedWriter(const postbus_writer& writer, postbus_call* call, std::string_view childUri)
        : writer_(writer), call_(call), childUri_(childUri) {}

    /// One element with the struct inside. False when a value has no text in its type; then error() says which.
    template <HasFields T>
    bool write(std::string_view uri, std::string_view local, const T& value) {
        writer_.start(call_, borrow(uri), borrow(local), borrow(prefix));
        const bool good = writeFields(value);
        writer_.end(call_);
        return good;
    }
    const std::string& error() const { return error_; }

private:
    static constexpr std::string_view prefix = "ns2";  // what CXF writes

    template <HasFields T>
    bool writeFields(const T& value) {
        bool good = true;
        forEachField<T>([&](const auto& field) { good = good && writeMember(field.name, value.*field.member); });
        return good;
    }

    template <class Member>
    bool writeMember(std::string_view name, const Member& member) {
        if constexpr (IsOptional<Member>::value) {
            return !member || writeElement(name, *member);
        } else if constexpr (IsVector<Member>::value) {
            for (const auto& each : member)
                if (!writeElement(name, each)) return false;
            return true;
        } else {
            return writeElement(name, member);
        }
    }

    template <class T>
    bool writeElement(std::string_view name, const T& value) {
        writer_.start(call_, borrow(childUri_), borrow(name), borrow(childUri_.empty() ? "" : prefix));
        bool good = true;
        if constexpr (HasFields<T>)
            good = writeFields(value);
        else
            good = writeText(value);
        writer_.end(call_);
        if (!good) error_.insert(0, std::string(name) + (error_.front() == ':' ? "" : "/"));
        return good;
    }

    bool text(std::string_view value) {
        if (!value.empty()) writer_.text(call_, borrow(value));
        return true;
    }
    bool refuse(std::string_view value, std::string_view type) {
        error_ = ": '" + std::string(value) + "' is no " + std::string(type);
        return false;
    }

    bool writeText(const std::string& value) { return text(value); }
    bool writeText(bool value) { return text(value ? "true" : "false"); }
    template <class T>
    requires std::integral<T> || std::floating_point<T>
    bool writeText(T value) { return text(NumberText(value).view()); }
    bool writeText(const Decimal& value) {
        return isDecimal(value.text) ? text(value.text) : refuse(value.text, "xs:decimal");
    }
    bool writeText(const DateTime& value) {
        return isDateTime(value.text) ? text(value.text) : refuse(value.text, "xs:dateTime");
    }
    bool writeText(const Base64& value) {
        std::array<char, 4096> piece;
        constexpr std::size_t step = piece.size() / 4 * 3;
        for (std::size_t at = 0; at < value.bytes.size(); at += step)
            text({piece.data(), encodeBase64(std::string_view(value.bytes).substr(at, step), piece.data())});
        return true;
    }
    template <HasEnumerators T>
    bool writeText(T value) {
        for (const auto& each : enumerators(value))
            if (each.value == value) return text(each.name);
        return refuse(NumberText(static_cast<long long>(value)).view(), typeName<T>());
    }

    const postbus_writer& writer_;
    postbus_call* call_;
    std::string_view childUri_;
    std::string error_;
};

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
