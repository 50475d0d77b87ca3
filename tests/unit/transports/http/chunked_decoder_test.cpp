#include <boost/test/unit_test.hpp>

#include "transports/http/parser/chunked_decoder.hpp"

using postbus::http::ChunkedDecoder;
using Status = ChunkedDecoder::Status;

namespace {

struct Decoded {
    Status status = Status::NeedMore;
    int refused = 0;
    std::string body, rest;
};

/// Hands `text` over in pieces of `step` bytes.
Decoded decode(std::string_view text, std::size_t step = SIZE_MAX, ChunkedDecoder::Limits limits = {1000, 64, 64}) {
    ChunkedDecoder decoder;
    decoder.reset(limits);
    Decoded result;
    while (!text.empty()) {
        std::string piece(text.substr(0, step));
        const auto progress = decoder.decode(piece.data(), piece.size());
        BOOST_REQUIRE(progress.produced <= progress.consumed);
        result.status = progress.status;
        result.body += piece.substr(0, progress.produced);
        text.remove_prefix(progress.consumed);
        if (progress.status == Status::Failed) result.refused = decoder.refusal().status;
        if (progress.status != Status::NeedMore) break;
        BOOST_REQUIRE(progress.consumed == piece.size());
    }
    result.rest = text;
    return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chunked_decoder)

BOOST_AUTO_TEST_CASE(puts_chunks_together_wherever_the_bytes_are_cut) {
    const std::string text =
        "5\r\nhello\r\n1;name=value;b=\"x;y\"\r\n \r\n00A\r\n0123456789\r\n0\r\nDigest: x\r\nA:\r\n\r\nGET /";
    for (std::size_t step = 1; step <= text.size(); ++step) {
        const Decoded decoded = decode(text, step);
        BOOST_REQUIRE((decoded.status == Status::Done));
        BOOST_TEST(decoded.body == "hello 0123456789");
        BOOST_TEST(decoded.rest == "GET /");
    }
}

BOOST_AUTO_TEST_CASE(takes_upper_and_lower_case_sizes) {
    BOOST_TEST(decode("a\r\n0123456789\r\n0\r\n\r\n").body == "0123456789");
    BOOST_TEST(decode("A\r\n0123456789\r\n0\r\n\r\n").body == "0123456789");
    BOOST_TEST((decode("000000000000000\r\n\r\n").status == Status::Done));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_chunked_body) {
    const char* bad[] = {"\r\n",
                         "x\r\n",
                         "0x5\r\nhello\r\n",
                         "+5\r\nhello\r\n",
                         "-5\r\nhello\r\n",
                         " 5\r\nhello\r\n",
                         "5 \r\nhello\r\n",
                         "5 ;a\r\nhello\r\n",
                         "5\nhello\r\n",
                         "5\rhello",
                         ";a\r\n",
                         "5\r\nhelloX\r\n",
                         "5\r\nhello\n0\r\n\r\n",
                         "5\r\nhello0\r\n\r\n",
                         "5\r\nhello\r0\r\n",
                         "4\r\nhello\r\n",
                         "10000000000000000\r\n",
                         "FFFFFFFFFFFFFFFF\r\n",
                         "0000000000000005\r\nhello\r\n",
                         "5;a\x01\r\nhello\r\n",
                         "5;a\nhello\r\n",
                         "5;\"a\r\nb\"\r\n",
                         "0\r\nx\r\n\r\n",
                         "0\r\n x: y\r\n\r\n",
                         "0\r\nx : y\r\n\r\n",
                         "0\r\n: y\r\n\r\n",
                         "0\r\nx: y\n\r\n",
                         "0\r\nx: \x01\r\n\r\n",
                         "0\r\n\rx",
                         "0\r\nx: y\rz"};
    for (const char* text : bad) {
        BOOST_TEST(decode(text).refused == 400, text);
        BOOST_TEST(decode(text, 1).refused == 400, text);
    }
}

BOOST_AUTO_TEST_CASE(keeps_its_limits) {
    BOOST_TEST(decode("3E8\r\n" + std::string(1000, 'x') + "\r\n0\r\n\r\n").body.size() == 1000u);
    BOOST_TEST(decode("3E9\r\n").refused == 413);
    BOOST_TEST(decode("5\r\nhello\r\n3E4\r\n").refused == 413);
    BOOST_TEST(decode("FFFFFFFFFFFFFFF\r\n").refused == 413);
    BOOST_TEST(decode("5;" + std::string(64, 'a') + "\r\nhello\r\n0\r\n\r\n").body == "hello");
    BOOST_TEST(decode("5;" + std::string(65, 'a') + "\r\nhello\r\n").refused == 400);
    BOOST_TEST(decode("0\r\nA: " + std::string(100, 'a')).refused == 431);
    BOOST_TEST(decode("0\r\n" +
                      [] {
                          std::string many;
                          for (int i = 0; i < 40; ++i) many += "A:\r\n";
                          return many;
                      }())
                   .refused == 431);
}

BOOST_AUTO_TEST_CASE(waits_for_what_is_missing) {
    for (const char* text :
         {"5", "5\r", "5\r\n", "5\r\nhel", "5\r\nhello", "5\r\nhello\r", "5\r\nhello\r\n", "5\r\nhello\r\n0",
          "5\r\nhello\r\n0\r\n", "5\r\nhello\r\n0\r\nA: b", "5\r\nhello\r\n0\r\n\r"})
        BOOST_TEST((decode(text).status == Status::NeedMore), text);
}

BOOST_AUTO_TEST_SUITE_END()
