#include <boost/test/unit_test.hpp>

#include "base/buffer.hpp"

using postbus::Buffer;

BOOST_AUTO_TEST_SUITE(buffer)

BOOST_AUTO_TEST_CASE(puts_heads_before_what_is_there_without_moving_it) {
    Buffer buffer(256, 64);
    buffer.append("payload");
    const char* const payload = buffer.data();

    buffer.prepend("<envelope>");
    buffer.prepend("HTTP/1.1 200 OK\r\n\r\n");

    BOOST_TEST(buffer.view() == "HTTP/1.1 200 OK\r\n\r\n<envelope>payload");
    BOOST_TEST(static_cast<const void*>(buffer.data() + buffer.size() - 7) == static_cast<const void*>(payload));
}

BOOST_AUTO_TEST_CASE(prepends_beyond_its_headroom) {
    Buffer buffer;
    buffer.append("b");

    buffer.prepend(std::string(3000, 'a'));

    BOOST_TEST(buffer.size() == 3001u);
    BOOST_TEST(buffer.view().back() == 'b');
}

BOOST_AUTO_TEST_CASE(keeps_content_and_headroom_when_it_grows) {
    Buffer buffer(16, 8);
    buffer.append("0123456789");

    buffer.append(std::string(1000, 'x'));

    BOOST_TEST(buffer.view().substr(0, 10) == "0123456789");
    BOOST_TEST(buffer.headroom() == 8u);
}

BOOST_AUTO_TEST_CASE(keeps_its_address_when_moved_however_short) {
    Buffer buffer;
    buffer.append("x");
    const char* const before = buffer.data();

    const Buffer moved = std::move(buffer);

    BOOST_TEST(static_cast<const void*>(moved.data()) == static_cast<const void*>(before));
}

BOOST_AUTO_TEST_SUITE_END()
