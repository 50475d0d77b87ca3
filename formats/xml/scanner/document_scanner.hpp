#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/xml/parse.hpp"
#include "formats/xml/scanner/name_scope.hpp"
#include "formats/xml/tape_builder.hpp"

namespace postbus::xml {

/// Reads documents in one pass, at several times the speed of libxml2, and says no to all that is not quite plain.
///
/// The document is copied into the tape's text once and read there; names and values stay where they are, with
/// references and line ends resolved in place, which only ever shortens them. Nothing is called back or allocated.
///
/// For one thread; allocates nothing in the steady state.
class DocumentScanner {
public:
    /// Fills `tape` with a document in UTF-8 that is well-formed and namespace-well-formed XML 1.0 (fifth edition),
    /// without a document type declaration and processing instructions, within the limits. Anything else is false, and
    /// an empty tape: who asks then has a reader that says why. Does not throw.
    ///
    /// At the very limit of nodes a document with text may be refused though it fits.
    bool scan(std::string_view document, const Limits& limits, Tape& tape);

private:
    struct Open {
        Piece name;  ///< as it is written
        NameScope::Mark scope;
    };
    struct Attribute {
        QName name;
        Piece value;
    };

    bool read(std::string_view document, const Limits& limits, Tape& tape);

    // Each reads what begins at `at`, or, where it says so, behind its first characters, and returns where it ends;
    // null where the document is none of ours.

    // document_scanner.cpp
    char* prolog(char* at);
    char* misc(char* at);
    char* content(char* at);
    char* text(char* at);
    char* spaces(char* at) {
        for (;; ++at) {
            if (*at == '\n')
                ++line_;
            else if (*at != ' ' && *at != '\t' && *at != '\r')
                return at;
        }
    }
    // xml_declaration.cpp
    char* xmlDeclaration(char* at);
    bool pseudoAttribute(char*& at, std::string_view name, std::string_view& value);
    // character_data.cpp
    char* mixedText(char* start, char* at, std::uint32_t line);
    char* textPiece(char* at, char*& out);
    char* comment(char* at);
    char* section(char* at, char*& out);
    // tags.cpp
    char* startTag(char* at);
    char* attributes(char* at, NameScope::Mark scope);
    char* attribute(char* at, NameScope::Mark scope);
    bool addElement(const QName& name, NameScope::Mark scope);
    char* endTag(char* at);
    // attribute_value.cpp
    char* mixedValue(char* start, char* at, char quote, Piece& value);

    std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }
    bool room(std::size_t nodes) const { return builder_.nodes() + nodes <= limits_.nodes; }

    char* begin_ = nullptr;
    char* end_ = nullptr;  ///< a zero byte is there, which no document holds: it ends every run
    std::uint32_t line_ = 1;
    Limits limits_;
    TapeBuilder builder_;
    NameScope names_;
    // The limits keep both small, so their memory is not given back.
    PlainVector<Open> open_;
    PlainVector<Attribute> attributes_;  ///< of the tag that is read, without declarations
};

}  // namespace postbus::xml
