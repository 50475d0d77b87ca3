#pragma once

#include <postbus/element.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/xml/tape_builder.hpp"

namespace postbus::xml {

/// Writer's sibling: the same events in the same order, into a tape instead of bytes. For a message that stays inside
/// of the bus.
///
/// Names keep their namespace and the wished prefix; a declaration is only there where it was asked for or copied. What
/// it writes is a document of one root, or nothing: a character that XML 1.0 forbids, invalid UTF-8, a second root or
/// an event out of order is remembered as the writer's error, and everything after it is ignored; look at finish().
/// Allocates nothing in the steady state. Owned by one thread at a time.
class TapeWriter {
public:
    TapeWriter();

    /// Starts over with `tape`, which must outlive the document and is cleared.
    void begin(Tape& tape);

    void start(std::string_view uri, std::string_view local, std::string_view prefix = {}) {
        start(Name{uri, local, uri.empty() ? std::string_view() : prefix});
    }
    /// On the element just started, before its content.
    void declare(std::string_view prefix, std::string_view uri);
    void attribute(std::string_view uri, std::string_view local, std::string_view prefix, std::string_view value);
    void text(std::string_view text);
    void end();
    /// The element with all it contains, and the declarations in scope there that the output lacks: QNames in its
    /// content keep their meaning. It must not belong to the tape that is written.
    void copy(Element element);
    /// What `element` contains: elements with their scope, text as it is.
    void copyContent(Element element);

    /// Whether all was in order and every element is closed. The tape is whole then.
    Result<void> finish();
    bool empty() const { return builder_.nodes() == 0; }

private:
    struct Open {
        std::uint32_t declared;  // size to go back to
    };
    struct Name {
        std::string_view uri, local, prefix;
        bool operator==(const Name&) const = default;
    };
    /// A name that may be one, as it lies in a tape: its parts in a row.
    struct Remembered {
        std::string parts;
        std::uint32_t uri = 0, local = 0;

        inline bool is(const Name& name) const;
        void become(const Name& name);
    };

    void start(const Name& name);
    bool failed() const { return !error_.empty(); }
    void fail(std::string_view what, std::string_view which = {});
    void openElement(std::uint32_t name);
    void closeTag() {
        if (!inTag_) return;
        if (!attributes_.empty()) checkAttributes();
        inTag_ = false;
    }
    void declareCopied(std::string_view prefix, std::string_view uri, bool always);
    void bindScope(Element element);
    void copyAttributes(Element element);
    void checkAttributes();

    bool isName(const Name& name, const char* what);
    // These are used where they are defined alone.
    inline std::uint32_t known(const Name& name) const;
    inline std::uint32_t checked(const Name& name, const char* what);
    inline std::uint32_t enter(std::string_view parts, std::uint32_t uri, std::uint32_t local);
    std::uint32_t knownAmongMany(const Name& name) const;
    std::uint32_t firstSeen(const Name& name, const char* what);
    void place(std::uint32_t index);
    std::uint32_t entered(const Name& name);
    std::uint32_t copied(const postbus_tape& from, std::uint32_t name);
    std::uint64_t hashOf(const Name& name) const;
    void growPlaces();
    Name nameAt(std::uint32_t index) const;
    std::uint32_t find(std::string_view prefix) const;

    Tape* tape_ = nullptr;
    TapeBuilder builder_;
    std::vector<Open> open_;
    std::vector<std::uint32_t> declared_;    ///< declarations in scope, outermost first: their names' places
    std::vector<std::uint32_t> attributes_;  ///< of the tag that is open
    std::vector<std::uint32_t> places_;      ///< hash table of many names, a power of two; `none` where free
    std::vector<std::uint32_t> copies_;      ///< names of the tape that is copied from, where they are here
    std::vector<std::string_view> seen_;     ///< prefixes met on the way up from a copied element
    /// The names of documents before, each at its place: most documents of a writer are like the last one.
    std::vector<Remembered> before_;
    Remembered scratch_;
    std::uint64_t key_;
    bool inTag_ = false;
    std::string error_;
};

}  // namespace postbus::xml
