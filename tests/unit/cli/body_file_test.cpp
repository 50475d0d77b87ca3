#include "cli/body_file.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/scratch_folder.hpp"

using namespace postbus;

namespace {

std::string bytesOfFile(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(body_file)

BOOST_AUTO_TEST_CASE(is_there_when_it_is_whole) {
    const test::ScratchFolder folder;
    const std::string name = folder / "body";
    std::ofstream(name) << "older";
    {
        cli::BodyFile file(name);
        BOOST_REQUIRE(file.isOpen());
        BOOST_TEST(file.write(std::string_view("a\0\r\n", 4)));
        BOOST_TEST(bytesOfFile(name) == "older");
        BOOST_TEST(file.finish());
    }
    BOOST_TEST(bytesOfFile(name) == std::string_view("a\0\r\n", 4));
}

BOOST_AUTO_TEST_CASE(leaves_what_was_there_when_it_is_not) {
    const test::ScratchFolder folder;
    const std::string name = folder / "body";
    std::ofstream(name) << "older";
    {
        cli::BodyFile file(name);
        BOOST_TEST(file.write("half"));
    }
    BOOST_TEST(bytesOfFile(name) == "older");
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(says_where_it_can_not_write) {
    const test::ScratchFolder folder;
    BOOST_TEST(!cli::BodyFile(folder / "no/body").isOpen());
    BOOST_TEST(!cli::BodyFile(folder.path().string()).isOpen());
    cli::BodyFile full("/dev/full");
    BOOST_REQUIRE(full.isOpen());
    BOOST_TEST((!full.write(std::string(1 << 20, 'x')) || !full.finish()));
    BOOST_TEST(std::filesystem::exists("/dev/full"));
}

BOOST_AUTO_TEST_SUITE_END()
