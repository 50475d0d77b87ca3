// The head parser on answers: what a backend says.
#include <boost/test/unit_test.hpp>

#include "transports/http/parser/head_parser.hpp"

using namespace postbus;
using http::HeadParser;

namespace {

struct ParsedAnswer {
    std::string text;
    HeadParser parser;
    HeadParser::Status status = HeadParser::Status::NeedMore;

    bool done() const { return status == HeadParser::Status::Done; }
    bool failed() const { return status == HeadParser::Status::Failed; }
};

std::unique_ptr<ParsedAnswer> parseAnswer(std::string_view text, std::size_t step = SIZE_MAX) {
    auto parsed = std::make_unique<ParsedAnswer>();
    parsed->text = text;
    parsed->parser.reset({}, HeadParser::Of::Answer);
    for (std::size_t size = 0; parsed->status == HeadParser::Status::NeedMore && size < text.size();) {
        size = step < text.size() - size ? size + step : text.size();
        parsed->status = parsed->parser.parse(parsed->text.data(), size);
    }
    return parsed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(answer_head_parser)

BOOST_AUTO_TEST_CASE(reads_status_and_fields_however_they_are_cut) {
    const std::string_view text =
        "HTTP/1.1 404 Not Found\r\nContent-Type: text/xml\r\nX-Empty:\r\nContent-Length: 3\r\n\r\nabc";
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, SIZE_MAX}) {
        const auto parsed = parseAnswer(text, step);
        BOOST_REQUIRE(parsed->done());
        BOOST_TEST(parsed->parser.statusCode() == 404);
        BOOST_TEST(parsed->parser.contentType(parsed->text.data()) == "text/xml");
        BOOST_TEST(parsed->parser.size() == text.size() - 3);
        BOOST_TEST(parsed->parser.framing().length == 3u);
        core::Headers fields;
        parsed->parser.fill(fields, parsed->text.data());
        BOOST_TEST(fields.size() == 3u);
    }
}

BOOST_AUTO_TEST_CASE(a_reason_may_be_empty_or_missing) {
    for (const std::string_view line : {"HTTP/1.1 200 ", "HTTP/1.1 200", "HTTP/1.0 200 OK", "HTTP/1.1 599 \xc3\xbc"})
        BOOST_TEST(parseAnswer(std::string(line) + "\r\n\r\n")->done());
}

BOOST_AUTO_TEST_CASE(needs_no_host_and_minds_none) {
    BOOST_TEST(parseAnswer("HTTP/1.1 200 OK\r\nHost: a b\r\nHost: c\r\n\r\n")->done());
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_status_line_as_soon_as_it_can_tell) {
    for (const std::string_view text : {"SSH-2.0", "HTTP/2 200\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1  200 OK\r\n",
                                        "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 099 x\r\n", "HTTP/1.1 2x0 OK\r\n",
                                        "http/1.1 200 OK\r\n", "HTTP/1.1 200 a\x01\r\n", "\r\n", "HTTP/1.2 200 OK\r\n"})
        BOOST_TEST(parseAnswer(text)->failed(), text);
}

BOOST_AUTO_TEST_CASE(is_as_strict_about_fields_as_with_requests) {
    for (const std::string_view fields :
         {"Content-Length: 1\r\nContent-Length: 1\r\n", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
          "Transfer-Encoding: gzip\r\n", "Content-Length: -1\r\n", "A : b\r\n", "A: b\n", " folded\r\n"})
        BOOST_TEST(parseAnswer("HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n")->failed(), fields);
}

BOOST_AUTO_TEST_CASE(knows_when_the_connection_stays) {
    BOOST_TEST(parseAnswer("HTTP/1.1 200 OK\r\n\r\n")->parser.framing().keepAlive);
    BOOST_TEST(!parseAnswer("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")->parser.framing().keepAlive);
    BOOST_TEST(!parseAnswer("HTTP/1.0 200 OK\r\n\r\n")->parser.framing().keepAlive);
    BOOST_TEST(parseAnswer("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n")->parser.framing().keepAlive);
}

BOOST_AUTO_TEST_SUITE_END()
