#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "formats/xml/tape.hpp"

namespace postbus::xml {

/// What a document may cost. A document over a limit is Error::Kind::Invalid (size: TooLarge), naming the limit and
/// line.
struct Limits {
    std::uint32_t depth = 200;         ///< elements inside elements
    std::uint32_t attributes = 256;    ///< of one element, declarations included
    std::uint32_t bindings = 256;      ///< namespace declarations in scope at once
    std::uint32_t names = 20'000;      ///< distinct names
    std::uint32_t nameLength = 1'000;  ///< bytes of a name or namespace
    std::uint32_t nodes = 5'000'000;
    /// Drop them like comments: for documents that people publish, which are no messages.
    bool dropInstructions = false;
};

/// Reads a document into `tape`, replacing what it held; on an error the tape is empty.
///
/// Well-formed XML 1.0 with Namespaces, checked throughout. DTDs, undefined entities, undeclared prefixes and
/// characters outside of XML's Char are refused; comments are dropped, processing instructions are refused (SOAP 1.1
/// section 3, SOAP 1.2 section 5) unless they are to be dropped too. The encoding is that of a byte order mark, else of
/// `charset` (the transport's, may be empty), else of the XML declaration, else UTF-8 (RFC 7303 section 3). The tape is
/// UTF-8.
///
/// Errors name the line. Re-entrant: each thread has a parser of its own, which allocates nothing in the steady state.
Result<void> parse(std::string_view bytes, std::string_view charset, const Limits& limits, Tape& tape);

}  // namespace postbus::xml
