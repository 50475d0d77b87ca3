#include "tests/unit/config/reading.hpp"
#include "tests/unit/config/sample.hpp"

using sample::Root;

namespace {

/// The one problem of a document, without the file's name.
std::string problemOf(const std::string& yaml) {
    const std::vector<std::string> problems = problemsOf<Root>(yaml);
    BOOST_REQUIRE_EQUAL(problems.size(), 1u);
    BOOST_REQUIRE(problems[0].rfind("f.yaml:", 0) == 0);
    return problems[0].substr(7);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(an_unknown_key_gets_the_key_that_was_meant) {
    BOOST_TEST(problemOf("named:\n  Orders: {name: orders, dept: 64}") ==
               "2:26: named.Orders: unknown key 'dept', did you mean 'depth'?");
    BOOST_TEST(problemOf("txet: x") == "1:1: unknown key 'txet', did you mean 'text'?");
    BOOST_TEST(problemOf("plain: {Flag: on}") == "1:9: plain: unknown key 'Flag', did you mean 'flag'?");
    BOOST_TEST(problemOf("plain: {unlike: on}") == "1:9: plain: unknown key 'unlike'; known are: flag, ratio");
    BOOST_TEST(problemOf("queues: [{nmae: x}]") == "1:11: queues[0]: unknown key 'nmae', did you mean 'name'?");
    BOOST_TEST(problemOf("plain: {\"a\\nb\": 1}") == "1:9: plain: unknown key 'a\\nb'; known are: flag, ratio");
}

BOOST_AUTO_TEST_CASE(a_wrong_type_is_named_with_what_was_found) {
    BOOST_TEST(problemOf("text: [a]") == "1:7: text: expected a text, got a list");
    BOOST_TEST(problemOf("text: {a: b}") == "1:7: text: expected a text, got a mapping");
    BOOST_TEST(problemOf("plain: yes") == "1:8: plain: expected a mapping, got 'yes'");
    BOOST_TEST(problemOf("plain: [1]") == "1:8: plain: expected a mapping, got a list");
    BOOST_TEST(problemOf("queues: [[a]]") == "1:10: queues[0]: expected a mapping, got a list");
    BOOST_TEST(problemOf("named: [a]") == "1:8: named: expected a mapping of names, got a list");
    BOOST_TEST(problemOf("plain: {flag: maybe}") == "1:15: plain.flag: expected true or false, got 'maybe'");
    BOOST_TEST(problemOf("plain: {flag: 'true'}") == "1:15: plain.flag: expected true or false, got 'true' in quotes");
    BOOST_TEST(problemOf("big: ten") == "1:6: big: expected a whole number, got 'ten'");
    BOOST_TEST(problemOf("just a text") == "1:1: expected a mapping, got 'just a text'");
    BOOST_TEST(problemOf("- a") == "1:1: expected a mapping, got a list");
}

BOOST_AUTO_TEST_CASE(nothing_is_no_value) {
    BOOST_TEST(problemOf("text:\nbig: 1") == "1:1: text: has no value; expected a text");
    BOOST_TEST(problemOf("big: ~") == "1:1: big: has no value; expected a whole number");
    BOOST_TEST(problemOf("queues:\n# - a\n") == "1:1: queues: has no value; write [] for an empty list");
    BOOST_TEST(problemOf("colour: null") == "1:1: colour: has no value; expected one of: red, green");
}

BOOST_AUTO_TEST_CASE(numbers_are_whole_in_range_and_decimal) {
    BOOST_TEST(problemOf("named: {a: {depth: 65536}}") ==
               "1:20: named.a.depth: '65536' is too large; the most is 65535");
    BOOST_TEST(problemOf("named: {a: {depth: -1}}") == "1:20: named.a.depth: '-1' is negative; the least is 0");
    BOOST_TEST(problemOf("named: {a: {priority: -129}}") ==
               "1:23: named.a.priority: '-129' is too small; the least is -128");
    BOOST_TEST(problemOf("named: {a: {priority: 128}}") ==
               "1:23: named.a.priority: '128' is too large; the most is 127");
    BOOST_TEST(problemOf("big: 9223372036854775808") ==
               "1:6: big: '9223372036854775808' is too large; the most is 9223372036854775807");
    BOOST_TEST(problemOf("huge: 18446744073709551616") ==
               "1:7: huge: '18446744073709551616' is too large; the most is 18446744073709551615");
    for (const char* bad : {"0x10", "010", "1.5", "1e3", "+1", "1_000", "--1", "-"})
        BOOST_TEST(
            problemOf(std::string("big: ") + (std::string(bad) == "-" ? "'-'" : bad)).find("expected a whole number") !=
            std::string::npos);
    BOOST_TEST(problemOf("big: '5'") == "1:6: big: expected a whole number, got '5' in quotes");
    BOOST_TEST(problemOf("plain: {ratio: .inf}") == "1:16: plain.ratio: expected a number, got '.inf'");
    BOOST_TEST(problemOf("plain: {ratio: nan}") == "1:16: plain.ratio: expected a number, got 'nan'");
    BOOST_TEST(problemOf("plain: {ratio: 1e999}") == "1:16: plain.ratio: '1e999' is out of range");
}

BOOST_AUTO_TEST_CASE(a_duration_needs_a_unit) {
    BOOST_TEST(problemOf("pause: 60") ==
               "1:8: pause: '60' has no unit; write 60s for seconds or 60ms for milliseconds");
    BOOST_TEST(problemOf("pause: 5d") == "1:8: pause: 'd' is no unit of time; known are: ms, s, m, h");
    BOOST_TEST(problemOf("pause: 1.5s") == "1:8: pause: '.5s' is no unit of time; known are: ms, s, m, h");
    BOOST_TEST(problemOf("pause: 5 m") == "1:8: pause: '5 m' has a blank before its unit; write 5m");
    BOOST_TEST(problemOf("pause: soon") == "1:8: pause: expected a duration such as 500ms, 60s, 5m or 1h, got 'soon'");
    BOOST_TEST(problemOf("pause: 8761h") == "1:8: pause: '8761h' is too large; the most is 8760h");
    BOOST_TEST(problemOf("pause: 99999999999999999999ms") ==
               "1:8: pause: '99999999999999999999ms' is too large; the most is 8760h");
}

BOOST_AUTO_TEST_CASE(a_size_has_a_unit_we_know) {
    BOOST_TEST(problemOf("size: 32K") == "1:7: size: 'K' is no unit of size; known are: B, kB, MB, GB, KiB, MiB, GiB");
    BOOST_TEST(problemOf("size: 1 MB") == "1:7: size: '1 MB' has a blank before its unit; write 1MB");
    BOOST_TEST(problemOf("size: 1 K") == "1:7: size: ' K' is no unit of size; known are: B, kB, MB, GB, KiB, MiB, GiB");
    BOOST_TEST(problemOf("size: -1") == "1:7: size: expected a size such as 512, 64kB, 32KiB or 16MiB, got '-1'");
    BOOST_TEST(problemOf("size: 8589934592GiB") ==
               "1:7: size: '8589934592GiB' is too large; the most is 9223372036854775807");
}

BOOST_AUTO_TEST_CASE(a_choice_lists_what_there_is) {
    BOOST_TEST(problemOf("colour: gren") == "1:9: colour: unknown value 'gren', did you mean 'green'?");
    BOOST_TEST(problemOf("colour: violet") == "1:9: colour: unknown value 'violet'; known are: red, green");
    BOOST_TEST(problemOf("colours: [red, blu]") == "1:16: colours[1]: unknown value 'blu'; known are: red, green");
}

BOOST_AUTO_TEST_CASE(all_problems_come_at_once_in_the_order_of_the_file) {
    checkProblems(
        problemsOf<Root>("colours: [pink]\n"
                         "plain: {flag: 1, ratio: x}\n"
                         "txt: 1\n"
                         "pause: 5\n"
                         "big: 1\n"
                         "pause: 6\n"),
        {"f.yaml:1:11: colours[0]: unknown value 'pink'; known are: red, green",
         "f.yaml:2:15: plain.flag: expected true or false, got '1'",
         "f.yaml:2:25: plain.ratio: expected a number, got 'x'", "f.yaml:3:1: unknown key 'txt', did you mean 'text'?",
         "f.yaml:4:8: pause: '5' has no unit; write 5s for seconds or 5ms for milliseconds",
         "f.yaml:6:1: the key 'pause' is given twice, first at line 4",
         "f.yaml:6:8: pause: '6' has no unit; write 6s for seconds or 6ms for milliseconds"});
}

BOOST_AUTO_TEST_CASE(a_flood_is_cut_after_a_hundred) {
    std::string yaml = "queues:\n";
    for (int i = 0; i < 250; ++i) yaml += "  - {wrong: 1}\n";

    const std::vector<std::string> problems = problemsOf<Root>(yaml);

    BOOST_REQUIRE_EQUAL(problems.size(), 101u);
    BOOST_TEST(problems[99] == "f.yaml:101:6: queues[99]: unknown key 'wrong'; known are: name, depth, priority");
    BOOST_TEST(problems[100] == "and 150 more problems");
}

BOOST_AUTO_TEST_CASE(columns_count_characters) {
    BOOST_TEST(
        problemOf("named: {Zo\xc3\xab\xe2\x80\x93\xe6\x97\xa5\xe6\x9c\xac: {depth: x}}") ==
        "1:25: named.\"Zo\xc3\xab\xe2\x80\x93\xe6\x97\xa5\xe6\x9c\xac\".depth: expected a whole number, got 'x'");
    BOOST_TEST(problemOf("\xef\xbb\xbf"
                         "big: x") == "1:6: big: expected a whole number, got 'x'");
    BOOST_TEST(problemOf("text: a\r\nbig: x\r\n") == "2:6: big: expected a whole number, got 'x'");
}

BOOST_AUTO_TEST_CASE(long_words_are_cut_between_characters) {
    const std::string word(79, 'x');

    BOOST_TEST(problemOf("colour: " + word +
                         "\xc3\xab"
                         "end") == "1:9: colour: unknown value '" + word + "...'; known are: red, green");
}

BOOST_AUTO_TEST_CASE(what_a_file_says_can_forge_no_line) {
    // U+009B is the one-character form of ESC [.
    BOOST_TEST(problemOf("colour: \"\\x9b31m\\x7f\"") ==
               "1:9: colour: unknown value '\\x9b31m\\x7f'; known are: red, green");
    const std::string problem = problemOf("colour: \"a\\nf.yaml:9:9: forged\\e[31m\"");

    BOOST_TEST(problem == "1:9: colour: unknown value 'a\\nf.yaml:9:9: forged\\x1b[31m'; known are: red, green");
}

BOOST_AUTO_TEST_SUITE_END()
