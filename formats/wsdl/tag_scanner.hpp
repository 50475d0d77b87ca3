#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace postbus::wsdl {

/// A start tag where it stands in its document.
struct Tag {
    std::string_view uri, local;
    std::vector<std::pair<std::string_view, std::string_view>> attributes;  ///< names and values as written

    /// The value of an attribute without a namespace, as written: a view into the document.
    std::optional<std::string_view> attribute(std::string_view name) const;
};

/// Calls `visit` for each start tag, with its namespace resolved. For documents that were found well-formed before and
/// whose bytes are to be kept: it says where a value stands, which a parser does not. Of a document that is not
/// well-formed it sees as much as it can, and never reads outside of it.
void scanTags(std::string_view document, const std::function<void(const Tag&)>& visit);

}  // namespace postbus::wsdl
