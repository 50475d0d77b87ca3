#include "base/net/address.hpp"

#include <boost/test/unit_test.hpp>

using postbus::net::Network;
using postbus::net::parseIp;
using postbus::net::parseListenAddress;

namespace {

bool contains(const char* network, const char* address) {
    const auto parsed = Network::parse(network);
    const auto bytes = parseIp(address);
    BOOST_REQUIRE(parsed);
    BOOST_REQUIRE(bytes);
    return parsed->contains(*bytes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(address)

BOOST_AUTO_TEST_CASE(takes_the_forms_of_a_listen_address) {
    const auto plain = parseListenAddress("127.0.0.1:8181");
    BOOST_REQUIRE(plain);
    BOOST_TEST(plain->host == "127.0.0.1");
    BOOST_TEST(plain->port == 8181);

    const auto six = parseListenAddress("[2001:db8::1]:443");
    BOOST_REQUIRE(six);
    BOOST_TEST(six->host == "2001:db8::1");
    BOOST_TEST(six->port == 443);

    const auto all = parseListenAddress("*:0");
    BOOST_REQUIRE(all);
    BOOST_TEST(all->host == "*");
    BOOST_TEST(all->port == 0);

    const auto name = parseListenAddress("bus-1.example:65535");
    BOOST_REQUIRE(name);
    BOOST_TEST(name->host == "bus-1.example");

    const auto socket = parseListenAddress("unix:/run/postbus/http.sock");
    BOOST_REQUIRE(socket);
    BOOST_TEST(socket->socket == "/run/postbus/http.sock");
    BOOST_TEST(socket->host.empty());
}

BOOST_AUTO_TEST_CASE(refuses_what_is_none) {
    for (const char* bad : {"",
                            "8181",
                            "localhost",
                            "127.0.0.1:",
                            ":8181",
                            "127.0.0.1:65536",
                            "127.0.0.1:-1",
                            "127.0.0.1:080",
                            "127.0.0.1:80a",
                            "256.0.0.1:80",
                            "1.2.3:80",
                            "::1:80",
                            "[::1]",
                            "[::g]:80",
                            "[127.0.0.1]:80",
                            "[]:80",
                            "a b:80",
                            "http://x:80",
                            "unix:",
                            "x/y:80"})
        BOOST_TEST(!parseListenAddress(bad), bad);
    BOOST_TEST(!parseListenAddress(std::string_view("unix:/a\0b", 9)));
    BOOST_TEST(!parseListenAddress(std::string_view("127.0.0.1\0:80", 13)));
    BOOST_TEST(!parseListenAddress("unix:/" + std::string(200, 'x')));
}

BOOST_AUTO_TEST_CASE(a_network_contains_its_addresses) {
    BOOST_TEST(contains("10.0.0.0/8", "10.255.255.255"));
    BOOST_TEST(!contains("10.0.0.0/8", "11.0.0.0"));
    BOOST_TEST(contains("192.168.4.0/22", "192.168.7.255"));
    BOOST_TEST(!contains("192.168.4.0/22", "192.168.8.0"));
    BOOST_TEST(contains("0.0.0.0/0", "203.0.113.9"));
    BOOST_TEST(!contains("0.0.0.0/0", "2001:db8::1"));
    BOOST_TEST(contains("::/0", "203.0.113.9"));
    BOOST_TEST(contains("127.0.0.1", "127.0.0.1"));
    BOOST_TEST(!contains("127.0.0.1", "127.0.0.2"));
    BOOST_TEST(contains("2001:db8::/33", "2001:db8:7fff::1"));
    BOOST_TEST(!contains("2001:db8::/33", "2001:db8:8000::1"));
    BOOST_TEST(contains("2001:db8::1/128", "2001:db8::1"));
}

BOOST_AUTO_TEST_CASE(an_ipv4_address_is_the_same_on_a_dual_stack_socket) {
    BOOST_TEST(contains("10.0.0.0/8", "::ffff:10.1.2.3"));
    BOOST_TEST(contains("::ffff:10.0.0.0/104", "10.1.2.3"));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_network) {
    for (const char* bad : {"", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.1/8",
                            "2001:db8::/129", "2001:db8::1/32", "localhost", "10.0.0.0/8/8", "10.0.0.0/255.0.0.0"})
        BOOST_TEST(!Network::parse(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
