#pragma once

#include <string>
#include <string_view>

namespace postbus::xsd {

/// A name in a namespace ("" for none).
struct Name {
    std::string uri, local;

    bool operator==(const Name& other) const { return local == other.local && uri == other.uri; }
    bool operator<(const Name& other) const { return uri == other.uri ? local < other.local : uri < other.uri; }
    bool is(std::string_view uri_, std::string_view local_) const { return local == local_ && uri == uri_; }
    /// "{uri}local", or the local name alone where there is no namespace.
    std::string text() const { return uri.empty() ? local : '{' + uri + '}' + local; }
};

inline constexpr std::string_view schemaNamespace = "http://www.w3.org/2001/XMLSchema";
inline constexpr std::string_view instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";

}  // namespace postbus::xsd
