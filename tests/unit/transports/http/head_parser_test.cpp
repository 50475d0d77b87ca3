#include <boost/test/unit_test.hpp>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/head_parser.hpp"

using namespace postbus;
using http::Framing;
using http::HeadParser;

namespace {

/// A head as the parser left it. The text is kept: views point into it.
struct Parsed {
    std::string text;
    HeadParser parser;
    HeadParser::Status status = HeadParser::Status::NeedMore;
    core::RequestHead head;

    int refused() const { return status == HeadParser::Status::Failed ? parser.refusal().status : 0; }
    bool done() const { return status == HeadParser::Status::Done; }
};

std::unique_ptr<Parsed> parse(std::string_view text, HeadParser::Limits limits = {}) {
    auto parsed = std::make_unique<Parsed>();
    parsed->text = text;
    parsed->parser.reset(limits);
    parsed->status = parsed->parser.parse(parsed->text.data(), parsed->text.size());
    if (parsed->done()) parsed->parser.fill(parsed->head, parsed->text.data());
    return parsed;
}

/// A request line and Host, then `fields`, which end with CR LF each.
std::unique_ptr<Parsed> withFields(std::string_view fields) {
    return parse("POST /a HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n");
}

std::unique_ptr<Parsed> withTarget(std::string_view target) {
    return parse("GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n\r\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(head_parser)

BOOST_AUTO_TEST_CASE(reads_the_request_line_and_the_fields) {
    const auto parsed = parse(
        "POST /cxf/HelloWorld?x=1&y HTTP/1.1\r\nHost: localhost:8181\r\nContent-Type: \ttext/xml; charset=utf-8 \r\n"
        "X-Empty:\r\nContent-Length: 5\r\n\r\nhello");

    BOOST_REQUIRE(parsed->done());
    BOOST_TEST(parsed->head.method == "POST");
    BOOST_TEST(parsed->head.path == "/cxf/HelloWorld");
    BOOST_TEST(parsed->head.query == "x=1&y");
    BOOST_TEST(parsed->head.host == "localhost:8181");
    BOOST_TEST(parsed->head.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(*parsed->head.headers.find("x-empty") == "");
    BOOST_TEST(parsed->head.headers.size() == 4u);
    BOOST_TEST(parsed->parser.framing().length == 5u);
    BOOST_TEST(parsed->parser.size() == parsed->text.size() - 5);
}

BOOST_AUTO_TEST_CASE(does_not_mind_where_the_bytes_are_cut) {
    const std::string text =
        "\r\nPOST /a%20b?q HTTP/1.1\r\nHost: h:1\r\nX-A:  b c \r\nTransfer-Encoding: Chunked\r\nExpect: "
        "100-continue\r\n\r\n";
    for (std::size_t step = 1; step < text.size(); ++step) {
        HeadParser parser;
        parser.reset({});
        std::string data = text;
        HeadParser::Status status = HeadParser::Status::NeedMore;
        for (std::size_t size = 0; status == HeadParser::Status::NeedMore && size < data.size();) {
            size = std::min(size + step, data.size());
            // A buffer that moves between the calls.
            std::string moved(data);
            status = parser.parse(moved.data(), size);
            data = moved;
            BOOST_REQUIRE((status == (size == text.size() ? HeadParser::Status::Done : HeadParser::Status::NeedMore)));
        }
        core::RequestHead head;
        parser.fill(head, data.data());
        BOOST_TEST(head.path == "/a b");
        BOOST_TEST(head.query == "q");
        BOOST_TEST(head.host == "h:1");
        BOOST_TEST(*head.headers.find("X-A") == "b c");
        BOOST_TEST(parser.framing().chunked);
        BOOST_TEST((parser.framing().expect == Framing::Expect::Continue));
    }
}

BOOST_AUTO_TEST_CASE(refuses_the_same_wherever_the_bytes_are_cut) {
    for (const std::string text :
         {"GET /a HTTP/1.1\r\nHost: h\n\r\n", "GET /a HTTP/1.1\rX\r\n\r\n", "GET /a HTTP/1.1\r\n Host: h\r\n\r\n",
          "GET /a HTTP/1.1\r\nHost : h\r\n\r\n", "G(T /a HTTP/1.1\r\nHost: h\r\n\r\n",
          "GET  /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n", "GET /%00 HTTP/1.1\r\nHost: h\r\n\r\n"}) {
        for (std::size_t cut = 0; cut <= text.size(); ++cut) {
            HeadParser parser;
            parser.reset({});
            std::string data = text;
            auto status = parser.parse(data.data(), cut);
            if (status == HeadParser::Status::NeedMore) status = parser.parse(data.data(), data.size());
            BOOST_REQUIRE((status == HeadParser::Status::Failed));
            BOOST_TEST(parser.refusal().status == 400);
        }
    }
}

BOOST_AUTO_TEST_CASE(refuses_request_lines_that_are_none) {
    const std::pair<const char*, int> cases[] = {
        {"GET /a", 400},
        {"GET /a HTTP/1.1 ", 400},
        {" GET /a HTTP/1.1", 400},
        {"GET  /a HTTP/1.1", 400},
        {"GET /a  HTTP/1.1", 400},
        {"GET /a b HTTP/1.1", 400},
        {"GET\t/a HTTP/1.1", 400},
        {"GET /a\tHTTP/1.1", 400},
        {"GET /a HTTP/1.1\t", 400},
        {"GET /a http/1.1", 400},
        {"GET /a HTTP/11", 400},
        {"GET /a HTTP/1.10", 400},
        {"GET /a HTTP/x.1", 400},
        {"GET /a HTTP/1.2", 505},
        {"GET /a HTTP/2.0", 505},
        {"GET /a HTTP/0.9", 505},
        {"G@T /a HTTP/1.1", 400},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG /a HTTP/1.1", 400},
        {"PRI * HTTP/2.0", 400},
        {"CONNECT h:1 HTTP/1.1", 501},
        {"GET * HTTP/1.1", 400},
        {"GET a HTTP/1.1", 400},
        {"GET ftp://h/a HTTP/1.1", 400},
        {"GET http:// HTTP/1.1", 400},
        {"GET http://user@h/ HTTP/1.1", 400},
    };
    for (const auto& [line, status] : cases)
        BOOST_TEST(parse(std::string(line) + "\r\nHost: h\r\n\r\n")->refused() == status, line);
}

BOOST_AUTO_TEST_CASE(knows_tls_and_http2_when_it_sees_them) {
    const auto tls = parse(std::string_view("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
    const auto http2 = parse("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    BOOST_TEST(tls->refused() == 400);
    BOOST_TEST(tls->parser.refusal().reason.find("TLS") != std::string_view::npos);
    BOOST_TEST(http2->refused() == 400);
    BOOST_TEST(http2->parser.refusal().reason.find("HTTP/2") != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(tells_garbage_before_its_line_ends) {
    BOOST_TEST(parse("\x80\x01\x02")->refused() == 400);
    BOOST_TEST(parse("{\"a\"")->refused() == 400);
    BOOST_TEST(parse(std::string(40, 'A'))->refused() == 400);
}

BOOST_AUTO_TEST_CASE(passes_over_two_empty_lines_before_the_request) {
    BOOST_TEST(parse("\r\n\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n")->done());
    BOOST_TEST(parse("\r\n\r\n\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n")->refused() == 400);
}

BOOST_AUTO_TEST_CASE(refuses_fields_that_two_readers_could_understand_differently) {
    for (const char* fields : {"A: b\n", "A: b\rc\r\n", "A : b\r\n", "A\t: b\r\n", ": b\r\n", "A b: c\r\n", "A\r\n",
                               " A: b\r\n", "A: b\r\n c\r\n", "A: b\r\n\tc\r\n", "A(: b\r\n", "A\xc3\xa4: b\r\n",
                               "A: b\x01\r\n", "A: b\x7f\r\n", "A: \x0b\r\n"})
        BOOST_TEST(withFields(fields)->refused() == 400, fields);
    BOOST_TEST(withFields(std::string_view("A: b\0c\r\n", 8))->refused() == 400);
    BOOST_TEST(withFields(std::string_view("A\0: b\r\n", 7))->refused() == 400);
    BOOST_TEST(withFields("A: \xc3\xa4\tb\r\n")->done());
}

BOOST_AUTO_TEST_CASE(takes_one_way_to_delimit_a_body_only) {
    for (const char* fields : {"Content-Length: 4\r\nContent-Length: 5\r\n",
                               "Content-Length: 4\r\nContent-Length: 4\r\n",
                               "Content-Length: 4, 4\r\n",
                               "Content-Length: +4\r\n",
                               "Content-Length: -4\r\n",
                               "Content-Length: 0x4\r\n",
                               "Content-Length: 4 4\r\n",
                               "Content-Length: 4.0\r\n",
                               "Content-Length:\r\n",
                               "Content-Length: 18446744073709551616\r\n",
                               "Content-Length: 99999999999999999999999999\r\n",
                               "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                               "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                               "Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n",
                               "Transfer-Encoding:\r\n",
                               "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                               "Transfer-Encoding: identity\r\n",
                               "Transfer-Encoding: chunked, gzip\r\n",
                               "Transfer-Encoding: , chunked\r\n",
                               "Transfer-Encoding: xchunked\r\n",
                               "Transfer-Encoding: \x0b"
                               "chunked\r\n",
                               "Transfer-Encoding: \"chunked\"\r\n"})
        BOOST_TEST(withFields(fields)->refused() == 400, fields);
    BOOST_TEST(withFields("Transfer-Encoding: gzip, chunked\r\n")->refused() == 501);
    BOOST_TEST(parse("POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n")->refused() == 400);
    BOOST_TEST(withFields("Content-Length: 007\r\n")->parser.framing().length == 7u);
    BOOST_TEST(withFields("Content-Length: 18446744073709551609\r\n")->done());
    BOOST_TEST(withFields("Transfer-Encoding: CHUNKED \r\n")->parser.framing().chunked);
}

BOOST_AUTO_TEST_CASE(wants_one_host_that_may_stand_in_an_address) {
    const auto host = [](std::string_view value) {
        return parse("GET /a HTTP/1.1\r\nHost: " + std::string(value) + "\r\n\r\n")->refused();
    };
    BOOST_TEST(parse("GET /a HTTP/1.1\r\n\r\n")->refused() == 400);
    BOOST_TEST(parse("GET /a HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n")->refused() == 400);
    BOOST_TEST(parse("GET /a HTTP/1.0\r\n\r\n")->refused() == 0);
    for (const char* good :
         {"", "a", "a.b-c_d~e", "127.0.0.1:80", "[::1]", "[::1]:8181", "[::ffff:1.2.3.4]:1", "a:65535", "a:"})
        BOOST_TEST(host(good) == 0, good);
    for (const char* bad : {"a b",  "a/b",     "a?b",  "a#b",  "u@a", "a:0", "a:65536",   "a:080",  "a:-1",
                            "a:x",  "a:80:80", "[::1", "::1",  "[]",  "[x]", "[1.2.3.4]", "[::1]x", "a<b",
                            "a\"b", "a'b",     "a&b",  "a%41", "a,b", "a;b", "\xc3\xa4",  ":80"})
        BOOST_TEST(host(bad) == 400, bad);
    BOOST_TEST(host(std::string(255, 'a')) == 0);
    BOOST_TEST(host(std::string(256, 'a')) == 400);
}

BOOST_AUTO_TEST_CASE(decodes_the_path_and_refuses_what_is_ambiguous) {
    BOOST_TEST(withTarget("/")->head.path == "/");
    BOOST_TEST(withTarget("/a%20b%C3%A4")->head.path == "/a b\xc3\xa4");
    BOOST_TEST(withTarget("/a%3Fb?c%20d")->head.path == "/a?b");
    BOOST_TEST(withTarget("/a?c%20d%00")->head.query == "c%20d%00");
    BOOST_TEST(withTarget("/a?")->head.query == "");
    BOOST_TEST(withTarget("/a?b?c")->head.query == "b?c");
    BOOST_TEST(withTarget("/a%252F")->head.path == "/a%2F");
    BOOST_TEST(withTarget("/.a/..b/c./...")->head.path == "/.a/..b/c./...");
    for (const char* bad :
         {"/%",      "/%4",        "/%4g", "/%00",  "/%1f",   "/%7F",      "/a%2Fb",  "/a%2fb",   "/a%5Cb",
          "/a\\b",   "/a/../b",    "/..",  "/.",    "/a/./b", "/%2e%2e/a", "/a/.%2E", "/%ff",     "/%C3",
          "/%C0%AF", "/%ED%A0%80", "/a#b", "/a\"b", "/a<b",   "/a\x80",    "/a?b#c",  "/a?b\x80", "/a?<"})
        BOOST_TEST(withTarget(bad)->refused() == 400, bad);
}

BOOST_AUTO_TEST_CASE(takes_the_absolute_form_and_its_host) {
    const auto parsed = withTarget("http://other:81/a%20b?c");

    BOOST_TEST(parsed->head.path == "/a b");
    BOOST_TEST(parsed->head.query == "c");
    BOOST_TEST(parsed->head.host == "other:81");
    BOOST_TEST(withTarget("HTTPS://other")->head.path == "/");
    BOOST_TEST(withTarget("http://other?wsdl")->head.path == "/");
    BOOST_TEST(withTarget("http://other?wsdl")->head.query == "wsdl");
    BOOST_TEST(parse("GET http://other/ HTTP/1.1\r\n\r\n")->refused() ==
               400);  // RFC 9112 section 3.2: Host all the same
}

BOOST_AUTO_TEST_CASE(knows_whether_the_connection_lasts) {
    const auto keeps = [](std::string_view version, std::string_view fields) {
        const auto parsed =
            parse("GET / HTTP/" + std::string(version) + "\r\nHost: h\r\n" + std::string(fields) + "\r\n");
        BOOST_REQUIRE(parsed->done());
        return parsed->parser.framing().keepAlive;
    };
    BOOST_TEST(keeps("1.1", ""));
    BOOST_TEST(!keeps("1.1", "Connection: close\r\n"));
    BOOST_TEST(!keeps("1.1", "Connection: TE , Close\r\n"));
    BOOST_TEST(!keeps("1.1", "Connection: keep-alive\r\nConnection: close\r\n"));
    BOOST_TEST(!keeps("1.0", ""));
    BOOST_TEST(keeps("1.0", "Connection: Keep-Alive\r\n"));
    BOOST_TEST(!keeps("1.0", "Connection: keep-alive, close\r\n"));
}

BOOST_AUTO_TEST_CASE(reads_expectations) {
    const auto expect = [](std::string_view version, std::string_view fields) {
        return parse("GET / HTTP/" + std::string(version) + "\r\nHost: h\r\n" + std::string(fields) + "\r\n")
            ->parser.framing()
            .expect;
    };
    BOOST_TEST((expect("1.1", "") == Framing::Expect::Nothing));
    BOOST_TEST((expect("1.1", "Expect: 100-Continue\r\n") == Framing::Expect::Continue));
    BOOST_TEST((expect("1.1", "Expect: 200-ok\r\n") == Framing::Expect::Other));
    BOOST_TEST((expect("1.1", "Expect: x\r\nExpect: 100-continue\r\n") == Framing::Expect::Other));
    BOOST_TEST((expect("1.0", "Expect: 100-continue\r\n") == Framing::Expect::Nothing));
}

BOOST_AUTO_TEST_CASE(keeps_the_limits_of_size_and_number) {
    const std::string line = "GET /" + std::string(200, 'a') + " HTTP/1.1\r\n";
    BOOST_TEST(parse(line, {100, 10})->refused() == 414);
    BOOST_TEST(parse(line.substr(0, 101), {100, 10})->refused() == 414);
    BOOST_TEST(parse("GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(200, 'a') + "\r\n\r\n", {100, 10})->refused() ==
               431);
    BOOST_TEST(parse("GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(200, 'a'), {100, 10})->refused() == 431);
    BOOST_TEST(parse("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n", {100, 1})->refused() == 431);
    BOOST_TEST(parse("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n", {100, 2})->done());

    const std::string exact = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    BOOST_TEST(parse(exact, {exact.size(), 0})->done());
    BOOST_TEST(parse(exact, {exact.size() - 1, 0})->refused() == 431);
    BOOST_TEST(parse(exact, {0, 0})->done());
}

BOOST_AUTO_TEST_CASE(stops_at_the_end_of_the_head) {
    const auto parsed = parse("GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b\n broken");

    BOOST_REQUIRE(parsed->done());
    BOOST_TEST(parsed->text.substr(parsed->parser.size()) == "GET /b\n broken");
}

BOOST_AUTO_TEST_CASE(refuses_two_content_types) {
    BOOST_TEST(withFields("Content-Type: text/xml\r\nContent-Type: application/json\r\n")->refused() == 400);
}

BOOST_AUTO_TEST_CASE(can_be_used_again) {
    HeadParser parser;
    for (int i = 0; i < 3; ++i) {
        std::string text = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nConnection: close\r\n\r\n";
        parser.reset({});
        BOOST_REQUIRE((parser.parse(text.data(), text.size()) == HeadParser::Status::Done));
        core::RequestHead head;
        parser.fill(head, text.data());
        BOOST_TEST(head.headers.size() == 3u);
        BOOST_TEST(parser.framing().length == 5u);

        std::string second = "GET /b HTTP/1.1\r\nHost: i\r\n\r\n";
        parser.reset({});
        BOOST_REQUIRE((parser.parse(second.data(), second.size()) == HeadParser::Status::Done));
        BOOST_TEST(!parser.framing().hasLength);
        BOOST_TEST(parser.framing().keepAlive);
    }
}

BOOST_AUTO_TEST_SUITE_END()
