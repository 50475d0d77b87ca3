#include "formats/xml/tape_writer.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "formats/xml/chars.hpp"

namespace postbus::xml {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::size_t keptPlaces = 64 * 1024;
constexpr std::size_t namesInARow = 8;
constexpr std::size_t longestRemembered = 256;

template <class Word>
bool sameWord(const char* a, const char* b) {
    Word left, right;
    std::memcpy(&left, a, sizeof left);
    std::memcpy(&right, b, sizeof right);
    return left == right;
}
template <class Word>
bool sameEnds(const char* a, std::string_view b) {
    return sameWord<Word>(a, b.data()) &&
           sameWord<Word>(a + b.size() - sizeof(Word), b.data() + b.size() - sizeof(Word));
}

/// Names are short: no call, and words that may overlap instead of single bytes.
bool same(const char* a, std::string_view b) {
    if (b.size() >= 8) {
        for (std::size_t at = 0; at + 8 < b.size(); at += 8)
            if (!sameWord<std::uint64_t>(a + at, b.data() + at)) return false;
        return sameWord<std::uint64_t>(a + b.size() - 8, b.data() + b.size() - 8);
    }
    if (b.size() >= 4) return sameEnds<std::uint32_t>(a, b);
    if (b.size() >= 2) return sameEnds<std::uint16_t>(a, b);
    return b.empty() || *a == b.front();
}

std::uint64_t drawnKey() {
    std::random_device random;
    return (std::uint64_t{random()} << 32) | random();
}

}  // namespace

TapeWriter::TapeWriter() : key_(drawnKey() | 1) {}

void TapeWriter::begin(Tape& tape) {
    tape_ = &tape;
    builder_.begin(tape);
    open_.clear();
    declared_.clear();
    attributes_.clear();
    if (places_.capacity() > keptPlaces) places_ = {};
    places_.clear();
    inTag_ = false;
    error_.clear();
}

void TapeWriter::fail(std::string_view what, std::string_view which) {
    if (failed()) return;
    error_ = what;
    if (which.empty()) return;
    error_ += " '";
    appendPrintable(error_, which, 100);
    error_ += '\'';
}

bool TapeWriter::Remembered::is(const Name& name) const {
    return uri == name.uri.size() && local == name.local.size() && parts.size() == uri + local + name.prefix.size() &&
           same(parts.data(), name.uri) && same(parts.data() + uri, name.local) &&
           same(parts.data() + uri + local, name.prefix);
}

/// Where it stands in the tape. A handful of names is compared one by one, without a hash of any.
std::uint32_t TapeWriter::known(const Name& name) const {
    if (!places_.empty()) return knownAmongMany(name);
    for (auto i = static_cast<std::uint32_t>(builder_.names()); i-- > 0;) {
        // Names of one length are seldom there; their text is looked at last.
        const postbus_name& its = builder_.nameAt(i);
        if (its.local_length == name.local.size() && its.uri_length == name.uri.size() &&
            its.prefix_length == name.prefix.size() && nameAt(i) == name)
            return i;
    }
    return none;
}

/// One that is not there.
std::uint32_t TapeWriter::enter(std::string_view parts, std::uint32_t uri, std::uint32_t local) {
    const std::uint32_t index = builder_.name(parts, uri, local);
    if (builder_.names() > namesInARow) place(index);
    return index;
}

/// The place of a name in the tape, entered where it is new; none, and failed, where it can't be one. Names that are
/// there already, or stood at this place in a document before, are not looked at again.
std::uint32_t TapeWriter::checked(const Name& name, const char* what) {
    if (const std::uint32_t there = known(name); there != none) return there;
    const std::size_t place = builder_.names();
    if (place < before_.size() && before_[place].is(name))
        return enter(before_[place].parts, before_[place].uri, before_[place].local);
    return firstSeen(name, what);
}

void TapeWriter::start(const Name& name) {
    if (failed()) return;
    const std::uint32_t place = checked(name, "not the name of an element:");
    if (place != none) openElement(place);
}

std::uint32_t TapeWriter::firstSeen(const Name& name, const char* what) {
    if (!isName(name, what)) return none;
    const std::size_t place = builder_.names();
    const bool remembers = place < namesInARow && place <= before_.size() &&
                           name.uri.size() + name.local.size() + name.prefix.size() <= longestRemembered;
    if (remembers && place == before_.size()) before_.emplace_back();
    Remembered& its = remembers ? before_[place] : scratch_;
    its.become(name);
    return enter(its.parts, its.uri, its.local);
}

void TapeWriter::Remembered::become(const Name& name) {
    parts.assign(name.uri).append(name.local).append(name.prefix);
    uri = static_cast<std::uint32_t>(name.uri.size());
    local = static_cast<std::uint32_t>(name.local.size());
}

/// Whether it may be one.
bool TapeWriter::isName(const Name& name, const char* what) {
    if (!isNcName(name.local))
        fail(what, name.local);
    else if (!name.prefix.empty() && !isNcName(name.prefix))
        fail("not a prefix:", name.prefix);
    else if (!isChars(name.uri))
        fail("a character that XML does not allow in the namespace", name.uri);
    return !failed();
}

void TapeWriter::openElement(std::uint32_t name) {
    closeTag();
    if (failed()) return;
    if (open_.empty() && builder_.nodes() > 0) return fail("a second root:", nameAt(name).local);
    builder_.start(name, 0);
    open_.push_back({static_cast<std::uint32_t>(declared_.size())});
    inTag_ = true;
}

