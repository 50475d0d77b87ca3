#include "admin/query.hpp"

#include <boost/test/unit_test.hpp>

using namespace postbus;

namespace {

Result<milliseconds> durationIn(std::string_view raw) {
    const auto query = admin::Query::parse(raw);
    BOOST_REQUIRE(query);
    return query->duration("wait", milliseconds(7));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(query)

BOOST_AUTO_TEST_CASE(reads_times_as_the_configuration_does) {
    BOOST_TEST(durationIn("")->count() == 7);
    BOOST_TEST(durationIn("wait=500ms")->count() == 500);
    BOOST_TEST(durationIn("wait=5m")->count() == 300'000);
}

// 10 seconds were meant: 10 ms would let the message expire.
BOOST_AUTO_TEST_CASE(refuses_a_time_without_a_unit) {
    const auto read = durationIn("wait=10");

    BOOST_REQUIRE(!read);
    BOOST_TEST((read.error().kind() == Error::Kind::Invalid));
    BOOST_TEST(read.error().message() == "wait: '10' has no unit; write 10s for seconds or 10ms for milliseconds");
    BOOST_TEST(durationIn("wait=").error().message().find("expected a duration") != std::string::npos);
    BOOST_TEST(durationIn("wait=10+s").error().message() == "wait: '10 s' has a blank before its unit; write 10s");
}

BOOST_AUTO_TEST_SUITE_END()
