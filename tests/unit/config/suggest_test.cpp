#include "config/suggest.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>

using postbus::config::editDistance;
using postbus::config::nearest;

BOOST_AUTO_TEST_SUITE(suggest)

BOOST_AUTO_TEST_CASE(counts_insertions_deletions_replacements_and_swaps) {
    BOOST_TEST(editDistance("", "") == 0u);
    BOOST_TEST(editDistance("depth", "depth") == 0u);
    BOOST_TEST(editDistance("dept", "depth") == 1u);
    BOOST_TEST(editDistance("depths", "depth") == 1u);
    BOOST_TEST(editDistance("depht", "depth") == 1u);
    BOOST_TEST(editDistance("dapth", "depth") == 1u);
    BOOST_TEST(editDistance("kitten", "sitting") == 3u);
    BOOST_TEST(editDistance("", "abc") == 3u);
    BOOST_TEST(editDistance("ca", "abc") == 3u);  // each place is edited once
}

BOOST_AUTO_TEST_CASE(finds_the_word_that_was_meant) {
    constexpr std::array<std::string_view, 5> known{"header-count", "headers", "body", "body-time", "idle"};

    BOOST_TEST(nearest("header", known) == "headers");
    BOOST_TEST(nearest("headerCount", known) == "header-count");
    BOOST_TEST(nearest("header_count", known) == "header-count");
    BOOST_TEST(nearest("BODY", known) == "body");
    BOOST_TEST(nearest("bodytime", known) == "body-time");
    BOOST_TEST(nearest("boyd", known) == "body");
    BOOST_TEST(nearest("timeout", known).empty());
    BOOST_TEST(nearest("", known).empty());
    BOOST_TEST(nearest(std::string(100'000, 'x'), known).empty());
}

BOOST_AUTO_TEST_SUITE_END()
