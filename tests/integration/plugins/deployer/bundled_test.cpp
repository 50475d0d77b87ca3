#include <boost/test/unit_test.hpp>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

namespace {

struct Bundled : DeployFolder {
    Bundled() : DeployFolder(true) { copyOver(fixture("v1"), bundled / "fixture.so"); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bundled)

BOOST_FIXTURE_TEST_CASE(a_bundled_plugin_serves, Bundled) {
    start();
    BOOST_TEST(call("/fixture") == "1");
    const auto rows = deployer->status();
    BOOST_REQUIRE(rows.size() == 1u);
    BOOST_TEST(rows[0].bundled);
}

BOOST_FIXTURE_TEST_CASE(one_of_its_name_in_the_folder_replaces_it_and_gives_way_again, Bundled) {
    start();
    Load load(rig, {"1", "2"});

    copyOver(fixture("v2"), folder / "mine.so");
    BOOST_TEST(becomes("/fixture", "2"));
    BOOST_TEST(reasonOf("fixture.so", PluginState::Disabled).value_or("") ==
               "replaced by mine.so of the deploy folder");
    load.stop();
    BOOST_TEST(load.wrong() == "");

    Load back(rig, {"2", "1"});
    fs::remove(folder / "mine.so");
    BOOST_TEST(becomes("/fixture", "1"));
    back.stop();
    BOOST_TEST(back.wrong() == "");
}

BOOST_FIXTURE_TEST_CASE(the_one_in_the_folder_serves_from_the_start, Bundled) {
    copyOver(fixture("v2"), folder / "mine.so");
    start();
    BOOST_TEST(call("/fixture") == "2");
    BOOST_TEST(mapped() == 1);
}

BOOST_FIXTURE_TEST_CASE(the_same_bytes_in_the_folder_take_over_without_a_swap, Bundled) {
    start();
    const auto endpoint = deployer->services().at(0).endpoint;
    copyOver(fixture("v1"), folder / "fixture.so");
    BOOST_TEST(reasonOf("fixture.so", PluginState::Disabled).has_value());
    BOOST_TEST((deployer->services().at(0).endpoint == endpoint));
    fs::remove(folder / "fixture.so");
    BOOST_TEST(!gone("fixture.so", PluginState::Disabled).has_value());
    BOOST_TEST((deployer->services().at(0).endpoint == endpoint));
}

BOOST_FIXTURE_TEST_CASE(a_bad_replacement_leaves_the_bundled_one, Bundled) {
    start();
    copyOver(fixture("start_fails"), folder / "fixture.so");
    BOOST_TEST(reasonOf("fixture.so", PluginState::Failed).has_value());
    BOOST_TEST(call("/fixture") == "1");
}

BOOST_FIXTURE_TEST_CASE(a_bad_replacement_at_the_start_leaves_the_bundled_one, Bundled) {
    copyOver(fixture("start_fails"), folder / "fixture.so");
    start();
    BOOST_TEST(call("/fixture") == "1");
}

BOOST_FIXTURE_TEST_CASE(a_disabled_file_hides_it, Bundled) {
    shell("touch " + (folder / "fixture.disabled").string());
    start();
    BOOST_TEST(call("/fixture") == "404");
    BOOST_TEST(reasonOf("fixture.so", PluginState::Disabled).value_or("") == "hidden by fixture.disabled");

    fs::remove(folder / "fixture.disabled");
    BOOST_TEST(becomes("/fixture", "1"));
    shell("touch " + (folder / "fixture.disabled").string());
    BOOST_TEST(becomes("/fixture", "404"));
}

BOOST_FIXTURE_TEST_CASE(a_disabled_file_hides_the_plugin_beside_it, Bundled) {
    copyOver(fixture("other"), folder / "mine.so");
    start();
    BOOST_TEST(call("/other") == "1");
    shell("touch " + (folder / "mine.disabled").string());
    BOOST_TEST(becomes("/other", "404"));
    BOOST_TEST(call("/fixture") == "1");
}

BOOST_FIXTURE_TEST_CASE(between_a_bundled_and_a_dropped_plugin_on_one_path_the_bundled_one_serves, Bundled) {
    copyOver(fixture("same_path"), folder / "a.so");
    start();
    BOOST_TEST(deployer->services().at(0).plugin == "fixture");
    BOOST_TEST(reasonOf("a.so", PluginState::Refused).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
