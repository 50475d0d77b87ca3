#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "plugins/deployer/probe.hpp"
#include "scratch.hpp"

using namespace postbus;
using namespace postbus::deployer;
using namespace postbus::test;

namespace {

Result<Identity> probed(const std::string& plugin, milliseconds limit = milliseconds(8'000)) {
    return probe(POSTBUS_PROBE, testPlugin(plugin), limit);
}

std::string why(const std::string& plugin, milliseconds limit = milliseconds(8'000)) {
    const auto identity = probed(plugin, limit);
    return identity ? "" : identity.error().message();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

#define TEST_HAS(text, part)                                                       \
    do {                                                                           \
        const std::string its = (text);                                            \
        BOOST_TEST(has(its, part), "\"" << its << "\" lacks \"" << (part) << '"'); \
    } while (false)

BOOST_AUTO_TEST_SUITE(plugin_probe)

BOOST_AUTO_TEST_CASE(a_good_plugin_says_who_it_is) {
    const auto identity = probed("deployer/v2");
    BOOST_REQUIRE(identity);
    BOOST_TEST(identity->plugin == "fixture");
    BOOST_TEST(identity->version == "2");
    BOOST_TEST(why("echo") == "");
}

BOOST_AUTO_TEST_CASE(what_happens_on_load_happens_elsewhere) {
    // The exit code says nothing: this one leaves with 0, unless TSan has something to say about that.
#if defined(POSTBUS_TSAN)
    TEST_HAS(why("bad/load_leave"), "ends the process while it is loaded (exit ");
#else
    TEST_HAS(why("bad/load_leave"), "ends the process while it is loaded (exit 0)");
#endif
    BOOST_TEST(why("bad/load_crash") != "");
    TEST_HAS(why("bad/load_raise"), "thrown on load");
    TEST_HAS(why("bad/load_spin", milliseconds(500)), "does not come to an end while it is loaded");
    TEST_HAS(why("bad/load_sleep", milliseconds(500)), "does not come to an end while it is loaded");
    BOOST_TEST(why("bad/entry_crashes") != "");
}

BOOST_AUTO_TEST_CASE(it_takes_no_longer_than_it_may) {
    const TimePoint begun = Clock::now();
    (void)why("bad/load_sleep", milliseconds(300));
    const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - begun).count();
    BOOST_TEST(took >= 300);
    BOOST_TEST(took < 2'000);
}

BOOST_AUTO_TEST_CASE(wrong_tables_are_named) {
    TEST_HAS(why("bad/entry_gives_nothing"), "its entry returned no table");
    TEST_HAS(why("bad/size_zero"), "its table is 0 bytes");
    TEST_HAS(why("bad/other_abi"), "version 9 of the plugin interface");
    TEST_HAS(why("bad/no_services"), "it brings no service");
    TEST_HAS(why("bad/service_without_table"), "service 0 has no table");
    TEST_HAS(why("bad/bad_service_name"), "the service name \"../evil\"");
    TEST_HAS(why("bad/no_functions"), "lacks one of the functions");
    TEST_HAS(why("bad/bad_path"), "has the path \"no/slash?\"");
    TEST_HAS(why("bad/two_of_one_name"), "two of its services");
    TEST_HAS(why("bad/no_entry"), "does not export postbus_plugin_entry_v1");
}

BOOST_AUTO_TEST_CASE(what_the_loader_refuses_is_told_in_its_words) {
    TEST_HAS(why("bad/needs_a_symbol"), "postbus_test_symbol_that_nobody_defines");
    TEST_HAS(why("broken/text"), "cannot be loaded");
}

BOOST_AUTO_TEST_CASE(without_the_probe_program_it_is_not_the_plugins_fault) {
    const auto identity = probe("/nowhere/postbus-probe", testPlugin("deployer/v1"), milliseconds(1'000));
    BOOST_REQUIRE(!identity);
    BOOST_TEST((identity.error().kind() == Error::Kind::Unavailable));
}

BOOST_AUTO_TEST_CASE(neither_descriptors_nor_children_are_left_behind) {
    const auto open = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); };
    const auto before = open();
    for (const char* name : {"deployer/v1", "bad/load_leave", "bad/no_entry"}) (void)probed(name);
    BOOST_TEST(open() == before);
}

BOOST_AUTO_TEST_SUITE_END()
