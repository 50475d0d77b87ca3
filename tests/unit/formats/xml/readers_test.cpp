// The two readers behind parse(), held against each other. The third judge, expat, is in expat/.
#include "formats/xml/readers.hpp"

#include <boost/test/unit_test.hpp>

#include "document_maker.hpp"
#include "tests/support/tries.hpp"
#include "xml_support.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;
using postbus::test::tries;

namespace {

/// Both readers give a document the same tape, or refuse it. Returns whether they took it.
bool agree(const std::string& document, const Limits& limits = {}) {
    Tape scanned, read;
    const bool ours = readByScanner(document, limits, scanned);
    const auto theirs = readByLibxml2(document, limits, read);
    BOOST_TEST(ours == !!theirs, (theirs ? "taken" : theirs.error().message()) << " by libxml2's: " << document);
    BOOST_TEST((ours || scanned.empty()));
    if (!ours || !theirs) return false;
    BOOST_TEST(dumpWithLines(scanned) == dumpWithLines(read), document);
    BOOST_TEST(scanned.view()->name_count == read.view()->name_count, document);
    return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_readers)

BOOST_AUTO_TEST_CASE(give_good_documents_the_same_tape) {
    DocumentMaker maker(31);
    int taken = 0;

    for (int i = 0; i < tries(5'000); ++i) taken += agree(maker.good());

    BOOST_TEST(taken > tries(4'000));  // those with an attribute twice are bad for both
}

BOOST_AUTO_TEST_CASE(give_changed_documents_the_same_verdict) {
    DocumentMaker maker(32);
    int taken = 0;

    for (int i = 0; i < tries(50'000); ++i) {
        const std::string document = maker.mutated(maker.good());
        if (!document.empty()) taken += agree(document);
    }

    BOOST_TEST(taken > tries(3'000));
    BOOST_TEST(taken < tries(47'000));
}

BOOST_AUTO_TEST_CASE(give_documents_near_a_limit_the_same_verdict) {
    DocumentMaker maker(33);
    int taken = 0;

    for (int i = 0; i < tries(2'000); ++i) {
        const std::string document = maker.good();
        Limits limits;
        limits.depth = 1 + i % 5;
        limits.attributes = 2 + i % 7;
        limits.bindings = 3 + i % 6;
        limits.names = 5 + i % 23;
        limits.nameLength = 20 + i % 17;
        taken += agree(document, limits);
    }

    BOOST_TEST(taken > 50);
}

BOOST_AUTO_TEST_CASE(agree_on_room_for_nodes_where_the_scanner_takes_a_document) {
    DocumentMaker maker(34);

    for (int i = 0; i < tries(500); ++i) {
        const std::string document = maker.good();
        Limits limits;
        for (limits.nodes = 1; limits.nodes < 60; ++limits.nodes) {
            Tape scanned, read;
            if (!readByScanner(document, limits, scanned)) continue;
            BOOST_TEST(!!readByLibxml2(document, limits, read), limits.nodes << " nodes: " << document);
            BOOST_TEST(dump(scanned) == dump(read));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
