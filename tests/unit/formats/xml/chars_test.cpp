#include "formats/xml/chars.hpp"

#include <boost/test/unit_test.hpp>

using namespace postbus::xml;

BOOST_AUTO_TEST_SUITE(chars)

BOOST_AUTO_TEST_CASE(are_told_from_what_is_none_at_every_place_of_every_length) {
    const auto oneByOne = [](std::string_view text) {
        for (const char* at = text.data(); at < text.data() + text.size();) {
            const std::size_t length = charLength(at, text.data() + text.size());
            if (length == 0) return false;
            at += length;
        }
        return true;
    };
    for (std::size_t length = 0; length <= 40; ++length)
        for (std::size_t place = 0; place < length; ++place)
            for (int byte = 0; byte < 256; ++byte) {
                std::string text(length, 'a');
                text[place] = static_cast<char>(byte);
                BOOST_REQUIRE(isChars(text) == oneByOne(text));
            }
    BOOST_TEST(isChars(""));
    BOOST_TEST(isChars("Zo\xC3\xAB \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80 with a tab\t and lines\r\n"));
    BOOST_TEST(!isChars("a surrogate \xED\xA0\x80"));
    BOOST_TEST(!isChars("no character \xEF\xBF\xBE"));
    BOOST_TEST(!isChars("cut off in the midst \xE6\x97"));
}

BOOST_AUTO_TEST_SUITE_END()
