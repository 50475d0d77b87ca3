#pragma once

#include <postbus/tape.h>
#include <postbus/element.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/buffer.hpp"
#include "base/result.hpp"
#include "formats/xml/plain_vector.hpp"

namespace postbus::xml {

/// A document that we own, in the layout of <postbus/tape.h>.
///
/// Filled by parse() or by TapeBuilder; clear() keeps the memory, so that a reused tape allocates nothing for documents
/// no larger than those before. Owned by one thread at a time. Moving it keeps the text in place; an Element belongs to
/// the tape it was taken from.
class Tape {
public:
    Tape() = default;
    Tape(Tape&& other) noexcept { swap(other); }
    Tape& operator=(Tape&& other) noexcept {
        Tape moved(std::move(other));
        swap(moved);
        return *this;
    }
    void swap(Tape& other) noexcept;

    /// The C view; valid until the tape is changed or destroyed.
    const postbus_tape* view() const { return &view_; }
    bool empty() const { return nodes_.empty(); }
    Element root() const { return empty() ? Element{} : Element{&view_, 0}; }

    void clear() {
        nodes_.clear();
        names_.clear();
        text_.clear();
        view_.node_count = view_.name_count = view_.text_size = 0;
    }
    /// Gives back memory beyond what an ordinary message needs. Called when a pooled tape has held a large document.
    void shrink(std::size_t bytesToKeep) {
        const std::size_t held =
            nodes_.capacity() * sizeof(postbus_node) + names_.capacity() * sizeof(postbus_name) + text_.capacity();
        if (held > bytesToKeep) [[unlikely]]
            shrink();
    }

    /// The bytes that stand for this tape elsewhere: another process, a file. verify() reads them back.
    std::string serialize() const;
    /// Takes serialized bytes, checked once: layout, length, checksum, bounds, nesting, UTF-8.
    static Result<Tape> verify(std::string_view bytes);

    /// The same between two processes of this machine, over a socket that damages nothing: without a checksum, appended
    /// to `out`, and read into the memory that a tape has already.
    void pass(Buffer& out) const { pass(view_, out); }
    static void pass(const postbus_tape& tape, Buffer& out);
    /// Becomes what pass() wrote, checked as by verify(); on an error it is empty.
    Result<void> receive(std::string_view bytes);

private:
    friend class TapeBuilder;
    void refresh() {
        view_.nodes = nodes_.data();
        view_.names = names_.data();
        view_.text = text_.data();
        view_.node_count = static_cast<std::uint32_t>(nodes_.size());
        view_.name_count = static_cast<std::uint32_t>(names_.size());
        view_.text_size = static_cast<std::uint32_t>(text_.size());
    }
    void shrink();

    PlainVector<postbus_node> nodes_;
    PlainVector<postbus_name> names_;
    Buffer text_;
    postbus_tape view_{sizeof(postbus_tape), POSTBUS_TAPE_LAYOUT, nullptr, nullptr, nullptr, 0, 0, 0};
};

}  // namespace postbus::xml
