/// A C++ view of the tape: elements by index, no copy, no allocation. Used by plugins and by the bus alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fields.hpp"
#include "tape.h"

namespace postbus POSTBUS_SDK_VISIBILITY {

/// An element of a tape, or none. Borrows the tape; as cheap to copy as a pointer.
class Element {
public:
    Element() = default;
    Element(const postbus_tape* tape, std::uint32_t index) : tape_(tape), index_(index) {}

    explicit operator bool() const { return tape_ != nullptr && index_ != POSTBUS_NO_NODE; }
    const postbus_tape* tape() const { return tape_; }
    std::uint32_t index() const { return index_; }
    std::uint32_t line() const { return node().line; }

    std::string_view local() const { return slice(name().local, name().local_length); }
    std::string_view uri() const { return slice(name().uri, name().uri_length); }
    std::string_view prefix() const { return slice(name().prefix, name().prefix_length); }
    bool is(std::string_view uri_, std::string_view local_) const { return local() == local_ && uri() == uri_; }

    Element firstChild() const { return {tape_, elementFrom(content(), node().next)}; }
    /// The next element with the same parent.
    Element next() const {
        const std::uint32_t end =
            node().parent == POSTBUS_NO_NODE ? tape_->node_count : tape_->nodes[node().parent].next;
        return {tape_, elementFrom(node().next, end)};
    }
    Element parent() const { return {tape_, node().parent}; }
    /// The first child of that name, or none.
    Element child(std::string_view uri_, std::string_view local_) const {
        for (Element each = firstChild(); each; each = each.next())
            if (each.is(uri_, local_)) return each;
        return {};
    }

    /// The value of an attribute; uri "" for one without a namespace.
    std::optional<std::string_view> attribute(std::string_view uri_, std::string_view local_) const {
        for (std::uint32_t i = index_ + 1; i < node().next; ++i) {
            const postbus_node& each = tape_->nodes[i];
            if (each.kind == POSTBUS_NODE_NAMESPACE) continue;
            if (each.kind != POSTBUS_NODE_ATTRIBUTE) break;
            const postbus_name& its = tape_->names[each.name];
            if (slice(its.local, its.local_length) == local_ && slice(its.uri, its.uri_length) == uri_)
                return slice(each.text, each.length);
        }
        return std::nullopt;
    }

    /// Index of the first node of the content: text or element; equals node().next when there is none.
    std::uint32_t content() const {
        std::uint32_t i = index_ + 1;
        while (i < node().next &&
               (tape_->nodes[i].kind == POSTBUS_NODE_NAMESPACE || tape_->nodes[i].kind == POSTBUS_NODE_ATTRIBUTE))
            ++i;
        return i;
    }

    /// The text, when the content is at most one text node: the usual case, without a copy.
    std::optional<std::string_view> simpleText() const {
        const std::uint32_t first = content();
        if (first == node().next) return std::string_view{};
        const postbus_node& only = tape_->nodes[first];
        if (only.kind != POSTBUS_NODE_TEXT || only.next != node().next) return std::nullopt;
        return slice(only.text, only.length);
    }

    /// All text below, in document order (XPath's string value).
    std::string text() const {
        std::string all;
        for (std::uint32_t i = content(); i < node().next; ++i)
            if (tape_->nodes[i].kind == POSTBUS_NODE_TEXT) all += slice(tape_->nodes[i].text, tape_->nodes[i].length);
        return all;
    }

    /// The namespace a prefix stands for here ("" for the default one); none when it is not declared.
    std::optional<std::string_view> lookup(std::string_view prefix_) const {
        for (Element scope = *this; scope; scope = scope.parent()) {
            for (std::uint32_t i = scope.index_ + 1; i < scope.node().next; ++i) {
                const postbus_node& each = tape_->nodes[i];
                if (each.kind != POSTBUS_NODE_NAMESPACE) break;
                const postbus_name& its = tape_->names[each.name];
                if (slice(its.prefix, its.prefix_length) == prefix_) return slice(its.uri, its.uri_length);
            }
        }
        if (prefix_ == "xml") return "http://www.w3.org/XML/1998/namespace";
        return std::nullopt;
    }

    const postbus_node& node() const { return tape_->nodes[index_]; }
    const postbus_name& name() const { return tape_->names[node().name]; }

private:
    std::string_view slice(std::uint32_t offset, std::uint32_t length) const { return {tape_->text + offset, length}; }
    std::uint32_t elementFrom(std::uint32_t i, std::uint32_t end) const {
        for (; i < end; i = tape_->nodes[i].next)
            if (tape_->nodes[i].kind == POSTBUS_NODE_ELEMENT) return i;
        return POSTBUS_NO_NODE;
    }

    const postbus_tape* tape_ = nullptr;
    std::uint32_t index_ = POSTBUS_NO_NODE;
};

}  // namespace POSTBUS_SDK_VISIBILITY
