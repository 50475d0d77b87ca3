#include <boost/test/unit_test.hpp>

#include <thread>

#include "deploy_folder.hpp"
#include "plugins/deployer/host_table.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

struct Deployed : DeployFolder {
    std::string answerOf(const std::string& plugin) {
        copyOver(fixture(plugin), folder / "x.so");
        start();
        return call("/fixture");
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(calls)

BOOST_FIXTURE_TEST_CASE(a_fault_is_the_callers, Deployed) { BOOST_TEST(answerOf("fault") == "fault: not like this"); }

BOOST_FIXTURE_TEST_CASE(what_a_plugin_throws_becomes_a_fault, Deployed) {
    Log log;
    BOOST_TEST(answerOf("throws") == "fault: the service failed");
    BOOST_TEST(call("/fixture") == "fault: the service failed");
    BOOST_TEST(log.count("plugin.misbehaved") == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_second_answer_is_counted_and_has_no_effect, Deployed) {
    const auto before = deployer::misuses();
    BOOST_TEST(answerOf("twice") == "twice");
    BOOST_TEST(call("/fixture") == "twice");
    BOOST_TEST(deployer::misuses() == before + 2);
}

BOOST_FIXTURE_TEST_CASE(headers_are_found_in_any_case_and_set_only_if_they_are_such, Deployed) {
    const auto before = deployer::misuses();
    BOOST_TEST(answerOf("headers") == "rig/1");
    BOOST_TEST(caller.headers == std::vector<std::string>{"X-Good: yes"}, boost::test_tools::per_element());
    BOOST_TEST(caller.contentType == "");
    BOOST_TEST(deployer::misuses() == before + 3);
}

BOOST_FIXTURE_TEST_CASE(an_answer_may_come_later_from_another_thread, Deployed) {
    BOOST_TEST(answerOf("later") == "later");
    stop();
    BOOST_TEST(mapped() == 0);
}

BOOST_FIXTURE_TEST_CASE(an_operation_that_may_block_runs_on_a_worker, Deployed) {
    BOOST_TEST(answerOf("worker") == "worker");
    BOOST_TEST(!deployer->services().at(0).endpoint->contract().operations.at(0).nonblocking);
}

BOOST_FIXTURE_TEST_CASE(thread_locals_with_destructors_run_on_the_loops_and_go_with_their_plugin, Deployed) {
    Log log;
    BOOST_TEST(answerOf("thread_local") == "thread_local");
    BOOST_TEST(deployer->services().at(0).endpoint->contract().operations.at(0).nonblocking);
    BOOST_TEST(log.count("plugin.warning") == 0u);
    // A thread that ends before the plugin, and this one, which does not.
    std::thread([this] {
        Caller other(rig);
        (void)other.call("/fixture");
    }).join();

    copyOver(fixture("v1"), folder / "x.so");
    BOOST_TEST(becomes("/fixture", "1"));
    BOOST_TEST(mappedBecomes(1));
    copyOver(fixture("thread_local"), folder / "x.so");
    BOOST_TEST(becomes("/fixture", "thread_local"));
    BOOST_TEST(mappedBecomes(1));
    BOOST_TEST(log.count("plugin.unload.failed") == 0u);
    BOOST_TEST(log.count("plugin.unloaded") == 2u);
}

BOOST_FIXTURE_TEST_CASE(the_endpoint_says_who_it_is, Deployed) {
    (void)answerOf("v2");
    const auto services = deployer->services();
    BOOST_REQUIRE(services.size() == 1u);
    BOOST_TEST(services[0].name == "Fixture");
    BOOST_TEST(services[0].path == "/fixture");
    BOOST_TEST(services[0].plugin == "fixture");
    BOOST_TEST(services[0].endpoint->name() == "Fixture");
    BOOST_TEST(services[0].endpoint->version() == "2");
    BOOST_TEST(services[0].endpoint->origin() == "fixture");
    const auto& contract = services[0].endpoint->contract();
    BOOST_TEST(contract.ns == "urn:fixture");
    BOOST_TEST(contract.implementation == "Fixture");
    BOOST_TEST(contract.operations.size() == 1u);
    BOOST_TEST(contract.find("urn:fixture", "ask") == &contract.operations[0]);
}

// Two loops call without pause while version follows version, by every way of copying in turn.
BOOST_FIXTURE_TEST_CASE(swaps_under_load_lose_nothing_and_leave_nothing, Deployed) {
    options.quiet = milliseconds(1'000);  // install takes the file away first, and a busy machine may stop it there
    copyOver(fixture("v1"), folder / "x.so");
    start();
    Load load(rig, {"1", "2", "3"});
    for (int swaps = 0; swaps < 12; ++swaps) {
        const fs::path next = fixture("v" + std::to_string(swaps % 3 + 1)), to = folder / "x.so";
        switch (swaps % 4) {
            case 0:
                copyOver(next, to);
                break;
            case 1:
                moveInto(next, to);
                break;
            case 2:
                shell("rsync -a --inplace " + next.string() + ' ' + to.string());
                break;
            default:
                shell("install " + next.string() + ' ' + to.string());
        }
        BOOST_REQUIRE(becomes("/fixture", std::to_string(swaps % 3 + 1)));
    }
    load.stop();
    BOOST_TEST_MESSAGE(load.calls() << " calls");
    BOOST_TEST(load.wrong() == "");
    BOOST_TEST(mappedBecomes(1));
}

BOOST_AUTO_TEST_SUITE_END()
