// Copies of elements: all that the tape knows of them, and the scope that their QNames need.
#include <algorithm>

#include "formats/xml/chars.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::xml {
namespace {

std::string_view slice(const postbus_tape& tape, std::uint32_t offset, std::uint32_t length) {
    return {tape.text + offset, length};
}

}  // namespace

void Writer::copy(Element root) {
    if (failed()) return;
    const postbus_tape& tape = *root.tape();
    const std::uint32_t end = root.node().next;
    const std::uint32_t above = root.node().parent;
    std::uint32_t open = above;
    for (std::uint32_t i = root.index(); i < end && !failed();) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_ELEMENT) {
            const Element element(&tape, i);
            copyStart(element, i == root.index());
            open = i;
            i = element.content();
        } else {
            text(slice(tape, node.text, node.length));
            i = node.next;
        }
        for (; open != above && tape.nodes[open].next == i && !failed(); open = tape.nodes[open].parent) this->end();
    }
}

void Writer::copyContent(Element element) {
    const postbus_tape& tape = *element.tape();
    for (std::uint32_t i = element.content(); i < element.node().next && !failed(); i = tape.nodes[i].next) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_ELEMENT)
            copy({&tape, i});
        else
            text(slice(tape, node.text, node.length));
    }
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
    seen_.clear();
    const postbus_tape& tape = *element.tape();
    for (Element scope = element; scope; scope = scope.parent()) {
        for (std::uint32_t i = scope.index() + 1; i < scope.node().next; ++i) {
            const postbus_node& each = tape.nodes[i];
            if (each.kind != POSTBUS_NODE_NAMESPACE) break;
            const postbus_name& name = tape.names[each.name];
            const std::string_view prefix = slice(tape, name.prefix, name.prefix_length);
            if (std::find(seen_.begin(), seen_.end(), prefix) != seen_.end()) continue;
            seen_.push_back(prefix);
            bindCopied(prefix, slice(tape, name.uri, name.uri_length), false);
        }
    }
    if (std::find(seen_.begin(), seen_.end(), std::string_view()) == seen_.end()) bindCopied({}, {}, false);
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
