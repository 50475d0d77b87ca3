#include "formats/xml/wording.hpp"

#include <cstdio>
#include <string_view>

namespace postbus::xml {
namespace {

std::string_view viewOf(const void* text) {
    return text ? std::string_view(static_cast<const char*>(text)) : std::string_view();
}

std::string element(std::string_view name) { return "element '" + std::string(name) + "'"; }

std::string character(int code) {
    char text[16];
    std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(code));
    return text;
}

std::string ofReference(int code) {
    if (code == 0) return "a reference (&#...;) has no digits, or stands for U+0000, which is not allowed in XML";
    if (code > 0x10FFFF) return "a reference (&#...;) goes beyond U+10FFFF";
    return "a reference (&#...;) stands for " + character(code) + ", which is not allowed in XML";
}

/// Without the name of a function: "xmlParseStartTag: ", "StartTag: ", "xmlParsePI : ".
std::string_view withoutFunction(std::string_view message) {
    const std::size_t colon = message.find(": ");
    if (colon == std::string_view::npos) return message;
    const std::string_view before = message.substr(0, colon > 0 && message[colon - 1] == ' ' ? colon - 1 : colon);
    return before.find(' ') == std::string_view::npos ? message.substr(colon + 2) : message;
}

/// The element that was being read; empty outside of the root.
std::string_view inside(const xmlParserCtxt& context) { return context.nameNr > 0 ? viewOf(context.name) : ""; }

/// Empty: libxml2's own words will do.
std::string ofContent(const xmlError& error, std::string_view message) {
    switch (error.code) {
        case XML_ERR_INVALID_HEX_CHARREF:
        case XML_ERR_INVALID_DEC_CHARREF:
            return "a reference is neither &#DIGITS; nor &#xHEXDIGITS;";
        case XML_ERR_NAME_REQUIRED:
            if (message.starts_with("xmlParseEntityRef"))
                return "a '&' begins no reference; by itself it is written &amp;";
            if (message.starts_with("StartTag")) return "a '<' begins no tag; by itself it is written &lt;";
            return {};
        case XML_ERR_ENTITYREF_SEMICOL_MISSING:
            return "a reference has no ';' at its end; a '&' by itself is written &amp;";
        case XML_ERR_ATTRIBUTE_NOT_STARTED:
            return "the value of an attribute is not in quotation marks";
        case XML_ERR_INVALID_CHAR:
            if (message.starts_with("xmlParseCharRef")) return ofReference(error.int1);
            return error.int1 ? "the character " + character(error.int1) + " is not allowed in XML" : std::string();
        default:
            return {};
    }
}

std::string ofEnd(const xmlParserCtxt& context) {
    const std::string_view open = inside(context);
    return open.empty() ? "there is something behind the end of the root element"
                        : "the document ends before " + element(open) + " is closed";
}

}  // namespace

std::string wordingOf(const xmlError& error, const xmlParserCtxt& context) {
    std::string_view message = viewOf(error.message);
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.remove_suffix(1);
    if (error.code == XML_ERR_DOCUMENT_END) return ofEnd(context);
    if (error.code == XML_ERR_TAG_NAME_MISMATCH && error.str1 && error.str2)
        return element(error.str1) + ", begun in line " + std::to_string(error.int1) +
               ", is not closed before the end of " + element(error.str2);
    std::string text = ofContent(error, message);
    if (text.empty()) text = withoutFunction(message);
    if (text.empty()) text = "the document is not well-formed XML";
    if (const std::string_view open = inside(context); !open.empty()) text += ", in " + element(open);
    return text;
}

}  // namespace postbus::xml
