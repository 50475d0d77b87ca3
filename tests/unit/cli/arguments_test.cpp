#include "cli/arguments.hpp"

#include <boost/test/unit_test.hpp>

using namespace postbus;

namespace {

Result<cli::Arguments> parse(std::vector<const char*> arguments) { return cli::parseArguments(arguments); }

std::string refusal(std::vector<const char*> arguments) {
    const auto parsed = parse(std::move(arguments));
    BOOST_REQUIRE(!parsed);
    return parsed.error().message();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(arguments)

BOOST_AUTO_TEST_CASE(may_stand_in_any_order) {
    for (const auto& each : {std::vector<const char*>{"--admin", "unix:/x", "--json", "status"},
                             std::vector<const char*>{"status", "--json", "--admin=unix:/x"}}) {
        const auto parsed = parse(each);
        BOOST_REQUIRE(parsed);
        BOOST_TEST(parsed->command == "status");
        BOOST_TEST(parsed->admin == "unix:/x");
        BOOST_TEST(parsed->json);
    }
}

BOOST_AUTO_TEST_CASE(carry_the_file_and_settings_to_check) {
    const auto parsed = parse({"check", "a.yaml", "--set", "x=1", "--set=y=2"});

    BOOST_REQUIRE(parsed);
    BOOST_TEST(parsed->operands.front() == "a.yaml");
    BOOST_TEST(parsed->set.size() == 2u);
}

BOOST_AUTO_TEST_CASE(that_are_wrong_are_named) {
    BOOST_TEST(refusal({}) == "which command?");
    BOOST_TEST(refusal({"stats"}) == "unknown command stats");
    BOOST_TEST(refusal({"check"}) == "check needs a file");
    BOOST_TEST(refusal({"check", "a", "b"}) == "check does not take b");
    BOOST_TEST(refusal({"status", "a"}) == "status does not take a");
    BOOST_TEST(refusal({"status", "--jason"}) == "unknown option --jason");
    BOOST_TEST(refusal({"status", "--set", "x=1"}) == "--set belongs to check");
    BOOST_TEST(refusal({"status", "--admin"}) == "--admin needs a value");
    BOOST_TEST(refusal({"status", "--admin="}) == "--admin needs http://HOST:PORT or unix:PATH");
}

BOOST_AUTO_TEST_CASE(need_no_command_for_help) {
    BOOST_TEST(parse({"--help"})->help);
    BOOST_TEST(parse({"--version"})->version);
}

BOOST_AUTO_TEST_SUITE_END()
