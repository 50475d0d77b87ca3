#include "plugins/host/frames/frame.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <string>

using postbus::Buffer;
using postbus::host::firstFrame;
using postbus::host::frameHead;
using postbus::host::FrameInMaking;
using postbus::host::FrameKind;
using postbus::host::largestFrame;

namespace {

void put(Buffer& out, FrameKind kind, std::uint64_t id, std::string_view body) {
    FrameInMaking frame(out, kind, id);
    out.append(body);
    BOOST_REQUIRE(!!frame.end());
}

/// A head as anybody might send it.
std::string head(std::uint32_t length, std::uint16_t kind, std::uint16_t unused = 0) {
    std::string bytes(frameHead, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    std::memcpy(bytes.data() + 4, &kind, sizeof kind);
    std::memcpy(bytes.data() + 6, &unused, sizeof unused);
    return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(come_out_one_by_one_as_they_went_in) {
    Buffer wire;
    put(wire, FrameKind::Call, 7, "first");
    put(wire, FrameKind::Stop, 0, "");

    const auto first = firstFrame(wire.view());
    BOOST_REQUIRE((first && *first));
    BOOST_TEST(((*first)->kind == FrameKind::Call));
    BOOST_TEST((*first)->id == 7u);
    BOOST_TEST((*first)->body == "first");

    const auto second = firstFrame(wire.view().substr(frameHead + 5));
    BOOST_REQUIRE((second && *second));
    BOOST_TEST(((*second)->kind == FrameKind::Stop));
    BOOST_TEST((*second)->body == "");
}

BOOST_AUTO_TEST_CASE(wait_until_they_have_come_as_a_whole) {
    Buffer wire;
    put(wire, FrameKind::Answer, 1, "body");
    for (std::size_t size = 0; size < wire.size(); ++size) {
        const auto frame = firstFrame(wire.view().substr(0, size));
        BOOST_TEST((frame && !*frame), size);
    }
}

BOOST_AUTO_TEST_CASE(of_no_known_kind_or_beyond_all_bounds_are_refused_by_their_head) {
    BOOST_TEST(firstFrame(head(0, 0)).error().message() == "a frame of no known kind (0)");
    BOOST_TEST(firstFrame(head(0, 10)).error().message() == "a frame of no known kind (10)");
    BOOST_TEST(!firstFrame(head(0, 3, 1)));
    BOOST_TEST(!firstFrame(head(largestFrame + 1, 3)));
    BOOST_TEST(!!firstFrame(head(largestFrame, 3)));
}

BOOST_AUTO_TEST_CASE(that_are_too_large_leave_nothing_behind) {
    Buffer wire;
    put(wire, FrameKind::Cancel, 3, "");
    FrameInMaking frame(wire, FrameKind::Call, 4);
    const std::string piece(std::size_t{1} << 20, 'x');
    for (std::size_t size = 0; size <= largestFrame; size += piece.size()) wire.append(piece);

    const auto ended = frame.end();

    BOOST_REQUIRE(!ended);
    BOOST_TEST((ended.error().kind() == postbus::Error::Kind::TooLarge));
    BOOST_TEST(wire.size() == frameHead);
}

BOOST_AUTO_TEST_SUITE_END()
