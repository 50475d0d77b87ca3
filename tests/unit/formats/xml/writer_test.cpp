#include <boost/test/unit_test.hpp>

#include "xml_support.hpp"

using postbus::Buffer;
using namespace postbus::xml;
using namespace postbus::xml::test;

namespace {

/// A writer with its output.
struct Sheet : Writer {
    Buffer out;
    Sheet() { begin(out); }
    std::string text_() { return std::string(out.view()); }
    std::string error() {
        const auto result = finish();
        return result ? std::string() : result.error().message();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_writer)

BOOST_AUTO_TEST_CASE(declares_what_is_not_in_scope_with_the_wished_prefix) {
    Sheet sheet;

    sheet.start("urn:a", "a", "p");
    sheet.attribute("urn:b", "x", "q", "1");
    sheet.start("urn:a", "b", "other");
    sheet.start("", "c");
    sheet.text("t");
    sheet.end();
    sheet.end();
    sheet.end();

    BOOST_TEST(sheet.error() == "");
    BOOST_TEST(sheet.text_() == "<p:a xmlns:p=\"urn:a\" xmlns:q=\"urn:b\" q:x=\"1\"><p:b><c>t</c></p:b></p:a>");
}

BOOST_AUTO_TEST_CASE(copies_what_qnames_in_content_rely_on) {
    const Tape tape = parsed(
        "<e:E xmlns:e='urn:e' xmlns:t='urn:t' xmlns:xsi='urn:xsi' xmlns='urn:d'><b xsi:type='t:T'>  mixed "
        "<c/>\n</b></e:E>");

    BOOST_TEST(copied(tape.root().firstChild()) ==
               "<b xmlns:e=\"urn:e\" xmlns:t=\"urn:t\" xmlns:xsi=\"urn:xsi\" xmlns=\"urn:d\" xsi:type=\"t:T\">  mixed "
               "<c/>\n</b>");
}

BOOST_AUTO_TEST_CASE(copies_a_document_to_the_same_tape) {
    const Tape tape =
        parsed("<a xmlns='urn:a' x='&#13;&#10;&#9;&lt;'><b xmlns='' xmlns:a='urn:a'>&#13;<a:c/>]]&gt;</b></a>");

    BOOST_TEST(dump(parsed(copied(tape.root()))) == dump(tape));
}

BOOST_AUTO_TEST_SUITE_END()
