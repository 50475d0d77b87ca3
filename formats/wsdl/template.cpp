#include "formats/wsdl/template.hpp"

#include <optional>

#include "formats/wsdl/namespaces.hpp"
#include "formats/wsdl/tag_scanner.hpp"
#include "formats/xsd/text.hpp"

namespace postbus::wsdl {
namespace {

bool isAddress(const Tag& tag) {
    return tag.local == "address" && (tag.uri == ns::soap || tag.uri == ns::soap12 || tag.uri == ns::http);
}

bool isSchemaReference(const Tag& tag) {
    return tag.uri == ns::schema && (tag.local == "import" || tag.local == "include" || tag.local == "redefine");
}

bool isWsdlImport(const Tag& tag) { return tag.uri == ns::wsdl && tag.local == "import"; }

/// What a query may hold unescaped (RFC 3986 section 3.4), but for what has a meaning in ours or in XML.
void appendQueryValue(std::string& out, std::string_view value) {
    constexpr std::string_view hex = "0123456789ABCDEF", plain = "-._~/:@!$,;";
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || plain.find(c) != std::string_view::npos)
            out += c;
        else
            (out += '%', out += hex[byte >> 4], out += hex[byte & 15]);
    }
}

}  // namespace

void Template::append(Buffer& out, std::string_view address) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (i) out.append(address);
        out.append(pieces_[i]);
    }
}

std::string Template::render(std::string_view address) const {
    std::string document = pieces_.front();
    for (std::size_t i = 1; i < pieces_.size(); ++i) document.append(address).append(pieces_[i]);
    return document;
}

Template findAddresses(std::string_view document, const Locate& locate) {
    Template found;
    std::size_t done = 0;
    scanTags(document, [&](const Tag& tag) {
        const bool address = isAddress(tag), schema = isSchemaReference(tag), wsdl = isWsdlImport(tag);
        if (!address && !schema && !wsdl) return;
        const std::optional<std::string_view> value = tag.attribute(schema ? "schemaLocation" : "location");
        if (!value) return;
        std::string query;
        if (!address) {
            const std::string name = locate(*value);
            if (name.empty()) return;
            query = schema ? "?xsd=" : "?wsdl=";
            appendQueryValue(query, name);
        }
        const auto at = static_cast<std::size_t>(value->data() - document.data());
        found.text(document.substr(done, at - done));
        found.address();
        found.text(query);
        done = at + value->size();
    });
    found.text(document.substr(done));
    return found;
}

}  // namespace postbus::wsdl
