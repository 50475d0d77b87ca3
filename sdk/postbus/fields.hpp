/// One table of fields per struct, for configuration and for data alike.
///
///     struct Address {
///         std::string street;
///         std::optional<std::string> city;
///         static constexpr auto fields() {
///             return std::tuple{postbus::field("street", &Address::street, "Street and number."),
///                               postbus::field("city", &Address::city)};
///         }
///     };
///
/// Reading, writing, defaults, messages, the reference page and the schema all come from this table. An enum names its
/// values with a constexpr function that is found beside it:
///
///     enum class Colour { red, green };
///     constexpr auto enumerators(Colour) {
///         return std::array{postbus::enumerator("red", Colour::red), postbus::enumerator("green", Colour::green)};
///     }
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Everything here is compiled into each plugin; hidden, so that two plugins never share a symbol.
#if defined(POSTBUS_PLUGIN_BUILD)
#define POSTBUS_SDK_VISIBILITY __attribute__((visibility("hidden")))
#else
#define POSTBUS_SDK_VISIBILITY
#endif

namespace postbus POSTBUS_SDK_VISIBILITY {

template <class Struct, class Member>
struct Field {
    using StructType = Struct;
    using MemberType = Member;
    std::string_view name;
    Member Struct::*member;
    std::string_view doc;
};

template <class Struct, class Member>
constexpr Field<Struct, Member> field(std::string_view name, Member Struct::*member, std::string_view doc = {}) {
    return {name, member, doc};
}

template <class Enum>
struct Enumerator {
    std::string_view name;
    Enum value;
};

template <class Enum>
constexpr Enumerator<Enum> enumerator(std::string_view name, Enum value) {
    return {name, value};
}

/// xs:decimal as its text: no digit is lost. Checked for form when read.
struct Decimal {
    std::string text;
    friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// xs:dateTime as its text, time zone and fraction as the sender wrote them. Checked for form when read.
struct DateTime {
    std::string text;
    friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// xs:base64Binary: the bytes themselves.
struct Base64 {
    std::string bytes;
    friend bool operator==(const Base64&, const Base64&) = default;
};

template <class T>
concept HasFields = requires {
    T::fields();
};

template <class T>
concept HasEnumerators = std::is_enum_v<T> && requires(T value) {
    enumerators(value);
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

/// Calls visit(field) for each field, in order.
template <HasFields T, class Visit>
constexpr void forEachField(Visit&& visit) {
    std::apply([&](const auto&... each) { (visit(each), ...); }, T::fields());
}

template <HasFields T>
inline constexpr std::size_t fieldCount = std::tuple_size_v<decltype(T::fields())>;

}  // namespace POSTBUS_SDK_VISIBILITY
