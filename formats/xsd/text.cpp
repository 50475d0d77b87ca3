#include "formats/xsd/text.hpp"

#include "formats/xml/chars.hpp"

namespace postbus::xsd {

std::string legalText(std::string_view text) {
    std::string legal;
    legal.reserve(text.size());
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at != end;) {
        const std::size_t length = xml::charLength(at, end);
        if (length)
            legal.append(at, length);
        else
            legal += '?';
        at += length ? length : 1;
    }
    return legal;
}

void appendContent(std::string& out, std::string_view text) {
    for (const char c : legalText(text)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '\r')
            out += "&#13;";
        else
            out += c;
    }
}

void appendAttribute(std::string& out, std::string_view value) {
    for (const char c : legalText(value)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\t')
            out += "&#9;";
        else if (c == '\n')
            out += "&#10;";
        else if (c == '\r')
            out += "&#13;";
        else
            out += c;
    }
}

}  // namespace postbus::xsd
