#include <zlib.h>

#include <boost/test/unit_test.hpp>

#include "formats/mime/content_coding.hpp"

using postbus::Buffer;
using postbus::Error;
using namespace postbus::mime;

namespace {

/// Packed by zlib itself: -15 bare, 15 zlib, 31 gzip.
std::string packed(std::string_view text, int windowBits) {
    z_stream stream{};
    BOOST_REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    BOOST_REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

struct Outcome {
    std::string text;
    std::optional<Error::Kind> error;
};

Outcome inflated(std::string_view bytes, Coding coding, std::size_t limit = 10'000'000) {
    Buffer out;
    out.append("head:");
    const auto result = postbus::mime::inflate(bytes, coding, limit, out);
    if (result) return {std::string(out.view().substr(5)), {}};
    BOOST_TEST(out.view() == "head:");
    return {{}, result.error().kind()};
}

std::string noise(std::size_t size) {
    std::string text;
    std::uint32_t state = 1;
    while (text.size() < size) text += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    return text;
}

bool invalid(std::string_view bytes, Coding coding) { return inflated(bytes, coding).error == Error::Kind::Invalid; }

}  // namespace

BOOST_AUTO_TEST_SUITE(content_coding)

BOOST_AUTO_TEST_CASE(is_found_by_its_name) {
    BOOST_TEST((codingNamed("GZip") == Coding::Gzip));
    BOOST_TEST((codingNamed("x-gzip") == Coding::Gzip));
    BOOST_TEST((codingNamed("deflate") == Coding::Deflate));
    BOOST_TEST(!codingNamed("identity"));
    BOOST_TEST(!codingNamed("br"));
    BOOST_TEST(!codingNamed(""));
}

BOOST_AUTO_TEST_CASE(unpacks_gzip_and_both_formats_called_deflate) {
    for (const std::string& text : {std::string(), std::string("x"), std::string(100'000, 'a'), noise(70'000)}) {
        BOOST_TEST((inflated(packed(text, 31), Coding::Gzip).text == text));
        BOOST_TEST((inflated(packed(text, 15), Coding::Deflate).text == text));
        BOOST_TEST((inflated(packed(text, -15), Coding::Deflate).text == text));
    }
}

BOOST_AUTO_TEST_CASE(joins_the_members_of_a_gzip_body) {
    const std::string members = packed("one, ", 31) + packed("", 31) + packed(noise(5000), 31) + packed("end", 31);

    BOOST_TEST((inflated(members, Coding::Gzip).text == "one, " + noise(5000) + "end"));
}

BOOST_AUTO_TEST_CASE(unpacks_up_to_the_limit_and_not_a_byte_more) {
    const std::string bomb(1'000'000, 'a');

    for (const int bits : {31, 15, -15}) {
        const Coding coding = bits == 31 ? Coding::Gzip : Coding::Deflate;
        BOOST_TEST((inflated(packed(bomb, bits), coding, bomb.size()).text == bomb));
        BOOST_TEST((inflated(packed(bomb, bits), coding, bomb.size() - 1).error == Error::Kind::TooLarge));
        BOOST_TEST((inflated(packed("a", bits), coding, 0).error == Error::Kind::TooLarge));
        BOOST_TEST((!inflated(packed("", bits), coding, 0).error));
    }
    BOOST_TEST(
        (inflated(packed(bomb, 31) + packed("b", 31), Coding::Gzip, bomb.size()).error == Error::Kind::TooLarge));
    BOOST_TEST((inflated(packed(bomb, 31), Coding::Gzip, SIZE_MAX).text == bomb));
}

BOOST_AUTO_TEST_CASE(takes_no_more_memory_than_the_limit_asks_for) {
    Buffer out;

    BOOST_TEST(!postbus::mime::inflate(packed(std::string(8'000'000, 'a'), 31), Coding::Gzip, 10'000, out));

    BOOST_TEST(out.capacity() < 40'000u);
}

BOOST_AUTO_TEST_CASE(refuses_a_body_cut_off_anywhere) {
    for (const int bits : {31, 15, -15}) {
        const Coding coding = bits == 31 ? Coding::Gzip : Coding::Deflate;
        const std::string whole = packed("<a>some text, some text</a>", bits);
        for (std::size_t size = 0; size < whole.size(); ++size)
            BOOST_TEST(invalid(whole.substr(0, size), coding), "format " << bits << " cut at " << size);
    }
    const std::string two = packed("one", 31) + packed("two", 31);
    BOOST_TEST(invalid(two.substr(0, two.size() - 3), Coding::Gzip));
}

BOOST_AUTO_TEST_CASE(refuses_other_bytes_behind_it_and_wrong_checksums) {
    for (const int bits : {31, 15, -15}) {
        const Coding coding = bits == 31 ? Coding::Gzip : Coding::Deflate;
        const std::string whole = packed("<a>text</a>", bits);
        BOOST_TEST(invalid(whole + "x", coding));
        BOOST_TEST(invalid(whole + std::string(1, '\0'), coding));
        if (bits < 0) continue;  // a bare stream has no checksum
        std::string wrong = whole;
        wrong[wrong.size() - (bits == 31 ? 8 : 4)] ^= 1;
        BOOST_TEST(invalid(wrong, coding));
    }
}

BOOST_AUTO_TEST_CASE(refuses_what_is_not_in_the_format) {
    BOOST_TEST(invalid("<a>plain</a>", Coding::Gzip));
    BOOST_TEST(invalid("<a>plain</a>", Coding::Deflate));
    BOOST_TEST(invalid(packed("x", 15), Coding::Gzip));
    BOOST_TEST(invalid(packed("x", 31), Coding::Deflate));
    BOOST_TEST(invalid("", Coding::Gzip));
    BOOST_TEST(invalid("", Coding::Deflate));
}

BOOST_AUTO_TEST_CASE(packs_what_it_unpacks_and_leaves_the_headroom) {
    for (const Coding coding : {Coding::Gzip, Coding::Deflate})
        for (const std::string& text : {std::string(), std::string(100'000, 'a'), noise(70'000)}) {
            Buffer out(16, 512);
            BOOST_REQUIRE(!!postbus::mime::deflate(text, coding, out));

            BOOST_TEST(out.headroom() == 512u);
            BOOST_TEST((inflated(out.view(), coding).text == text));
        }
}

BOOST_AUTO_TEST_CASE(works_after_an_error_as_before) {
    BOOST_TEST(invalid("<a>plain</a>", Coding::Gzip));

    BOOST_TEST((inflated(packed("text", 31), Coding::Gzip).text == "text"));
    BOOST_TEST((inflated(packed("text", -15), Coding::Deflate).text == "text"));
}

BOOST_AUTO_TEST_SUITE_END()
