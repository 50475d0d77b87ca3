#pragma once

#include <postbus/element.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/result.hpp"

namespace postbus::xml {

/// Writes XML into a buffer, event by event: start, declare and attribute, then text, elements, end.
///
/// Names are given by namespace; the writer declares what is not in scope, with the wished prefix where it is free.
/// What it writes is always well-formed: a character that XML 1.0 forbids, invalid UTF-8 or an event out of order is
/// remembered as the writer's error, and everything after it is ignored; look at finish(). Allocates nothing in the
/// steady state. Owned by one thread at a time.
class Writer {
public:
    /// Starts over, appending to `out`, which must outlive the document.
    void begin(Buffer& out);

    void start(std::string_view uri, std::string_view local, std::string_view prefix = {});
    void declare(std::string_view prefix, std::string_view uri);
    void attribute(std::string_view uri, std::string_view local, std::string_view prefix, std::string_view value);
    void text(std::string_view text);
    void end();
    /// The element with all it contains. Declarations in scope at it that the output lacks are written on it, so that
    /// QNames in its content keep their meaning.
    void copy(Element element);
    /// What `element` contains: elements with their scope, text as it is.
    void copyContent(Element element);

    /// Whether all was in order and every element is closed.
    Result<void> finish() const;
    std::size_t depth() const { return open_.size(); }

private:
    struct Binding {
        std::uint32_t prefix, prefixLength, uri, uriLength;  // in scopeText_
        std::uint32_t depth;
    };
    struct Open {
        std::uint32_t name, nameLength;  // in scopeText_, as it was written
        std::uint32_t bindings, text;    // sizes to go back to
    };

    Buffer* out_ = nullptr;
    std::vector<Open> open_;
    std::vector<Binding> bindings_;
    std::string scopeText_;
    bool inTag_ = false;
    std::string error_;
};

/// Appends text with &, <, > and (for attributes) quotes and white space escaped. False at a character XML 1.0 forbids
/// or at invalid UTF-8; what is appended up to there is to be dropped.
bool appendText(Buffer& out, std::string_view text);
bool appendAttributeValue(Buffer& out, std::string_view value);

}  // namespace postbus::xml
