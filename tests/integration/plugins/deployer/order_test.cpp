// What an operator asks for by `postbus plugin`: at once, and with an answer.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::Order;
using deployer::PluginState;

namespace {

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder whose quiet time outlasts any test: what comes to be served here came by an order.
struct Desk : DeployFolder {
    explicit Desk(bool withBundled = false) : DeployFolder(withBundled) { options.quiet = milliseconds(600'000); }

    Result<deployer::OrderDone> order(Order::Kind kind, std::string name, std::string bytes = {}) {
        return deployer->perform({kind, std::move(name), std::move(bytes)}, Clock::now() + patience);
    }
    Result<deployer::OrderDone> deploy(const std::string& fixtureName, const std::string& as = "x.so") {
        return order(Order::Kind::Deploy, as, contentOf(fixture(fixtureName)));
    }
    /// The names in the folder, hidden ones as well.
    std::string names() const {
        std::vector<std::string> all;
        for (const auto& each : fs::directory_iterator(folder)) all.push_back(each.path().filename().string());
        std::sort(all.begin(), all.end());
        std::string text;
        for (const auto& each : all) (text += text.empty() ? "" : " ") += each;
        return text;
    }
    /// The states that a plugin went through, of late.
    std::string wayOf(const std::string& version) const {
        std::string text;
        for (const auto& each : deployer->changes())
            if (each.version == version) (text += text.empty() ? "" : " ") += nameOf(each.state);
        return text;
    }
};

/// An outcome in one line.
std::string told(const Result<deployer::OrderDone>& outcome) {
    if (!outcome) return "refused: " + outcome.error().message();
    return outcome->plugin + ' ' + outcome->version + ' ' + std::string(nameOf(outcome->state)) + ' ' + outcome->file +
           (outcome->former.empty() ? "" : " after " + outcome->former) + (outcome->bundled ? " bundled" : "") +
           (outcome->unchanged ? " unchanged" : "");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(order)

BOOST_AUTO_TEST_CASE(what_is_deployed_serves_when_the_answer_comes_and_lies_in_the_folder) {
    Desk place;
    place.start();

    BOOST_TEST(told(place.deploy("v1")) == "fixture 1 active x.so");
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(told(place.deploy("v2")) == "fixture 2 active x.so after 1");
    BOOST_TEST(place.call("/fixture") == "2");

    BOOST_TEST(place.names() == "x.so");
    BOOST_TEST((contentOf(place.folder / "x.so") == contentOf(DeployFolder::fixture("v2"))));
    BOOST_TEST(place.mappedBecomes(1));
    BOOST_TEST(told(place.deploy("v2")) == "fixture 2 active x.so after 2 unchanged");
    // A look that has nothing to do with it finds nothing new.
    shell("touch " + (place.folder / "other.txt").string());
    std::this_thread::sleep_for(milliseconds(200));
    BOOST_TEST(place.deployer->status().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_plugin_stays_in_its_place_and_no_other_is_pushed_out_of_it) {
    Desk place;
    place.start();
    BOOST_TEST(told(place.deploy("v1", "first.so")) == "fixture 1 active first.so");

    BOOST_TEST(told(place.deploy("v2", "second.so")) == "fixture 2 active first.so after 1");
    BOOST_TEST(told(place.deploy("other", "first.so")) ==
               "refused: first.so holds plugin fixture, and this is plugin other; give the file another name");
    BOOST_TEST(told(place.deploy("other", "other.so")) == "other 1 active other.so");

    BOOST_TEST(place.names() == "first.so other.so");
    BOOST_TEST(place.call("/fixture") == "2");
}

BOOST_AUTO_TEST_CASE(what_is_refused_leaves_nothing_behind_and_touches_nothing) {
    Desk place;
    place.start();
    BOOST_TEST(told(place.deploy("v1")) == "fixture 1 active x.so");
    Load load(place.rig, {"1"});

    const std::string whole = contentOf(DeployFolder::fixture("v2"));
    BOOST_TEST(told(place.order(Order::Kind::Deploy, "x.so", whole.substr(0, 9000))).find("is cut off") !=
               std::string::npos);
    BOOST_TEST(told(place.order(Order::Kind::Deploy, "x.so", "text")) ==
               "refused: x.so: is no shared library: it does not begin as an ELF file does");
    BOOST_TEST(told(place.deploy("start_fails")) ==
               "refused: x.so: service Fixture could not be started (7): the fixture was told not to start");
    BOOST_TEST(told(place.deploy("same_path", "rival.so")).find("refused: rival.so: ") == 0u);
    BOOST_TEST(told(place.deploy("../bad/load_crash")).find("while it is loaded") != std::string::npos);

    for (const char* name : {"", ".x.so", "x.txt", "../x.so", "a/x.so", "x y.so", "x.so\n"})
        BOOST_TEST(told(place.order(Order::Kind::Deploy, name, whole)).find("is no name for a plugin file") !=
                   std::string::npos);
    BOOST_TEST(place.names() == "x.so");
    BOOST_TEST((contentOf(place.folder / "x.so") == contentOf(DeployFolder::fixture("v1"))));
    load.stop();
    BOOST_TEST(load.wrong() == "");
    BOOST_TEST(place.mappedBecomes(1));
}

BOOST_AUTO_TEST_CASE(a_rollback_puts_the_former_version_to_service_also_after_a_restart) {
    Desk place;
    place.start();
    BOOST_TEST(told(place.order(Order::Kind::Rollback, "fixture")) == "refused: there is no plugin fixture");
    (void)place.deploy("v1");
    BOOST_TEST(told(place.order(Order::Kind::Rollback, "fixture")) ==
               "refused: no other version of plugin fixture has served here");
    (void)place.deploy("v2");
    (void)place.deploy("v3");

    BOOST_TEST(told(place.order(Order::Kind::Rollback, "fixture")) == "fixture 2 active x.so after 3");
    BOOST_TEST(place.call("/fixture") == "2");
    BOOST_TEST((contentOf(place.folder / "x.so") == contentOf(DeployFolder::fixture("v2"))));
    place.stop();
    place.options.quiet = milliseconds(50);
    place.start();
    BOOST_TEST(place.call("/fixture") == "2");
    BOOST_TEST(told(place.order(Order::Kind::Rollback, "fixture")) == "fixture 3 active x.so after 2");
    BOOST_TEST(place.call("/fixture") == "3");
}

BOOST_AUTO_TEST_CASE(a_plugin_is_disabled_and_enabled_and_undeployed) {
    Desk place;
    place.start();
    (void)place.deploy("v1");

    BOOST_TEST(told(place.order(Order::Kind::Disable, "fixture")) == "fixture  disabled x.so after 1");
    BOOST_TEST(place.call("/fixture") == "404");
    BOOST_TEST(place.names() == "x.disabled x.so");
    BOOST_TEST(told(place.order(Order::Kind::Disable, "fixture")) == "fixture  disabled x.so unchanged");
    BOOST_TEST(told(place.deploy("v2")) ==
               "refused: plugin fixture is disabled by x.disabled; enable it first: postbus plugin enable fixture");
    BOOST_TEST(told(place.order(Order::Kind::Enable, "fixture")) == "fixture 1 active x.so");
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(told(place.order(Order::Kind::Enable, "fixture")) == "fixture 1 active x.so unchanged");

    BOOST_TEST(told(place.order(Order::Kind::Undeploy, "fixture")) == "fixture  unloaded x.so after 1");
    BOOST_TEST(place.call("/fixture") == "404");
    BOOST_TEST(place.names() == "");
    BOOST_TEST(told(place.order(Order::Kind::Undeploy, "fixture")) == "refused: there is no plugin fixture");
    BOOST_TEST(place.mappedBecomes(0));
}

BOOST_AUTO_TEST_CASE(a_bundled_plugin_is_replaced_and_comes_back_and_is_hidden) {
    Desk place(true);
    copyOver(DeployFolder::fixture("v1"), place.bundled / "x.so");
    place.start();
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(told(place.order(Order::Kind::Undeploy, "fixture")) ==
               "refused: plugin fixture comes with the bus, not from the deploy folder; hide it: postbus plugin "
               "disable fixture");

    BOOST_TEST(told(place.deploy("v2", "mine.so")) == "fixture 2 active mine.so after 1");
    BOOST_TEST(told(place.order(Order::Kind::Undeploy, "fixture")) == "fixture 1 active x.so after 2 bundled");
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(told(place.order(Order::Kind::Disable, "fixture")) == "fixture  disabled x.so after 1");
    BOOST_TEST(place.call("/fixture") == "404");
}

BOOST_AUTO_TEST_CASE(each_state_is_entered_in_its_turn) {
    Desk place;
    place.start();
    (void)place.deploy("v1");
    (void)place.deploy("v2");
    BOOST_TEST(place.mappedBecomes(1));

    BOOST_TEST(
        eventually([&] { return place.wayOf("1") == "resolved loading starting active draining stopping unloaded"; }));
    BOOST_TEST(place.wayOf("2") == "resolved loading starting active");
    const auto counts = place.deployer->counts();
    BOOST_TEST(counts[static_cast<std::size_t>(PluginState::Active)] == 2u);
    BOOST_TEST(counts[static_cast<std::size_t>(PluginState::Verifying)] == 2u);
    BOOST_TEST(counts[static_cast<std::size_t>(PluginState::Unloaded)] == 1u);
}

// An order does not wait for what the folder waits for, and nothing that is tried out holds it up.
BOOST_AUTO_TEST_CASE(orders_overtake_a_plugin_that_does_not_come_to_an_end_while_it_is_tried_out) {
    Desk place;
    place.start();
    std::string outcome;
    std::atomic<bool> over{false};
    std::thread slow([&] {
        outcome = told(place.deploy("../bad/load_spin", "spins.so"));
        over = true;
    });
    BOOST_TEST(told(place.deploy("v1")) == "fixture 1 active x.so");
    BOOST_TEST(!over);
    slow.join();
    BOOST_TEST(outcome.find("does not come to an end while it is loaded") != std::string::npos, outcome);
    BOOST_TEST(place.names() == "x.so");
}

BOOST_AUTO_TEST_CASE(after_the_end_there_is_nobody_to_carry_it_out) {
    Desk place;
    place.start();
    place.rig.publishNothing();
    place.deployer->stop(Clock::now() + patience);
    BOOST_TEST(told(place.deploy("v1")) == "refused: the bus is stopping");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(failed_note)

BOOST_AUTO_TEST_CASE(beside_a_plugin_that_was_refused_stands_why_until_it_is_mended_or_gone) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    const fs::path note = place.folder / "x.failed";

    shell("head -c 9000 " + DeployFolder::fixture("v2").string() + " > " + (place.folder / "x.so").string());
    BOOST_TEST(eventually([&] { return fs::exists(note); }));
    BOOST_TEST(contentOf(note).find("x.so: is cut off") == 0u);
    BOOST_TEST(place.call("/fixture") == "1");
    copyOver(DeployFolder::fixture("v3"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "3"));
    BOOST_TEST(eventually([&] { return !fs::exists(note); }));

    copyOver(DeployFolder::fixture("start_fails"), place.folder / "x.so");
    BOOST_TEST(eventually([&] { return fs::exists(note); }));
    BOOST_TEST(contentOf(note) ==
               "x.so: service Fixture could not be started (7): the fixture was told not to start\n");
    fs::remove(place.folder / "x.so");
    BOOST_TEST(eventually([&] { return !fs::exists(note); }));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(redeploy)

namespace {

/// A plugin whose version is v and six digits.
std::string numbered(const std::string& file, int number) {
    constexpr std::string_view mark = "v000000";
    char version[16];
    std::snprintf(version, sizeof version, "v%06d", number);
    std::string made = file;
    for (std::size_t at = 0; (at = made.find(mark, at)) != std::string::npos; ++at)
        made.replace(at, mark.size(), version);
    return made;
}

std::size_t descriptors() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

}  // namespace

BOOST_DATA_TEST_CASE(three_hundred_redeploys_under_load_lose_nothing_and_leave_nothing,
                     boost::unit_test::data::make({"numbered", "numbered_thread_local"}), name) {
    constexpr int rounds = 300;
    Desk place;
    place.start();
    const std::string file = contentOf(DeployFolder::fixture(name));
    std::vector<std::string> versions;
    for (int i = 0; i <= rounds; ++i) versions.push_back(numbered("v000000", i));
    BOOST_REQUIRE(place.order(Order::Kind::Deploy, "x.so", file));
    Load load(place.rig, versions);
    Log log;
    std::size_t before = 0;

    for (int i = 1; i <= rounds; ++i) {
        const auto done = place.order(Order::Kind::Deploy, "x.so", numbered(file, i));
        BOOST_REQUIRE_MESSAGE(done, told(done));
        // No stale answer after the switch: the order has been answered.
        BOOST_REQUIRE_EQUAL(place.call("/fixture"), versions[static_cast<std::size_t>(i)]);
        if (i == 20) before = descriptors();
    }
    load.stop();
    BOOST_TEST(load.wrong() == "");
    BOOST_TEST(load.backwards() == 0u);
    BOOST_TEST(load.calls() > 300u);
    BOOST_TEST(place.mappedBecomes(1));
    BOOST_TEST(eventually([&] { return log.count("plugin.unloaded") == static_cast<std::size_t>(rounds); }));
    BOOST_TEST(log.count("plugin.unload.failed") == 0u);
    BOOST_TEST(eventually([&] { return descriptors() <= before; }));
    BOOST_TEST(place.names() == "x.so");
    // The copies of old versions go; what a rollback wants stays.
    const auto copies = std::distance(fs::directory_iterator(place.cache), fs::directory_iterator());
    BOOST_TEST(copies < 100);
}

BOOST_AUTO_TEST_SUITE_END()
