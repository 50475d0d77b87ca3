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

    /// Enters a name that is not there yet: its namespace, local name and prefix in a row, and how long the first two
    /// are. A declaration has no local name.
    std::uint32_t name(std::string_view parts, std::uint32_t uri, std::uint32_t local);

    void start(std::uint32_t name, std::uint32_t line);
    void declare(std::uint32_t name) { leaf(POSTBUS_NODE_NAMESPACE, name, {}); }
    void attribute(std::uint32_t name, std::string_view value) { leaf(POSTBUS_NODE_ATTRIBUTE, name, value); }
    /// Joined to the text before it, if there is any. Empty text leaves no node.
    void text(std::string_view text, std::uint32_t line);
    void end();
    void finish();

    std::uint32_t depth() const { return depth_; }
    std::size_t nodes() const { return tape_->nodes_.size(); }
    std::size_t names() const { return tape_->names_.size(); }

private:
    std::uint32_t append(std::string_view bytes);
    void leaf(std::uint32_t kind, std::uint32_t name, std::string_view value);

    Tape* tape_ = nullptr;
    std::uint32_t current_ = POSTBUS_NO_NODE;
    std::uint32_t depth_ = 0;
    std::uint32_t line_ = 0;
};

}  // namespace postbus::xml
