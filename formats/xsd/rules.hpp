#pragma once

#include <string_view>

namespace postbus::xsd {

/// The name that XML Schema 1.0 has for the rule behind one of libxml2's codes (xmlParserErrors), or nothing.
std::string_view ruleOf(int code);

}  // namespace postbus::xsd
