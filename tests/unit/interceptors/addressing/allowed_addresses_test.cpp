#include "interceptors/addressing/allowed_addresses.hpp"

#include <boost/test/unit_test.hpp>

using postbus::addressing::AllowedAddresses;

BOOST_AUTO_TEST_SUITE(allowed_addresses)

BOOST_AUTO_TEST_CASE(nothing_is_allowed_that_is_not_listed) {
    const AllowedAddresses none({});

    BOOST_TEST(none.empty());
    BOOST_TEST(!none.has("http://127.0.0.1:9000/"));
}

BOOST_AUTO_TEST_CASE(an_address_is_itself_and_nothing_more) {
    const AllowedAddresses one({"http://Host:9000/cb", "https://bare.example", "jms:queue:answers"});

    for (const char* same :
         {"http://host:9000/cb", "HTTP://HOST:9000/cb", "https://bare.example", "https://BARE.example/",
          "jms:queue:answers", "JMS:queue:answers?priority=9&timeToLive=10"})
        BOOST_TEST(one.has(same), same);
    for (const char* other :
         {"http://host:9000/CB", "http://host:9000/cb/", "http://host:9000/cb?x=1", "https://host:9000/cb",
          "http://host:90000/cb", "http://host/cb", "http://host:9000", "jms:queue:answers2", "jms:queue:Answers",
          "jms:topic:answers", "jms:jndi:answers", "queue:answers", "answers", "", "ftp://host:9000/cb"})
        BOOST_TEST(!one.has(other), other);
}

BOOST_AUTO_TEST_CASE(a_star_stands_for_any_end_of_the_path) {
    const AllowedAddresses some({"http://127.0.0.1:9000/answers/*", "jms:queue:answers.*"});

    for (const char* good : {"http://127.0.0.1:9000/answers/", "http://127.0.0.1:9000/answers/a/b?c=d",
                             "jms:queue:answers.x", "jms:queue:answers."})
        BOOST_TEST(some.has(good), good);
    for (const char* bad : {"http://127.0.0.1:9000/answers", "http://127.0.0.1:9000/other",
                            "http://127.0.0.1:9000.evil/answers/", "jms:queue:answers", "jms:queue:DLQ.answers."})
        BOOST_TEST(!some.has(bad), bad);
}

BOOST_AUTO_TEST_CASE(an_address_that_reads_in_two_ways_is_never_allowed) {
    const AllowedAddresses all({"http://127.0.0.1:9000/a/*"});

    for (const char* trick :
         {"http://127.0.0.1:9000/a/../b", "http://127.0.0.1:9000/a/..", "http://127.0.0.1:9000/a/./b",
          "http://127.0.0.1:9000/a/%2e%2e/b", "http://127.0.0.1:9000/a/%2Fb", "http://127.0.0.1:9000/a/\\b",
          "http://127.0.0.1:9000/a/%5cb", "http://127.0.0.1:9000@evil/a/", "http://evil@127.0.0.1:9000/a/"})
        BOOST_TEST(!all.has(trick), trick);
    BOOST_TEST(all.has("http://127.0.0.1:9000/a/b?next=/../x"));
}

BOOST_AUTO_TEST_CASE(a_pattern_that_would_allow_more_than_it_seems_is_none) {
    for (const char* good :
         {"http://h/", "http://h", "http://[::1]:9000/x*", "jms:queue:a", "jms:queue:*", "http://h/*"})
        BOOST_TEST(bool(AllowedAddresses::checkPattern(good)), good);
    for (const char* bad :
         {"", "*", "http://*", "http://h*", "http://h:90*/", "http://h/*/x", "http://", "http:///x", "h:9000",
          "ftp://h/x", "https://h/x", "jms:queue:", "jms:topic:x", "queue:x", "http://u@h/", "http://h/../x"})
        BOOST_TEST(!AllowedAddresses::checkPattern(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
