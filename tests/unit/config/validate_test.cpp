#include "tests/unit/config/reading.hpp"

using postbus::field;

namespace {

struct Range {
    std::int32_t least = 1;
    std::int32_t most = 10;

    static constexpr auto fields() { return std::tuple{field("least", &Range::least), field("most", &Range::most)}; }
    void validate(const postbus::config::Site& site) {
        if (least > most) site["least"].refuse("is more than most, which is " + std::to_string(most));
    }
};

struct Item {
    std::string name;

    static constexpr std::string_view shorthand = "name";
    static constexpr auto fields() { return std::tuple{field("name", &Item::name)}; }
    void validate(const postbus::config::Site& site) {
        if (name.empty()) site["name"].refuse("is missing");
    }
};

struct Whole {
    Range range;
    std::vector<Item> items;
    std::string summary;

    static constexpr auto fields() {
        return std::tuple{field("range", &Whole::range), field("items", &Whole::items),
                          field("summary", &Whole::summary)};
    }
    void validate(const postbus::config::Site& site) {
        for (std::size_t i = 1; i < items.size(); ++i)
            if (items[i].name == items[0].name)
                site["items"][i]["name"].refuse("is the name of " + site["items"][0]["name"].described() + " too");
        if (!site["summary"].given()) summary = std::to_string(items.size()) + " items";
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(validate)

BOOST_AUTO_TEST_CASE(names_the_key_and_its_place) {
    checkProblems(problemsOf<Whole>("range:\n  least: 5\n  most: 4\n"),
                  {"f.yaml:2:10: range.least: is more than most, which is 4"});
}

BOOST_AUTO_TEST_CASE(names_the_nearest_place_when_the_key_is_absent) {
    checkProblems(problemsOf<Whole>("range: {most: 0}\n"), {"f.yaml:1:8: range.least: is more than most, which is 0"});
    checkProblems(problemsOf<Whole>("items: [a, {}]\n"), {"f.yaml:1:12: items[1].name: is missing"});
    checkProblems(problemsOf<Whole>("items:\n  - a\n  -\n"), {"f.yaml:3:3: items[1].name: is missing"});
}

BOOST_AUTO_TEST_CASE(names_the_scalar_that_stands_for_a_field_or_a_list) {
    checkProblems(problemsOf<Whole>("items: ''\n"), {"f.yaml:1:8: items: is missing"});
    checkProblems(problemsOf<Whole>("items: [a, b, a]\n"),
                  {"f.yaml:1:15: items[2]: is the name of items[0] at line 1 too"});
}

BOOST_AUTO_TEST_CASE(names_a_set) {
    checkProblems(problemsOf<Whole>("items: [a]\n", {"range.least=50"}),
                  {"--set range.least=50: range.least: is more than most, which is 10"});
}

BOOST_AUTO_TEST_CASE(says_nothing_more_about_a_value_that_could_not_be_read) {
    checkProblems(problemsOf<Whole>("items: [{name: [a]}]\n"),
                  {"f.yaml:1:16: items[0].name: expected a text, got a list"});
}

BOOST_AUTO_TEST_CASE(fills_in_what_follows_from_the_rest) {
    BOOST_TEST(readText<Whole>("items: [a, b]\n").summary == "2 items");
    BOOST_TEST(readText<Whole>("summary: mine\n").summary == "mine");
}

BOOST_AUTO_TEST_SUITE_END()
