#pragma once

#include <cstdint>
#include <string_view>

#include "formats/xml/tape.hpp"

namespace postbus::xml {

/// Fills a Tape in document order: start, declare and attribute, then text and elements, end; finish() at last.
///
/// Names are entered once each with name() and then given by their index. The builder trusts its caller: what it is
/// told is what the tape holds. Owned by one thread at a time.
class TapeBuilder {
public:
    /// Starts over with `tape`, which must outlive the building and is cleared.
    void begin(Tape& tape);
    /// Starts over with the document itself as the text, and `room` more zero bytes behind it. Returns where it lies,
    /// for the caller to change: names and values are then given by their place in it, and with finish(textSize) the
    /// first so many bytes stay.
    char* begin(Tape& tape, std::string_view document, std::size_t room);

    /// Enters a name that is not there yet: its namespace, local name and prefix in a row, and how long the first two
    /// are. A declaration has no local name.
    std::uint32_t name(std::string_view parts, std::uint32_t uri, std::uint32_t local) {
        const std::uint32_t at = append(parts);
        const auto prefix = static_cast<std::uint32_t>(parts.size()) - uri - local;
        return name(at, uri, at + uri, local, at + uri + local, prefix);
    }
    /// The same where its parts stand in the text already.
    std::uint32_t name(std::uint32_t uri, std::uint32_t uriLength, std::uint32_t local, std::uint32_t localLength,
                       std::uint32_t prefix, std::uint32_t prefixLength) {
        const auto index = static_cast<std::uint32_t>(tape_->names_.size());
        postbus_name& name = tape_->names_.add();  // filled in its place, as in append()
        name.uri = uri;
        name.uri_length = uriLength;
        name.local = local;
        name.local_length = localLength;
        name.prefix = prefix;
        name.prefix_length = prefixLength;
        return index;
    }

    void start(std::uint32_t name, std::uint32_t line) {
        const auto index = static_cast<std::uint32_t>(tape_->nodes_.size());
        line_ = line;
        append(POSTBUS_NODE_ELEMENT, name, 0, 0, POSTBUS_NO_NODE);
        current_ = index;
        ++depth_;
    }
    void declare(std::uint32_t name) { leaf(POSTBUS_NODE_NAMESPACE, name, 0, 0); }
    void attribute(std::uint32_t name, std::string_view value) {
        leaf(POSTBUS_NODE_ATTRIBUTE, name, append(value), static_cast<std::uint32_t>(value.size()));
    }
    void attribute(std::uint32_t name, std::uint32_t at, std::uint32_t length) {
        leaf(POSTBUS_NODE_ATTRIBUTE, name, at, length);
    }
    /// Joined to the text before it, if there is any. Empty text leaves no node.
    void text(std::string_view text, std::uint32_t line) {
        if (text.empty()) return;
        postbus_node& last = tape_->nodes_.back();
        if (last.kind == POSTBUS_NODE_TEXT && last.parent == current_) {  // its value still ends the arena
            append(text);
            last.length += static_cast<std::uint32_t>(text.size());
            return;
        }
        this->text(append(text), static_cast<std::uint32_t>(text.size()), line);
    }
    /// A whole text node; not empty.
    void text(std::uint32_t at, std::uint32_t length, std::uint32_t line) {
        line_ = line;
        leaf(POSTBUS_NODE_TEXT, 0, at, length);
    }
    void end() {
        postbus_node& element = tape_->nodes_[current_];
        element.next = static_cast<std::uint32_t>(tape_->nodes_.size());
        current_ = element.parent;
        --depth_;
    }
    void finish() { tape_->refresh(); }
    void finish(std::size_t textSize);

    std::uint32_t depth() const { return depth_; }
    std::size_t nodes() const { return tape_->nodes_.size(); }
    std::size_t names() const { return tape_->names_.size(); }
    const postbus_name& nameAt(std::uint32_t index) const { return tape_->names_[index]; }
    /// What names and values lie in; moves as it grows.
    const char* text() const { return tape_->text_.data(); }

private:
    std::uint32_t append(std::string_view bytes) {
        const auto offset = static_cast<std::uint32_t>(tape_->text_.size());
        tape_->text_.append(bytes);
        return offset;
    }
    void append(std::uint32_t kind, std::uint32_t name, std::uint32_t at, std::uint32_t length, std::uint32_t next) {
        // Filled in its place: one put together elsewhere is copied by larger words than it was written with, and
        // for those a processor has to wait.
        postbus_node& node = tape_->nodes_.add();
        node.kind = kind;
        node.name = name;
        node.text = at;
        node.length = length;
        node.next = next;
        node.parent = current_;
        node.line = line_;
    }
    void leaf(std::uint32_t kind, std::uint32_t name, std::uint32_t at, std::uint32_t length) {
        append(kind, name, at, length, static_cast<std::uint32_t>(tape_->nodes_.size() + 1));
    }

    Tape* tape_ = nullptr;
    std::uint32_t current_ = POSTBUS_NO_NODE;
    std::uint32_t depth_ = 0;
    std::uint32_t line_ = 0;
};

}  // namespace postbus::xml
