#include "formats/xml/tape_writer.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

#include "document_maker.hpp"
#include "formats/xml/tape_check.hpp"
#include "xml_support.hpp"

using postbus::Element;
using namespace postbus::xml;
using namespace postbus::xml::test;
using namespace std::string_literals;

namespace {

/// What a tape is written as.
std::string text(const Tape& tape) { return tape.empty() ? "" : copied(tape.root()); }

/// What the events give as text; or the error.
template <class Events>
std::string written(Events events) {
    Tape tape;
    TapeWriter writer;
    writer.begin(tape);
    events(writer);
    if (const auto done = writer.finish(); !done) return done.error().message();
    if (!tape.empty()) BOOST_TEST(checkTape(*tape.view()) == nullptr);
    return text(tape);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tape_writer)

BOOST_AUTO_TEST_CASE(keeps_what_it_is_told) {
    BOOST_TEST(written([](TapeWriter& out) {
                   out.start("urn:a", "answer", "a");
                   out.declare("q", "urn:q");
                   out.attribute("", "plain", "", "1");
                   out.attribute("urn:b", "qualified", "b", "<2>");
                   out.text("before ");
                   out.text("& after");
                   out.start("", "child");
                   out.end();
                   out.end();
               }) ==
               "<a:answer xmlns:q=\"urn:q\" xmlns:a=\"urn:a\" plain=\"1\" xmlns:b=\"urn:b\" b:qualified=\"&lt;2&gt;\">"
               "before &amp; after<child/></a:answer>");
    BOOST_TEST(written([](TapeWriter&) {}) == "");
}

BOOST_AUTO_TEST_CASE(joins_text_and_enters_each_name_once) {
    Tape tape;
    TapeWriter writer;
    writer.begin(tape);
    writer.start("urn:a", "a", "p");
    for (int i = 0; i < 100; ++i) {
        writer.start("urn:a", "item", "p");
        writer.text("x");
        writer.text("y");
        writer.end();
    }
    writer.end();
    BOOST_REQUIRE(!!writer.finish());
    BOOST_TEST(tape.view()->name_count == 2u);
    BOOST_TEST(tape.view()->node_count == 201u);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_xml_and_says_why) {
    const auto start = [](TapeWriter& out) { out.start("urn:a", "a"); };
    BOOST_TEST(written([&](TapeWriter& out) { start(out); }) == "writing XML: an element is not closed");
    BOOST_TEST(written([&](TapeWriter& out) { out.end(); }) == "writing XML: an end without a start");
    BOOST_TEST(written([&](TapeWriter& out) { out.start("", "two words"); }) ==
               "writing XML: not the name of an element: 'two words'");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.text("\x01"), out.end(); }) ==
               "writing XML: a character that XML does not allow in the text");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.attribute("", "b", "", "\xFF"), out.end(); }) ==
               "writing XML: a character that XML does not allow in the attribute 'b'");
    BOOST_TEST(written([&](TapeWriter& out) { out.attribute("", "b", "", ""); }) ==
               "writing XML: an attribute that follows no start: 'b'");
    BOOST_TEST(written([&](TapeWriter& out) {
                   start(out);
                   out.attribute("urn:x", "b", "p", "1");
                   out.attribute("urn:x", "b", "q", "2");
                   out.end();
               }) == "writing XML: two attributes of one name: 'b'");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.declare("xmlns", "urn:b"), out.end(); }) ==
               "writing XML: not a prefix to be declared: 'xmlns'");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.declare("p", ""), out.end(); }) ==
               "writing XML: not a prefix to be declared: 'p'");
    BOOST_TEST(written([&](TapeWriter& out) {
                   start(out);
                   out.declare("p", "urn:1");
                   out.declare("p", "urn:2");
                   out.end();
               }) == "writing XML: two declarations of the prefix 'p'");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.end(), start(out), out.end(); }) ==
               "writing XML: a second root: 'a'");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.end(), out.text("more"); }) ==
               "writing XML: text outside of the root");
    BOOST_TEST(written([&](TapeWriter& out) { start(out), out.end(), out.text(" \n"); }) == "<a xmlns=\"urn:a\"/>");
}

