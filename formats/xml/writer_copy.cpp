// Copies of elements: all that the tape knows of them, and the scope that their QNames need.
#include "formats/xml/chars.hpp"
#include "formats/xml/copy_events.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::xml {

void Writer::copy(Element root) {
    if (failed()) return;
    copyEvents(
        root, [this] { return failed(); }, [this](Element element, bool isRoot) { copyStart(element, isRoot); },
        [this](std::string_view text) { this->text(text); }, [this] { end(); });
}

void Writer::copy(Element root, std::string_view uri, std::string_view local, std::string_view prefix,
                  std::string_view value) {
    if (failed()) return;
    const auto start = [&](Element element, bool isRoot) {
        copyStart(element, isRoot);
        if (isRoot) attribute(uri, local, prefix, value);
    };
    copyEvents(
        root, [this] { return failed(); }, start, [this](std::string_view text) { this->text(text); },
        [this] { end(); });
}

void Writer::copyContent(Element element) {
    copyContentEvents(
        element, [this] { return failed(); }, [this](Element each) { copy(each); },
        [this](std::string_view text) { this->text(text); });
}

void Writer::copyStart(Element element, bool root) {
    const postbus_tape& tape = *element.tape();
    beginTag();
    if (root)
        bindScope(element);
    else
        for (std::uint32_t i = element.index() + 1; i < element.node().next; ++i) {
            const postbus_node& each = tape.nodes[i];
            if (each.kind != POSTBUS_NODE_NAMESPACE) break;
            const postbus_name& name = tape.names[each.name];
            bindCopied(slice(tape, name.prefix, name.prefix_length), slice(tape, name.uri, name.uri_length), true);
        }
    if (failed()) return;
    openTag(element.uri(), element.local(), element.prefix());
    for (std::uint32_t i = element.index() + 1; i < element.node().next; ++i) {
        const postbus_node& each = tape.nodes[i];
        if (each.kind == POSTBUS_NODE_NAMESPACE) continue;
        if (each.kind != POSTBUS_NODE_ATTRIBUTE) break;
        const postbus_name& name = tape.names[each.name];
        attribute(slice(tape, name.uri, name.uri_length), slice(tape, name.local, name.local_length),
                  slice(tape, name.prefix, name.prefix_length), slice(tape, each.text, each.length));
    }
}

/// Everything that is in scope at the element in its tape, its own declarations first.
void Writer::bindScope(Element element) {
    scopeEvents(element, seen_,
                [this](std::string_view prefix, std::string_view uri) { bindCopied(prefix, uri, false); });
}

/// A declaration of the copied element; unless `always`, only where the output does not say the same already.
void Writer::bindCopied(std::string_view prefix, std::string_view uri, bool always) {
    if (prefix == "xml" && uri == xmlNamespace) return;
    const std::uint32_t now = find(prefix);
    const bool inTag = now != unbound && now >= open_.back().bindings;
    if (inTag && uriOf(now) != uri) return fail("two declarations of the prefix", prefix);
    if (inTag) return;
    const bool same = now == unbound ? prefix.empty() && uri.empty() : uriOf(now) == uri;
    if (always || !same) bind(prefix, uri);
}

}  // namespace postbus::xml
