#include <boost/test/unit_test.hpp>
#include <cstring>

#include "formats/xml/tape_check.hpp"
#include "xml_support.hpp"

using postbus::Buffer;
using namespace postbus::xml;
using namespace postbus::xml::test;

namespace {

constexpr std::string_view document =
    "<p:a xmlns:p='urn:p' xmlns='urn:d' x='1' p:y='2'>text<b/><c z='\xC3\xA4'>more</c>\xE2\x82\xAC end</p:a>";

std::string fault(std::string_view bytes) {
    const auto tape = Tape::verify(bytes);
    return tape ? std::string() : tape.error().message();
}

/// A tape that can be spoilt, piece by piece.
struct Spoilt {
    Tape tape = parsed(document);
    std::vector<postbus_node> nodes{tape.view()->nodes, tape.view()->nodes + tape.view()->node_count};
    std::vector<postbus_name> names{tape.view()->names, tape.view()->names + tape.view()->name_count};
    std::string text{tape.view()->text, tape.view()->text_size};

    std::string fault() const {
        postbus_tape view = *tape.view();
        view.nodes = nodes.data();
        view.names = names.data();
        view.text = text.data();
        view.node_count = static_cast<std::uint32_t>(nodes.size());
        view.name_count = static_cast<std::uint32_t>(names.size());
        view.text_size = static_cast<std::uint32_t>(text.size());
        const char* const found = checkTape(view);
        return found ? found : "";
    }
};

// Nodes of the document: 0 p:a, 1 xmlns:p, 2 xmlns, 3 x, 4 p:y, 5 "text", 6 b, 7 c, 8 z, 9 "more", 10 "€ end".

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_tape)

BOOST_AUTO_TEST_CASE(is_laid_out_as_the_sdk_says) {
    const Tape tape = parsed(document);
    const postbus_node* const nodes = tape.view()->nodes;

    BOOST_REQUIRE(tape.view()->node_count == 11u);
    const std::uint32_t kinds[] = {1, 2, 2, 3, 3, 4, 1, 1, 3, 4, 4};
    const std::uint32_t next[] = {11, 2, 3, 4, 5, 6, 7, 10, 9, 10, 11};
    for (std::uint32_t i = 0; i < 11; ++i) {
        BOOST_TEST(nodes[i].kind == kinds[i]);
        BOOST_TEST(nodes[i].next == next[i]);
        BOOST_TEST(nodes[i].line == 1u);
        BOOST_TEST(nodes[i].parent == (i == 0 ? POSTBUS_NO_NODE : i == 8 || i == 9 ? 7u : 0u));
    }
    BOOST_TEST(tape.view()->name_count == 8u);
    BOOST_TEST(tape.root().text() == "textmore\xE2\x82\xAC end");
}

BOOST_AUTO_TEST_CASE(has_each_distinct_name_once) {
    const Tape tape = parsed("<a xmlns:p='urn:p'><a/><p:a p:x='1' x='2'/><p:a p:x='3'/><a xmlns:p='urn:p'/></a>");

    BOOST_TEST(tape.view()->name_count == 5u);
}

BOOST_AUTO_TEST_CASE(keeps_its_memory_for_the_next_document) {
    Tape tape = parsed(document);
    const auto* const nodes = tape.view()->nodes;

    tape.clear();
    BOOST_TEST(tape.empty());
    BOOST_TEST(!tape.root());
    BOOST_REQUIRE(!!parse("<a>t</a>", {}, {}, tape));

    BOOST_TEST(static_cast<const void*>(tape.view()->nodes) == static_cast<const void*>(nodes));
}