BOOST_AUTO_TEST_CASE(copies_a_whole_document_as_it_is) {
    for (unsigned seed = 1; seed <= 500; ++seed) {
        const std::string document = DocumentMaker(seed).good();
        const Tape tape = parsed(document);
        Tape copy;
        TapeWriter writer;
        writer.begin(copy);
        writer.copy(tape.root());
        BOOST_REQUIRE_MESSAGE(!!writer.finish(), document);
        BOOST_TEST(dump(copy) == dump(tape), document);
        BOOST_TEST(checkTape(*copy.view()) == nullptr);
    }
}

BOOST_AUTO_TEST_CASE(copies_parts_with_the_scope_that_writer_gives_them) {
    for (unsigned seed = 1; seed <= 500; ++seed) {
        const Tape tape = parsed(DocumentMaker(seed).good());
        for (Element each = tape.root().firstChild(); each; each = each.next()) {
            BOOST_TEST(written([&](TapeWriter& out) { out.copy(each); }) == copied(each));
            const std::string wrapped = written([&](TapeWriter& out) {
                out.start("urn:o", "out", "o");
                out.declare("o", "urn:o");  // Writer does so of itself
                out.declare("", "urn:out");
                out.declare("t", "urn:out-t");
                out.copyContent(each);
                out.end();
            });
            postbus::Buffer bytes;
            Writer writer;
            writer.begin(bytes);
            writer.start("urn:o", "out", "o");
            writer.declare("", "urn:out");
            writer.declare("t", "urn:out-t");
            writer.copyContent(each);
            writer.end();
            BOOST_REQUIRE(!!writer.finish());
            BOOST_TEST(dump(parsed(wrapped)) == dump(parsed(bytes.view())));
        }
    }
}

/// A writer remembers names of the document before: what it writes does not show which that was.
BOOST_AUTO_TEST_CASE(writes_the_same_whatever_it_wrote_before) {
    struct Named {
        std::string uri, local, prefix;
    };
    const std::string longName(300, 'n'), longUri = "urn:" + std::string(200, 'u');
    const std::vector<Named> names = {{"", "a", ""},       {"", "ab", ""},       {"a", "b", "c"},
                                      {"ab", "c", "d"},    {"a", "bc", "d"},     {"abc", "d", ""},
                                      {"", "1", ""},       {"urn:x", "ok", "1"}, {"urn:x", "ok", "p"},
                                      {"\x01", "ok", "p"}, {"", longName, ""},   {longUri, "long", "l"}};
    TapeWriter used;
    Tape tape;
    std::mt19937 random(3);
    for (int round = 0; round < 5'000; ++round) {
        std::vector<Named> chosen;
        for (std::size_t i = 0, count = random() % 12 + 1; i < count; ++i)
            chosen.push_back(names[random() % names.size()]);
        const bool attributes = random() % 2;
        const auto events = [&](TapeWriter& out) {
            for (const Named& each : chosen) {
                out.start(each.uri, each.local, each.prefix);
                if (attributes) out.attribute(each.uri, each.local, each.prefix, "v");
            }
            for (std::size_t i = 0; i < chosen.size(); ++i) out.end();
        };

        used.begin(tape);
        events(used);
        const auto done = used.finish();

        BOOST_REQUIRE_EQUAL(done ? text(tape) : done.error().message(), written(events));
    }
}

BOOST_AUTO_TEST_CASE(is_used_again_after_an_error) {
    Tape tape;
    TapeWriter writer;
    writer.begin(tape);
    writer.start("", "1");
    BOOST_TEST(!writer.finish());
    writer.begin(tape);
    writer.start("", "one");
    writer.end();
    BOOST_TEST(!!writer.finish());
    BOOST_TEST(text(tape) == "<one/>");
}

BOOST_AUTO_TEST_SUITE_END()
