#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>
#include <new>

#include "queues/selector/evaluate.hpp"
#include "queues/selector/parser.hpp"
#include "queues/selector/selector.hpp"

using namespace postbus;
using namespace postbus::queues;

namespace {

class Sample : public SelectorProperties {
public:
    SelectorValue get(std::string_view name) const override {
        const auto found = values_.find(name);
        return found == values_.end() ? SelectorValue() : found->second;
    }

private:
    const std::map<std::string_view, SelectorValue> values_ = {
        {"i", std::int64_t{5}},
        {"zero", std::int64_t{0}},
        {"big", std::int64_t{9007199254740993}},
        {"max", INT64_MAX},
        {"min", INT64_MIN},
        {"d", 2.5},
        {"nan", std::strtod("nan", nullptr)},
        {"s", std::string_view("north")},
        {"digits", std::string_view("5")},
        {"percent", std::string_view("50%")},
        {"umlaut", std::string_view("M\xC3\xBCnchen")},
        {"quoted", std::string_view("it's")},
        {"empty", std::string_view("")},
        {"t", true},
        {"f", false},
        {"JMSPriority", std::int64_t{4}},
        {"JMSDeliveryMode", std::string_view("PERSISTENT")},
        {"JMSXGroupID", std::string_view("g")},
        {"amqp.correlation_id", std::string_view("c1")},
        {"Case", std::int64_t{1}},
    };
};

/// T, F or ? for unknown; the message of the refusal when there is one.
std::string outcome(const std::string& text) {
    auto compiled = Selector::compile(text);
    if (!compiled) return compiled.error().message();
    auto tree = selector::Parser(text).parse();
    const Sample sample;
    const SelectorValue value = selector::evaluate(*tree, tree->root, sample);
    const bool* known = std::get_if<bool>(&value);
    const std::string shown = !known ? "?" : *known ? "T" : "F";
    if (compiled->matches(sample) != (shown == "T")) return "matches() differs";
    return shown;
}

struct Row {
    const char* text;
    const char* outcome;
};

void check(std::initializer_list<Row> rows) {
    for (const Row& row : rows) BOOST_TEST(outcome(row.text) == row.outcome, row.text << ": " << outcome(row.text));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(selector_)

BOOST_AUTO_TEST_CASE(compares_numbers_of_both_kinds_exactly) {
    check({{"i = 5", "T"},
           {"i <> 5", "F"},
           {"5 = i", "T"},
           {"i = 5.0", "T"},
           {"i < 5.5", "T"},
           {"d >= 2.5", "T"},
           {"d > 3", "F"},
           {"big = 9007199254740993", "T"},
           {"big = 9007199254740992.0", "F"},
           {"big > 9007199254740992.0", "T"},
           {"nan = nan", "F"},
           {"i<6 AND i>4", "T"},
           {"-i = -5", "T"},
           {"+i = 5", "T"},
           {"- -i = 5", "T"},
           {"min = -9223372036854775808", "T"},
           {"max = 9223372036854775807", "T"}});
}

BOOST_AUTO_TEST_CASE(reads_javas_literals) {
    check({{"255 = 0xFF", "T"},
           {"8 = 010", "T"},
           {"i = 5L", "T"},
           {"i = 5l", "T"},
           {"7E3 = 7000", "T"},
           {"i = 5f", "T"},
           {"d = 2.5D", "T"},
           {"-57.9E2 = -5790", "T"},
           {".5 = 0.5", "T"},
           {"7. = 7", "T"},
           {"1e+2 = 100", "T"},
           {"1E-2 = 0.01", "T"},
           {"0 = zero", "T"}});
}

BOOST_AUTO_TEST_CASE(makes_no_number_of_a_text) {
    check({{"digits = 5", "F"},
           {"digits <> 5", "F"},
           {"digits > 4", "F"},
           {"digits = '5'", "T"},
           {"digits + 1 = 6", "?"},
           {"i = '5'", "F"},
           {"t = 1", "F"},
           {"NOT (digits = 5)", "T"}});
}

BOOST_AUTO_TEST_CASE(knows_only_equality_of_texts_and_booleans) {
    check({{"s = 'north'", "T"},
           {"s <> 'south'", "T"},
           {"s = 'North'", "F"},
           {"quoted = 'it''s'", "T"},
           {"empty = ''", "T"},
           {"s < digits", "F"},
           {"t = TRUE", "T"},
           {"t <> false", "T"},
           {"t > f", "F"},
           {"t", "T"},
           {"f", "F"},
           {"NOT f", "T"},
           {"i AND t", "?"},
           {"TRUE", "T"}});
}

BOOST_AUTO_TEST_CASE(has_three_values) {
    check({{"no = 1", "?"},
           {"no <> 1", "?"},
           {"no = no", "?"},
           {"NOT no = 1", "?"},
           {"no = 1 AND i = 5", "?"},
           {"no = 1 AND i = 4", "F"},
           {"i = 4 AND no = 1", "F"},
           {"no = 1 OR i = 5", "T"},
           {"i = 5 OR no = 1", "T"},
           {"no = 1 OR i = 4", "?"},
           {"no = 1 OR no = 2", "?"},
           {"NOT (no = 1 AND i = 4)", "T"},
           {"no + 1 = 2", "?"},
           {"no BETWEEN 1 AND 2", "?"},
           {"i BETWEEN no AND 4", "F"},
           {"i NOT BETWEEN no AND 4", "T"},
           {"i BETWEEN no AND 6", "?"},
           {"no IN ('a')", "?"},
           {"no NOT IN ('a')", "?"},
           {"no LIKE '%'", "?"},
           {"no NOT LIKE '%'", "?"},
           {"no IS NULL", "T"},
           {"no IS NOT NULL", "F"},
           {"i IS NULL", "F"},
           {"empty IS NOT NULL", "T"},
           {"no", "?"}});
}

BOOST_AUTO_TEST_CASE(binds_not_before_and_before_or) {
    check({{"t OR t AND f", "T"},
           {"(t OR t) AND f", "F"},
           {"NOT t OR t", "T"},
           {"NOT (t OR t)", "F"},
           {"NOT NOT t", "T"},
           {"1 + 2 * 3 = 7", "T"},
           {"(1 + 2) * 3 = 9", "T"},
           {"10 - 2 - 3 = 5", "T"},
           {"12 / 2 / 3 = 2", "T"},
           {"i = 5 and not f or f", "T"},
           {"1 - -1 = 2", "T"}});
}

BOOST_AUTO_TEST_CASE(calculates_in_64_bits_and_beyond_in_floats) {
    check({{"7 / 2 = 3", "T"},
           {"-7 / 2 = -3", "T"},
           {"7 / 2.0 = 3.5", "T"},
           {"i / zero = 1", "?"},
           {"i / 0.0 > 1000000", "T"},
           {"max + 1 > max", "T"},
           {"min - 1 <= min", "T"},
           {"min / -1 > max", "T"},
           {"max * 2 > max", "T"},
           {"-min > max", "T"}});
}

BOOST_AUTO_TEST_CASE(finds_texts_in_lists_and_ranges) {
    check({{"s IN ('south', 'north')", "T"},
           {"s NOT IN ('south')", "T"},
           {"s IN ('south')", "F"},
           {"i IN ('5')", "F"},
           {"i NOT IN ('5')", "T"},
           {"i BETWEEN 5 AND 5", "T"},
           {"i BETWEEN 1 + 1 AND 2 * 3", "T"},
           {"i NOT BETWEEN 6 AND 9", "T"},
           {"s BETWEEN 1 AND 2", "F"},
           {"i BETWEEN 9 AND 1", "F"}});
}

BOOST_AUTO_TEST_CASE(knows_patterns) {
    check({{"s LIKE 'n%'", "T"},
           {"s LIKE '%th'", "T"},
           {"s LIKE 'n_rth'", "T"},
           {"s LIKE 'n_th'", "F"},
           {"s LIKE 'nor'", "F"},
           {"s LIKE '%o%t%'", "T"},
           {"s LIKE '%x%'", "F"},
           {"s LIKE '%'", "T"},
           {"s LIKE '_____'", "T"},
           {"s LIKE '______'", "F"},
           {"s NOT LIKE 's%'", "T"},
           {"empty LIKE ''", "T"},
           {"empty LIKE '%'", "T"},
           {"empty LIKE '_'", "F"},
           {"percent LIKE '50!%' ESCAPE '!'", "T"},
           {"s LIKE 'n!%' ESCAPE '!'", "F"},
           {"percent LIKE '%!%' ESCAPE '!'", "T"},
           {"umlaut LIKE 'M_nchen'", "T"},
           {"umlaut LIKE 'M__nchen'", "F"},
           {"umlaut LIKE '%_chen'", "T"},
           {"i LIKE '5'", "F"},
           {"i NOT LIKE '5'", "T"}});
}

BOOST_AUTO_TEST_CASE(names_fields_properties_and_amqps_names) {
    check({{"JMSPriority >= 4", "T"},
           {"JMSDeliveryMode = 'PERSISTENT'", "T"},
           {"JMSXGroupID = 'g'", "T"},
           {"JMS_vendor IS NULL", "T"},
           {"amqp.correlation_id = 'c1'", "T"},
           {"case = 1", "?"},
           {"Case = 1", "T"},
           {"s is not null", "T"},
           {"$x IS NULL AND _y IS NULL AND \xC3\xA4 IS NULL", "T"}});
}

BOOST_AUTO_TEST_CASE(refuses_with_the_place_and_what_was_expected) {
    check({{"i =", "selector, at character 4: expected a value, found the end"},
           {"i = 5 i", "selector, at character 7: expected AND, OR or the end, found 'i'"},
           {"(i = 5", "selector, at character 7: expected ')', found the end"},
           {"i = 'x", "selector, at character 5: a text without its closing quote"},
           {"i # 5", "selector, at character 3: '#' means nothing here"},
           {"i + 5", "selector, at character 1: there must be a condition"},
           {"'a' < s", "selector, at character 5: there must be a number, since text and booleans have no order"},
           {"i + 'a' = 5", "selector, at character 3: there must be a number"},
           {"5 IN ('a')", "selector, at character 3: IN needs the name of a property before it"},
           {"s IN (5)", "selector, at character 7: expected a text, found '5'"},
           {"s IN ()", "selector, at character 7: expected a text, found ')'"},
           {"s LIKE 5", "selector, at character 8: expected a pattern, found '5'"},
           {"s LIKE 'a!' ESCAPE '!'", "selector, at character 8: the pattern ends with its escape"},
           {"s LIKE 'a' ESCAPE 'xy'", "selector, at character 19: expected one character in quotes, found 'xy'"},
           {"JMSReplyTo = 'x'", "selector, at character 1: a selector can't name the field JMSReplyTo"},
           {"i = 9223372036854775808", "selector, at character 5: a number beyond 64 bits"},
           {"i = 99999999999999999999", "selector, at character 5: a number beyond 64 bits"},
           {"i = 08", "selector, at character 5: not a number"},
           {"i = 5x", "selector, at character 5: not a number"},
           {"i = 0x", "selector, at character 5: not a number"},
           {"i NOT = 5", "selector, at character 7: expected BETWEEN, IN or LIKE, found '='"},
           {"i IS 5", "selector, at character 6: expected NULL, found '5'"},
           {"'north'", "selector, at character 1: there must be a condition"},
           {"NULL = i", "selector, at character 1: expected a value, found 'NULL'"}});
}

BOOST_AUTO_TEST_CASE(bounds_length_depth_and_patterns) {
    const std::string deep = std::string(65, '(').append("t").append(65, ')');
    const std::string fits = std::string(64, '(').append("t").append(64, ')');
    std::string nots, sum = "0";
    for (int i = 0; i < 65; ++i) nots += "NOT ";
    for (int i = 0; i < 1000; ++i) sum += "+1";

    BOOST_TEST(outcome(fits) == "T");
    BOOST_TEST(outcome(deep).find("nested too deep") != std::string::npos);
    BOOST_TEST(outcome(nots + "t").find("nested too deep") != std::string::npos);
    BOOST_TEST(outcome(sum + " = 1000").find("nested too deep") != std::string::npos);
    BOOST_TEST(outcome(std::string(9000, ' ').append("t")).find("more than 8192") != std::string::npos);
    BOOST_TEST(outcome(std::string("s LIKE '").append(1025, '%').append("'")).find("too long") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(takes_long_chains_of_conditions) {
    std::string chain = "i = 5";
    for (int i = 0; i < 1000; ++i) chain += " OR t";

    BOOST_TEST(outcome(chain) == "T");
}

BOOST_AUTO_TEST_CASE(selects_all_when_blank) {
    for (const char* text : {"", "  \t\n"}) {
        const auto compiled = Selector::compile(text);
        BOOST_REQUIRE(compiled);
        BOOST_TEST(compiled->selectsAll());
        BOOST_TEST(compiled->matches(Sample()));
    }
}

BOOST_AUTO_TEST_SUITE_END()
