#include "formats/xml/scanner/name_scope.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/words.hpp"

namespace postbus::xml {
namespace {

constexpr std::size_t keptNames = 4096;

// What stands for the namespace of the prefix xml in Known: no document has so many.
constexpr std::uint32_t xmlUri = UINT32_MAX - 1;

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

inline std::uint32_t NameScope::enter(const QName& name, std::uint32_t uriAt, std::uint32_t uriLength,
                                      std::uint32_t uri) {
    if (builder_->names() >= limits_.names) return none;
    if (std::max({name.prefix.length, uriLength, name.local.length}) > limits_.nameLength) return none;
    Known& known = known_.add();
    known.uri = uri;
    known.same = none;
    known.element = 0;
    return builder_->name(uriAt, uriLength, offset(name.local.at), name.local.length, offset(name.prefix.at),
                          name.prefix.length);
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
    if (name == none) name = enter({prefix, {text_, 0}}, offset(uri.at), uri.length, number);
    if (name == none) return false;
    if (prefix.length == 0) standard_ = number == none ? none : static_cast<std::uint32_t>(bindings_.size());
    Binding& binding = bindings_.add();
    binding.prefix.at = prefix.at;
    binding.prefix.length = prefix.length;
    binding.head = headWord(prefix.at, prefix.length);
    binding.name = name;
    binding.uri = number;
    return true;
}

/// A name that was not there yet.
std::uint32_t NameScope::enter(const QName& name, std::uint32_t binding) {
    if (binding == none) return enter(name, 0, 0, none);
    if (binding == xmlBinding) {
        usesXml_ = true;
        return enter(name, size_, static_cast<std::uint32_t>(xmlNamespace.size()), xmlUri);
    }
    const postbus_name& declared = builder_->nameAt(bindings_[binding].name);
    return enter(name, declared.uri, declared.uri_length, bindings_[binding].uri);
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
