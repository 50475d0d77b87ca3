#include "tests/unit/config/reading.hpp"
#include "tests/unit/config/sample.hpp"

using postbus::milliseconds;
using sample::Colour;
using sample::Root;

BOOST_AUTO_TEST_SUITE(values)

BOOST_AUTO_TEST_CASE(an_empty_document_gives_the_defaults) {
    for (const char* text : {"", "\n\n", "# nothing\n", "---\n", "---\n...\n", "\xef\xbb\xbf# after a mark\n", "{}"}) {
        const Root root = readText<Root>(text);

        BOOST_TEST(root.text == "default");
        BOOST_TEST(root.queues.size() == 1u);
        BOOST_TEST(root.pause.count() == 5'000);
    }
}

BOOST_AUTO_TEST_CASE(every_type_is_read) {
    const Root root = readText<Root>(R"(
text: hello
plain: {flag: true, ratio: -2.5e3}
colour: green
colours: [red, green]
big: -9223372036854775808
huge: 18446744073709551615
pause: 250ms
size: 32KiB
maybe: {ratio: 1}
queues:
  - name: a
    depth: 65535
    priority: -128
named:
  Orders: {name: orders}
  "My.Service": {depth: 7}
)");

    BOOST_TEST(root.text == "hello");
    BOOST_TEST(root.plain.flag);
    BOOST_TEST(root.plain.ratio == -2500.0);
    BOOST_TEST((root.colour == Colour::green));
    BOOST_TEST((root.colours == std::vector{Colour::red, Colour::green}));
    BOOST_TEST(root.big == INT64_MIN);
    BOOST_TEST(root.huge == UINT64_MAX);
    BOOST_TEST(root.pause.count() == 250);
    BOOST_TEST(root.size.bytes == 32'768u);
    BOOST_REQUIRE(root.maybe);
    BOOST_TEST(root.maybe->ratio == 1.0);
    BOOST_TEST(!root.maybe->flag);
    BOOST_REQUIRE_EQUAL(root.queues.size(), 1u);
    BOOST_TEST(root.queues[0].depth == 65'535);
    BOOST_TEST(root.queues[0].priority == -128);
    BOOST_TEST(root.named.at("Orders").name == "orders");
    BOOST_TEST(root.named.at("My.Service").depth == 7);
}

BOOST_AUTO_TEST_CASE(a_single_value_is_a_list_of_one) {
    const Root root = readText<Root>("colours: red\nqueues: {name: a}\n");

    BOOST_TEST((root.colours == std::vector{Colour::red}));
    BOOST_REQUIRE_EQUAL(root.queues.size(), 1u);
    BOOST_TEST(root.queues[0].name == "a");
}

BOOST_AUTO_TEST_CASE(a_list_replaces_the_default_even_when_it_is_empty) {
    BOOST_TEST(readText<Root>("queues: []").queues.empty());
    BOOST_TEST(readText<Root>("colours: [red]").colours.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_scalar_stands_for_the_field_that_a_struct_names) {
    const Root root = readText<Root>("queues: [a, {name: b, depth: 2}, c]\nnamed: {X: y}");

    BOOST_REQUIRE_EQUAL(root.queues.size(), 3u);
    BOOST_TEST(root.queues[0].name == "a");
    BOOST_TEST(root.queues[0].depth == 1024);
    BOOST_TEST(root.queues[1].depth == 2);
    BOOST_TEST(root.queues[2].name == "c");
    BOOST_TEST(root.named.at("X").name == "y");
}

BOOST_AUTO_TEST_CASE(a_section_with_nothing_in_it_is_as_one_left_out) {
    const Root root = readText<Root>("plain:\nmaybe:\nnamed:\n#  X: y\n");

    BOOST_TEST(root.plain.ratio == 0.5);
    BOOST_TEST(!root.maybe);
    BOOST_TEST(root.named.empty());
}

BOOST_AUTO_TEST_CASE(texts_keep_what_other_readers_take_for_numbers_and_booleans) {
    BOOST_TEST(readText<Root>("text: no").text == "no");
    BOOST_TEST(readText<Root>("text: 1.10").text == "1.10");
    BOOST_TEST(readText<Root>("text: 'it''s'").text == "it's");
    BOOST_TEST(readText<Root>("text: \"Zo\\u00eb\"").text == "Zo\xc3\xab");
    BOOST_TEST(readText<Root>("text: |\n  two\n  lines\n").text == "two\nlines\n");
    BOOST_TEST(readText<Root>("text: ''").text.empty());
    BOOST_TEST(readText<Root>("text: !!str 5").text == "5");
}

BOOST_AUTO_TEST_CASE(booleans_have_three_spellings) {
    for (const char* yes : {"true", "on", "yes", "True", "TRUE"})
        BOOST_TEST(readText<Root>(std::string("plain: {flag: ") + yes + "}").plain.flag);
    for (const char* no : {"false", "off", "no", "False", "FALSE"})
        BOOST_TEST(!readText<Root>(std::string("plain: {flag: ") + no + "}").plain.flag);
}

BOOST_AUTO_TEST_CASE(durations_have_units) {
    const auto pause = [](const std::string& text) { return readText<Root>("pause: " + text).pause.count(); };

    BOOST_TEST(pause("500ms") == 500);
    BOOST_TEST(pause("60s") == 60'000);
    BOOST_TEST(pause("'5m'") == 300'000);
    BOOST_TEST(pause("1h") == 3'600'000);
    BOOST_TEST(pause("0s") == 0);
    BOOST_TEST(pause("8760h") == 31'536'000'000);
}

BOOST_AUTO_TEST_CASE(sizes_have_units_of_ten_and_of_two) {
    const auto size = [](const std::string& text) { return readText<Root>("size: " + text).size.bytes; };

    BOOST_TEST(size("0") == 0u);
    BOOST_TEST(size("512") == 512u);
    BOOST_TEST(size("512B") == 512u);
    BOOST_TEST(size("64kB") == 64'000u);
    BOOST_TEST(size("2MB") == 2'000'000u);
    BOOST_TEST(size("3GB") == 3'000'000'000u);
    BOOST_TEST(size("32KiB") == 32'768u);
    BOOST_TEST(size("16MiB") == 16'777'216u);
    BOOST_TEST(size("8589934591GiB") == 9'223'372'035'781'033'984u);
}

BOOST_AUTO_TEST_CASE(values_are_written_as_they_are_read) {
    using postbus::config::written;

    BOOST_TEST(written(milliseconds(0)) == "0s");
    BOOST_TEST(written(milliseconds(250)) == "250ms");
    BOOST_TEST(written(milliseconds(60'000)) == "60s");
    BOOST_TEST(written(milliseconds(90'000)) == "90s");
    BOOST_TEST(written(milliseconds(300'000)) == "5m");
    BOOST_TEST(written(milliseconds(3'600'000)) == "1h");
    BOOST_TEST(written(postbus::ByteSize{0}) == "0");
    BOOST_TEST(written(postbus::ByteSize{512}) == "512");
    BOOST_TEST(written(postbus::ByteSize{32'768}) == "32KiB");
    BOOST_TEST(written(postbus::ByteSize{16u << 20}) == "16MiB");
    BOOST_TEST(written(postbus::ByteSize{64'000}) == "64000");
}

BOOST_AUTO_TEST_SUITE_END()
