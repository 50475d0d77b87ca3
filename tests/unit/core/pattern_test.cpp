#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

#include "core/exchange/pattern.hpp"

using namespace postbus::core;

BOOST_AUTO_TEST_SUITE(pattern)

BOOST_AUTO_TEST_CASE(has_the_uri_and_the_name_of_the_standards) {
    BOOST_TEST(uriOf(Pattern::InOnly) == "http://www.w3.org/ns/wsdl/in-only");
    BOOST_TEST(uriOf(Pattern::RobustInOnly) == "http://www.w3.org/ns/wsdl/robust-in-only");
    BOOST_TEST(uriOf(Pattern::InOut) == "http://www.w3.org/ns/wsdl/in-out");
    BOOST_TEST(uriOf(Pattern::InOptionalOut) == "http://www.w3.org/ns/wsdl/in-opt-out");
    BOOST_TEST(uriOf(Pattern::OutOnly) == "http://www.w3.org/ns/wsdl/out-only");
    BOOST_TEST(uriOf(Pattern::RobustOutOnly) == "http://www.w3.org/ns/wsdl/robust-out-only");
    BOOST_TEST(uriOf(Pattern::OutIn) == "http://www.w3.org/ns/wsdl/out-in");
    BOOST_TEST(uriOf(Pattern::OutOptionalIn) == "http://www.w3.org/ns/wsdl/out-opt-in");
    BOOST_TEST(nameOf(Pattern::InOptionalOut) == "InOptionalOut");
}

BOOST_AUTO_TEST_CASE(is_found_by_each_of_its_names) {
    for (const Pattern each : everyPattern) {
        BOOST_TEST((patternNamed(uriOf(each)) == each));
        BOOST_TEST((patternNamed(nameOf(each)) == each));
    }
    BOOST_TEST((patternNamed("http://www.w3.org/2006/01/wsdl/in-opt-out") == Pattern::InOptionalOut));
    BOOST_TEST((patternNamed("http://www.w3.org/2004/08/wsdl/in-out") == Pattern::InOut));
    BOOST_TEST((patternNamed("http://www.w3.org/2004/03/wsdl/robust-in-only") == Pattern::RobustInOnly));
    BOOST_TEST((patternNamed("http://www.w3.org/2005/05/wsdl/out-in") == Pattern::OutIn));
    BOOST_TEST((patternNamed("InOptOut") == Pattern::InOptionalOut));
    BOOST_TEST((patternNamed("in-only") == Pattern::InOnly));
}

BOOST_AUTO_TEST_CASE(has_a_mirror_image) {
    for (const Pattern each : everyPattern) {
        const Pattern mirror = mirrorOf(each);
        BOOST_TEST((mirrorOf(mirror) == each));
        BOOST_TEST(rulesOf(mirror).serviceFirst != rulesOf(each).serviceFirst);
        BOOST_TEST((rulesOf(mirror).second == rulesOf(each).second));
        BOOST_TEST((rulesOf(mirror).faults == rulesOf(each).faults));
    }
    BOOST_TEST((mirrorOf(Pattern::OutIn) == Pattern::InOut));
}

BOOST_AUTO_TEST_CASE(is_not_found_by_what_is_no_name) {
    for (const char* each : {"", "In", "inout", "http://www.w3.org/ns/wsdl/", "http://www.w3.org/1999/wsdl/in-out",
                             "http://www.w3.org/ns/wsdl/in-out/"})
        BOOST_TEST(!patternNamed(each), each);
}

BOOST_AUTO_TEST_SUITE_END()
