#pragma once

#include <postbus/element.hpp>

#include <memory>
#include <string_view>

#include "base/buffer.hpp"
#include "base/result.hpp"
#include "formats/xml/tape_writer.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::core {

/// Takes the events of a payload to where the next hop needs it: bytes for the wire, or a tape for one inside of the
/// bus. The events and their rules are those of xml::Writer. Owned by one thread at a time.
class PayloadWriter {
public:
    /// Starts over, appending to `out`, which must outlive the payload.
    void begin(Buffer& out) {
        toTape_ = false;
        bytes_.begin(out);
    }
    /// Starts over with `tape`, which must outlive the payload.
    void begin(xml::Tape& tape) {
        toTape_ = true;
        if (!tape_) tape_ = std::make_unique<xml::TapeWriter>();
        tape_->begin(tape);
    }
    bool toTape() const { return toTape_; }

    void start(std::string_view uri, std::string_view local, std::string_view prefix = {}) {
        toTape_ ? tape_->start(uri, local, prefix) : bytes_.start(uri, local, prefix);
    }
    void declare(std::string_view prefix, std::string_view uri) {
        toTape_ ? tape_->declare(prefix, uri) : bytes_.declare(prefix, uri);
    }
    void attribute(std::string_view uri, std::string_view local, std::string_view prefix, std::string_view value) {
        toTape_ ? tape_->attribute(uri, local, prefix, value) : bytes_.attribute(uri, local, prefix, value);
    }
    void text(std::string_view text) { toTape_ ? tape_->text(text) : bytes_.text(text); }
    void end() { toTape_ ? tape_->end() : bytes_.end(); }
    void copy(Element element) { toTape_ ? tape_->copy(element) : bytes_.copy(element); }
    void copyContent(Element element) { toTape_ ? tape_->copyContent(element) : bytes_.copyContent(element); }

    /// Whether all was in order and every element is closed.
    Result<void> finish() { return toTape_ ? tape_->finish() : bytes_.finish(); }

private:
    xml::Writer bytes_;
    std::unique_ptr<xml::TapeWriter> tape_;  // few exchanges ever need one
    bool toTape_ = false;
};

}  // namespace postbus::core