BOOST_AUTO_TEST_CASE(gives_back_memory_beyond_what_is_to_be_kept) {
    std::string large = "<a>";
    for (int i = 0; i < 10'000; ++i) large += "<b>x</b>";
    Tape tape = parsed(large + "</a>");
    const std::string before = dump(tape);

    tape.shrink(1024);
    BOOST_TEST((dump(tape) == before));  // what it holds is not lost
    tape.clear();
    tape.shrink(1024);

    BOOST_TEST(static_cast<const void*>(tape.view()->nodes) == nullptr);
    BOOST_TEST(!!parse("<a/>", {}, {}, tape));
}

BOOST_AUTO_TEST_CASE(moves_without_moving_its_text) {
    Tape tape = parsed(document);
    const auto text = tape.root().child("urn:d", "c").simpleText().value();

    Tape moved = std::move(tape);
    Tape other;
    other.swap(moved);

    BOOST_TEST(moved.empty());
    BOOST_TEST(moved.view()->node_count == 0u);
    BOOST_TEST(static_cast<const void*>(other.root().child("urn:d", "c").simpleText()->data()) ==
               static_cast<const void*>(text.data()));
}

BOOST_AUTO_TEST_CASE(comes_back_from_bytes_as_it_was) {
    for (const std::string_view each : {document, std::string_view("<a/>")}) {
        const Tape tape = parsed(each);

        const auto back = Tape::verify(tape.serialize());

        BOOST_REQUIRE(!!back);
        BOOST_TEST(dump(*back) == dump(tape));
    }
    const auto empty = Tape::verify(Tape().serialize());
    BOOST_TEST((empty && empty->empty()));
}

BOOST_AUTO_TEST_CASE(refuses_bytes_that_were_damaged) {
    const std::string bytes = parsed(document).serialize();

    BOOST_TEST(fault("") == "a stored document is damaged: it is cut off");
    for (std::size_t size = 0; size < bytes.size(); ++size) BOOST_TEST(fault(bytes.substr(0, size)) != "");
    BOOST_TEST(fault(bytes + '\0') == "a stored document is damaged: its length is wrong");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        BOOST_TEST(fault(damaged) != "", "byte " << i);
    }
    std::string other = bytes;
    other[8] = 2;
    BOOST_TEST(fault(other) == "a stored document is damaged: it has the layout of another version");
}

BOOST_AUTO_TEST_CASE(is_passed_on_as_it_was_into_memory_that_is_there) {
    Buffer wire;
    wire.append("before");
    const Tape tape = parsed(document);
    Tape other = parsed("<other><than>that</than></other>");

    tape.pass(wire);
    const auto received = other.receive(wire.view().substr(6));

    BOOST_REQUIRE(!!received);
    BOOST_TEST(dump(other) == dump(tape));
    wire.clear();
    Tape().pass(wire);
    BOOST_TEST(!!other.receive(wire.view()));
    BOOST_TEST(other.empty());
}

BOOST_AUTO_TEST_CASE(is_empty_when_what_was_passed_on_can_not_be_read) {
    Buffer wire;
    parsed(document).pass(wire);
    const std::string bytes(wire.view());
    Tape tape;
    const auto refusal = [&tape](std::string_view passed) {
        tape = parsed(document);
        const auto received = tape.receive(passed);
        BOOST_TEST(tape.empty() == !received);
        return received ? std::string() : received.error().message();
    };

    BOOST_TEST(refusal(bytes) == "");
    BOOST_TEST(refusal("") == "a document is cut off");
    for (std::size_t size = 0; size < bytes.size(); ++size) BOOST_TEST(refusal(bytes.substr(0, size)) != "");
    BOOST_TEST(refusal(bytes + ' ') == "a document's length is wrong");
    std::string other = bytes;
    other[0] = 2;
    BOOST_TEST(refusal(other) == "a document has the layout of another version");
    other = bytes;
    other.back() = '\xFF';
    BOOST_TEST(refusal(other) == "a document can't be read: its text is not UTF-8 that XML allows");
}

BOOST_AUTO_TEST_CASE(refuses_nodes_that_are_not_nested) {
    BOOST_TEST(Spoilt().fault() == "");
    const auto with = [](auto change) {
        Spoilt spoilt;
        change(spoilt);
        return spoilt.fault();
    };

    BOOST_TEST(with([](Spoilt& s) { s.nodes[7].next = 12; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[7].next = 7; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[7].next = 9; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[5].next = 7; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[10].parent = 7; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[9].parent = 4'000'000; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[0].parent = 0; }) == "its nodes are not nested");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[0].next = 10; }) == "its root is not one element");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[0].kind = POSTBUS_NODE_TEXT; }) == "its root is not one element");
    BOOST_TEST(with([](Spoilt& s) { s.nodes.clear(); }) == "it has no root");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[9].kind = 5; }) == "a node is of no known kind");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[9].kind = 0; }) == "a node is of no known kind");
}

