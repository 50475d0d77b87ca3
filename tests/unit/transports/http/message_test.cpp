#include <boost/test/unit_test.hpp>

#include "transports/http/message/accept_encoding.hpp"
#include "transports/http/message/answer_head.hpp"
#include "transports/http/message/forwarded.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

bool takesGzip(std::initializer_list<const char*> values) {
    AcceptedCodings accepted;
    for (const char* each : values) accepted.add(each);
    return accepted.gzip();
}

std::string headText(const AnswerHead& head) {
    Buffer out;
    appendHead(out, head);
    return std::string(out.view());
}

struct Forwarding {
    std::string text;
    HeadParser parser;
    core::RequestHead head;
    std::array<char, forwardedHostRoom> room;

    explicit Forwarding(const std::string& fields) {
        text = "GET / HTTP/1.1\r\nHost: inner:8181\r\n" + fields + "\r\n";
        parser.reset({});
        BOOST_REQUIRE((parser.parse(text.data(), text.size()) == HeadParser::Status::Done));
        parser.fill(head, text.data());
        head.scheme = "http";
        head.peer = "10.0.0.1";
        applyForwarded(parser, text.data(), {*net::Network::parse("10.0.0.0/8")}, room, head);
    }
    Forwarding(const Forwarding&) = delete;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(accept_encoding)

BOOST_AUTO_TEST_CASE(gzip_is_welcome_when_it_is_named_or_meant) {
    BOOST_TEST(takesGzip({"gzip"}));
    BOOST_TEST(takesGzip({"deflate, GZIP;q=0.001"}));
    BOOST_TEST(takesGzip({"deflate", "x-gzip"}));
    BOOST_TEST(takesGzip({"*"}));
    BOOST_TEST(takesGzip({"gzip ; q=1.000"}));
    BOOST_TEST(takesGzip({"identity;q=0.5, gzip;q=0.5"}));
}

BOOST_AUTO_TEST_CASE(gzip_is_left_out_when_it_is_not_wanted) {
    BOOST_TEST(!takesGzip({}));
    BOOST_TEST(!takesGzip({""}));
    BOOST_TEST(!takesGzip({"identity"}));
    BOOST_TEST(!takesGzip({"none"}));
    BOOST_TEST(!takesGzip({"deflate, br"}));
    BOOST_TEST(!takesGzip({"gzip;q=0"}));
    BOOST_TEST(!takesGzip({"gzip;q=0.000, *"}));
    BOOST_TEST(!takesGzip({"*;q=0"}));
    BOOST_TEST(!takesGzip({"gzip;q=x"}));
    BOOST_TEST(!takesGzip({"gzip;q=2"}));
    BOOST_TEST(!takesGzip({"gzip;q=0.0001"}));
    BOOST_TEST(!takesGzip({"identity, gzip;q=0.9"}));
    BOOST_TEST(!takesGzip({"gzippy"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(answer_head)

BOOST_AUTO_TEST_CASE(says_all_that_an_answer_needs) {
    AnswerHead head;
    head.date = "D";
    head.contentType = "text/xml; charset=utf-8";
    head.length = 12;
    head.requestId = "r-1";
    BOOST_TEST(headText(head) ==
               "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: "
               "12\r\nX-Request-Id: r-1\r\n\r\n");

    head.status = 503;
    head.retryAfter = 3;
    head.close = true;
    head.vary = true;
    head.contentEncoding = "gzip";
    BOOST_TEST(headText(head) ==
               "HTTP/1.1 503 Service Unavailable\r\nDate: D\r\nContent-Type: text/xml; charset=utf-8\r\n"
               "Content-Encoding: gzip\r\nContent-Length: 12\r\nX-Request-Id: r-1\r\nVary: Accept-Encoding\r\n"
               "Retry-After: 3\r\nConnection: close\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(has_no_length_with_204) {
    AnswerHead head;
    head.status = 204;
    head.date = "D";
    BOOST_TEST(headText(head) == "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(no_service_can_forge_a_field) {
    const std::vector<std::pair<std::string, std::string>> fields{{"Good", "one"},      {"Bad", "a\r\nSet-Cookie: x"},
                                                                  {"Bad:Name", "x"},    {"", "x"},
                                                                  {"Bad\r\nName", "x"}, {"Empty", ""}};
    AnswerHead head;
    head.date = "D";
    head.contentType = "text/xml\r\nX-Evil: yes";
    head.fields = &fields;
    BOOST_TEST(headText(head) == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\nGood: one\r\nEmpty: \r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_date_is_as_rfc_9110_wants_it) {
    DateText date;
    const std::string text(date.now());
    tm parts{};
    const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);

    BOOST_REQUIRE(end);
    BOOST_TEST(*end == '\0');
    BOOST_TEST(text.size() == 29u);
    BOOST_TEST(std::abs(static_cast<double>(timegm(&parts) - time(nullptr))) <= 1.0);
    BOOST_TEST(date.now() == text);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(forwarded)

BOOST_AUTO_TEST_CASE(a_trusted_proxy_says_how_the_caller_reached_it) {
    const Forwarding all(
        "X-Forwarded-Proto: https\r\nX-Forwarded-Host: shop.example\r\nX-Forwarded-Port: 8443\r\n"
        "X-Forwarded-For: 192.0.2.7\r\n");

    BOOST_TEST(all.head.scheme == "https");
    BOOST_TEST(all.head.host == "shop.example:8443");
    BOOST_TEST(all.head.peer == "192.0.2.7");
}

BOOST_AUTO_TEST_CASE(usual_ports_are_left_out_and_own_ones_stay) {
    BOOST_TEST(Forwarding("X-Forwarded-Proto: https\r\nX-Forwarded-Host: a\r\nX-Forwarded-Port: 443\r\n").head.host ==
               "a");
    BOOST_TEST(Forwarding("X-Forwarded-Host: a\r\nX-Forwarded-Port: 80\r\n").head.host == "a");
    BOOST_TEST(Forwarding("X-Forwarded-Host: a:81\r\nX-Forwarded-Port: 82\r\n").head.host == "a:81");
    BOOST_TEST(Forwarding("X-Forwarded-Host: [::1]\r\nX-Forwarded-Port: 82\r\n").head.host == "[::1]:82");
    BOOST_TEST(Forwarding("X-Forwarded-Port: 82\r\n").head.host == "inner:82");
    BOOST_TEST(Forwarding("").head.host == "inner:8181");
}

BOOST_AUTO_TEST_CASE(of_several_values_the_last_counts) {
    const Forwarding two(
        "X-Forwarded-Proto: http\r\nX-Forwarded-Proto: http, https\r\nX-Forwarded-Host: spoofed, real.example\r\n");

    BOOST_TEST(two.head.scheme == "https");
    BOOST_TEST(two.head.host == "real.example");
}

BOOST_AUTO_TEST_CASE(the_caller_is_the_last_that_is_no_trusted_proxy) {
    BOOST_TEST(Forwarding("X-Forwarded-For: 192.0.2.66, 192.0.2.7, 10.1.1.1, 10.1.1.2\r\n").head.peer == "192.0.2.7");
    BOOST_TEST(Forwarding("X-Forwarded-For: 10.1.1.1\r\n").head.peer == "10.1.1.1");
    BOOST_TEST(Forwarding("X-Forwarded-For: evil, 10.1.1.1\r\n").head.peer == "10.1.1.1");
    BOOST_TEST(Forwarding("X-Forwarded-For: 192.0.2.7:5123\r\n").head.peer == "192.0.2.7");
    BOOST_TEST(Forwarding("X-Forwarded-For: [2001:db8::1]:5123\r\n").head.peer == "2001:db8::1");
    BOOST_TEST(Forwarding("X-Forwarded-For: 2001:db8::1\r\n").head.peer == "2001:db8::1");
    BOOST_TEST(Forwarding("X-Forwarded-For: \"><script>\r\n").head.peer == "10.0.0.1");
    BOOST_TEST(Forwarding("X-Forwarded-For: [\r\n").head.peer == "10.0.0.1");
}

BOOST_AUTO_TEST_CASE(values_that_are_none_are_passed_over) {
    const Forwarding bad(
        "X-Forwarded-Proto: javascript\r\nX-Forwarded-Host: a\"b\r\nX-Forwarded-Port: 99999\r\nX-Forwarded-For: \r\n");

    BOOST_TEST(bad.head.scheme == "http");
    BOOST_TEST(bad.head.host == "inner:8181");
    BOOST_TEST(bad.head.peer == "10.0.0.1");
}

BOOST_AUTO_TEST_SUITE_END()
