#include "cli/show.hpp"

#include <Poco/JSON/Parser.h>

#include <boost/test/unit_test.hpp>

#include "cli/queue_show.hpp"
#include "cli/table.hpp"

using namespace postbus;

namespace {

Poco::JSON::Object parsed(const std::string& text) {
    return *Poco::JSON::Parser().parse(text).extract<Poco::JSON::Object::Ptr>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(show)

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_widest_cell_in_characters) {
    cli::Table table({"NAME", "X"});
    table.add({"Zoë", "1"});
    table.add({"longer", "2"});

    BOOST_TEST(table.text() ==
               "NAME    X\n"
               "Zoë     1\n"
               "longer  2\n");
}

BOOST_AUTO_TEST_CASE(what_comes_from_elsewhere_steers_no_terminal) {
    BOOST_TEST(cli::printable("a\x1b[31m\nb\x7f") == "a?[31m?b?");
    BOOST_TEST(cli::printable("\xc2\x9b"
                              "31m") == "?31m");
    BOOST_TEST(cli::printable("日本 é") == "日本 é");
}

BOOST_AUTO_TEST_CASE(a_plugin_that_was_refused_says_why) {
    const std::string text = cli::showPlugins(parsed(
        R"({"plugins":[{"name":"hello","version":"1.0.0","state":"active","reason":"","bundled":true,"file":"hello.so",)"
        R"("hash":"0123456789abcdef","services":["HelloWorld"]},{"name":"","version":"","state":"refused",)"
        R"("reason":"not an ELF file","bundled":false,"file":"bad.so","hash":"","services":[]}]})"));

    BOOST_TEST(text ==
               "PLUGIN  VERSION  STATE    SERVICES    HASH          FILE\n"
               "hello   1.0.0    active   HelloWorld  0123456789ab  hello.so (bundled)\n"
               "                 refused                            bad.so\n"
               "\n"
               "bad.so: not an ELF file\n");
}

BOOST_AUTO_TEST_CASE(no_calls_are_told_as_such) {
    BOOST_TEST(cli::showExchanges(parsed(R"({"total":0,"complete":true,"exchanges":[]})")) ==
               "no calls are under way\n");
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_blocked_is_told) {
    const std::string text = cli::showExchanges(parsed(
        R"({"total":5,"complete":false,"exchanges":[{"id":"a-1","endpoint":"E","operation":"o","peer":"1.2.3.4:5","age":1.25}]})"));

    BOOST_TEST(text.find("a-1") != std::string::npos);
    BOOST_TEST(text.find("1.2 s") != std::string::npos);
    BOOST_TEST(text.find("of 5 in all") != std::string::npos);
    BOOST_TEST(text.find("a loop did not answer") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_reload_that_was_refused_shows_every_problem) {
    BOOST_TEST(cli::showReload(parsed(
                   R"({"reloaded":false,"invalid":true,"problems":["a.yaml:1:2: x","a.yaml:3:4: y"],"restart":[]})")) ==
               "a.yaml:1:2: x\na.yaml:3:4: y\nnothing was changed\n");
}

BOOST_AUTO_TEST_CASE(a_body_of_several_lines_is_shown_in_several) {
    const std::string text = cli::showBrowsed(parsed(
        R"({"messages":[{"number":3,"id":"ID:1","correlationId":"","replyTo":"","contentType":"text/xml","size":9,)"
        R"("deliveries":0,"body":"<a>\r\n  <b/>\u001b[31m\n</a>\n"}],"more":false})"));

    BOOST_TEST(text.ends_with("\n3: <a>\n      <b/>?[31m\n    </a>\n"), text);
}

BOOST_AUTO_TEST_CASE(one_message_is_one) {
    BOOST_TEST(cli::showCount(parsed(R"({"messages":1})")) == "1 message\n");
    BOOST_TEST(cli::showCount(parsed(R"({"messages":0})")) == "0 messages\n");
    BOOST_TEST(cli::showCount(parsed(R"({"messages":2})")) == "2 messages\n");
}

BOOST_AUTO_TEST_SUITE_END()
