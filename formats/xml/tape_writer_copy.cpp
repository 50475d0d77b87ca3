// Copies of elements: all that their tape knows of them, and the scope that their QNames need.
#include "formats/xml/copy_events.hpp"
#include "formats/xml/tape_writer.hpp"

namespace postbus::xml {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

}  // namespace

void TapeWriter::copy(Element root) {
    if (failed()) return;
    const postbus_tape& tape = *root.tape();
    copies_.assign(tape.name_count, none);
    const auto start = [&](Element element, bool isRoot) {
        openElement(copied(tape, element.node().name));
        if (failed()) return;
        if (isRoot) bindScope(element);
        copyAttributes(element);
    };
    copyEvents(
        root, [this] { return failed(); }, start, [this](std::string_view text) { this->text(text); },
        [this] { end(); });
}

void TapeWriter::copyContent(Element element) {
    copyContentEvents(
        element, [this] { return failed(); }, [this](Element each) { copy(each); },
        [this](std::string_view text) { this->text(text); });
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
    scopeEvents(element, seen_, [this](std::string_view prefix, std::string_view uri) {
        if (prefix != "xml") declareCopied(prefix, uri, false);
    });
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
