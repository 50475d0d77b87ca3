#include <boost/test/unit_test.hpp>

#include "tests/unit/bindings/soap/soap_rig.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

std::string location(const Answer& answer) {
    if (answer.status != 200) return std::to_string(answer.status) + " " + answer.body;
    return std::string(Document(answer.body).find("address").attribute("", "location").value_or("(none)"));
}

std::string locationFor(std::string scheme, std::string host, std::string path = "/cxf/HelloWorld") {
    const wsdl::Contract contract = helloContract();
    const auto binding = soap::makeWsdlBinding(contract, {});
    auto endpoint = helloEndpoint();
    PortCaller caller(endpoint, {binding});
    Request request;
    request.method = "GET";
    request.query = "wsdl";
    request.scheme = std::move(scheme);
    request.host = std::move(host);
    request.path = std::move(path);
    return location(caller.call(request));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wsdl_binding)

BOOST_AUTO_TEST_CASE(the_wsdl_is_served_by_every_spelling_of_its_query) {
    SoapRig rig;

    for (const auto* query : {"wsdl", "WSDL", "Wsdl", "singleWsdl", "singlewsdl", "wsdl=", "wsdl&x=1"}) {
        const Answer answer = rig.get(query);
        BOOST_TEST(answer.status == 200, query);
        BOOST_TEST(answer.contentType == "text/xml; charset=utf-8", query);
        BOOST_TEST(location(answer) == "http://localhost:8181/cxf/HelloWorld", query);
    }
    BOOST_TEST(rig.get("wsdl", "localhost:8181", "HEAD").body == rig.get("wsdl").body);  // its length goes out
}

BOOST_AUTO_TEST_CASE(other_gets_are_405_with_allow) {
    SoapRig rig;

    for (const auto* query : {"", "wsd", "wsdlx", "x=wsdl", "wadl"}) {
        const Answer answer = rig.get(query);
        BOOST_TEST(answer.status == 405, query);
        BOOST_TEST(answer.body.find("method GET is not allowed here; the service's contract is at ?wsdl") == 0u);
        BOOST_TEST(answer.header("Allow").find("POST") != std::string::npos, query);
    }
    BOOST_TEST(rig.get("wsdl", "localhost", "DELETE").status == 405);
}

BOOST_AUTO_TEST_CASE(the_address_follows_each_caller_anew) {
    SoapRig rig;

    BOOST_TEST(location(rig.get("wsdl", "localhost:8181")) == "http://localhost:8181/cxf/HelloWorld");
    BOOST_TEST(location(rig.get("wsdl", "esb.example.org:8181")) == "http://esb.example.org:8181/cxf/HelloWorld");
    BOOST_TEST(location(rig.get("wsdl", "localhost:8181")) == "http://localhost:8181/cxf/HelloWorld");
    BOOST_TEST(locationFor("https", "esb.example.org") == "https://esb.example.org/cxf/HelloWorld");
    BOOST_TEST(locationFor("http", "[::1]:8181") == "http://[::1]:8181/cxf/HelloWorld");
    BOOST_TEST(locationFor("http", "") == "http://localhost/cxf/HelloWorld");
}

BOOST_AUTO_TEST_CASE(a_hostile_host_stays_inside_of_the_address) {
    BOOST_TEST(locationFor("http", "a\"><x y='&<b>\x01\xFF") ==
               "http://a%22%3E%3Cx%20y=%27%26%3Cb%3E%01%FF/cxf/HelloWorld");
}

BOOST_AUTO_TEST_CASE(the_path_is_encoded_again) {
    auto endpoint = helloEndpoint();
    const auto binding = soap::makeWsdlBinding(endpoint->contract(), {});
    core::WorkerPool workers(1, 1);
    auto table = std::make_shared<core::RouteTable>();
    core::Route route;
    route.name = "HelloWorld";
    route.path = "/a b/größe?&";
    route.endpoint = endpoint;
    route.bindings = {binding};
    const auto added = table->add(std::move(route));
    BOOST_REQUIRE(bool(added));
    Snapshot<core::RouteTable> routes(table);
    core::InboundPort port(routes, workers);
    ThisThread loop;
    core::ExchangePool pool(loop);
    Request request;
    request.method = "GET";
    request.query = "wsdl";
    request.path = "/a b/größe?&";
    core::WireRequest wire = request.wire();
    auto recorder = std::make_shared<Recorder>();

    port.receive(pool, port.admit(wire.head), wire, core::ReplyTo(recorder), milliseconds(0));

    BOOST_TEST(location(recorder->last) == "http://localhost:8181/a%20b/gr%C3%B6%C3%9Fe%3F%26");
}

BOOST_AUTO_TEST_CASE(both_versions_get_a_port_where_they_are_advertised) {
    soap::SoapConfig both;
    both.advertise = {soap::Version::Soap11, soap::Version::Soap12};
    SoapRig rig(helloEndpoint(), both);
    BOOST_TEST(Document(rig.get("wsdl").body).all("port").size() == 2);

    soap::SoapConfig only12;  // what is not answered is not advertised
    only12.versions = {soap::Version::Soap12};
    SoapRig later(helloEndpoint(), only12);
    const Document document(later.get("wsdl").body);
    BOOST_REQUIRE(document.all("port").size() == 1);
    BOOST_TEST(*document.find("port").attribute("", "name") == "HelloWorldImplPortSoap12");
}

BOOST_AUTO_TEST_CASE(schemas_beside_the_contract_are_served_by_name_and_nothing_else_is) {
    wsdl::Contract contract = helloContract();
    contract.document =
        R"(<d:definitions xmlns:d="http://schemas.xmlsoap.org/wsdl/"><d:types><s:schema xmlns:s="http://www.w3.org/2001/XMLSchema"><s:include schemaLocation="my types.xsd"/></s:schema></d:types><d:port><a:address xmlns:a="http://schemas.xmlsoap.org/wsdl/soap/" location="x"/></d:port></d:definitions>)";
    contract.documents["my types.xsd"] = "<types/>";
    SoapRig rig(contract);

    const std::string included(*Document(rig.get("wsdl").body).find("include").attribute("", "schemaLocation"));
    BOOST_TEST(included == "http://localhost:8181/cxf/HelloWorld?xsd=my%20types.xsd");
    const Answer schema = rig.get(included.substr(included.find('?') + 1));
    BOOST_TEST(schema.status == 200);
    BOOST_TEST(schema.body == "<types/>");
    BOOST_TEST(rig.get("XSD=my%20types.xsd").status == 200);

    std::string answer;
    for (const auto* name :
         {"../../../../../../../../etc/hostname", "%2e%2e%2f%2e%2e%2fetc%2fhostname", "/etc/hostname%00.xsd",
          "/etc/no-such-file", "", "my+types.xsd", "./my%20types.xsd", "my%20types.xsd%00", "%", "%zz", "%4"}) {
        const Answer refused = rig.get("xsd=" + std::string(name));
        BOOST_TEST(refused.status == 404, name);
        const std::string text = refused.body.substr(0, refused.body.find(" (request"));
        if (answer.empty()) answer = text;
        BOOST_TEST(text == answer, name);  // the same for files that are there and files that are not
    }
    BOOST_TEST(rig.get("xsd").status == 404);
    BOOST_TEST(rig.get("wsdl=other.wsdl").status == 404);
}

BOOST_AUTO_TEST_SUITE_END()
