#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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
    std::uint32_t name(std::string_view parts, std::uint32_t uri, std::uint32_t local);
    std::uint32_t name(const postbus_name& placed) {
        tape_->names_.push_back(placed);
        return static_cast<std::uint32_t>(tape_->names_.size() - 1);
    }

    void start(std::uint32_t name, std::uint32_t line) {
        const auto index = static_cast<std::uint32_t>(tape_->nodes_.size());
        tape_->nodes_.push_back({POSTBUS_NODE_ELEMENT, name, 0, 0, POSTBUS_NO_NODE, current_, line});
        current_ = index;
        line_ = line;
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
    void text(std::string_view text, std::uint32_t line);
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
    void finish();
    void finish(std::size_t textSize);

    std::uint32_t depth() const { return depth_; }
    std::size_t nodes() const { return tape_->nodes_.size(); }
    std::size_t names() const { return tape_->names_.size(); }
    const postbus_name& nameAt(std::uint32_t index) const { return tape_->names_[index]; }

private:
    std::uint32_t append(std::string_view bytes);
    void leaf(std::uint32_t kind, std::uint32_t name, std::uint32_t at, std::uint32_t length) {
        const auto next = static_cast<std::uint32_t>(tape_->nodes_.size() + 1);
        tape_->nodes_.push_back({kind, name, at, length, next, current_, line_});
    }

    Tape* tape_ = nullptr;
    std::uint32_t current_ = POSTBUS_NO_NODE;
    std::uint32_t depth_ = 0;
    std::uint32_t line_ = 0;
};

}  // namespace postbus::xml
