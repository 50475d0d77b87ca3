#pragma once

#include <postbus/element.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

// What copying an element comes to, whoever writes it: Writer into bytes, TapeWriter into a tape.
namespace postbus::xml {

inline std::string_view slice(const postbus_tape& tape, std::uint32_t offset, std::uint32_t length) {
    return {tape.text + offset, length};
}

/// Tells `start(element, isRoot)`, `text` and `end` for `root` and all it contains, in document order, until `failed`.
template <class Failed, class Start, class Text, class End>
void copyEvents(Element root, Failed failed, Start start, Text text, End end) {
    const postbus_tape& tape = *root.tape();
    const std::uint32_t behind = root.node().next, above = root.node().parent;
    std::uint32_t open = above;
    for (std::uint32_t i = root.index(); i < behind && !failed();) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_ELEMENT) {
            const Element element(&tape, i);
            start(element, i == root.index());
            open = i;
            i = element.content();
        } else {
            text(slice(tape, node.text, node.length));
            i = node.next;
        }
        for (; open != above && tape.nodes[open].next == i && !failed(); open = tape.nodes[open].parent) end();
    }
}

/// Tells `copy` and `text` what `element` contains.
template <class Failed, class Copy, class Text>
void copyContentEvents(Element element, Failed failed, Copy copy, Text text) {
    const postbus_tape& tape = *element.tape();
    for (std::uint32_t i = element.content(); i < element.node().next && !failed(); i = tape.nodes[i].next) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_ELEMENT)
            copy(Element(&tape, i));
        else
            text(slice(tape, node.text, node.length));
    }
}

/// Tells `bind(prefix, uri)` of every declaration in scope at `element`, its own first, each prefix once; last, where
/// there is no default namespace, of that. `seen` is memory.
template <class Bind>
void scopeEvents(Element element, std::vector<std::string_view>& seen, Bind bind) {
    seen.clear();
    const postbus_tape& tape = *element.tape();
    for (Element scope = element; scope; scope = scope.parent()) {
        for (std::uint32_t i = scope.index() + 1; i < scope.node().next; ++i) {
            const postbus_node& each = tape.nodes[i];
            if (each.kind != POSTBUS_NODE_NAMESPACE) break;
            const postbus_name& name = tape.names[each.name];
            const std::string_view prefix = slice(tape, name.prefix, name.prefix_length);
            if (std::find(seen.begin(), seen.end(), prefix) != seen.end()) continue;
            seen.push_back(prefix);
            bind(prefix, slice(tape, name.uri, name.uri_length));
        }
    }
    if (std::find(seen.begin(), seen.end(), std::string_view()) == seen.end())
        bind(std::string_view(), std::string_view());
}

}  // namespace postbus::xml
