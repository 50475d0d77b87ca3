// Start tags, end tags and the attributes in them.
#include "formats/xml/scanner/document_scanner.hpp"
#include "formats/xml/scanner/words.hpp"

namespace postbus::xml {
namespace {

bool is(Piece piece, std::string_view text) { return std::string_view(piece.at, piece.length) == text; }

/// The name from its first to its last character.
Piece whole(const QName& name) {
    if (name.prefix.length == 0) return name.local;
    return {name.prefix.at, name.prefix.length + 1 + name.local.length};
}

}  // namespace

/// From behind its '<'.
char* DocumentScanner::startTag(char* at) {
    QName name;
    at = qualifiedName(at, name);
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
        open_.push_back({whole(name), scope});
    }
    return at + 1;
}

/// What stands between the name and the end of a start tag.
char* DocumentScanner::attributes(char* at, NameScope::Mark scope) {
    for (values_ = 0;; ++values_) {
        char* const gap = at;
        at = spaces(at);
        if (*at == '>' || *at == '/') return at;
        if (at == gap || values_ == limits_.attributes) return nullptr;
        at = attribute(at, scope);
        if (!at) return nullptr;
    }
}

char* DocumentScanner::attribute(char* at, NameScope::Mark scope) {
    QName name;
    at = qualifiedName(at, name);
    if (!at) return nullptr;
    if (*at != '=') at = spaces(at);
    if (*at++ != '=') return nullptr;
    if (*at != '"' && *at != '\'') at = spaces(at);
    const char quote = *at;
    if (quote != '"' && quote != '\'') return nullptr;
    Piece value;
    at = attributeValue(at + 1, quote, value);
    if (!at) return nullptr;

    bool fits = true;
    if (is(name.prefix, "xmlns"))
        fits = names_.declare(name.local, value, scope);
    else if (name.prefix.length == 0 && is(name.local, "xmlns"))
        fits = names_.declare(name.prefix, value, scope);
    else
        attributes_.push_back({name, value});
    return fits ? at : nullptr;
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
    open_.pop_back();
    return at + 1;
}

}  // namespace postbus::xml
