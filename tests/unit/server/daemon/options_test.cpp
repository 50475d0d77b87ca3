#include "server/daemon/options.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace postbus;

namespace {

Result<server::Options> parse(std::vector<const char*> arguments) { return server::parseOptions(arguments); }

std::string refusal(std::vector<const char*> arguments) {
    const auto options = parse(std::move(arguments));
    BOOST_REQUIRE(!options);
    return options.error().message();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(options)

BOOST_AUTO_TEST_CASE(are_all_optional) {
    const auto options = parse({});

    BOOST_REQUIRE(options);
    BOOST_TEST(options->config.empty());
    BOOST_TEST(options->set.empty());
    BOOST_TEST(!options->check);
}

BOOST_AUTO_TEST_CASE(take_values_apart_or_behind_an_equals_sign) {
    const auto options = parse({"--config", "a.yaml", "--set=x=1", "--set", "y=[a, b]", "--check"});

    BOOST_REQUIRE(options);
    BOOST_TEST(options->config == "a.yaml");
    BOOST_TEST(options->set == (std::vector<std::string>{"x=1", "y=[a, b]"}), boost::test_tools::per_element());
    BOOST_TEST(options->check);
    BOOST_TEST(parse({"--config=b.yaml"})->config == "b.yaml");
}

BOOST_AUTO_TEST_CASE(that_are_wrong_are_named) {
    BOOST_TEST(refusal({"--confg", "x"}) == "unknown argument --confg");
    BOOST_TEST(refusal({"postbus.yaml"}) == "unknown argument postbus.yaml");
    BOOST_TEST(refusal({"--config"}) == "--config needs a value");
    BOOST_TEST(refusal({"--set"}) == "--set needs a value");
    BOOST_TEST(refusal({"--config="}) == "--config needs the name of a file");
    BOOST_TEST(refusal({"--config", "a", "--config", "b"}) == "--config was given twice");
    BOOST_TEST(refusal({"--checks"}) == "unknown argument --checks");
}

BOOST_AUTO_TEST_SUITE_END()
