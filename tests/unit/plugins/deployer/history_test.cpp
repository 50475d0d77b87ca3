#include "plugins/deployer/history.hpp"

#include <boost/test/unit_test.hpp>

#include "scratch.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::History;

namespace {

std::string versionBefore(const History& history, const std::string& plugin, const std::string& hash) {
    const auto before = history.before(plugin, hash);
    return before ? before->version + ' ' + before->file + ' ' + before->copy : "none";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(history)

BOOST_AUTO_TEST_CASE(the_one_before_is_the_last_other_content_that_served) {
    Scratch scratch;
    History served(scratch.file("served"));
    BOOST_TEST(versionBefore(served, "a", "") == "none");
    served.serves("a", {"h1", "1.0", "a.so", "/c/h1/a.so"});
    BOOST_TEST(versionBefore(served, "a", "h1") == "none");
    BOOST_TEST(versionBefore(served, "a", "") == "1.0 a.so /c/h1/a.so");
    served.serves("a", {"h1", "1.0", "a.so", "/c/h1/a.so"});
    served.serves("a", {"h2", "2.0", "a.so", "/c/h2/a.so"});
    served.serves("b", {"h9", "9", "b.so", "/c/h9/b.so"});
    BOOST_TEST(versionBefore(served, "a", "h2") == "1.0 a.so /c/h1/a.so");
    served.serves("a", {"h3", "3.0", "a.so", "/c/h3/a.so"});
    BOOST_TEST(versionBefore(served, "a", "h3") == "2.0 a.so /c/h2/a.so");
    served.serves("a", {"h2", "2.0", "a.so", "/c/h2/a.so"});
    BOOST_TEST(versionBefore(served, "a", "h2") == "3.0 a.so /c/h3/a.so");

    std::set<std::string> copies;
    served.addCopies(copies);
    BOOST_TEST((copies == std::set<std::string>{"/c/h2/a.so", "/c/h3/a.so", "/c/h9/b.so"}));
}

BOOST_AUTO_TEST_CASE(it_lasts_and_what_is_no_line_of_it_is_passed_over) {
    Scratch scratch;
    {
        History served(scratch.file("served"));
        served.serves("a", {"h1", "1.0", "a.so", "/c/h1/a.so"});
        served.serves("a", {"h2", "2.0", "a.so", "/c/h2/a.so"});
        served.serves("tab", {"h5", "5", "x\ty.so", "/c/h5/x.so"});  // can't be kept, and harms nobody
    }
    const std::string text = Scratch::read(scratch.file("served"));
    scratch.write("served", "rubbish\n\t\t\t\n" + text + "a\th7\tcut");
    History served(scratch.file("served"));
    served.load();
    BOOST_TEST(versionBefore(served, "a", "h2") == "1.0 a.so /c/h1/a.so");
    BOOST_TEST(versionBefore(served, "tab", "") == "none");
    BOOST_TEST(versionBefore(served, "rubbish", "") == "none");

    // What serves already is not written again.
    scratch.write("served", "as it was");
    served.serves("a", {"h2", "2.0", "a.so", "/c/h2/a.so"});
    BOOST_TEST(Scratch::read(scratch.file("served")) == "as it was");

    History none(scratch.file("missing"));
    none.load();
    BOOST_TEST(versionBefore(none, "a", "") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
