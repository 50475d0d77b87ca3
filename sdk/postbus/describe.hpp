/// The C tables that describe a struct to the bus, made from fields() at compile time.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "abi.h"
#include "fault.hpp"
#include "fields.hpp"
#include "type_name.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

template <class T>
concept CharacterType = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template <class T>
inline constexpr bool unsupported = false;

/// What a member may hold once optional and vector are taken off.
template <class T>
struct Bare {
    using Type = T;
};
template <class T>
struct Bare<std::optional<T>> {
    static_assert(!IsOptional<T>::value && !IsVector<T>::value,
                  "optional of optional or vector: a vector may be empty");
    using Type = T;
};
template <class T>
struct Bare<std::vector<T>> {
    static_assert(!IsOptional<T>::value && !IsVector<T>::value,
                  "vector of optional or vector: put the inner one into a struct of its own");
    using Type = T;
};

template <std::integral T>
consteval std::uint32_t integerKind() {
    constexpr bool isSigned = std::is_signed_v<T>;
    switch (sizeof(T)) {
        case 1:
            return isSigned ? POSTBUS_KIND_INT8 : POSTBUS_KIND_UINT8;
        case 2:
            return isSigned ? POSTBUS_KIND_INT16 : POSTBUS_KIND_UINT16;
        case 4:
            return isSigned ? POSTBUS_KIND_INT32 : POSTBUS_KIND_UINT32;
        default:
            return isSigned ? POSTBUS_KIND_INT64 : POSTBUS_KIND_UINT64;
    }
}

/// POSTBUS_KIND_... of a bare type.
template <class T>
consteval std::uint32_t kindOf() {
    if constexpr (std::same_as<T, std::string>)
        return POSTBUS_KIND_STRING;
    else if constexpr (std::same_as<T, bool>)
        return POSTBUS_KIND_BOOL;
    else if constexpr (std::integral<T> && !CharacterType<T>)
        return integerKind<T>();
    else if constexpr (std::same_as<T, float>)
        return POSTBUS_KIND_FLOAT;
    else if constexpr (std::same_as<T, double>)
        return POSTBUS_KIND_DOUBLE;
    else if constexpr (std::same_as<T, Decimal>)
        return POSTBUS_KIND_DECIMAL;
    else if constexpr (std::same_as<T, DateTime>)
        return POSTBUS_KIND_DATETIME;
    else if constexpr (std::same_as<T, Base64>)
        return POSTBUS_KIND_BASE64;
    else if constexpr (HasEnumerators<T>)
        return POSTBUS_KIND_ENUM;
    else if constexpr (HasFields<T>)
        return POSTBUS_KIND_STRUCT;
    else
        static_assert(unsupported<T>, "no XML Schema type for this member; see the table in docs/writing-a-service.md");
}

/// For messages: "xs:int". An enum is told by its own name.
template <class T>
constexpr std::string_view schemaName() {
    constexpr std::uint32_t kind = kindOf<T>();
    if constexpr (kind == POSTBUS_KIND_ENUM || kind == POSTBUS_KIND_STRUCT) {
        return typeName<T>();
    } else {
        constexpr std::array<std::string_view, POSTBUS_KIND_BASE64> names{
            "xs:string", "xs:boolean",      "xs:byte",          "xs:short",       "xs:int",
            "xs:long",   "xs:unsignedByte", "xs:unsignedShort", "xs:unsignedInt", "xs:unsignedLong",
            "xs:float",  "xs:double",       "xs:decimal",       "xs:dateTime",    "xs:base64Binary"};
        return names[kind - 1];
    }
}

/// The static tables of one struct or enum. Types may refer to themselves, by vector.
template <class T>
struct Description {
    static const postbus_type type;
};

template <class T>
constexpr const postbus_type* described() {
    if constexpr (HasFields<T> || HasEnumerators<T>)
        return &Description<T>::type;
    else
        return nullptr;
}

template <HasFields T>
constexpr bool fieldNamesDiffer() {
    std::array<std::string_view, fieldCount<T>> names{};
    std::size_t count = 0;
    forEachField<T>([&](const auto& field) { names[count++] = field.name; });
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (names[i] == names[k]) return false;
    return true;
}

template <HasFields T>
constexpr auto fieldTable() {
    static_assert(fieldNamesDiffer<T>(), "two fields of one struct have the same name");
    std::array<postbus_field, fieldCount<T>> table{};
    std::size_t count = 0;
    forEachField<T>([&](const auto& field) {
        using Member = typename std::remove_cvref_t<decltype(field)>::MemberType;
        using Type = typename Bare<Member>::Type;
        const std::uint32_t flags = IsOptional<Member>::value ? static_cast<std::uint32_t>(POSTBUS_FIELD_OPTIONAL)
                                    : IsVector<Member>::value ? static_cast<std::uint32_t>(POSTBUS_FIELD_LIST)
                                                              : 0u;
        table[count++] = {borrow(field.name), borrow(field.doc), kindOf<Type>(), flags, described<Type>()};
    });
    return table;
}

template <HasEnumerators T>
constexpr auto valueTable() {
    constexpr auto values = enumerators(T{});
    std::array<postbus_str, values.size()> table{};
    for (std::size_t i = 0; i < values.size(); ++i) table[i] = borrow(values[i].name);
    return table;
}

template <class T>
struct Tables;
template <HasFields T>
struct Tables<T> {
    static constexpr auto rows = fieldTable<T>();
    static constexpr postbus_type type() {
        return {sizeof(postbus_type),
                POSTBUS_KIND_STRUCT,
                borrow(typeName<T>()),
                rows.data(),
                nullptr,
                static_cast<uint32_t>(rows.size()),
                sizeof(postbus_field),
                0};
    }
};
template <HasEnumerators T>
struct Tables<T> {
    static constexpr auto rows = valueTable<T>();
    static constexpr postbus_type type() {
        return {sizeof(postbus_type),  POSTBUS_KIND_ENUM,
                borrow(typeName<T>()), nullptr,
                rows.data(),           0,
                sizeof(postbus_field), static_cast<uint32_t>(rows.size())};
    }
};

template <class T>
constinit const postbus_type Description<T>::type = Tables<T>::type();

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
