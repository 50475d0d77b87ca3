#pragma once

#include <libxml/parser.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "formats/xml/name_table.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xml/tape_builder.hpp"

namespace postbus::xml {

/// libxml2's push parser, filling a tape: one for each thread, its context used again for each document.
///
/// The context is renewed when documents have fed its dictionary with many names, since it keeps them all.
class SaxParser {
public:
    SaxParser();
    ~SaxParser();
    SaxParser(const SaxParser&) = delete;
    SaxParser& operator=(const SaxParser&) = delete;

    /// The document must be UTF-8 and hold Chars only (see scan.hpp).
    Result<void> parse(std::string_view document, const Limits& limits, Tape& tape);

private:
    static void onStart(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri, int declarations,
                        const xmlChar** declared, int attributes, int defaulted, const xmlChar** values);
    static void onEnd(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri);
    static void onText(void* user, const xmlChar* text, int length);
    static void onCdata(void* user, const xmlChar* text, int length);
    static void onInstruction(void* user, const xmlChar* target, const xmlChar* data);
    static void onDoctype(void* user, const xmlChar* name, const xmlChar* publicId, const xmlChar* systemId);
    static void onError(void* user, xmlErrorPtr error);

    void start(NameTable::Key name, int declarations, const xmlChar** declared, int attributes, const xmlChar** values);
    bool declare(int count, const xmlChar** declared);
    void text(std::string_view text);
    void end();

    bool renew();
    bool reset(std::string_view document);
    /// The index of a name; none when it is over a limit, which is then remembered as the error.
    std::optional<std::uint32_t> intern(const NameTable::Key& key);
    bool roomForNodes(std::size_t more);
    std::uint32_t line() const { return static_cast<std::uint32_t>(context_->input->line); }
    bool ended() const { return failure_.has_value(); }
    /// Remembers the first error. Events after it are ignored, and the next one has libxml2 stop.
    void fail(Error::Kind kind, std::uint32_t line, std::string_view message);
    void outOfMemory();
    /// Calls `handle` for an event unless there is an error; stops libxml2 when there is one then.
    template <class Handle>
    static void event(void* user, Handle handle);

    xmlParserCtxtPtr context_ = nullptr;
    NameTable names_;
    TapeBuilder builder_;
    Limits limits_;
    std::optional<Error> failure_;
    std::vector<std::uint32_t> bindings_;  ///< of each open element: declarations in scope
    std::string memory_;                   ///< for a value that is not as libxml2 gave it
    std::uint32_t textLine_ = 1;           ///< where text behind the last tag begins
};

}  // namespace postbus::xml
