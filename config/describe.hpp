#pragma once

#include <postbus/fields.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "config/reader.hpp"

namespace postbus::config {

struct DescribedField;

/// A configuration type without its C++: what the reference page and the schema are made from.
struct Described {
    enum class Kind { Text, Boolean, Whole, Number, Duration, Size, Choice, Struct, OneOf, List, Named };

    Kind kind = Kind::Text;
    bool optional = false;
    std::string least, most;                ///< Whole
    std::vector<std::string_view> choices;  ///< Choice
    std::string_view shorthand;             ///< Struct: the field that a scalar stands for, or empty
    const void* identity = nullptr;         ///< Struct, OneOf: the same for the same one
    std::vector<DescribedField> fields;     ///< Struct, OneOf
    std::vector<Described> element;         ///< List, Named: one

    bool isStruct() const { return kind == Kind::Struct; }
};

struct DescribedField {
    std::string_view name, doc;
    Described type;
    /// As YAML; none for a struct, whose fields have their own, and for an optional one.
    std::optional<std::string> initial;
};

/// Of T and all that it holds; `value` has the defaults.
template <class T>
Described describe(const T& value = T{});

namespace detail {

inline std::string yamlText(std::string_view text) {
    const bool plain = !text.empty() && text.find_first_of(" #{}[],&*!|>'\"%@`") == std::string_view::npos;
    return plain ? std::string(text) : "\"" + std::string(text) + "\"";
}

template <class T>
std::string yamlOf(const T& value) {
    if constexpr (IsVector<T>::value) {
        std::string list;
        for (const auto& each : value) list += (list.empty() ? "" : ", ") + yamlOf(each);
        return "[" + list + "]";
    } else if constexpr (HasShorthand<T>) {
        std::string text;
        forEachField<T>([&](const auto& each) {
            if (each.name == T::shorthand) text = yamlOf(value.*each.member);
        });
        return text;
    } else if constexpr (IsNamedMap<T>::value) {
        return "{}";
    } else if constexpr (HasEnumerators<T>) {
        for (const auto& each : enumerators(T{}))
            if (each.value == value) return std::string(each.name);
        return {};
    } else if constexpr (std::same_as<T, std::string>) {
        return yamlText(value);
    } else if constexpr (std::same_as<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::same_as<T, milliseconds> || std::same_as<T, ByteSize>) {
        return written(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
        return std::to_string(value);
    } else {
        return {};  // told by its own fields
    }
}

template <HasFields T>
std::vector<DescribedField> describeFields(const T& value) {
    std::vector<DescribedField> fields;
    forEachField<T>([&](const auto& each) {
        using Member = typename std::decay_t<decltype(each)>::MemberType;
        DescribedField& field = fields.emplace_back();
        field.name = each.name;
        field.doc = each.doc;
        field.type = describe<Member>(value.*each.member);
        if constexpr (!IsOptional<Member>::value && (!HasFields<Member> || HasShorthand<Member>))
            field.initial = yamlOf(value.*each.member);
    });
    return fields;
}

}  // namespace detail

template <class T>
Described describe(const T& value) {
    using Kind = Described::Kind;
    Described result;
    if constexpr (HasFields<T>) {
        result.kind = IsOneOf<T> ? Kind::OneOf : Kind::Struct;
        if constexpr (HasShorthand<T>) result.shorthand = T::shorthand;
        result.identity = detail::fieldNames<T>.data();
        result.fields = detail::describeFields(value);
    } else if constexpr (IsOptional<T>::value) {
        result = describe<typename T::value_type>();
        result.optional = true;
    } else if constexpr (IsVector<T>::value) {
        result.kind = Kind::List;
        result.element.push_back(describe<typename T::value_type>());
    } else if constexpr (IsNamedMap<T>::value) {
        result.kind = Kind::Named;
        result.element.push_back(describe<typename T::mapped_type>());
    } else if constexpr (HasEnumerators<T>) {
        result.kind = Kind::Choice;
        const auto& names = detail::enumeratorNames<T>;
        result.choices.assign(names.begin(), names.end());
    } else if constexpr (std::same_as<T, bool>) {
        result.kind = Kind::Boolean;
    } else if constexpr (std::integral<T>) {
        result.kind = Kind::Whole;
        result.least = std::to_string(std::numeric_limits<T>::min());
        result.most = std::to_string(std::numeric_limits<T>::max());
    } else if constexpr (std::floating_point<T>) {
        result.kind = Kind::Number;
    } else if constexpr (std::same_as<T, milliseconds>) {
        result.kind = Kind::Duration;
    } else if constexpr (std::same_as<T, ByteSize>) {
        result.kind = Kind::Size;
    }
    return result;
}

}  // namespace postbus::config
