#include <boost/test/unit_test.hpp>

#include <fstream>
#include <thread>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

namespace {

// Bytes that this process has to itself.
[[maybe_unused]] std::size_t anonymousMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::size_t kilobytes = 0;
        if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(undeploy)

// R03: nothing of a deployment is left that the next one could stumble over.
BOOST_AUTO_TEST_CASE(fifty_times_deployed_and_undeployed) {
    DeployFolder place;
    place.options.quiet = milliseconds(20);
    place.start();
    const auto descriptors = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = descriptors();

    for (int i = 0; i < 50; ++i) {
        // Every fifth time something fails on purpose first.
        if (i % 5 == 0) {
            copyOver(DeployFolder::fixture(i % 2 ? "start_fails" : "bad_operation"), place.folder / "x.so");
            BOOST_REQUIRE(place.reasonOf("x.so", PluginState::Failed));
            BOOST_TEST(place.call("/fixture") == "404");
        }
        moveInto(DeployFolder::fixture(i % 2 ? "v1" : "v2"), place.folder / "x.so");
        BOOST_REQUIRE(place.becomes("/fixture", i % 2 ? "1" : "2"));
        fs::remove(place.folder / "x.so");
        BOOST_REQUIRE(place.becomes("/fixture", "404"));
    }

    BOOST_TEST(place.mappedBecomes(0));
    BOOST_TEST(descriptors() == before);
    BOOST_TEST(eventually([&] { return place.deployer->status().empty(); }));
}

#if !defined(POSTBUS_ASAN) && !defined(POSTBUS_TSAN)  // they keep what is freed
BOOST_AUTO_TEST_CASE(redeploys_leave_less_than_a_kilobyte_each) {
    DeployFolder place;
    place.options.quiet = milliseconds(5);
    place.start();
    std::size_t before = 0;
    constexpr int warmUp = 60, counted = 300;
    for (int i = 0; i < warmUp + counted; ++i) {
        if (i == warmUp) before = anonymousMemory();
        const std::string version = std::to_string(i % 3 + 1);
        moveInto(DeployFolder::fixture("v" + version), place.folder / "x.so");
        BOOST_REQUIRE(place.becomes("/fixture", version));
    }
    const auto grown = static_cast<double>(anonymousMemory()) - static_cast<double>(before);
    BOOST_TEST_MESSAGE(grown / counted << " bytes a redeploy");
    BOOST_TEST(grown / counted < 1024);
    BOOST_TEST(place.mappedBecomes(1));
}
#endif

BOOST_AUTO_TEST_CASE(a_file_deleted_and_brought_again_in_time_leaves_no_gap) {
    DeployFolder place;
    place.options.quiet = milliseconds(3000);  // plenty for a machine that is busy with other things
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Load load(place.rig, {"1", "2"});

    fs::remove(place.folder / "x.so");
    std::this_thread::sleep_for(milliseconds(120));
    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");

    BOOST_TEST(place.becomes("/fixture", "2"));
    load.stop();
    BOOST_TEST(load.wrong() == "");
}

BOOST_AUTO_TEST_CASE(a_call_under_way_is_answered_by_the_version_that_took_it) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("later"), place.folder / "x.so");
    place.start();
    Load load(place.rig, {"later", "404"});

    fs::remove(place.folder / "x.so");

    BOOST_TEST(place.becomes("/fixture", "404"));
    load.stop();
    BOOST_TEST(load.wrong() == "");
    BOOST_TEST(place.mappedBecomes(0));
}

BOOST_AUTO_TEST_CASE(a_call_that_does_not_end_keeps_its_code_mapped_and_is_told_of) {
    DeployFolder place;
    place.options.drain = milliseconds(100);
    copyOver(DeployFolder::fixture("stuck"), place.folder / "x.so");
    place.start();
    Log log;
    std::string answer;
    std::thread caller([&] { answer = Caller(place.rig).call("/fixture"); });
    BOOST_REQUIRE(eventually([&] { return place.rig.received == 1; }));

    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    BOOST_TEST(place.reasonOf("x.so", PluginState::Draining).has_value());
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(eventually([&] { return log.count("plugin.unload.overdue") == 1; }));
    BOOST_TEST(place.mapped() == 2);
    BOOST_TEST(place.reasonOf("x.so", PluginState::Zombie).value_or("") ==
               "calls to it did not end within the drain time; it stays mapped");

    caller.join();
    BOOST_TEST(answer == "stuck");
    // It was stopped when its call had ended after all, but its code stays.
    BOOST_TEST(!place.gone("x.so", PluginState::Zombie).has_value());
    BOOST_TEST(log.count("plugin.unload.failed") == 1u);
    BOOST_TEST(place.mapped() == 2);
}

BOOST_AUTO_TEST_CASE(stop_waits_for_calls_until_its_deadline_and_not_longer) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("blocks"), place.folder / "x.so");
    place.start();
    std::string answer;
    std::atomic<bool> answered{false};
    std::thread caller([&] {
        answer = Caller(place.rig).call("/fixture");
        answered = true;
    });
    BOOST_REQUIRE(eventually([&] { return place.rig.received == 1; }));

    const TimePoint begun = Clock::now();
    place.stop(milliseconds(300));
    const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - begun).count();

    BOOST_TEST(took >= 290);
    BOOST_TEST(!answered);
    caller.join();
    BOOST_TEST(answer == "blocks");  // from code that is still there
}

BOOST_AUTO_TEST_CASE(a_plugins_own_stop_that_takes_too_long_is_not_waited_for) {
    Log log;
    TimePoint begun;
    {
        DeployFolder place;
        copyOver(DeployFolder::fixture("slow_stop"), place.folder / "x.so");
        place.start();
        begun = Clock::now();
        place.stop(milliseconds(200));
    }
    BOOST_TEST(std::chrono::duration_cast<milliseconds>(Clock::now() - begun).count() < 2'900);
    BOOST_TEST(log.line("plugin.busy").find("the stop of plugin fixture slow_stop") != std::string::npos);
    // Its thread comes out later, and finds all that it needs.
    std::this_thread::sleep_for(milliseconds(3'500) - (Clock::now() - begun));
}

BOOST_AUTO_TEST_CASE(a_plugin_that_starts_too_late_is_not_published_to_a_bus_that_is_gone) {
    Log log;
    const TimePoint begun = Clock::now();
    {
        DeployFolder place;
        place.start();
        copyOver(DeployFolder::fixture("slow_start"), place.folder / "x.so");
        std::this_thread::sleep_for(milliseconds(800));
        place.stop(milliseconds(100));
    }
    BOOST_TEST(std::chrono::duration_cast<milliseconds>(Clock::now() - begun).count() < 3'900);
    BOOST_TEST(log.line("plugin.busy").find("the start of plugin fixture") != std::string::npos);
    std::this_thread::sleep_for(milliseconds(5'500) - (Clock::now() - begun));
    BOOST_TEST(log.count("plugin.active") == 0u);
}

BOOST_AUTO_TEST_CASE(stop_is_over_as_soon_as_the_last_call_is) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("later"), place.folder / "x.so");
    place.start();
    BOOST_TEST(place.call("/fixture") == "later");

    const TimePoint begun = Clock::now();
    place.stop(milliseconds(10'000));

    BOOST_TEST(std::chrono::duration_cast<milliseconds>(Clock::now() - begun).count() < 9'000);
    BOOST_TEST(place.mapped() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
