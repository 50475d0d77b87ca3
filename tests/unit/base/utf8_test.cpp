#include <boost/test/unit_test.hpp>

#include "base/utf8.hpp"

BOOST_AUTO_TEST_SUITE(utf8)

BOOST_AUTO_TEST_CASE(takes_what_rfc_3629_takes) {
    using postbus::utf8Sequence;
    BOOST_TEST(utf8Sequence("a") == 1u);
    BOOST_TEST(utf8Sequence("\xC2\x80") == 2u);
    BOOST_TEST(utf8Sequence("\xE0\xA0\x80") == 3u);
    BOOST_TEST(utf8Sequence("\xED\x9F\xBF") == 3u);
    BOOST_TEST(utf8Sequence("\xEF\xBF\xBF") == 3u);
    BOOST_TEST(utf8Sequence("\xF0\x90\x80\x80") == 4u);
    BOOST_TEST(utf8Sequence("\xF4\x8F\xBF\xBF") == 4u);
}

BOOST_AUTO_TEST_CASE(refuses_overlong_surrogates_beyond_and_cut_off) {
    using postbus::utf8Sequence;
    for (const std::string_view bad :
         {"", "\x80", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x80\xAF", "\xED\xA0\x80", "\xE2\x82",
          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF0\x9F\x98", "\xFF"})
        BOOST_TEST(utf8Sequence(bad) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
