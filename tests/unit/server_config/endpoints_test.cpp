#include "tests/unit/server_config/loading.hpp"

using postbus::soap::Version;

BOOST_AUTO_TEST_SUITE(endpoints)

BOOST_AUTO_TEST_CASE(lead_to_the_service_of_their_name_unless_they_say) {
    const auto config = readDaemon("endpoints: {A: {}, B: {to: service:A, http: []}, C: }\n");

    BOOST_TEST(config.endpoints.at("A").to == "service:A");
    BOOST_TEST(!config.endpoints.at("A").http);
    BOOST_TEST(config.endpoints.at("B").service() == "A");
    BOOST_REQUIRE(config.endpoints.at("B").http);
    BOOST_TEST(config.endpoints.at("B").http->empty());
    BOOST_TEST(config.endpoints.at("C").service() == "C");
}

BOOST_AUTO_TEST_CASE(lead_to_what_can_take_messages_only) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {to: 'stomp:orders'}\n"
        "  B: {to: 'ftp://there/x'}\n"
        "  C: {to: 'service:'}\n"
        "  D: {to: ''}\n",
        {"p.yaml:2:11: endpoints.A.to: 'stomp:orders' is not served by this version of Postbus, which knows "
         "service:NAME, http://HOST:PORT/PATH, queue:NAME and topic:NAME",
         "p.yaml:3:11: endpoints.B.to: 'ftp://there/x' is not served by this version of Postbus, which knows "
         "service:NAME, http://HOST:PORT/PATH, queue:NAME and topic:NAME",
         "p.yaml:4:11: endpoints.C.to: has no name after service:",
         "p.yaml:5:11: endpoints.D.to: is empty; leave it out for service:D"});
}

BOOST_AUTO_TEST_CASE(keys_of_what_does_not_exist_yet_are_refused) {
    checkDaemonProblems(
        "endpoints:\n"
        "  Orders: {to: service:Billing, queues: {name: orders}, intercept: [addressing]}\n"
        "transports: {http: {listen: {address: '*:1', tls: {}}}}\n",
        {"p.yaml:2:33: endpoints.Orders: unknown key 'queues', did you mean 'queue'?",
         "p.yaml:2:57: endpoints.Orders: unknown key 'intercept', did you mean 'interceptors'?",
         "p.yaml:3:46: transports.http.listen: unknown key 'tls'; known are: address, name, limits, "
         "trusted-proxies, allow, deny"});
}

BOOST_AUTO_TEST_CASE(a_path_is_a_path) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A:\n"
        "    http:\n"
        "      - cxf/A\n"
        "      - /a?wsdl\n"
        "      - /a%20b\n"
        "      - /a/../b\n"
        "      - {listener: 127.0.0.1:8181}\n"
        "      - {path: \"/a\\nb\"}\n",
        {"p.yaml:4:9: endpoints.A.http[0]: 'cxf/A' does not begin with '/'",
         "p.yaml:5:9: endpoints.A.http[1]: '/a?wsdl' has a '?' or '#'; a path has no query and no fragment",
         "p.yaml:6:9: endpoints.A.http[2]: '/a%20b' has a '%'; write the characters themselves, callers' URLs are "
         "decoded first",
         "p.yaml:7:9: endpoints.A.http[3]: '/a/../b' has a '.' or '..' segment",
         "p.yaml:8:9: endpoints.A.http[4].path: is missing; it is the path of a URL, as in /cxf/HelloWorld",
         "p.yaml:9:16: endpoints.A.http[5].path: '/a\\nb' has a character that no URL brings"});
    BOOST_TEST(readDaemon("endpoints: {A: {http: [/, /a.b/..c/, /Zo\xc3\xab]}}").endpoints.at("A").http->size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_path_is_claimed_once) {
    checkDaemonProblems(
        "endpoints:\n"
        "  Second:\n"
        "    http: /same\n"
        "  First:\n"
        "    http: [/own, {path: /same}]\n",
        {"p.yaml:5:25: endpoints.First.http[1].path: the path '/same' is claimed by "
         "endpoints.Second.http at line 3 already"});
}

BOOST_AUTO_TEST_CASE(a_path_may_lead_elsewhere_on_another_listener) {
    const std::string listeners =
        "transports: {http: {listen: [{address: '*:1', name: in}, {address: '*:2', name: out}]}}\n";

    checkDaemonProblems(listeners +
                            "endpoints:\n"
                            "  A: {http: {path: /x, listener: in}}\n"
                            "  B: {http: {path: /x, listener: out}}\n",
                        {});
    checkDaemonProblems(listeners +
                            "endpoints:\n"
                            "  A: {http: {path: /x, listener: in}}\n"
                            "  B: {http: /x}\n",
                        {"p.yaml:4:13: endpoints.B.http: the path '/x' is claimed by endpoints.A.http.path at line 3 "
                         "already"});
    checkDaemonProblems(listeners +
                            "endpoints:\n"
                            "  A: {http: /x}\n"
                            "  B: {http: {path: /x, listener: out}}\n",
                        {"p.yaml:4:20: endpoints.B.http.path: the path '/x' is claimed by endpoints.A.http at line 3 "
                         "already"});
}

BOOST_AUTO_TEST_CASE(a_listener_that_is_chosen_exists) {
    checkDaemonProblems(
        "transports: {http: {listen: {address: '*:1', name: inside}}}\n"
        "endpoints: {A: {http: {path: /x, listener: insid}}}\n",
        {"p.yaml:2:44: endpoints.A.http.listener: unknown listener 'insid', did you mean 'inside'?"});
}

BOOST_AUTO_TEST_CASE(soap_versions_agree_with_each_other) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {soap: {versions: []}}\n"
        "  B: {soap: {versions: ['1.1'], advertise: ['1.1', '1.2']}}\n"
        "  C: {soap: {versions: 1.3}}\n",
        {"p.yaml:2:24: endpoints.A.soap.versions: is empty; leave it out for both versions",
         "p.yaml:3:52: endpoints.B.soap.advertise[1]: is not among the versions that are answered; add it to versions "
         "too",
         "p.yaml:4:24: endpoints.C.soap.versions: unknown value '1.3', did you mean '1.1'?"});
    const auto config = readDaemon("endpoints: {A: {soap: {versions: '1.2'}}, B: {soap: {advertise: []}}}");
    BOOST_TEST((config.endpoints.at("A").soap->advertise == std::vector{Version::Soap12}));
    BOOST_TEST(config.endpoints.at("B").soap->advertise.empty());
}

BOOST_AUTO_TEST_CASE(a_name_is_a_text_that_can_be_shown) {
    checkDaemonProblems("endpoints: {'': {}, \"a\\tb\": {}}",
                        {"p.yaml:1:17: endpoints.\"\": the name of an endpoint is empty",
                         "p.yaml:1:29: endpoints.\"a\\x09b\": the name of an endpoint has a control character"});
}

BOOST_AUTO_TEST_SUITE_END()
