#include <boost/test/unit_test.hpp>
#include <thread>

#include "document_maker.hpp"
#include "tests/support/tries.hpp"
#include "xml_support.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;
using postbus::test::tries;

namespace {

/// The tape or the refusal of a document.
std::string outcome(const std::string& document) {
    Tape tape;
    const auto result = parse(document, {}, {}, tape);
    return result ? dump(tape) : "refused: " + result.error().message();
}

std::string outcomeOnNewThread(const std::string& document) {
    std::string all;
    std::thread([&] { all = outcome(document); }).join();
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_generated)

BOOST_AUTO_TEST_CASE(documents_are_the_same_after_a_copy) {
    DocumentMaker maker(11);
    int copies = 0;

    for (int i = 0; i < tries(2'000); ++i) {
        const std::string document = maker.good();
        Tape tape;
        if (!parse(document, {}, {}, tape)) continue;  // it may have an attribute twice
        ++copies;
        const std::string copy = copied(tape.root());
        BOOST_TEST((dump(parsed(copy)) == dump(tape)), document << " became " << copy);
        BOOST_TEST((copied(parsed(copy).root()) == copy));
    }

    BOOST_TEST(copies > tries(1'500));
}

BOOST_AUTO_TEST_CASE(parts_mean_the_same_after_a_copy) {
    DocumentMaker maker(12);

    for (int i = 0; i < tries(500); ++i) {
        Tape tape;
        if (!parse(maker.good(), {}, {}, tape)) continue;
        for (std::uint32_t k = 1; k < tape.view()->node_count; ++k) {
            const postbus::Element part(tape.view(), k);
            if (part.node().kind != POSTBUS_NODE_ELEMENT) continue;
            const Tape copy = parsed(copied(part));
            BOOST_TEST(copy.root().uri() == part.uri());
            BOOST_TEST(copy.root().prefix() == part.prefix());
            BOOST_TEST(copy.root().text() == part.text());
            for (const std::string_view prefix : {"", "p", "q", "r"})
                BOOST_TEST(copy.root().lookup(prefix).value_or("") == part.lookup(prefix).value_or(""));
        }
    }
}

BOOST_AUTO_TEST_CASE(tapes_come_back_from_bytes) {
    DocumentMaker maker(13);

    for (int i = 0; i < tries(500); ++i) {
        Tape tape;
        if (!parse(maker.good(), {}, {}, tape)) continue;
        const auto back = Tape::verify(tape.serialize());
        BOOST_REQUIRE(!!back);
        BOOST_TEST((dump(*back) == dump(tape)));
    }
}

BOOST_AUTO_TEST_CASE(outcomes_do_not_depend_on_the_documents_before) {
    DocumentMaker maker(14);

    for (int i = 0; i < tries(1'000); ++i) {
        const std::string document = maker.mutated(maker.good());
        BOOST_TEST((outcome(document) == outcomeOnNewThread(document)), document);
    }
}

BOOST_AUTO_TEST_CASE(outcomes_do_not_depend_on_other_threads) {
    const auto run = [](unsigned seed) {
        DocumentMaker maker(seed);
        std::string all;
        for (int i = 0; i < tries(300); ++i) all += outcome(maker.mutated(maker.good()));
        return all;
    };
    std::vector<std::string> together(4);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < together.size(); ++i) threads.emplace_back([&, i] { together[i] = run(20 + i); });
    for (std::thread& each : threads) each.join();

    for (unsigned i = 0; i < together.size(); ++i) BOOST_TEST((together[i] == run(20 + i)));
}

BOOST_AUTO_TEST_SUITE_END()
