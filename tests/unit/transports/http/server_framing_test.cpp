#include <boost/test/unit_test.hpp>

#include "tests/unit/transports/http/server_fixture.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

struct Bad {
    const char* what;
    std::string bytes;
    int status = 400;
};

const std::string begin = "POST /test HTTP/1.1\r\nHost: h\r\n";

/// What must not be understood in two ways (RFC 9112 section 11.2): refused, and the connection ends, so that nothing
/// behind it is taken for a request.
const Bad bad[] = {
    {"two lengths", begin + "Content-Length: 4\r\nContent-Length: 40\r\n\r\nechoGET /test HTTP/1.1\r\nHost: h\r\n\r\n"},
    {"the same length twice", begin + "Content-Length: 4\r\nContent-Length: 4\r\n\r\necho"},
    {"length and chunked", begin + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {"an empty Transfer-Encoding first",
     begin + "Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n\r\n4\r\necho\r\n0\r\n\r\n"},
    {"an unknown transfer coding", begin + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
    {"bare LF as line end", "POST /test HTTP/1.1\nHost: h\nContent-Length: 4\n\necho"},
    {"bare LF inside of a value", begin + "X-Pad: a\nContent-Length: 4\r\n\r\necho"},
    {"bare CR", begin + "X-Pad: a\rContent-Length: 4\r\n\r\necho"},
    {"a folded line", begin + "X-Pad: a\r\n Content-Length: 4\r\n\r\necho"},
    {"a blank before the colon", begin + "Content-Length : 4\r\n\r\necho"},
    {"a name that is no token", begin + "Content Length: 4\r\n\r\necho"},
    {"NUL in a value", begin + std::string("X-Pad: a\0b\r\nContent-Length: 4\r\n\r\necho", 37)},
    {"a length over 64 bits", begin + "Content-Length: 18446744073709551620\r\n\r\necho"},
    {"a negative length", begin + "Content-Length: -1\r\n\r\necho"},
    {"no chunk size", begin + "Transfer-Encoding: chunked\r\n\r\n\r\necho"},
    {"a chunk size with 0x", begin + "Transfer-Encoding: chunked\r\n\r\n0x4\r\necho\r\n0\r\n\r\n"},
    {"a signed chunk size", begin + "Transfer-Encoding: chunked\r\n\r\n+4\r\necho\r\n0\r\n\r\n"},
    {"a chunk size with blanks", begin + "Transfer-Encoding: chunked\r\n\r\n4 \r\necho\r\n0\r\n\r\n"},
    {"a chunk size over 64 bits", begin + "Transfer-Encoding: chunked\r\n\r\n10000000000000004\r\necho\r\n0\r\n\r\n"},
    {"no CR LF behind a chunk", begin + "Transfer-Encoding: chunked\r\n\r\n4\r\nechoXX0\r\n\r\n"},
    {"no Host", "POST /test HTTP/1.1\r\nContent-Length: 4\r\n\r\necho"},
    {"two Hosts", begin + "Host: i\r\nContent-Length: 4\r\n\r\necho"},
    {"a Host that is none", "GET /test HTTP/1.1\r\nHost: a\"><b\r\n\r\n"},
    {"two blanks in the request line", "GET  /test HTTP/1.1\r\nHost: h\r\n\r\n"},
    {"a path with ..", "GET /a/../test HTTP/1.1\r\nHost: h\r\n\r\n"},
    {"an encoded NUL in the path", "GET /test%00 HTTP/1.1\r\nHost: h\r\n\r\n"},
    {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {"TLS", std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 10)},
    {"HTTP/3.0", "GET /test HTTP/3.0\r\nHost: h\r\n\r\n", 505},
    {"HTTP/0.9", "GET /test\r\n"},
    {"CONNECT", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 501},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_framing, Server)

BOOST_AUTO_TEST_CASE(ambiguous_requests_are_refused_and_the_connection_ends) {
    for (const Bad& each : bad) {
        BOOST_TEST_CONTEXT(each.what) {
            RawClient client = connect();
            client.send(each.bytes);
            const Response response = client.read();

            BOOST_TEST(response.status == each.status);
            BOOST_TEST(response.field("connection") == "close");
            BOOST_TEST(response.has("x-request-id"));
            BOOST_TEST(response.body.size() > 20u);
            BOOST_TEST(client.ended());
        }
    }
    BOOST_TEST(connect().call(post("echo still here")).body == "echo still here");
}

BOOST_AUTO_TEST_CASE(they_are_refused_wherever_the_bytes_are_cut) {
    for (const Bad& each : bad) {
        BOOST_TEST_CONTEXT(each.what) {
            RawClient client = connect();
            const std::size_t middle = each.bytes.size() / 2;
            client.send(each.bytes.substr(0, middle));
            std::this_thread::sleep_for(milliseconds(2));
            client.trySend(each.bytes.substr(middle));
            BOOST_TEST(client.read().status == each.status);
            BOOST_TEST(client.ended());
        }
    }
}

BOOST_AUTO_TEST_CASE(requests_before_the_bad_one_are_answered) {
    RawClient client = connect();
    client.send(post("echo 1") + post("pool 2") + "POST /test HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\nx");

    BOOST_TEST(client.read().body == "echo 1");
    BOOST_TEST(client.read().body == "pool 2");
    BOOST_TEST(client.read().status == 400);
    BOOST_TEST(client.ended());
}

BOOST_AUTO_TEST_SUITE_END()
