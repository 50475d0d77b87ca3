#pragma once

#include <string>
#include <string_view>

// What libxml2's push parser gives, as the document meant it. Each gives a view of what it was given, or of `memory`.
namespace postbus::xml {

/// An attribute's value or a namespace. Unless told to put in entities, which we never do, libxml2 leaves each '&' in
/// them as the reference &#38; for its tree builder to resolve; there are no other references in what it gives.
std::string_view resolved(std::string_view value, std::string& memory);

/// The content of a CDATA section, with line ends as XML wants them (section 2.11): it comes as it was sent. In one
/// piece, since the whole document is there.
std::string_view normalised(std::string_view text, std::string& memory);

}  // namespace postbus::xml
