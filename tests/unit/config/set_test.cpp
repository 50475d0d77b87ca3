#include "tests/unit/config/reading.hpp"
#include "tests/unit/config/sample.hpp"

using sample::Root;

BOOST_AUTO_TEST_SUITE(set)

BOOST_AUTO_TEST_CASE(replaces_a_value_and_makes_mappings_on_the_way) {
    const Root root = readText<Root>("plain: {flag: on}\n",
                                     {"plain.ratio=2", "named.Orders.depth=7", "text=a=b", "queues=[x, {name: y}]"});

    BOOST_TEST(root.plain.flag);
    BOOST_TEST(root.plain.ratio == 2.0);
    BOOST_TEST(root.named.at("Orders").depth == 7);
    BOOST_TEST(root.text == "a=b");
    BOOST_TEST(root.queues.size() == 2u);
}

BOOST_AUTO_TEST_CASE(quotes_a_segment_that_has_dots) {
    const Root root = readText<Root>("", {R"(named."My.Service".name=x)", R"(named."a \"b\" \\".name=y)"});

    BOOST_TEST(root.named.at("My.Service").name == "x");
    BOOST_TEST(root.named.at("a \"b\" \\").name == "y");
}

BOOST_AUTO_TEST_CASE(the_last_one_wins_and_mends_the_file) {
    BOOST_TEST(readText<Root>("big: wrong\n", {"big=1", "big=2"}).big == 2);
}

BOOST_AUTO_TEST_CASE(replaces_lists_and_mappings_as_a_whole) {
    const Root root = readText<Root>("queues: [a, b]\nplain: {flag: on, ratio: 9}\n", {"queues=c", "plain={flag: on}"});

    BOOST_TEST(root.queues.size() == 1u);
    BOOST_TEST(root.plain.ratio == 0.5);
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_shares_an_anchor) {
    const Root root = readText<Root>("named: {a: &q {depth: 1}, b: *q}\n", {"named.b.depth=2"});

    BOOST_TEST(root.named.at("a").depth == 1);
    BOOST_TEST(root.named.at("b").depth == 2);
}

BOOST_AUTO_TEST_CASE(is_named_by_what_is_wrong_with_it) {
    checkProblems(problemsOf<Root>("big: x\n", {"pause=5", "named.a={dept: 1}", "txt=1", "plain.flag=[", "text="}),
                  {"f.yaml:1:6: big: expected a whole number, got 'x'",
                   "--set pause=5: pause: '5' has no unit; write 5s for seconds or 5ms for milliseconds",
                   "--set named.a={dept: 1}: named.a: unknown key 'dept', did you mean 'depth'?",
                   "--set txt=1: unknown key 'txt', did you mean 'text'?",
                   "--set plain.flag=[: the '[' at --set plain.flag=[ is not closed, or a ',' is missing",
                   "--set text=: text: has no value; expected a text"});
}

BOOST_AUTO_TEST_CASE(does_not_reach_into_lists_and_texts) {
    checkProblems(problemsOf<Root>("queues:\n  - a\nnamed: {x: y}\n", {"queues.name=b", "named.x.depth=1"}),
                  {"--set queues.name=b: queues: is a list at line 2; lists are replaced as a whole",
                   "--set named.x.depth=1: named.x: is 'y' at line 3; set it as a whole"});
}

BOOST_AUTO_TEST_CASE(needs_a_path_and_a_value) {
    checkProblems(problemsOf<Root>("", {"text"}), {"--set text: has no '='; it is PATH=VALUE, as in admin.listen=off"});
    checkProblems(problemsOf<Root>("", {"=1", "a..b=1", "a.=1"}),
                  {"--set =1: an empty name in PATH; it is PATH=VALUE, as in admin.listen=off",
                   "--set a..b=1: an empty name in PATH; it is PATH=VALUE, as in admin.listen=off",
                   "--set a.=1: an empty name in PATH; it is PATH=VALUE, as in admin.listen=off"});
    checkProblems(problemsOf<Root>("", {"named.\"x=1"}), {"--set named.\"x=1: a quote in PATH is not closed"});
    checkProblems(problemsOf<Root>("", {"named.a\"b\"=1"}),
                  {"--set named.a\"b\"=1: a segment of PATH is quoted as a whole, as in endpoints.\"My.Service\""});
}

BOOST_AUTO_TEST_SUITE_END()
