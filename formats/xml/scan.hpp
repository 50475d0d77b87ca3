#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace postbus::xml {

/// What one fast pass over a document tells, before libxml2 sees it.
struct Scan {
    std::size_t valid;  ///< length of the part in front that is Chars in UTF-8: all of it in a good document
    bool longTag;       ///< two '<' lie further apart than `tagLength`: only then a tag can be as long
};
Scan scan(std::string_view text, std::size_t tagLength);

/// Offset of the first start tag with more than `limit` attributes (declarations included), or npos. libxml2 compares
/// each attribute with each other one before it calls us, so such a tag must not reach it.
std::size_t findCrowdedTag(std::string_view text, std::uint32_t limit);

/// The shortest an attribute can be, with the space before it: ` a=""`.
inline constexpr std::size_t shortestAttribute = 5;

/// The 1-based line of an offset.
std::size_t lineAt(std::string_view text, std::size_t offset);

}  // namespace postbus::xml
