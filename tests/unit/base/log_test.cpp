#include <boost/test/unit_test.hpp>

#include "base/log/event.hpp"

using namespace postbus;

BOOST_AUTO_TEST_SUITE(log_event)

namespace {
constexpr log::Event Sample{"test.sample", log::Level::Warning, "Only a test."};
}

BOOST_AUTO_TEST_CASE(renders_as_text_with_quotes_where_needed) {
    const std::string line =
        log::render(Sample, {{"name", "plain"}, {"reason", "two words"}, {"count", 7}, {"ok", true}, {"empty", ""}},
                    log::Format::Text);

    BOOST_TEST(line.substr(24) == R"( warning test.sample name=plain reason="two words" count=7 ok=true empty="")");
    BOOST_TEST(line.substr(23, 1) == "Z");
}

BOOST_AUTO_TEST_CASE(renders_as_one_json_object) {
    const std::string line = log::render(Sample, {{"reason", "a \"b\" \\ c"}, {"part", 0.5}}, log::Format::Json);

    BOOST_TEST(line.substr(line.find(R"("level")")) ==
               R"("level":"warning","event":"test.sample","reason":"a \"b\" \\ c","part":0.5})");
}

BOOST_AUTO_TEST_CASE(lets_no_value_forge_a_line_or_reach_the_terminal) {
    for (const log::Format format : {log::Format::Text, log::Format::Json}) {
        const std::string line = log::render(Sample, {{"text", "x\n2026 error forged \x1b[31m\r\x7f"}}, format);

        BOOST_TEST(line.find('\n') == std::string::npos);
        BOOST_TEST(line.find('\x1b') == std::string::npos);
        BOOST_TEST(line.find('\r') == std::string::npos);
        BOOST_TEST(line.find('\x7f') == std::string::npos);
        BOOST_TEST(line.find("x\\n2026") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(is_utf8_whatever_a_value_holds) {
    const std::string line =
        log::render(Sample, {{"text", "Zo\xC3\xAB \xFF \xC2\x9B \xED\xA0\x80"}}, log::Format::Json);

    BOOST_TEST(line.substr(line.find(R"("text")")) == "\"text\":\"Zo\xC3\xAB \\ufffd \\ufffd \\ufffd\\ufffd\\ufffd\"}");
}

BOOST_AUTO_TEST_SUITE_END()
