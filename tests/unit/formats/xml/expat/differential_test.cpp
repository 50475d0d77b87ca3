#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "../document_maker.hpp"
#include "../xml_support.hpp"
#include "expat_oracle.hpp"
#include "formats/xml/chars.hpp"
#include "formats/xml/readers.hpp"
#include "tests/support/tries.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;
using postbus::test::tries;

namespace {

/// Whether it holds characters beyond ASCII other than those the maker uses. The fifth edition of XML 1.0, which is
/// ours, allows more of them in names than the fourth, which is expat's.
bool holdsUncommon(const std::string& document) {
    const char* at = document.data();
    const char* const end = at + document.size();
    while (at < end) {
        const std::size_t length = charLength(at, end);
        const std::string_view each(at, std::max<std::size_t>(length, 1));
        if (length > 1 && each != "\xC3\xA4" && each != "\xE6\x97\xA5" && each != "\xF0\x9F\x98\x80") return true;
        at += each.size();
    }
    return false;
}

/// Compares what expat and our two readers say of a document. Returns whether all took it.
bool agree(const std::string& document) {
    if (holdsUncommon(document)) return false;
    Tape tape, scanned;
    const auto ours = parse(document, "utf-8", {}, tape);
    const auto theirs = eventsByExpat(document);
    BOOST_TEST(!!ours == theirs.has_value(), (ours ? "taken" : ours.error().message()) << ": " << document);
    if (!ours || !theirs) return false;
    BOOST_TEST(eventsOf(tape) == *theirs, document);
    BOOST_TEST(readByScanner(document, {}, scanned), document);
    BOOST_TEST(!!readByLibxml2(document, {}, tape), document);
    BOOST_TEST(eventsOf(tape) == *theirs, document);
    return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_against_expat)

BOOST_AUTO_TEST_CASE(good_documents_give_the_same_events) {
    DocumentMaker maker(1);
    int taken = 0;

    for (int i = 0; i < tries(3'000); ++i) taken += agree(maker.good());

    BOOST_TEST(taken > tries(2'500));  // those with an attribute twice are bad for both
}

BOOST_AUTO_TEST_CASE(changed_documents_get_the_same_verdict) {
    DocumentMaker maker(2);
    int taken = 0;

    for (int i = 0; i < tries(30'000); ++i) taken += agree(maker.mutated(maker.good()));

    BOOST_TEST(taken > tries(2'000));
    BOOST_TEST(taken < tries(28'000));
}

BOOST_AUTO_TEST_SUITE_END()
