// The XML declaration (XML 1.0 section 2.8). What it says of the encoding was heeded before.
#include "formats/xml/scanner/document_scanner.hpp"

namespace postbus::xml {
namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool isEncodingName(std::string_view name) {
    if (name.empty() || !isLetter(name.front())) return false;
    for (const char c : name)
        if (!isLetter(c) && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-') return false;
    return true;
}

}  // namespace

/// From behind "<?xml".
char* DocumentScanner::xmlDeclaration(char* at) {
    std::string_view value;
    if (!pseudoAttribute(at, "version", value) || value != "1.0") return nullptr;
    if (pseudoAttribute(at, "encoding", value) && !isEncodingName(value)) return nullptr;
    if (pseudoAttribute(at, "standalone", value) && value != "yes" && value != "no") return nullptr;
    at = spaces(at);
    return std::string_view(at, 2) == "?>" ? at + 2 : nullptr;
}

/// White space and name="value". Where it is not there, it is left to what comes next to find fault.
bool DocumentScanner::pseudoAttribute(char*& at, std::string_view name, std::string_view& value) {
    const std::uint32_t line = line_;
    char* next = spaces(at);
    if (next == at || std::string_view(next, name.size()) != name) {
        line_ = line;
        return false;
    }
    next = spaces(next + name.size());
    if (*next != '=') return false;
    next = spaces(next + 1);
    const char quote = *next;
    if (quote != '"' && quote != '\'') return false;
    const char* const first = ++next;
    while (*next != quote && *next > ' ') ++next;
    if (*next != quote) return false;
    value = {first, static_cast<std::size_t>(next - first)};
    at = next + 1;
    return true;
}

}  // namespace postbus::xml
