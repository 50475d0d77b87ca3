#include "transports/http/client/http_url.hpp"

#include <boost/test/unit_test.hpp>

using namespace postbus;
using http::parseHttpUrl;

BOOST_AUTO_TEST_SUITE(http_url)

BOOST_AUTO_TEST_CASE(takes_an_address_apart) {
    const auto url = parseHttpUrl("HTTP://Backend:9000/a/b?x=1&y");

    BOOST_REQUIRE(url);
    BOOST_TEST(url->host == "Backend");
    BOOST_TEST(url->port == 9000);
    BOOST_TEST(url->authority == "Backend:9000");
    BOOST_TEST(url->path == "/a/b");
    BOOST_TEST(url->query == "x=1&y");
    BOOST_TEST(url->text() == "http://Backend:9000/a/b?x=1&y");
}

BOOST_AUTO_TEST_CASE(fills_in_port_and_path) {
    const auto url = parseHttpUrl("http://backend");
    BOOST_REQUIRE(url);
    BOOST_TEST(url->port == 80);
    BOOST_TEST(url->path == "/");

    const auto six = parseHttpUrl("http://[::1]?q");
    BOOST_REQUIRE(six);
    BOOST_TEST(six->host == "::1");
    BOOST_TEST(six->port == 80);
    BOOST_TEST(six->origin() == "[::1]:80");
    BOOST_TEST(six->query == "q");
}

BOOST_AUTO_TEST_CASE(says_why_it_takes_no_other) {
    const auto why = [](std::string_view text) {
        const auto url = parseHttpUrl(text);
        return url ? std::string("taken") : url.error().message();
    };
    BOOST_TEST(why("https://backend/") ==
               "is https, which this version does not call yet; use http:// to a TLS proxy near by");
    BOOST_TEST(why("ftp://backend/") == "is not of the form http://HOST:PORT/PATH");
    BOOST_TEST(why("http:/backend/") == "is not of the form http://HOST:PORT/PATH");
    BOOST_TEST(why("backend/") == "is not of the form http://HOST:PORT/PATH");
    BOOST_TEST(why("http://me:secret@backend/") ==
               "has a user name; write credentials into backend: {credentials: ...}");
    for (const std::string_view text : {"http://", "http:///a", "http://b:0/", "http://b:70000/", "http://b c/"})
        BOOST_TEST(why(text) == "has no valid host and port");
    BOOST_TEST(why("http://b/#x") == "has a '#': a fragment is never sent to a server");
    for (const std::string_view text : {"http://b/a b", "http://b/%zz", "http://b/?a b", "http://b/\r\nX: y"})
        BOOST_TEST(why(text) == "holds a character that a URL does not have; percent-encode it");
}

BOOST_AUTO_TEST_SUITE_END()
