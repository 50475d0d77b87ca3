/// The C tables that describe a struct to the bus, made from fields() at compile time.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

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

/// The static tables of one struct or enum. A type may refer to itself, by vector: so these refer to each other by
/// address alone, with no function in between that the compiler would have to run first.
template <class T>
struct Description {
    static const postbus_type type;
};

template <class T, class = std::make_index_sequence<fieldCount<T>>>
struct FieldRows;
template <class T, std::size_t... I>
struct FieldRows<T, std::index_sequence<I...>> {
    static_assert(fieldNamesDiffer<T>(), "two fields of one struct have the same name");

    template <std::size_t N>
    static constexpr auto field = std::get<N>(T::fields());
    template <std::size_t N>
    using Member = typename std::tuple_element_t<N, decltype(T::fields())>::MemberType;
    template <std::size_t N>
    using Type = typename Bare<Member<N>>::Type;
    template <std::size_t N>
    static constexpr std::uint32_t flags = IsOptional<Member<N>>::value ? POSTBUS_FIELD_OPTIONAL
                                           : IsVector<Member<N>>::value ? POSTBUS_FIELD_LIST
                                                                        : 0;

    static const std::array<postbus_field, sizeof...(I)> rows;
};
template <class T, std::size_t... I>
constinit const std::array<postbus_field, sizeof...(I)> FieldRows<T, std::index_sequence<I...>>::rows{
    postbus_field{borrow(field<I>.name), borrow(field<I>.doc), kindOf<Type<I>>(), flags<I>,
                  kindOf<Type<I>>() >= POSTBUS_KIND_ENUM ? &Description<Type<I>>::type : nullptr}...};

template <HasEnumerators T>
constexpr auto valueTable() {
    constexpr auto values = enumerators(T{});
    std::array<postbus_str, values.size()> table{};
    for (std::size_t i = 0; i < values.size(); ++i) table[i] = borrow(values[i].name);
    return table;
}
template <HasEnumerators T>
inline constexpr auto valueRows = valueTable<T>();

/// With neither fields nor values for a simple type, whose description nobody asks for.
template <class T>
constexpr postbus_type typeRow() {
    return {sizeof(postbus_type), kindOf<T>(), borrow(schemaName<T>()), nullptr, nullptr, 0, sizeof(postbus_field), 0};
}
template <HasFields T>
constexpr postbus_type typeRow() {
    return {sizeof(postbus_type),
            POSTBUS_KIND_STRUCT,
            borrow(typeName<T>()),
            FieldRows<T>::rows.data(),
            nullptr,
            fieldCount<T>,
            sizeof(postbus_field),
            0};
}
template <HasEnumerators T>
constexpr postbus_type typeRow() {
    return {sizeof(postbus_type),  POSTBUS_KIND_ENUM,
            borrow(typeName<T>()), nullptr,
            valueRows<T>.data(),   0,
            sizeof(postbus_field), static_cast<std::uint32_t>(valueRows<T>.size())};
}

template <class T>
constinit const postbus_type Description<T>::type = typeRow<T>();

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