BOOST_AUTO_TEST_CASE(refuses_nodes_out_of_order) {
    const auto with = [](auto change) {
        Spoilt spoilt;
        change(spoilt);
        return spoilt.fault();
    };
    const std::string attribute = "an attribute is out of place or has no name";
    const std::string bounds = "a value or name is out of bounds";
    const std::string declaration = "a declaration is out of place or has no prefix";

    BOOST_TEST(with([](Spoilt& s) { std::swap(s.nodes[2], s.nodes[3]), s.nodes[2].next = 3, s.nodes[3].next = 4; }) ==
               declaration);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[9].kind = POSTBUS_NODE_ATTRIBUTE, s.nodes[9].name = s.nodes[8].name; }) ==
               "");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[10].kind = POSTBUS_NODE_ATTRIBUTE, s.nodes[10].name = 0; }) == attribute);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[10].kind = POSTBUS_NODE_NAMESPACE, s.nodes[10].name = s.nodes[1].name; }) ==
               declaration);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[8].name = s.nodes[1].name; }) == attribute);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[2].name = s.nodes[3].name; }) == declaration);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[6].name = s.nodes[1].name; }) == "an element has no name");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[6].name = 8; }) == bounds);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[8].name = 8; }) == bounds);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[5].name = 8; }) == bounds);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[2].length = 1000; }) == bounds);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[6].text = 1000; }) == bounds);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[1].name = UINT32_MAX; }) == bounds);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[5].length = 0; }) == "text is split");
    BOOST_TEST(with([](Spoilt& s) { s.nodes[8].kind = POSTBUS_NODE_TEXT; }) == "text is split");
}

BOOST_AUTO_TEST_CASE(refuses_text_and_names_that_are_none) {
    const auto with = [](auto change) {
        Spoilt spoilt;
        change(spoilt);
        return spoilt.fault();
    };
    const std::string value = "a value or name is out of bounds", name = "a name lies outside of its text";

    BOOST_TEST(with([](Spoilt& s) { s.nodes[5].text = UINT32_MAX; }) == value);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[5].length = UINT32_MAX; }) == value);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[10].length = s.tape.view()->text_size; }) == value);
    BOOST_TEST(with([](Spoilt& s) { s.nodes[8].length = 1; }) == value);  // half a character
    BOOST_TEST(with([](Spoilt& s) { s.nodes[10].text += 1, s.nodes[10].length -= 1; }) == value);
    BOOST_TEST(with([](Spoilt& s) { s.names[0].uri_length = UINT32_MAX; }) == name);
    BOOST_TEST(with([](Spoilt& s) { s.names[0].local = UINT32_MAX; }) == name);
    BOOST_TEST(with([](Spoilt& s) { s.names[0].prefix = s.tape.view()->text_size; }) == name);
    BOOST_TEST(with([](Spoilt& s) {
                   for (auto& each : s.names) each.local = 0, each.local_length = s.tape.view()->text_size;
               }) == name);
    BOOST_TEST(with([](Spoilt& s) { s.text[s.names[s.nodes[0].name].local] = '<'; }) == "a name is none");
    BOOST_TEST(with([](Spoilt& s) { s.text[s.names[0].prefix] = ' '; }) == "a name is none");
    BOOST_TEST(with([](Spoilt& s) { s.names[0].uri_length = 0; }) == "a prefix stands for no namespace");
    BOOST_TEST(with([](Spoilt& s) { s.text.back() = '\x01'; }) == "its text is not UTF-8 that XML allows");
    BOOST_TEST(with([](Spoilt& s) { s.text.back() = '\xC3'; }) == "its text is not UTF-8 that XML allows");
}

BOOST_AUTO_TEST_SUITE_END()
