#include "tests/unit/server_config/loading.hpp"

using postbus::addressing::Policy;
using postbus::addressing::Responses;

BOOST_AUTO_TEST_SUITE(interceptors)

BOOST_AUTO_TEST_CASE(are_named_alone_or_with_their_options) {
    const auto config = readDaemon(
        "endpoints:\n"
        "  A: {interceptors: [addressing]}\n"
        "  B: {interceptors: addressing}\n"
        "  C: {interceptors: [{addressing: required}]}\n"
        "  D: {interceptors: [{addressing: {policy: optional, responses: anonymous, reply-to: jms:queue:x}}]}\n"
        "  E: {interceptors: [{addressing: }]}\n"
        "  F: {}\n"
        "  G: {interceptors: [validate, {addressing: off}]}\n"
        "  H: {interceptors: [{validate: request}]}\n");
    const auto& all = config.endpoints;

    for (const char* name : {"A", "B", "E"}) {
        BOOST_REQUIRE(all.at(name).interceptors.size() == 1u);
        BOOST_REQUIRE(all.at(name).interceptors[0].addressing);
        BOOST_TEST((all.at(name).interceptors[0].addressing->policy == Policy::Accepted));
    }
    BOOST_TEST((all.at("C").interceptors.at(0).addressing->policy == Policy::Required));
    const auto& d = *all.at("D").interceptors.at(0).addressing;
    BOOST_TEST((d.policy == Policy::Optional));
    BOOST_TEST((d.responses == Responses::Anonymous));
    BOOST_TEST(d.replyTo == std::vector<std::string>{"jms:queue:x"}, boost::test_tools::per_element());
    BOOST_TEST(all.at("F").interceptors.empty());
    BOOST_TEST((all.at("G").interceptors.at(0).validate->messages == postbus::validate::Messages::Both));
    BOOST_TEST((all.at("G").interceptors.at(1).addressing->policy == Policy::Off));
    BOOST_TEST((all.at("H").interceptors.at(0).validate->messages == postbus::validate::Messages::Request));
}

BOOST_AUTO_TEST_CASE(that_are_unknown_or_stand_there_twice_are_refused_with_their_place) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A:\n"
        "    interceptors:\n"
        "      - adressing\n"
        "      - {throttle: {rate: 5}}\n"
        "      - {addressing: {polcy: required}}\n"
        "      - {addressing: required, other: 1}\n"
        "      - [addressing]\n"
        "      - addressing\n",
        {"p.yaml:4:9: endpoints.A.interceptors[0]: unknown interceptor 'adressing', did you mean 'addressing'?",
         "p.yaml:5:10: endpoints.A.interceptors[1]: unknown interceptor 'throttle'; known are: addressing, validate",
         "p.yaml:6:23: endpoints.A.interceptors[2].addressing: unknown key 'polcy', did you mean 'policy'?",
         "p.yaml:7:9: endpoints.A.interceptors[3]: expected the name of one interceptor, alone or as the key of its "
         "options, got a mapping",
         "p.yaml:8:9: endpoints.A.interceptors[4]: expected the name of one interceptor, alone or as the key of its "
         "options, got a list",
         "p.yaml:9:9: endpoints.A.interceptors[5]: names addressing a second time"});
}

BOOST_AUTO_TEST_CASE(addressing_allows_no_address_that_is_none) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {interceptors: [{addressing: {reply-to: [\"http://h*\", \"jms:queue:ok\", ftp://x/y]}}]}\n"
        "  B: {interceptors: [{addressing: {responses: non-anonymous}}]}\n",
        {"p.yaml:2:47: endpoints.A.interceptors[0].addressing.reply-to[0]: 'http://h*' has a '*' before its path; "
         "write "
         "all of the host and port, and a '/'",
         "p.yaml:2:76: endpoints.A.interceptors[0].addressing.reply-to[2]: 'ftp://x/y' is no address that this bus "
         "sends to; write http://HOST:PORT/PATH or jms:queue:NAME",
         "p.yaml:3:47: endpoints.B.interceptors[0].addressing.responses: is non-anonymous, and reply-to allows no "
         "address: nobody could be answered"});
}

BOOST_AUTO_TEST_SUITE_END()
