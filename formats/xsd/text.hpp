#pragma once

#include <string>
#include <string_view>

namespace postbus::xsd {

/// `text` with everything that XML 1.0 forbids (section 2.2, and bytes that are not UTF-8) replaced by '?', byte by
/// byte. For text that comes from a caller or a plugin and goes into a document of ours. Nothing is escaped.
std::string legalText(std::string_view text);

/// Appends `text`, legal and escaped: as an element's content, as an attribute's value between double quotes.
void appendContent(std::string& out, std::string_view text);
void appendAttribute(std::string& out, std::string_view value);

}  // namespace postbus::xsd
