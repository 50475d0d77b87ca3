#include <boost/test/unit_test.hpp>

#include "tests/unit/server_config/loading.hpp"

BOOST_AUTO_TEST_SUITE(backends)

BOOST_AUTO_TEST_CASE(an_endpoint_may_lead_to_an_http_address) {
    const auto config = readDaemon(
        "endpoints:\n"
        "  Stock:\n"
        "    http: /stock\n"
        "    to: http://127.0.0.1:9000/stock\n"
        "    backend: {times: {connect: 1s, first-byte: 2s}, headers: {pass: [Accept], set: {X-Key: k}},\n"
        "              credentials: {user: u, password-file: /run/secrets/p}, proxy: 'http://proxy:3128'}\n");
    const auto& stock = config.endpoints.at("Stock");

    BOOST_TEST(stock.remote());
    BOOST_REQUIRE(stock.backend);
    BOOST_TEST(stock.backend->times.connect.count() == 1'000);
    BOOST_TEST(stock.backend->headers.set.at("X-Key") == "k");
    BOOST_TEST(!stock.backend->headers.answer);
    BOOST_TEST(stock.backend->credentials.passwordFile == "/run/secrets/p");
}

BOOST_AUTO_TEST_CASE(addresses_that_cannot_be_called_are_refused_with_a_remedy) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {to: 'https://there/x'}\n"
        "  B: {to: 'http://u:p@there/x'}\n"
        "  C: {to: 'http://there/a b'}\n",
        {"p.yaml:2:11: endpoints.A.to: 'https://there/x' is https, which this version does not call yet; use http:// "
         "to "
         "a TLS proxy near by",
         "p.yaml:3:11: endpoints.B.to: 'http://u:p@there/x' has a user name; write credentials into backend: "
         "{credentials: ...}",
         "p.yaml:4:11: endpoints.C.to: 'http://there/a b' holds a character that a URL does not have; percent-encode "
         "it"});
}

BOOST_AUTO_TEST_CASE(what_a_backend_says_must_fit_together) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {to: 'http://there/', backend: {credentials: {user: u, bearer-file: /t}}}\n"
        "  B: {to: 'http://there/', backend: {credentials: {password: p}}}\n"
        "  C: {to: 'http://there/', backend: {headers: {pass: [Host, 'a b']}}}\n"
        "  D: {to: 'http://there/', backend: {wsdl: 'http://elsewhere/?wsdl'}}\n"
        "  E: {to: 'http://there/', backend: {proxy: 'http://p:1/x'}}\n"
        "  F: {to: 'service:F', backend: {keep: 3}}\n"
        "  G: {to: 'http://there/', interceptors: [addressing]}\n",
        {"p.yaml:2:58: endpoints.A.backend.credentials.user: has no password or password-file beside it",
         "p.yaml:2:74: endpoints.A.backend.credentials.bearer-file: stands beside user; a request has one "
         "Authorization",
         "p.yaml:3:62: endpoints.B.backend.credentials.password: has no user beside it",
         "p.yaml:4:55: endpoints.C.backend.headers.pass[0]: 'Host' is written anew for each request, and never goes on",
         "p.yaml:4:61: endpoints.C.backend.headers.pass[1]: 'a b' is not the name of a header field",
         "p.yaml:5:44: endpoints.D.backend.wsdl: 'http://elsewhere/?wsdl' is not on the server of 'to', which is "
         "there:80",
         "p.yaml:6:45: endpoints.E.backend.proxy: 'http://p:1/x' has a path; a proxy is http://HOST:PORT",
         "p.yaml:7:33: endpoints.F.backend: stands at an endpoint that leads to a service of this bus; it is for "
         "`to: http://...`",
         "p.yaml:8:43: endpoints.G.interceptors[0]: names addressing at an endpoint that passes messages on as they "
         "are; the service itself deals with it"});
    checkDaemonProblems("endpoints: {H: {to: 'http://there/', interceptors: [validate]}}\n", {});
}

BOOST_AUTO_TEST_SUITE_END()
