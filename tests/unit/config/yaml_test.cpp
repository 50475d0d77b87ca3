#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/unit/config/reading.hpp"
#include "tests/unit/config/sample.hpp"

using postbus::config::ConfigError;
using postbus::config::Document;
using sample::Root;

namespace {

void checkOnly(const std::string& yaml, const std::string& problem) {
    BOOST_TEST_CONTEXT(yaml.substr(0, 60)) { checkProblems(problemsOf<Root>(yaml), {problem}); }
}

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

/// A folder that goes with the test.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "postbus-XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()));
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream(path / name, std::ios::binary) << content;
        return (path / name).string();
    }
};

std::string whyNot(const std::string& file) {
    try {
        Document::load(file);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(yaml)

BOOST_AUTO_TEST_CASE(a_key_given_twice_is_refused_with_both_lines) {
    checkOnly("text: a\nbig: 1\ntext: b\n", "f.yaml:3:1: the key 'text' is given twice, first at line 1");
    checkOnly("queues:\n  - name: a\n    name: b\n",
              "f.yaml:3:5: queues[0]: the key 'name' is given twice, first at line 2");
    checkOnly("named: {x: {depth: 1}, \"x\": {depth: 2}}",
              "f.yaml:1:24: named: the key 'x' is given twice, first at line 1");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_yaml_is_refused_where_it_breaks) {
    checkOnly("queues: [\n  {name: one}\n", "f.yaml:3:1: the '[' at line 1 is not closed, or a ',' is missing");
    checkOnly("plain: {flag: on\nbig: 1\n", "f.yaml:2:4: the '{' at line 1 is not closed, or a ',' is missing");
    checkOnly("text: \"abc\nbig: 1\n", "f.yaml:3:1: the text in quotes is not closed");
    checkOnly("text: 'abc\n\n", "f.yaml:3:1: the text in quotes is not closed");
    checkOnly("text: \"abc\\\n", "f.yaml:2:1: the text in quotes is not closed");
    checkOnly("text: \"abc", "f.yaml:1:11: the text in quotes is not closed");
    checkOnly("text: \"\\q\"\n",
              "f.yaml:1:10: a backslash and a character that mean nothing together; use single quotes");
    checkOnly("text: a: b\n", "f.yaml:1:8: a ':' that starts no value here; put a text that holds ': ' into quotes");
    checkOnly("text: *nobody\n", "f.yaml:1:7: this alias (*) names no anchor (&) above");
    checkOnly("text: @x\n", "f.yaml:1:7: a character that starts no YAML value; put the text into quotes");
    checkOnly("text: a]\nbig: ]\n", "f.yaml:2:6: a ']' or '}' that closes nothing");
    checkOnly("plain:\n  flag: on\n ratio: 1\n",
              "f.yaml:3:2: neither a key of the mapping above nor its end; check the indentation");
    checkOnly("%FOO bar\n", "f.yaml:1:1: holds directives but no document");
}

BOOST_AUTO_TEST_CASE(a_tab_in_the_indentation_is_named) {
    checkOnly("plain:\n\tflag: on\n", "f.yaml:2:1: the line is indented by a tab; YAML takes spaces only");
    checkOnly("plain:\n  flag: on\n\tratio: 1\n", "f.yaml:3:1: the line is indented by a tab; YAML takes spaces only");
}

BOOST_AUTO_TEST_CASE(a_file_holds_one_document) {
    checkOnly("---\nbig: 1\n---\nbig: 2\n", "f.yaml:3:1: a second document begins here; a file holds one");
    checkOnly("- a\nb: c\n", "f.yaml:2:1: this belongs to nothing above; check the indentation and the brackets");
    BOOST_TEST(readText<Root>("---\nbig: 1\n...\n").big == 1);
}

BOOST_AUTO_TEST_CASE(text_is_utf8_without_control_characters) {
    checkOnly("text: Zo\xeb\n", "f.yaml:1:9: is not UTF-8 from here on; save the file as UTF-8");
    checkOnly("a: b\n\xc0\xaf", "f.yaml:2:1: is not UTF-8 from here on; save the file as UTF-8");
    checkOnly("text: \xed\xa0\x80", "f.yaml:1:7: is not UTF-8 from here on; save the file as UTF-8");
    checkOnly("text: \xf4\x90\x80\x80", "f.yaml:1:7: is not UTF-8 from here on; save the file as UTF-8");
    checkOnly("text: \xe6\x97", "f.yaml:1:7: is not UTF-8 from here on; save the file as UTF-8");
    checkOnly(std::string("\xff\xfe"
                          "a\0:\0",
                          6),
              "f.yaml:1:1: is UTF-16; save it as UTF-8");
    checkOnly(std::string("text: a\0b", 9), "f.yaml:1:8: the control character U+0000 is not allowed");
    checkOnly(
        "text: a\x04"
        "b",
        "f.yaml:1:8: the control character U+0004 is not allowed");
    checkOnly("text: a\rbig: 1\n", "f.yaml:1:8: the control character U+000D is not allowed");
    checkOnly("text: \xc2\x80", "f.yaml:1:7: the control character U+0080 is not allowed");
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_before_it_costs_a_stack) {
    for (const std::string& open : {std::string("["), std::string("{a: "), std::string("- ")}) {
        const auto start = std::chrono::steady_clock::now();
        const auto problems = problemsOf<Root>((open == "- " ? "" : "text: ") + repeated(open, 200'000));

        BOOST_REQUIRE_EQUAL(problems.size(), 1u);
        BOOST_TEST(problems[0].find("is nested more than 64 deep") != std::string::npos);
        BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(5)));
    }
    std::string block;
    for (int i = 0; i < 700; ++i) block += repeated(" ", i) + "a:\n";
    const auto problems = problemsOf<Root>(block);
    BOOST_REQUIRE_EQUAL(problems.size(), 1u);
    BOOST_TEST(problems[0].rfind("f.yaml:65:65: ", 0) == 0);
}

BOOST_AUTO_TEST_CASE(aliases_that_multiply_are_refused_without_being_expanded) {
    std::string yaml = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 9; ++i) {
        const std::string below = "*a" + std::to_string(i - 1) + ",";
        const std::string name = "a" + std::to_string(i);
        yaml += name + ": &" + name + " [" + repeated(below, 9) + "]\n";
    }

    checkOnly(
        yaml,
        "f.yaml:6:14: a5[1]: the document has more than 100000 values, counting each alias as what it stands for");
}

BOOST_AUTO_TEST_CASE(an_alias_stands_for_its_anchor) {
    const Root root = readText<Root>("queues: [&q {name: a, depth: 3}, *q]\nnamed: {x: *q}\n");

    BOOST_REQUIRE_EQUAL(root.queues.size(), 2u);
    BOOST_TEST(root.queues[1].depth == 3);
    BOOST_TEST(root.named.at("x").name == "a");
}

BOOST_AUTO_TEST_CASE(an_alias_inside_of_its_own_anchor_is_refused) {
    checkOnly("queues: &q [*q]\n", "f.yaml:1:13: queues[0]: this alias stands for the very value it is in");
    checkOnly("plain: &p {flag: *p}\n", "f.yaml:1:18: plain.flag: this alias stands for the very value it is in");
}

BOOST_AUTO_TEST_CASE(a_merge_key_brings_what_the_mapping_has_not) {
    const Root root = readText<Root>(
        "named:\n"
        "  base: &base {name: b, depth: 3}\n"
        "  other: &other {depth: 4, priority: 9}\n"
        "  one: {<<: *base, name: own}\n"
        "  two:\n"
        "    depth: 5\n"
        "    <<: [*base, *other]\n");

    BOOST_TEST(root.named.at("one").name == "own");
    BOOST_TEST(root.named.at("one").depth == 3);
    BOOST_TEST(root.named.at("two").name == "b");
    BOOST_TEST(root.named.at("two").depth == 5);
    BOOST_TEST(root.named.at("two").priority == 9);
}

BOOST_AUTO_TEST_CASE(a_merge_key_takes_mappings_only) {
    checkOnly("plain: {<<: x}\n", "f.yaml:1:9: plain: '<<' takes a mapping or a list of mappings, not 'x'");
    checkOnly("plain: {\"<<\": {}}\n",
              "f.yaml:1:9: plain: '<<' in quotes is no key of Postbus; without quotes it merges mappings");
}

BOOST_AUTO_TEST_CASE(keys_are_texts_and_tags_have_no_meaning) {
    checkOnly("? [a, b]\n: 1\n", "f.yaml:1:3: a key must be a text, this is a list");
    checkOnly("plain: {~: 1}\n", "f.yaml:1:9: plain: a key must be a text, this is nothing");
    checkOnly("text: !secret x\n", "f.yaml:1:7: text: the tag '!secret' has no meaning here; leave it out");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_says_why) {
    const Folder folder;

    BOOST_TEST(whyNot((folder.path / "none.yaml").string()) ==
               (folder.path / "none.yaml").string() + ": cannot be read: No such file or directory");
    BOOST_TEST(whyNot(folder.path.string()) == folder.path.string() + ": cannot be read: Is a directory");
    BOOST_TEST(whyNot("/dev/zero") == "/dev/zero:1:1: is larger than 1 MiB, the most a configuration may have");
    const std::string good = folder.write("good.yaml", "big: 3\n");
    BOOST_TEST(postbus::config::read<Root>(Document::load(good)).big == 3);
}

BOOST_AUTO_TEST_CASE(a_file_may_have_a_mebibyte_and_no_more) {
    const std::string comment = "#" + std::string((1 << 20) - 1, '.');

    BOOST_TEST(problemsOf<Root>(comment).empty());
    checkOnly(comment + ".", "f.yaml:1:1: is larger than 1 MiB, the most a configuration may have");
}

BOOST_AUTO_TEST_SUITE_END()