void TapeWriter::declare(std::string_view prefix, std::string_view uri) {
    if (failed()) return;
    if (!inTag_) return fail("a declaration that follows no start:", prefix);
    if (prefix == "xml" && uri == xmlNamespace) return;
    const bool takesBack = uri.empty() && !prefix.empty();  // only in Namespaces 1.1
    if ((!prefix.empty() && !isNcName(prefix)) || prefix == "xml" || prefix == "xmlns" || takesBack)
        return fail("not a prefix to be declared:", prefix);
    if (uri == xmlNamespace || uri == xmlnsNamespace || !isChars(uri))
        return fail("not a namespace to be declared:", uri);
    if (!attributes_.empty()) return fail("a declaration that follows an attribute:", prefix);
    declareCopied(prefix, uri, false);
}

/// Unless `always`, only where the output does not say the same already.
void TapeWriter::declareCopied(std::string_view prefix, std::string_view uri, bool always) {
    const std::uint32_t at = find(prefix);
    const bool here = at != none && at >= open_.back().declared;
    const std::string_view now = at == none ? std::string_view() : nameAt(declared_[at]).uri;
    if (here && now != uri) return fail("two declarations of the prefix", prefix);
    const bool same = at == none ? prefix.empty() && uri.empty() : now == uri;
    if (here || (same && !always)) return;
    declared_.push_back(entered({uri, {}, prefix}));
    builder_.declare(declared_.back());
}

void TapeWriter::attribute(std::string_view uri, std::string_view local, std::string_view prefix,
                           std::string_view value) {
    if (failed()) return;
    if (!inTag_) return fail("an attribute that follows no start:", local);
    if (uri.empty() && local == "xmlns") return fail("not the name of an attribute:", local);
    if (!isChars(value)) return fail("a character that XML does not allow in the attribute", local);
    const std::uint32_t name =
        checked({uri, local, uri.empty() ? std::string_view() : prefix}, "not the name of an attribute:");
    if (name == none) return;
    attributes_.push_back(name);
    builder_.attribute(name, value);
}

void TapeWriter::text(std::string_view text) {
    if (failed() || text.empty()) return;
    closeTag();
    if (failed()) return;
    if (!isChars(text)) return fail("a character that XML does not allow in the text");
    if (!open_.empty()) return builder_.text(text, 0);
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) fail("text outside of the root");
}

void TapeWriter::end() {
    if (failed()) return;
    if (open_.empty()) return fail("an end without a start");
    closeTag();
    if (failed()) return;
    builder_.end();
    declared_.resize(open_.back().declared);
    open_.pop_back();
}

/// No two attributes of a name, be their prefixes the same or not (Namespaces in XML section 6.3).
void TapeWriter::checkAttributes() {
    if (attributes_.size() > 1) {
        const auto key = [this](std::uint32_t index) {
            const Name name = nameAt(index);
            return std::pair(name.local, name.uri);
        };
        std::sort(attributes_.begin(), attributes_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        const auto twice = std::adjacent_find(attributes_.begin(), attributes_.end(),
                                              [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); });
        if (twice != attributes_.end()) fail("two attributes of one name:", nameAt(*twice).local);
    }
    attributes_.clear();
}

Result<void> TapeWriter::finish() {
    if (failed()) return Error::internal("writing XML: " + error_);
    if (!open_.empty()) return Error::internal("writing XML: an element is not closed");
    builder_.finish();
    return ok();
}

TapeWriter::Name TapeWriter::nameAt(std::uint32_t index) const {
    const postbus_name& name = builder_.nameAt(index);
    const char* const text = builder_.text();
    return {{text + name.uri, name.uri_length},
            {text + name.local, name.local_length},
            {text + name.prefix, name.prefix_length}};
}

/// Where the innermost declaration of a prefix stands in declared_.
std::uint32_t TapeWriter::find(std::string_view prefix) const {
    for (std::size_t i = declared_.size(); i-- > 0;)
        if (nameAt(declared_[i]).prefix == prefix) return static_cast<std::uint32_t>(i);
    return none;
}

/// Under a key drawn at random: names may be anybody's, copied from a request.
std::uint64_t TapeWriter::hashOf(const Name& name) const {
    std::uint64_t hash = key_;
    for (const std::string_view part : {name.uri, name.local, name.prefix}) {
        for (std::size_t i = 0; i < part.size(); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, part.data() + i, std::min<std::size_t>(8, part.size() - i));
            hash = (hash ^ word) * (key_ | 1);
            hash ^= hash >> 29;
        }
        hash = (hash ^ part.size()) * 0x9e3779b97f4a7c15u;
    }
    return hash ^ (hash >> 32);
}

std::uint32_t TapeWriter::knownAmongMany(const Name& name) const {
    const std::size_t mask = places_.size() - 1;
    for (std::size_t at = hashOf(name) & mask; places_[at] != none; at = (at + 1) & mask)
        if (nameAt(places_[at]) == name) return places_[at];
    return none;
}

/// The place of a good name in the tape, entered where it is new.
std::uint32_t TapeWriter::entered(const Name& name) {
    if (const std::uint32_t there = known(name); there != none) return there;
    scratch_.become(name);
    return enter(scratch_.parts, scratch_.uri, scratch_.local);
}

/// Into the hash table, one of many.
void TapeWriter::place(std::uint32_t index) {
    if (2 * builder_.names() > places_.size()) return growPlaces();
    const std::size_t mask = places_.size() - 1;
    std::size_t at = hashOf(nameAt(index)) & mask;
    while (places_[at] != none) at = (at + 1) & mask;
    places_[at] = index;
}

void TapeWriter::growPlaces() {
    places_.assign(std::max<std::size_t>(64, 4 * places_.size()), none);
    const std::size_t mask = places_.size() - 1;
    for (std::uint32_t i = 0; i < builder_.names(); ++i) {
        std::size_t at = hashOf(nameAt(i)) & mask;
        while (places_[at] != none) at = (at + 1) & mask;
        places_[at] = i;
    }
}

}  // namespace postbus::xml
