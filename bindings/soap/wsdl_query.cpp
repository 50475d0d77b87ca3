#include "bindings/soap/wsdl_query.hpp"

#include "core/message/headers.hpp"

namespace postbus::soap {
namespace {

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

std::string percentDecoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped =
            text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0;
        decoded += escaped ? static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2])) : text[i];
        if (escaped) i += 2;
    }
    return decoded;
}

}  // namespace

WsdlQuery WsdlQuery::of(std::string_view query) {
    const std::string_view first = query.substr(0, query.find('&'));
    const std::size_t equals = first.find('=');
    const std::string_view key = first.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view{} : first.substr(equals + 1);
    if (core::sameName(key, "wsdl") || core::sameName(key, "singleWsdl")) return {Asks::Wsdl, percentDecoded(value)};
    if (core::sameName(key, "xsd")) return {Asks::Schema, percentDecoded(value)};
    return {};
}

}  // namespace postbus::soap
