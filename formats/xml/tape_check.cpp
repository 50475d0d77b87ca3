#include "formats/xml/tape_check.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/xml/chars.hpp"

namespace postbus::xml {
namespace {

constexpr std::size_t deepest = 10'000;
constexpr std::uint32_t mostBindings = 4'096;

class Check {
public:
    explicit Check(const postbus_tape& tape) : tape_(tape) {}

    const char* run() {
        if (tape_.node_count == 0) return tape_.name_count == 0 && tape_.text_size == 0 ? nullptr : "it has no root";
        if (!isChars({tape_.text, tape_.text_size})) return "its text is not UTF-8 that XML allows";
        if (const char* const fault = names()) return fault;
        return nodes();
    }

private:
    /// A piece of the text that cuts no character apart. All text is valid, so its ends tell.
    bool holds(std::uint32_t offset, std::uint32_t length) const {
        return offset <= tape_.text_size && length <= tape_.text_size - offset && whole(offset) &&
               whole(offset + length);
    }
    bool whole(std::uint32_t at) const { return at == tape_.text_size || (tape_.text[at] & 0xC0) != 0x80; }
    std::string_view slice(std::uint32_t offset, std::uint32_t length) const { return {tape_.text + offset, length}; }

    const char* names() const {
        // Names do not share their text, so the lot is no longer than it; which also bounds the time spent here.
        std::uint64_t length = 0;
        for (std::uint32_t i = 0; i < tape_.name_count; ++i) {
            const postbus_name& each = tape_.names[i];
            length += std::uint64_t{each.local_length} + each.prefix_length;
            if (length > tape_.text_size || !holds(each.uri, each.uri_length) ||
                !holds(each.local, each.local_length) || !holds(each.prefix, each.prefix_length))
                return "a name lies outside of its text";
            const std::string_view local = slice(each.local, each.local_length);
            const std::string_view prefix = slice(each.prefix, each.prefix_length);
            if ((!local.empty() && !isNcName(local)) || (!prefix.empty() && !isNcName(prefix))) return "a name is none";
            if (!prefix.empty() && each.uri_length == 0) return "a prefix stands for no namespace";
        }
        return nullptr;
    }

    const char* nodes() {
        if (tape_.nodes[0].kind != POSTBUS_NODE_ELEMENT || tape_.nodes[0].next != tape_.node_count)
            return "its root is not one element";
        for (std::uint32_t i = 0; i < tape_.node_count; ++i) {
            while (!open_.empty() && tape_.nodes[open_.back().element].next == i) open_.pop_back();
            if (const char* const fault = node(i)) return fault;
        }
        return nullptr;
    }

    const char* node(std::uint32_t i) {
        const postbus_node& its = tape_.nodes[i];
        const std::uint32_t parent = open_.empty() ? POSTBUS_NO_NODE : open_.back().element;
        const std::uint32_t end = open_.empty() ? tape_.node_count : tape_.nodes[parent].next;
        if (its.parent != parent || its.next <= i || its.next > end) return "its nodes are not nested";
        // Of every node, used or not, so that a reader may look before it asks for the kind.
        if (its.name >= tape_.name_count || !holds(its.text, its.length)) return "a value or name is out of bounds";
        if (its.kind == POSTBUS_NODE_ELEMENT) return element(i);
        if (its.next != i + 1 || parent == POSTBUS_NO_NODE) return "its nodes are not nested";
        if (its.kind == POSTBUS_NODE_NAMESPACE) return declaration(i, parent);
        if (its.kind == POSTBUS_NODE_ATTRIBUTE) return attribute(i, parent);
        if (its.kind != POSTBUS_NODE_TEXT) return "a node is of no known kind";
        const postbus_node& before = tape_.nodes[i - 1];
        if (its.length == 0 || (before.kind == POSTBUS_NODE_TEXT && before.parent == parent)) return "text is split";
        return nullptr;
    }

    bool named(std::uint32_t i) const { return tape_.names[tape_.nodes[i].name].local_length != 0; }

    const char* element(std::uint32_t i) {
        if (!named(i)) return "an element has no name";
        if (open_.size() >= deepest) return "elements are nested too deep";
        open_.push_back({i, open_.empty() ? 0 : open_.back().bindings});
        return nullptr;
    }

    /// Whether the node follows its element, or a node of the element that is of a kind from `first` to `last`.
    bool follows(std::uint32_t i, std::uint32_t parent, std::uint32_t first, std::uint32_t last) const {
        const postbus_node& before = tape_.nodes[i - 1];
        return i - 1 == parent || (before.parent == parent && before.kind >= first && before.kind <= last);
    }

    const char* declaration(std::uint32_t i, std::uint32_t parent) {
        if (!follows(i, parent, POSTBUS_NODE_NAMESPACE, POSTBUS_NODE_NAMESPACE) || named(i))
            return "a declaration is out of place or has no prefix";
        return ++open_.back().bindings > mostBindings ? "too many declarations are in scope" : nullptr;
    }

    const char* attribute(std::uint32_t i, std::uint32_t parent) const {
        const bool inPlace = follows(i, parent, POSTBUS_NODE_NAMESPACE, POSTBUS_NODE_ATTRIBUTE);
        return inPlace && named(i) ? nullptr : "an attribute is out of place or has no name";
    }

    struct Open {
        std::uint32_t element, bindings;
    };
    const postbus_tape& tape_;
    std::vector<Open> open_;
};

}  // namespace

const char* checkTape(const postbus_tape& tape) { return Check(tape).run(); }

}  // namespace postbus::xml
