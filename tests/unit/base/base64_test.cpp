#include "base/base64.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(base64)

// RFC 4648 section 10.
BOOST_AUTO_TEST_CASE(writes_the_vectors_of_the_rfc) {
    BOOST_TEST(postbus::base64("") == "");
    BOOST_TEST(postbus::base64("f") == "Zg==");
    BOOST_TEST(postbus::base64("fo") == "Zm8=");
    BOOST_TEST(postbus::base64("foo") == "Zm9v");
    BOOST_TEST(postbus::base64("foob") == "Zm9vYg==");
    BOOST_TEST(postbus::base64("fooba") == "Zm9vYmE=");
    BOOST_TEST(postbus::base64("foobar") == "Zm9vYmFy");
}

BOOST_AUTO_TEST_CASE(writes_bytes_with_the_high_bit) { BOOST_TEST(postbus::base64("\xff\xfe\xfd") == "//79"); }

BOOST_AUTO_TEST_SUITE_END()
