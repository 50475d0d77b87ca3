#include "formats/xml/scanner/name_scope.hpp"

#include <algorithm>
#include <string_view>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/words.hpp"

namespace postbus::xml {
namespace {

constexpr std::size_t keptNames = 4096;

// The prefix xml is bound without a declaration; these stand for its binding and its namespace. No document has as
// many.
constexpr std::uint32_t undeclared = UINT32_MAX - 1;
constexpr std::uint32_t xmlBinding = UINT32_MAX - 2;
constexpr std::uint32_t xmlUri = UINT32_MAX - 2;

// What the strings in the index are, in the upper half of their space; the lower half says of what.
enum Kind : std::uint64_t {
    Uri = 0,
    Declared = std::uint64_t{1} << 32,   // the prefix of a declaration, of a namespace
    Local = std::uint64_t{2} << 32,      // a local name, of a declaration's name: so of a prefix with a namespace
    Attribute = std::uint64_t{3} << 32,  // an attribute's local name, of a namespace, whatever the prefix
};

std::string_view viewOf(Piece piece) { return {piece.at, piece.length}; }

}  // namespace

void NameScope::begin(TapeBuilder& builder, const Limits& limits, const char* text, std::size_t size) {
    builder_ = &builder;
    text_ = text;
    size_ = static_cast<std::uint32_t>(size);
    limits_ = limits;
    bindings_.clear();
    standard_ = none;
    uris_ = 0;
    xmlDeclared_ = 0;
    usesXml_ = false;
    index_.next();
    if (known_.capacity() > keptNames) known_ = {};
    known_.clear();
}

bool NameScope::declare(Piece prefix, Piece uri, Mark mark) {
    const std::string_view prefixText = viewOf(prefix), uriText = viewOf(uri);
    if (uriText == xmlnsNamespace || prefixText == "xmlns") return false;
    if ((prefixText == "xml") != (uriText == xmlNamespace)) return false;
    if (prefixText == "xml") {  // says nothing new and is not kept
        const std::size_t element = builder_->nodes() + 1;
        return std::exchange(xmlDeclared_, element) != element;
    }
    if (prefix.length != 0 && uri.length == 0) return false;
    if (bindings_.size() >= limits_.bindings) return false;
    for (const Binding& each : since(mark))
        if (viewOf(each.prefix) == prefixText) return false;

    std::uint32_t number = none;
    if (uri.length != 0) {
        std::uint32_t& known = index_(Kind::Uri, uri.at, uri.length);
        if (known == none) known = uris_++;
        number = known;
    }
    std::uint32_t& name = index_(Kind::Declared | number, prefix.at, prefix.length);
    if (name == none) name = enter(prefix, offset(uri), uri.length, {text_, 0}, number);
    if (name == none) return false;
    if (prefix.length == 0) standard_ = number == none ? none : static_cast<std::uint32_t>(bindings_.size());
    bindings_.push_back({prefix, headWord(prefix.at, prefix.length), name, number});
    return true;
}

/// The binding of a name's prefix. Few are in scope as a rule, and the last ones matter most.
std::uint32_t NameScope::find(const QName& name) const {
    const Piece prefix = name.prefix;
    const std::uint64_t head = headWord(prefix.at, prefix.length);
    for (std::size_t i = bindings_.size(); i-- > 0;) {
        const Binding& each = bindings_[i];
        if (each.head == head && each.prefix.length == prefix.length &&
            (prefix.length <= 8 || equalWords(each.prefix.at, prefix.at, prefix.length)))
            return static_cast<std::uint32_t>(i);
    }
    return viewOf(prefix) == "xml" ? xmlBinding : undeclared;
}

/// The name under a binding: its place in bindings_, or `none`, or what find() says else.
std::uint32_t NameScope::placed(const QName& name, std::uint32_t binding) {
    if (binding == undeclared) return none;
    const bool declared = binding < xmlBinding;
    const std::uint32_t space = declared ? bindings_[binding].name : binding;
    std::uint32_t& place = index_(Kind::Local | space, name.local.at, name.local.length);
    if (place != none) return place;
    if (declared) {
        const postbus_name& its = builder_->nameAt(space);
        place = enter(name.prefix, its.uri, its.uri_length, name.local, bindings_[binding].uri);
    } else if (binding == none) {
        place = enter(name.prefix, 0, 0, name.local, none);
    } else {
        usesXml_ = true;
        place = enter(name.prefix, size_, static_cast<std::uint32_t>(xmlNamespace.size()), name.local, xmlUri);
    }
    return place;
}

std::uint32_t NameScope::enter(Piece prefix, std::uint32_t uriAt, std::uint32_t uriLength, Piece local,
                               std::uint32_t uri) {
    if (builder_->names() >= limits_.names) return none;
    if (std::max({prefix.length, uriLength, local.length}) > limits_.nameLength) return none;
    known_.push_back({uri});
    return builder_->name({uriAt, uriLength, offset(local), local.length, offset(prefix), prefix.length});
}

bool NameScope::isFirst(std::uint32_t attribute, std::uint32_t element) {
    Known& its = known_[attribute];
    if (its.same == none) {
        its.same = attribute;
        if (its.uri != none) {  // a name with another prefix may have come before
            const postbus_name& name = builder_->nameAt(attribute);
            std::uint32_t& first = index_(Kind::Attribute | its.uri, text_ + name.local, name.local_length);
            if (first == none) first = attribute;
            its.same = first;
        }
    }
    return std::exchange(known_[its.same].element, element) != element;
}

}  // namespace postbus::xml
