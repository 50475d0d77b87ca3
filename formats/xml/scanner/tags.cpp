// Start tags, end tags and the attributes in them.
#include "formats/xml/scanner/document_scanner.hpp"
#include "formats/xml/scanner/qname.hpp"
#include "formats/xml/scanner/runs.hpp"
#include "formats/xml/scanner/words.hpp"

namespace postbus::xml {
namespace {

bool is(Piece piece, std::string_view text) { return std::string_view(piece.at, piece.length) == text; }

}  // namespace

/// From behind its '<'.
char* DocumentScanner::startTag(char* at) {
    QName name;
    at = readName(at, name);
    if (!at) return nullptr;
    attributes_.clear();
    const NameScope::Mark scope = names_.mark();
    if (*at != '>') at = attributes(at, scope);
    if (!at) return nullptr;
    const bool empty = *at == '/';
    if (empty && *++at != '>') return nullptr;

    if (!addElement(name, scope)) return nullptr;
    if (empty) {
        builder_.end();
        names_.leave(scope);
    } else {
        Open& open = open_.add();
        open.name.at = name.prefix.at;
        open.name.length = name.local.length + static_cast<std::uint32_t>(name.local.at - name.prefix.at);
        open.scope = scope;
    }
    return at + 1;
}

/// What stands between the name and the end of a start tag.
char* DocumentScanner::attributes(char* at, NameScope::Mark scope) {
    for (std::uint32_t values = 0;; ++values) {
        char* const gap = at;
        at = spaces(at);
        if (*at == '>' || *at == '/') return at;
        if (at == gap || values == limits_.attributes) return nullptr;
        at = attribute(at, scope);
        if (!at) return nullptr;
    }
}

char* DocumentScanner::attribute(char* at, NameScope::Mark scope) {
    QName name;
    at = readName(at, name);
    if (!at) return nullptr;
    if (*at != '=') at = spaces(at);
    if (*at++ != '=') return nullptr;
    if (*at != '"' && *at != '\'') at = spaces(at);
    const char quote = *at;
    if (quote != '"' && quote != '\'') return nullptr;
    char* const start = ++at;
    at = runOfValue(at, quote);
    Piece value{start, static_cast<std::uint32_t>(at - start)};
    if (*at != quote) at = mixedValue(start, at, quote, value);
    if (!at) return nullptr;
    ++at;

    if (is(name.prefix, "xmlns")) return names_.declare(name.local, value, scope) ? at : nullptr;
    if (name.prefix.length == 0 && is(name.local, "xmlns"))
        return names_.declare(name.prefix, value, scope) ? at : nullptr;
    Attribute& attribute = attributes_.add();
    attribute.name = name;
    attribute.value = value;
    return at;
}

/// The element with its declarations and attributes, whose namespaces are known only now.
bool DocumentScanner::addElement(const QName& name, NameScope::Mark scope) {
    const auto declared = names_.since(scope);
    if (builder_.depth() >= limits_.depth) return false;
    if (!room(1 + declared.size() + attributes_.size())) return false;
    const auto number = static_cast<std::uint32_t>(builder_.nodes() + 1);
    const std::uint32_t element = names_.element(name);
    if (element == NameScope::none) return false;
    builder_.start(element, line_);
    for (const NameScope::Binding& each : declared) builder_.declare(each.name);
    for (const Attribute& each : attributes_) {
        const std::uint32_t attribute = names_.attribute(each.name);
        if (attribute == NameScope::none) return false;
        if (attributes_.size() > 1 && !names_.isFirst(attribute, number)) return false;
        builder_.attribute(attribute, offset(each.value.at), each.value.length);
    }
    return true;
}

/// From behind its "</".
char* DocumentScanner::endTag(char* at) {
    const Open& open = open_.back();
    if (!equalWords(at, open.name.at, open.name.length)) return nullptr;
    at += open.name.length;
    if (*at != '>') at = spaces(at);
    if (*at != '>') return nullptr;
    builder_.end();
    names_.leave(open.scope);
    open_.truncate(open_.size() - 1);
    return at + 1;
}

}  // namespace postbus::xml
