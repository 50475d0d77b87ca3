#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "formats/xml/parse.hpp"
#include "formats/xml/plain_vector.hpp"
#include "formats/xml/scanner/string_index.hpp"
#include "formats/xml/scanner/words.hpp"
#include "formats/xml/tape_builder.hpp"

namespace postbus::xml {

/// A piece of the scanner's text.
struct Piece {
    const char* at = nullptr;
    std::uint32_t length = 0;
};

/// A name as it is written: a prefix, which may be empty, and a local name, NCNames both.
struct QName {
    Piece prefix, local;
};

/// The namespaces in scope (Namespaces in XML 1.0), and the names of a document with their places in its tape.
///
/// What it is given lies in the text of the tape, as it was there at begin(). Owned by one thread at a time.
class NameScope {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    struct Binding {
        Piece prefix;
        std::uint64_t head;  ///< of the prefix (words.hpp)
        std::uint32_t name;  ///< of the declaration, in the tape
        std::uint32_t uri;   ///< a number for each namespace, `none` for no namespace
    };
    /// What is in scope: leave() takes out what came later.
    struct Mark {
        std::uint32_t bindings, standard;
    };

    /// Starts a document. Names go to `builder`, which holds the text, `size` bytes long, at `text`.
    void begin(TapeBuilder& builder, const Limits& limits, const char* text, std::size_t size);
    /// Whether a name refers to the namespace of the prefix xml, which it takes to stand behind the text's end.
    bool usesXml() const { return usesXml_; }

    Mark mark() const { return {static_cast<std::uint32_t>(bindings_.size()), standard_}; }
    void leave(Mark mark) {
        bindings_.truncate(mark.bindings);
        standard_ = mark.standard;
    }
    std::span<const Binding> since(Mark mark) const { return {bindings_.begin() + mark.bindings, bindings_.end()}; }

    /// Declares a prefix, "" for the default namespace, in the element that began at `mark`. False where the standard
    /// forbids it, where the element declares it twice, and beyond a limit.
    bool declare(Piece prefix, Piece uri, Mark mark);

    /// The place of a name in the tape; `none` when its prefix is not declared, and beyond a limit.
    std::uint32_t element(const QName& name) {
        return name.prefix.length == 0 ? placed(name, standard_) : placed(name, find(name.prefix));
    }
    std::uint32_t attribute(const QName& name) {
        return name.prefix.length == 0 ? placed(name, none) : placed(name, find(name.prefix));
    }

    /// Whether an attribute is the only one of its namespace and local name in its element: asked once for each, with a
    /// number other than 0 for each element.
    bool isFirst(std::uint32_t attribute, std::uint32_t element);

private:
    /// What is known of a name in the tape.
    struct Known {
        std::uint32_t uri;
        std::uint32_t same;     ///< the first attribute's name of its namespace and local name
        std::uint32_t element;  ///< where that was seen last
    };

    // What stands for a binding besides a place in bindings_: none, for no namespace, and these.
    static constexpr std::uint32_t undeclared = UINT32_MAX - 1;
    static constexpr std::uint32_t xmlBinding = UINT32_MAX - 2;

    // What the strings in the index are, in the upper half of their space; the lower half says of what.
    enum Kind : std::uint64_t {
        Uri = 0,
        Declared = std::uint64_t{1} << 32,   ///< the prefix of a declaration, of a namespace
        Local = std::uint64_t{2} << 32,      ///< a local name, of a declaration's name: so of prefix and namespace
        Attribute = std::uint64_t{3} << 32,  ///< an attribute's local name, of a namespace, whatever the prefix
    };

    /// The binding of a prefix. Few are in scope as a rule, and the last ones matter most.
    std::uint32_t find(Piece prefix) const {
        const std::uint64_t head = headWord(prefix.at, prefix.length);
        for (std::size_t i = bindings_.size(); i-- > 0;) {
            const Binding& each = bindings_[i];
            if (each.head == head && each.prefix.length == prefix.length &&
                (prefix.length <= 8 || equalWords(each.prefix.at, prefix.at, prefix.length)))
                return static_cast<std::uint32_t>(i);
        }
        return std::string_view(prefix.at, prefix.length) == "xml" ? xmlBinding : undeclared;
    }
    /// The name under a binding.
    std::uint32_t placed(const QName& name, std::uint32_t binding) {
        if (binding == undeclared) return none;
        const std::uint32_t space = binding < xmlBinding ? bindings_[binding].name : binding;
        std::uint32_t& place = index_(Kind::Local | space, name.local.at, name.local.length);
        if (place == none) place = enter(name, binding);
        return place;
    }
    std::uint32_t enter(const QName& name, std::uint32_t binding);
    std::uint32_t enter(const QName& name, std::uint32_t uriAt, std::uint32_t uriLength, std::uint32_t uri);
    std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - text_); }

    TapeBuilder* builder_ = nullptr;
    const char* text_ = nullptr;
    std::uint32_t size_ = 0;
    Limits limits_;
    PlainVector<Binding> bindings_;
    std::uint32_t standard_ = none;  ///< the default namespace's place in bindings_
    std::uint32_t uris_ = 0;
    std::size_t xmlDeclared_ = 0;  ///< nodes before the element that declared the prefix xml last, plus one
    bool usesXml_ = false;
    StringIndex index_;
    PlainVector<Known> known_;  ///< by their place in the tape
};

}  // namespace postbus::xml
