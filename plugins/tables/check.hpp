#pragma once

#include <postbus/abi.h>

#include <string>
#include <string_view>

namespace postbus::tables {

/// A borrowed view; empty for "not given".
inline std::string_view view(postbus_str text) {
    return text.data ? std::string_view(text.data, text.size) : std::string_view();
}

/// What is wrong with the tables that a plugin's entry returned, in words for its author; empty when all is well. Looks
/// at sizes before members, and calls nothing.
std::string check(const postbus_plugin* plugin);

/// The path of a service: its own, else /cxf/NAME.
std::string pathOf(const postbus_service& service);

}  // namespace postbus::tables
