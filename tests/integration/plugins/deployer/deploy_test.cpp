#include <boost/test/unit_test.hpp>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

BOOST_AUTO_TEST_SUITE(deploy)

BOOST_AUTO_TEST_CASE(what_lies_in_the_folder_serves_when_start_returns) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "any-name.so");

    place.start();

    BOOST_TEST(place.call("/fixture") == "1");
    const auto rows = place.deployer->status();
    BOOST_REQUIRE(rows.size() == 1u);
    BOOST_TEST(rows[0].name == "fixture");
    BOOST_TEST(rows[0].version == "1");
    BOOST_TEST(rows[0].file == "any-name.so");
    BOOST_TEST(rows[0].hash.size() == 64u);
    BOOST_TEST((rows[0].state == PluginState::Active));
    BOOST_TEST(rows[0].services == std::vector<std::string>{"Fixture"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_dropped_file_is_live_within_a_second) {
    milliseconds fastest = patience;
    // More than once for a machine that is busy with other things just now.
    for (int i = 0; i < 5 && fastest >= milliseconds(1'000); ++i) {
        DeployFolder place;
        place.start();
        BOOST_TEST(place.call("/fixture") == "404");

        const TimePoint dropped = Clock::now();
        copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
        BOOST_TEST(place.becomes("/fixture", "1"));

        fastest = std::min(fastest, std::chrono::duration_cast<milliseconds>(Clock::now() - dropped));
    }
    BOOST_TEST(fastest.count() < 1'000);
}

BOOST_AUTO_TEST_CASE(replacing_switches_and_the_former_code_is_unmapped) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    BOOST_TEST(place.mapped() == 1);

    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "2"));
    BOOST_TEST(place.mappedBecomes(1));
    moveInto(DeployFolder::fixture("v3"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "3"));

    place.stop();
    BOOST_TEST(place.mapped() == 0);
}

BOOST_AUTO_TEST_CASE(removing_the_file_undeploys) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();

    fs::remove(place.folder / "x.so");

    BOOST_TEST(place.becomes("/fixture", "404"));
    BOOST_TEST(place.mappedBecomes(0));
    BOOST_TEST(eventually([&] { return place.deployer->status().empty(); }));
}

BOOST_AUTO_TEST_SUITE_END()
