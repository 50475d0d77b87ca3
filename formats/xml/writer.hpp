#pragma once

#include <postbus/element.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/result.hpp"

namespace postbus::xml {

/// Writes XML into a buffer, event by event: start, declare and attribute, then text, elements, end.
///
/// Names are given by namespace; the writer declares what is not in scope, with the wished prefix where it is free.
/// What it writes is always well-formed, a document when it has one root, else content to be put between tags: a
/// character that XML 1.0 forbids, invalid UTF-8 or an event out of order is remembered as the writer's error, and
/// everything after it is ignored; look at finish(). Allocates nothing in the steady state. Owned by one thread at a
/// time. The output belongs to the writer until finish(): it finds names there by their place.
class Writer {
public:
    /// Starts over, appending to `out`, which must outlive the document.
    void begin(Buffer& out);

    /// With no wish for a prefix the default namespace or any other prefix that is in scope is taken.
    void start(std::string_view uri, std::string_view local, std::string_view prefix = {});
    /// On the element just started, before its content. Not a prefix that this element already uses otherwise.
    void declare(std::string_view prefix, std::string_view uri);
    void attribute(std::string_view uri, std::string_view local, std::string_view prefix, std::string_view value);
    void text(std::string_view text);
    void end();
    /// The element with all it contains. Declarations in scope at it that the output lacks are written on it, so that
    /// QNames in its content keep their meaning.
    void copy(Element element);
    /// The same, with one attribute more than it has.
    void copy(Element element, std::string_view uri, std::string_view local, std::string_view prefix,
              std::string_view value);
    /// What `element` contains: elements with their scope, text as it is.
    void copyContent(Element element);

    /// Whether all was in order and every element is closed.
    Result<void> finish() const;
    std::size_t depth() const { return open_.size(); }

private:
    struct Binding {
        std::uint32_t prefix, prefixLength, uri, uriLength;  // in scopeText_
    };
    struct Open {
        std::size_t name;  // in the output, as it was written
        std::uint32_t nameLength;
        std::uint32_t binding;         // of its prefix
        std::uint32_t bindings, text;  // sizes to go back to
    };
    struct Attribute {
        std::size_t local;  // in the output
        std::uint32_t localLength;
        std::uint32_t binding;
    };
    /// In place of a binding: for a name in no namespace, for one in that of xml.
    static constexpr std::uint32_t unbound = UINT32_MAX, reserved = UINT32_MAX - 1;

    bool failed() const { return !error_.empty(); }
    void fail(std::string_view what, std::string_view which = {});

    std::string_view prefixOf(std::uint32_t binding) const;
    std::string_view uriOf(std::uint32_t binding) const;
    std::uint32_t find(std::string_view prefix) const;
    std::uint32_t findNamespace(std::string_view uri, bool forAttribute) const;
    std::uint32_t bind(std::string_view prefix, std::string_view uri);
    std::uint32_t bindFree(std::string_view wish, std::string_view uri);
    std::uint32_t forElement(std::string_view uri, std::string_view wish);
    std::uint32_t forAttribute(std::string_view uri, std::string_view wish);
    bool usedInTag(std::string_view prefix) const;

    void beginTag();
    void openTag(std::string_view uri, std::string_view local, std::string_view wish);
    void closeTag();
    void writeName(std::uint32_t binding, std::string_view local);
    void writeDeclaration(std::uint32_t binding);
    void checkAttributes();
    std::string_view localOf(const Attribute& each) const { return out_->view().substr(each.local, each.localLength); }

    void copyStart(Element element, bool root);
    void bindScope(Element element);
    void bindCopied(std::string_view prefix, std::string_view uri, bool always);

    Buffer* out_ = nullptr;
    std::vector<Open> open_;
    std::vector<Binding> bindings_;       ///< in scope, outermost first
    std::vector<Attribute> attributes_;   ///< of the start tag that is not closed yet
    std::vector<std::string_view> seen_;  ///< prefixes met on the way up from a copied element
    std::string scopeText_;
    bool inTag_ = false;
    std::string error_;
};

/// Appends text with &, <, > and (for attributes) quotes and white space escaped. False at a character XML 1.0 forbids
/// or at invalid UTF-8; what is appended up to there is to be dropped.
bool appendText(Buffer& out, std::string_view text);
bool appendAttributeValue(Buffer& out, std::string_view value);

}  // namespace postbus::xml
