#pragma once

#include <postbus/abi.h>

#include <cstdint>
#include <string_view>

namespace postbus::xsd {

inline std::string_view view(postbus_str text) { return text.data ? std::string_view(text.data, text.size) : ""; }

/// The field at `index`, by the stride that the plugin was compiled with.
inline const postbus_field& fieldAt(const postbus_type& type, std::uint32_t index) {
    const char* first = reinterpret_cast<const char*>(type.fields);
    return *reinterpret_cast<const postbus_field*>(first + std::size_t{index} * type.field_size);
}

/// The XML Schema built-in type that a kind stands for; empty for enums, structs and kinds we do not know.
std::string_view builtIn(std::uint32_t kind);

/// Whether two descriptions say the same, all the way down; their own names apart, which wrappers do not use.
bool sameType(const postbus_type* a, const postbus_type* b);

}  // namespace postbus::xsd
