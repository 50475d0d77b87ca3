// Copies of elements: all that their tape knows of them, and the scope that their QNames need.
#include <algorithm>

#include "formats/xml/chars.hpp"
#include "formats/xml/tape_writer.hpp"

namespace postbus::xml {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

std::string_view slice(const postbus_tape& tape, std::uint32_t offset, std::uint32_t length) {
    return {tape.text + offset, length};
}

}  // namespace

void TapeWriter::copy(Element root) {
    if (failed()) return;
    const postbus_tape& tape = *root.tape();
    copies_.assign(tape.name_count, none);
    const std::uint32_t end = root.node().next, above = root.node().parent;
    std::uint32_t open = above;
    for (std::uint32_t i = root.index(); i < end && !failed();) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_ELEMENT) {
            const Element element(&tape, i);
            openElement(copied(tape, node.name));
            if (failed()) return;
            if (i == root.index()) bindScope(element);
            copyAttributes(element);
            open = i;
            i = element.content();
        } else {
            text(slice(tape, node.text, node.length));
            i = node.next;
        }
        for (; open != above && tape.nodes[open].next == i && !failed(); open = tape.nodes[open].parent) this->end();
    }
}

void TapeWriter::copyContent(Element element) {
    const postbus_tape& tape = *element.tape();
    for (std::uint32_t i = element.content(); i < element.node().next && !failed(); i = tape.nodes[i].next) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_ELEMENT)
            copy({&tape, i});
        else
            text(slice(tape, node.text, node.length));
    }
}

/// Its own declarations, unless bindScope() has made them, and its attributes.
void TapeWriter::copyAttributes(Element element) {
    const postbus_tape& tape = *element.tape();
    for (std::uint32_t i = element.index() + 1; i < element.node().next; ++i) {
        const postbus_node& each = tape.nodes[i];
        if (each.kind == POSTBUS_NODE_NAMESPACE) {
            const postbus_name& name = tape.names[each.name];
            declareCopied(slice(tape, name.prefix, name.prefix_length), slice(tape, name.uri, name.uri_length), true);
        } else if (each.kind == POSTBUS_NODE_ATTRIBUTE) {
            attributes_.push_back(copied(tape, each.name));
            builder_.attribute(attributes_.back(), slice(tape, each.text, each.length));
        } else {
            break;
        }
    }
}

/// Everything that is in scope at the element in its tape, its own declarations first.
void TapeWriter::bindScope(Element element) {
    seen_.clear();
    const postbus_tape& tape = *element.tape();
    for (Element scope = element; scope; scope = scope.parent()) {
        for (std::uint32_t i = scope.index() + 1; i < scope.node().next; ++i) {
            const postbus_node& each = tape.nodes[i];
            if (each.kind != POSTBUS_NODE_NAMESPACE) break;
            const postbus_name& name = tape.names[each.name];
            const std::string_view prefix = slice(tape, name.prefix, name.prefix_length);
            if (prefix == "xml" || std::find(seen_.begin(), seen_.end(), prefix) != seen_.end()) continue;
            seen_.push_back(prefix);
            declareCopied(prefix, slice(tape, name.uri, name.uri_length), false);
        }
    }
    if (std::find(seen_.begin(), seen_.end(), std::string_view()) == seen_.end()) declareCopied({}, {}, false);
}

/// A name of the tape that is copied from, in ours.
std::uint32_t TapeWriter::copied(const postbus_tape& from, std::uint32_t name) {
    std::uint32_t& known = copies_[name];
    if (known != none) return known;
    const postbus_name& its = from.names[name];
    return known = entered({slice(from, its.uri, its.uri_length), slice(from, its.local, its.local_length),
                            slice(from, its.prefix, its.prefix_length)});
}

}  // namespace postbus::xml
