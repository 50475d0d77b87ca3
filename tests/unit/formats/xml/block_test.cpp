#include "formats/xml/scanner/block.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <string_view>

using namespace postbus::xml;

namespace {

/// All that a block says of itself.
template <class Block>
std::string answers(const char* at) {
    const Block block(at);
    std::string all;
    for (const unsigned each : {block.is('\n'), block.is(':'), block.textStops(), block.sectionStops(),
                                block.commentStops(), block.valueStops('"'), block.valueStops('\''), block.nameStops()})
        all += std::to_string(each) + ' ';
    return all;
}

/// Of the ASCII characters it stops at these and no others, wherever they stand.
template <class Stops>
void stopsAt(const std::string& characters, Stops stops) {
    for (int c = 0; c < 128; ++c)
        for (const unsigned place : {0u, 7u, 15u}) {
            std::string bytes(16, 'x');
            bytes[place] = static_cast<char>(c);
            const bool stop = characters.find(bytes[place]) != std::string::npos;
            BOOST_TEST(stops(Block(bytes.data())) == (stop ? 1u << place : 0), c << " at " << place);
        }
}

std::string controlsBut(std::string_view kept) {
    std::string all;
    for (char c = 0; c < 0x20; ++c)
        if (kept.find(c) == std::string_view::npos) all += c;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_block)

BOOST_AUTO_TEST_CASE(stops_at_what_is_not_to_be_taken_as_it_is) {
    stopsAt("<&]" + controlsBut("\t\n"), [](Block block) { return block.textStops(); });
    stopsAt("]" + controlsBut("\t\n"), [](Block block) { return block.sectionStops(); });
    stopsAt("-" + controlsBut("\t\n\r"), [](Block block) { return block.commentStops(); });
    stopsAt("\"<&" + controlsBut(""), [](Block block) { return block.valueStops('"'); });
    stopsAt("'<&" + controlsBut(""), [](Block block) { return block.valueStops('\''); });
    std::string notNames = controlsBut("") + "\x7F";
    for (char c = 0x20; c < 0x7F; ++c)
        if (std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:").find(c) ==
            std::string_view::npos)
            notNames += c;
    stopsAt(notNames, [](Block block) { return block.nameStops(); });
}

BOOST_AUTO_TEST_CASE(is_the_same_with_and_without_special_instructions) {
    std::mt19937 random(5);
    char bytes[16];
    for (int i = 0; i < 20'000; ++i) {
        for (char& each : bytes) each = static_cast<char>(random());
        BOOST_TEST(answers<Block>(bytes) == answers<PortableBlock>(bytes));
    }
}

BOOST_AUTO_TEST_SUITE_END()
