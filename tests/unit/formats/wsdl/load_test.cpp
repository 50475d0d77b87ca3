#include "formats/wsdl/reader/load.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace postbus;

namespace {

/// What a fetch finds, and how often it was asked for each.
struct Web {
    std::map<std::string, std::string> documents;
    std::map<std::string, int> asked;

    Result<wsdl::Description> load(const std::string& location, const wsdl::LoadLimits& limits = {}) {
        return wsdl::load(
            location,
            [this](const std::string& from) -> Result<std::string> {
                ++asked[from];
                const auto at = documents.find(from);
                if (at == documents.end()) return Error::invalid("HTTP 404 Not Found");
                return at->second;
            },
            limits);
    }
    std::string refusal(const std::string& location, const wsdl::LoadLimits& limits = {}) {
        const auto loaded = load(location, limits);
        BOOST_REQUIRE(!loaded);
        return loaded.error().message();
    }
};

std::string definitions(const std::string& content) {
    return "<w:definitions xmlns:w=\"http://schemas.xmlsoap.org/wsdl/\" "
           "xmlns:s=\"http://schemas.xmlsoap.org/wsdl/soap/\" "
           "xmlns:s12=\"http://schemas.xmlsoap.org/wsdl/soap12/\" xmlns:x=\"http://www.w3.org/2001/XMLSchema\" "
           "xmlns:t=\"urn:t\" targetNamespace=\"urn:t\">" +
           content + "</w:definitions>";
}

std::string types(const std::string& content) { return "<w:types>" + content + "</w:types>"; }

const std::string schema =
    "<x:schema targetNamespace=\"urn:t\"><x:element name=\"ask\" type=\"x:string\"/>"
    "<x:element name=\"told\" type=\"x:int\"/><x:element name=\"key\" type=\"x:string\"/></x:schema>";
const std::string abstract =
    "<w:message name=\"in\"><w:part name=\"p\" element=\"t:ask\"/><w:part name=\"h\" element=\"t:key\"/></w:message>"
    "<w:message name=\"out\"><w:part name=\"p\" element=\"t:told\"/></w:message>"
    "<w:portType name=\"Type\"><w:operation name=\"ask\"><w:documentation> Asks. </w:documentation>"
    "<w:input message=\"t:in\"/><w:output message=\"t:out\"/></w:operation>"
    "<w:operation name=\"tell\"><w:input message=\"t:in\"/></w:operation></w:portType>";

std::string binding(const std::string& name, const std::string& soap, const std::string& style = "document") {
    const std::string in = "<w:input><" + soap + ":header message=\"t:in\" part=\"h\" use=\"literal\"/><" + soap +
                           ":body use=\"literal\"/></w:input>";
    return "<w:binding name=\"" + name + "\" type=\"t:Type\"><" + soap + ":binding style=\"" + style +
           "\" transport=\"http://schemas.xmlsoap.org/soap/http\"/><w:operation name=\"ask\"><" + soap +
           ":operation soapAction=\"urn:ask\"/>" + in + "<w:output><" + soap +
           ":body use=\"literal\"/></w:output></w:operation><w:operation name=\"tell\"><" + soap +
           ":operation soapAction=\"\"/>" + in + "</w:operation></w:binding>";
}

std::string service() {
    return "<w:service name=\"S\"><w:port name=\"P12\" binding=\"t:B12\"><s12:address "
           "location=\"http://h/12\"/></w:port>"
           "<w:port name=\"P11\" binding=\"t:B11\"><s:address location=\"http://h/11\"/></w:port></w:service>";
}

std::string whole() {
    return definitions(types(schema) + abstract + binding("B11", "s") + binding("B12", "s12") + service());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(load)

BOOST_AUTO_TEST_CASE(gives_ports_operations_and_parts) {
    Web web{{{"http://h/s?wsdl", "<?xml version=\"1.0\"?><?xml-stylesheet href=\"x\"?>" + whole()}}, {}};

    auto loaded = web.load("http://h/s?wsdl");

    BOOST_REQUIRE(loaded);
    BOOST_REQUIRE(loaded->ports.size() == 2u);
    const wsdl::Port& port = loaded->ports[1];
    BOOST_TEST(port.name == "P11");
    BOOST_TEST(port.service == "S");
    BOOST_TEST(port.address == "http://h/11");
    BOOST_TEST((loaded->ports[0].soap == wsdl::Soap::V12));
    const wsdl::PortOperation* ask = port.find("ask");
    BOOST_REQUIRE(ask);
    BOOST_TEST(ask->soapAction == "urn:ask");
    BOOST_TEST(ask->doc == "Asks.");
    BOOST_TEST(ask->refusal == "");
    BOOST_TEST(!ask->oneWay);
    BOOST_REQUIRE(ask->in.size() == 1u);
    BOOST_TEST(ask->in[0].element.text() == "{urn:t}ask");
    BOOST_TEST(ask->inHeaders.front() == "{urn:t}key");
    BOOST_TEST(port.find("tell")->oneWay);
    BOOST_TEST(bool(loaded->schemas.element({"urn:t", "ask"})));
}

BOOST_AUTO_TEST_CASE(follows_imports_and_includes_once_each_round_loops_too) {
    Web web;
    web.documents["http://h/a/s?wsdl"] = definitions("<w:import namespace=\"urn:t\" location=\"../b/abstract.wsdl\"/>" +
                                                     binding("B11", "s") + binding("B12", "s12") + service());
    web.documents["http://h/b/abstract.wsdl"] = definitions(
        "<w:import namespace=\"urn:t\" location=\"http://h/a/s?wsdl\"/>" +
        types("<x:schema><x:import namespace=\"urn:t\" schemaLocation=\"?xsd=1\"/>"
              "<x:import namespace=\"http://www.w3.org/2001/XMLSchema\" schemaLocation=\"never.xsd\"/></x:schema>") +
        abstract);
    web.documents["http://h/b/abstract.wsdl?xsd=1"] =
        "<x:schema xmlns:x=\"http://www.w3.org/2001/XMLSchema\" targetNamespace=\"urn:t\">"
        "<x:include schemaLocation=\"/c/more.xsd\"/><x:element name=\"ask\" type=\"x:string\"/></x:schema>";
    web.documents["http://h/c/more.xsd"] =
        "<x:schema xmlns:x=\"http://www.w3.org/2001/XMLSchema\"><x:include schemaLocation=\"more.xsd\"/>"
        "<x:element name=\"told\" type=\"x:int\"/></x:schema>";

    auto loaded = web.load("http://h/a/s?wsdl");

    BOOST_REQUIRE_MESSAGE(loaded, (loaded ? "" : loaded.error().message()));
    BOOST_TEST(loaded->ports.size() == 2u);
    BOOST_TEST(bool(loaded->schemas.element({"urn:t", "told"})));
    BOOST_TEST(web.asked.size() == 4u);
    for (const auto& [location, times] : web.asked) BOOST_TEST(times == 1, location);
}

BOOST_AUTO_TEST_CASE(a_schema_that_is_not_there_is_told_where_it_is_needed) {
    Web web;
    web.documents["s.wsdl"] =
        definitions("\n" + types("<x:schema><x:import namespace=\"urn:t\" schemaLocation=\"gone.xsd\"/></x:schema>") +
                    abstract + binding("B11", "s") + binding("B12", "s12") + service());

    auto loaded = web.load("s.wsdl");

    BOOST_REQUIRE(loaded);
    const auto element = loaded->schemas.element({"urn:t", "ask"});
    BOOST_REQUIRE(!element);
    BOOST_TEST(element.error().message() ==
               "no schema declares the element {urn:t}ask; s.wsdl:2: gone.xsd: HTTP 404 Not Found");
}

BOOST_AUTO_TEST_CASE(rpc_encoded_and_typed_parts_are_told_to_be_none) {
    Web web;
    web.documents["s.wsdl"] =
        definitions(types(schema) + abstract + binding("B11", "s", "rpc") + binding("B12", "s12") + service());

    auto loaded = web.load("s.wsdl");

    BOOST_REQUIRE(loaded);
    BOOST_TEST(loaded->ports[1].find("ask")->refusal == "it is of style rpc");
    BOOST_TEST(loaded->ports[0].find("ask")->refusal == "");
}

BOOST_AUTO_TEST_CASE(refuses_with_document_and_line) {
    Web web;
    web.documents["dtd"] = "<!DOCTYPE w [<!ENTITY a \"b\">]>\n" + whole();
    web.documents["html"] = "<html/>";
    web.documents["torn"] = "<a>\n<b></a>";
    web.documents["wsdl2"] = "<description xmlns=\"http://www.w3.org/ns/wsdl\"/>";
    web.documents["xsd"] = "<x:schema xmlns:x=\"http://www.w3.org/2001/XMLSchema\"/>";
    web.documents["binding"] = definitions("\n" + service());
    web.documents["import"] = definitions("\n\n<w:import namespace=\"a\"/>");
    web.documents["remote"] = definitions("\n<w:import namespace=\"a\" location=\"gone.wsdl\"/>");

    BOOST_TEST(web.refusal("dtd").starts_with("dtd: line 1: a document type declaration"));
    BOOST_TEST(web.refusal("html") == "html:1: neither a WSDL nor a schema: the root element is html");
    BOOST_TEST(web.refusal("torn").starts_with("torn: line 2: "));
    BOOST_TEST(web.refusal("wsdl2") == "wsdl2:1: a WSDL 2.0; only WSDL 1.1 is read");
    BOOST_TEST(web.refusal("xsd") == "xsd: a schema, no WSDL");
    BOOST_TEST(web.refusal("binding") == "binding:2: there is no binding {urn:t}B12");
    BOOST_TEST(web.refusal("import") == "import:3: an import without a location");
    BOOST_TEST(web.refusal("remote") == "remote:2: gone.wsdl: HTTP 404 Not Found");
    BOOST_TEST(web.refusal("none") == "none: HTTP 404 Not Found");
}

BOOST_AUTO_TEST_CASE(keeps_its_limits) {
    Web web;
    for (int i = 0; i < 50; ++i)
        web.documents["d" + std::to_string(i)] =
            definitions("<w:import namespace=\"a\" location=\"d" + std::to_string(i + 1) + "\"/>");
    wsdl::LoadLimits few;
    few.documents = 10;
    wsdl::LoadLimits small;
    small.oneDocument = 100;
    wsdl::LoadLimits little;
    little.bytes = 1'000;

    BOOST_TEST(web.refusal("d0", few).find("more than 10 documents") != std::string::npos);
    BOOST_TEST(web.refusal("d0", small).find("more than 100 bytes") != std::string::npos);
    BOOST_TEST(web.refusal("d0", little).find("more than 1000 bytes") != std::string::npos);
    std::string many;
    for (int i = 0; i < 1'001; ++i) many += "<w:import namespace=\"a\" location=\"x" + std::to_string(i) + "\"/>";
    web.documents["many"] = definitions(many);
    BOOST_TEST(web.refusal("many", few).find("too many imports") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(locations_are_resolved_from_where_they_stand) {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"http://h:1/a/b?wsdl", "c.xsd", "http://h:1/a/c.xsd"},
        {"http://h/a/b?wsdl", "?xsd=c.xsd", "http://h/a/b?xsd=c.xsd"},
        {"http://h/a/b", "../../../c", "http://h/c"},
        {"http://h/a/b", "/c/./d", "http://h/c/d"},
        {"http://h", "c", "http://h/c"},
        {"http://h/a/b?x=/y/z", "c", "http://h/a/c"},
        {"http://h/a", "//g/c", "http://g/c"},
        {"http://h/a", "https://g/c", "https://g/c"},
        {"a/b.wsdl", "c.xsd#part", "a/c.xsd"},
        {"b.wsdl", "../c.xsd", "../c.xsd"},
        {"../x/b.wsdl", "../c.xsd", "../c.xsd"},
        {"/a/b.wsdl", "../../c.xsd", "/c.xsd"},
        {"a/b.wsdl", "file:///c.xsd", "/c.xsd"},
        {"a/b.wsdl", "http://h/c", "http://h/c"},
    };
    for (const auto& [from, reference, expected] : cases) {
        const auto resolved = wsdl::resolveLocation(from, reference);
        BOOST_REQUIRE_MESSAGE(resolved, reference);
        BOOST_TEST(*resolved == expected);
    }
    BOOST_TEST(!wsdl::resolveLocation("http://h/a", "file:///etc/passwd"));
    BOOST_TEST(!wsdl::resolveLocation("http://h/a", "ftp://g/c"));
    BOOST_TEST(!wsdl::resolveLocation("a.wsdl", "urn:a:b"));
}

BOOST_AUTO_TEST_SUITE_END()
