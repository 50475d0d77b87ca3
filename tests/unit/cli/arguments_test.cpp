#include "cli/arguments.hpp"

#include <boost/test/unit_test.hpp>

#include "cli/call/call_arguments.hpp"
#include "cli/help.hpp"

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
    BOOST_TEST(refusal({"stats"}) == "unknown command stats, did you mean status?");
    BOOST_TEST(refusal({"stats", "--bogus"}) == "unknown command stats, did you mean status?");
    BOOST_TEST(refusal({"frobnicate"}) == "unknown command frobnicate");
    BOOST_TEST(refusal({"queue", "recieve", "q"}) == "unknown command queue recieve, did you mean receive?");
    BOOST_TEST(refusal({"plugin", "deplyo", "x"}) == "unknown command plugin deplyo, did you mean deploy?");
    BOOST_TEST(refusal({"queue", "receive", "q", "--wiat=5s"}) == "unknown option --wiat, did you mean --wait?");
    BOOST_TEST(refusal({"call", "E", "--verbos"}) == "unknown option --verbos, did you mean --verbose?");
    BOOST_TEST(refusal({"plugin", "deploy", "x.so", "--ass", "y"}) == "unknown option --ass, did you mean --as?");
    BOOST_TEST(refusal({"check", "f", "--sett", "y"}) == "unknown option --sett, did you mean --set?");
    BOOST_TEST(refusal({"check"}) == "check needs a file");
    BOOST_TEST(refusal({"check", "a", "b"}) == "check does not take b");
    BOOST_TEST(refusal({"status", "a"}) == "status does not take a");
    BOOST_TEST(refusal({"status", "--jason"}) == "unknown option --jason, did you mean --json?");
    BOOST_TEST(refusal({"status", "--set", "x=1"}) == "--set belongs to check");
    BOOST_TEST(refusal({"status", "--admin"}) == "--admin needs a value");
    BOOST_TEST(refusal({"status", "--admin="}) == "--admin needs http://HOST:PORT or unix:PATH");
}

BOOST_AUTO_TEST_CASE(of_call_are_its_own_behind_it) {
    const auto parsed =
        parse({"call", "Orders", "place", "--soap", "1.2", "a=-1", "--header", "X: y", "--timeout=500ms", "--json"});
    BOOST_REQUIRE(parsed);
    const auto call = cli::readCallArguments(*parsed);
    BOOST_REQUIRE(call);
    BOOST_TEST(call->target == "Orders");
    BOOST_TEST(call->operation == "place");
    BOOST_TEST(call->values.front() == "a=-1");
    BOOST_TEST((call->soap == wsdl::Soap::V12));
    BOOST_TEST(call->headers.front().second == "y");
    BOOST_TEST(call->timeout.count() == 500);
    BOOST_TEST(call->json);
    BOOST_TEST(cli::readCallArguments(*parse({"call", "Orders"}))->list);

    BOOST_TEST(refusal({"call"}) == "call needs an endpoint, the URL of a WSDL or a file with one");
    BOOST_TEST(refusal({"call", "a", "b=c"}) == "'b=c' stands where the operation's name should");
    BOOST_TEST(refusal({"call", "a", "b", "c"}) == "'c' is not of the form KEY=VALUE");
    BOOST_TEST(refusal({"call", "a", "b", "c=d", "--xml", "f"}).find("only one has a meaning") != std::string::npos);
    BOOST_TEST(refusal({"call", "a", "--template"}) == "which operation? --list shows them");
    BOOST_TEST(refusal({"call", "a", "b", "--soap", "2"}) == "--soap wants 1.1 or 1.2, got '2'");
    BOOST_TEST(refusal({"call", "a", "b", "--timeout", "soon"}).find("got 'soon'") != std::string::npos);
    BOOST_TEST(refusal({"call", "a", "b", "--header", "x"}) == "--header wants 'NAME: VALUE', got 'x'");
    BOOST_TEST(refusal({"call", "a", "b", "--user", "x"}) == "--user wants NAME:PASSWORD");
    BOOST_TEST(refusal({"call", "a", "b", "--wait", "5s"}) == "unknown option --wait");
    BOOST_TEST(refusal({"queue", "list", "--xml", "f"}) == "unknown option --xml");
}

BOOST_AUTO_TEST_CASE(that_are_times_have_a_unit) {
    for (const char* each : {"--wait", "--time-to-live", "--delay"}) {
        const char* verb = std::string_view(each) == "--wait" ? "receive" : "send";
        BOOST_TEST(refusal({"queue", verb, "q", each, "10"}) ==
                   std::string(each) + ": '10' has no unit; write 10s for seconds or 10ms for milliseconds");
        BOOST_TEST(bool(parse({"queue", verb, "q", each, "10s"})));
    }
    BOOST_TEST(refusal({"queue", "receive", "q", "--wait=10 s"}) ==
               "--wait: '10 s' has a blank before its unit; write 10s");
    BOOST_TEST(refusal({"call", "a", "b", "--timeout", "5"}) ==
               "--timeout: '5' has no unit; write 5s for seconds or 5ms for milliseconds");
    BOOST_TEST(refusal({"call", "a", "b", "--timeout", "0s"}) == "--timeout: '0s' is not between 1ms and 24h");
    BOOST_TEST(refusal({"call", "a", "b", "--timeout", "25h"}) == "--timeout: '25h' is not between 1ms and 24h");
}

BOOST_AUTO_TEST_CASE(need_no_command_for_help) {
    BOOST_TEST(parse({"--help"})->help);
    BOOST_TEST(parse({"--version"})->version);
    BOOST_TEST(parse({"help"})->help);
    BOOST_TEST(parse({"help"})->command.empty());
}

BOOST_AUTO_TEST_CASE(for_help_on_one_command_have_two_spellings) {
    for (const auto& each : {std::vector<const char*>{"help", "queue"}, std::vector<const char*>{"queue", "--help"}}) {
        const auto parsed = parse(each);
        BOOST_REQUIRE(parsed);
        BOOST_TEST(parsed->help);
        BOOST_TEST(parsed->command == "queue");
    }
    BOOST_TEST(refusal({"help", "queus"}) == "unknown command queus, did you mean queue?");
    BOOST_TEST(refusal({"help", "queue", "call"}) == "help is for one command");
}

BOOST_AUTO_TEST_CASE(that_are_wrong_lead_to_the_help_on_their_command) {
    const auto pointer = [](std::vector<const char*> given) { return cli::pointer(given); };
    BOOST_TEST(pointer({"--json", "queue", "recieve"}) == "see postbus help queue");
    BOOST_TEST(pointer({"stats"}) == "see postbus help");
    BOOST_TEST(pointer({"help", "stats"}) == "see postbus help");
}

BOOST_AUTO_TEST_CASE(are_explained_command_by_command) {
    const std::string all = cli::usage(), queue = cli::usage("queue");
    for (const char* each :
         {"check", "status", "endpoints", "plugins", "plugin", "exchanges", "reload", "call", "queue"}) {
        const std::string line = "\n  " + std::string(each) + ' ';
        BOOST_TEST(all.find(line) != std::string::npos, each);
        BOOST_TEST(cli::usage(each).find(line) != std::string::npos, each);
        BOOST_TEST((queue.find(line) != std::string::npos) == (std::string(each) == "queue"), each);
    }
    BOOST_TEST(queue.find("--admin WHERE") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
