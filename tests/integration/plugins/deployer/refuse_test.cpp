#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

#include "deploy_folder.hpp"
#include "plugins/deployer/probe.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

namespace {

/// A bad file, and what its refusal has to speak of.
struct Bad {
    const char* file;
    const char* reason;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) { return out << bad.file; }

const Bad bads[] = {
    {"broken/text", "is no shared library"},
    {"broken/empty", "is empty"},
    {"broken/wrong_machine", "another machine"},
    {"broken/cut_50", "is cut off"},
    {"broken/cut_last_byte", "is cut off"},
    {"broken/zero_tail", ""},
    {"bad/no_entry", "does not export"},
    {"bad/other_abi", "version 9 of the plugin interface"},
    {"bad/unique", "-fno-gnu-unique"},
    {"bad/needs_a_symbol", "postbus_test_symbol_that_nobody_defines"},
    {"bad/load_crash", "while it is loaded"},
    {"bad/load_raise", "thrown on load"},
    {"bad/load_leave", "ends the process while it is loaded (exit 0)"},
    {"bad/load_spin", "does not come to an end"},
    {"bad/load_sleep", "does not come to an end"},
    {"bad/load_eat", "while it is loaded"},
    {"bad/entry_crashes", "while it is loaded"},
    {"deployer/nodelete", "-z,nodelete"},
    {"deployer/rpath", "/opt/elsewhere"},
    {"deployer/execstack", "noexecstack"},
};
const Bad failing[] = {
    {"deployer/start_fails", "could not be started (7): the fixture was told not to start"},
    {"deployer/no_operation", "defines no operation"},
    {"deployer/bad_operation", "no name"},
    {"bad/create_fails", "could not be created"},
    {"bad/constructor_throws", "could not be created"},
    {"bad/start_throws", "could not be started (1): start() failed: thrown by start"},
    {"bad/start_defines_nothing", "could not be started (1): start() defined no operation"},
};

fs::path builtPlugin(const std::string& name) { return fs::path(POSTBUS_TEST_PLUGINS) / (name + ".so"); }

void isRefused(const Bad& bad, PluginState state, const char* event) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("other"), place.folder / "good.so");
    place.start();
    Log log;

    copyOver(builtPlugin(bad.file), place.folder / "bad.so");

    const auto reason = place.reasonOf("bad.so", state);
    BOOST_REQUIRE(reason);
    BOOST_TEST(reason->find(bad.reason) != std::string::npos, *reason);
    BOOST_TEST(log.count(event) == 1u);
    BOOST_TEST(log.line(event).find((place.folder / "bad.so").string()) != std::string::npos);
    BOOST_TEST(place.call("/other") == "1");
    BOOST_TEST(place.mappedBecomes(1));

    // What was wrong with it has no hold on what comes after.
    copyOver(DeployFolder::fixture("v2"), place.folder / "bad.so");
    BOOST_TEST(place.becomes("/fixture", "2"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refuse)

BOOST_DATA_TEST_CASE(a_bad_file_is_refused_in_one_line_and_all_else_goes_on, boost::unit_test::data::make(bads), bad) {
    isRefused(bad, PluginState::Refused, "plugin.refused");
}

BOOST_DATA_TEST_CASE(a_plugin_that_does_not_start_has_failed_and_all_else_goes_on,
                     boost::unit_test::data::make(failing), bad) {
    isRefused(bad, PluginState::Failed, "plugin.failed");
}

BOOST_AUTO_TEST_CASE(a_constructor_that_eats_memory_runs_into_a_limit) {
#if defined(POSTBUS_ASAN) || defined(POSTBUS_TSAN)
    BOOST_TEST_MESSAGE("the sanitizers need their address space: not tried");
#else
    const auto identity = deployer::probe(POSTBUS_PROBE, builtPlugin("bad/load_eat").string(), milliseconds(30'000));
    BOOST_REQUIRE(!identity);
    BOOST_TEST(identity.error().message().find("bad_alloc") != std::string::npos, identity.error().message());
#endif
}

BOOST_AUTO_TEST_CASE(between_files_of_one_plugin_the_one_that_serves_stays) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "m.so");
    place.start();

    copyOver(DeployFolder::fixture("v2"), place.folder / "a.so");

    const auto reason = place.reasonOf("a.so", PluginState::Refused);
    BOOST_REQUIRE(reason);
    BOOST_TEST(*reason == "plugin fixture is served by m.so already; remove one of the two");
    BOOST_TEST(place.call("/fixture") == "1");
    // And takes over when that one goes.
    fs::remove(place.folder / "m.so");
    BOOST_TEST(place.becomes("/fixture", "2"));
    BOOST_TEST(!place.gone("a.so", PluginState::Refused).has_value());
}

BOOST_AUTO_TEST_CASE(a_path_that_is_taken_refuses_the_newcomer_until_it_is_free) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Log log;

    copyOver(DeployFolder::fixture("same_path"), place.folder / "rival.so");

    const auto reason = place.reasonOf("rival.so", PluginState::Refused);
    BOOST_REQUIRE(reason);
    BOOST_TEST(*reason == "path /fixture of Rival is taken by Fixture");
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(place.mappedBecomes(1));
    // A change of something else lets it try again, without a second line.
    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "2"));
    std::this_thread::sleep_for(milliseconds(300));
    BOOST_TEST(log.count("plugin.refused") == 1u);
    BOOST_TEST(place.mappedBecomes(1));

    fs::remove(place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "1"));  // the rival's version
    BOOST_TEST(place.reasonOf("rival.so", PluginState::Active).has_value());
}

BOOST_AUTO_TEST_CASE(a_service_name_that_is_taken_refuses_the_newcomer) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();

    copyOver(DeployFolder::fixture("same_service"), place.folder / "namesake.so");

    const auto reason = place.reasonOf("namesake.so", PluginState::Refused);
    BOOST_REQUIRE(reason);
    BOOST_TEST(*reason == "service Fixture is taken by plugin fixture (x.so); rename one of them");
    BOOST_TEST(place.call("/namesake") == "404");
}

BOOST_AUTO_TEST_CASE(begun_and_hidden_files_are_left_alone) {
    DeployFolder place;
    place.start();
    for (const char* name : {".x.so", "x.so.tmp", "x.so~", "x.so.part", "x.txt", ".x.so.h3kLq1"})
        copyOver(DeployFolder::fixture("v1"), place.folder / name);
    fs::create_directory(place.folder / "folder.so");
    std::this_thread::sleep_for(milliseconds(600));
    BOOST_TEST(place.call("/fixture") == "404");
    BOOST_TEST(place.deployer->status().empty());
}

BOOST_AUTO_TEST_CASE(a_refused_file_is_forgotten_when_it_goes) {
    DeployFolder place;
    copyOver(builtPlugin("broken/text"), place.folder / "x.so");
    place.start();
    BOOST_TEST(place.reasonOf("x.so", PluginState::Refused).has_value());

    fs::remove(place.folder / "x.so");

    BOOST_TEST(!place.gone("x.so", PluginState::Refused).has_value());
    BOOST_TEST(place.deployer->status().empty());
}

BOOST_AUTO_TEST_SUITE_END()
