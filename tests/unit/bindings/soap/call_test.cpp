#include <boost/test/unit_test.hpp>

#include "tests/unit/bindings/soap/soap_rig.hpp"

using namespace postbus;
using namespace postbus::test;
using namespace std::string_literals;

namespace {

std::string hello(const Answer& answer) {
    if (answer.status != 200) return std::to_string(answer.status) + " " + answer.body;
    const Document document(answer.body);
    const Element root = document.root();
    const Element response = root.child(root.uri(), "Body").firstChild();
    if (!response || !response.is(helloNs, "sayHiResponse")) return "no sayHiResponse: " + answer.body;
    const Element result = response.child("", "return");
    return result ? result.text() : "no return: " + answer.body;
}

std::string utf16(std::string_view ascii, bool bigEndian) {
    std::string out = bigEndian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : ascii) bigEndian ? (out += '\0', out += c) : (out += c, out += '\0');
    return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(soap_call)

BOOST_AUTO_TEST_CASE(each_version_is_answered_in_kind) {
    SoapRig rig;

    const Answer one = rig.post(envelope(soap11, sayHiTo("Ann")));
    const Answer two = rig.post(envelope(soap12, sayHiTo("Ann")), type12);

    BOOST_TEST(hello(one) == "Hello Ann");
    BOOST_TEST(one.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(Document(one.body).root().uri() == soap11);
    BOOST_TEST(hello(two) == "Hello Ann");
    BOOST_TEST(two.contentType == "application/soap+xml; charset=utf-8");
    BOOST_TEST(Document(two.body).root().uri() == soap12);
    BOOST_TEST(one.operation == "sayHi");
}

BOOST_AUTO_TEST_CASE(the_envelope_decides_the_version_not_the_media_type) {
    SoapRig rig;

    const Answer two = rig.post(envelope(soap12, sayHiTo("Ann")), "text/xml");
    const Answer one = rig.post(envelope(soap11, sayHiTo("Ann")), "application/soap+xml");

    BOOST_TEST(hello(two) == "Hello Ann");
    BOOST_TEST(two.contentType == "application/soap+xml; charset=utf-8");
    BOOST_TEST(hello(one) == "Hello Ann");
    BOOST_TEST(one.contentType == "text/xml; charset=utf-8");
}

BOOST_AUTO_TEST_CASE(media_types_that_clients_send_are_taken) {
    SoapRig rig;

    for (const auto* type :
         {"text/xml", "TEXT/XML;charset=UTF-8", "text/xml; charset=\"utf-8\"", "application/xml",
          "application/soap; charset=utf-8", "application/x-www-form-urlencoded", "application/soap+xml",
          "application/soap+xml;charset=utf-8;action=\"\"", "", "text/xml; charset=utf-8; x=\"a;b\""})
        BOOST_TEST(hello(rig.post(envelope(soap11, sayHiTo("Ann")), type)) == "Hello Ann", type);
}

BOOST_AUTO_TEST_CASE(other_media_types_are_refused_with_415_and_a_fault) {
    SoapRig rig;

    for (const auto* type : {"multipart/related; type=\"application/xop+xml\"; boundary=x", "application/json",
                             "text/html", "text/plain", "image/png", "application/xop+xml", "garbage", "text/"}) {
        const Answer answer = rig.post(envelope(soap11, sayHiTo("Ann")), type);
        BOOST_TEST(answer.status == 415, type);
        BOOST_TEST(ReadFault(answer).code == "Client", type);
    }
}

BOOST_AUTO_TEST_CASE(shapes_that_real_clients_send_are_read) {
    SoapRig rig;
    const std::string s = std::string(soap11), h = std::string(helloNs);

    const std::string bodies[] = {
        "<?xml version='1.0' encoding='utf-8'?>\n<s:Envelope xmlns:s='" + s +
            "'>\n  <s:Header/>\n  <s:Body>\n <h:sayHi xmlns:h='" + h +
            "'><arg0>Ann</arg0></h:sayHi>\n</s:Body>\n</s:Envelope>\n\n",
        "<!-- generated --><Envelope xmlns='" + s + "'><Body><sayHi xmlns='" + h +
            "'><arg0 xmlns=''>Ann</arg0></sayHi></Body></Envelope>",
        "<s:Envelope xmlns:s='" + s + "' xmlns:h='" + h +
            "' s:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'>"
            "<s:Body s:encodingStyle=''><h:sayHi id='o0'><arg0 i:type='d:string' "
            "xmlns:i='http://www.w3.org/2001/XMLSchema-instance' "
            "xmlns:d='http://www.w3.org/2001/XMLSchema'>Ann</arg0></h:sayHi></s:Body></s:Envelope>",
        // the prefix declared on Envelope and again on Body
        "<s:Envelope xmlns:s='" + s + "' xmlns:h='" + h + "'><s:Body xmlns:h='" + h +
            "'><h:sayHi><arg0>Ann</arg0></h:sayHi></s:Body></s:Envelope>",
        // the prefix means something else outside
        "<h:Envelope xmlns:h='" + s + "'><h:Body><h:sayHi xmlns:h='" + h +
            "'><arg0>Ann</arg0></h:sayHi></h:Body></h:Envelope>",
        // SOAP 1.1 lets qualified elements follow the Body
        "<s:Envelope xmlns:s='" + s + "'><s:Body><h:sayHi xmlns:h='" + h +
            "'><arg0>Ann</arg0></h:sayHi></s:Body><x:more xmlns:x='urn:x'/></s:Envelope>"};
    for (const std::string& body : bodies) BOOST_TEST(hello(rig.post(body)) == "Hello Ann", body);
}

BOOST_AUTO_TEST_CASE(text_comes_through_whole) {
    SoapRig rig;

    BOOST_TEST(hello(rig.post(envelope(soap11, sayHiTo("A<!-- x --><![CDATA[ & <b>]]>C")))) == "Hello A & <b>C");
    BOOST_TEST(hello(rig.post(envelope(soap11, sayHiTo("&lt;&amp;&quot;&gt;")))) == "Hello <&\">");
    BOOST_TEST(hello(rig.post(envelope(soap11, sayHiTo("]]&gt; a&#13;b&#10;c")))) == "Hello ]]> a\rb\nc");
    BOOST_TEST(hello(rig.post(envelope(soap11, sayHiTo("Zoë–日本 😀")))) == "Hello Zoë–日本 😀");
    BOOST_TEST(hello(rig.post(envelope(soap11, "<h:sayHi><arg0/></h:sayHi>"))) == "Hello ");
    const std::string large(64 * 1024, 'x');
    BOOST_TEST((hello(rig.post(envelope(soap11, sayHiTo(large)))) == "Hello " + large));
}

BOOST_AUTO_TEST_CASE(nil_in_any_spelling_is_no_argument) {
    SoapRig rig;
    const std::string none = rig.post(envelope(soap11, "<h:sayHi/>")).body;

    for (const auto* nil :
         {"<arg0 i:type='x:string' i:nil='1'/>", "<arg0 i:nil='true' i:type='x:string'/>", "<arg0 i:nil='true'/>"}) {
        const std::string body =
            "<h:sayHi xmlns:i='http://www.w3.org/2001/XMLSchema-instance' "
            "xmlns:x='http://www.w3.org/2001/XMLSchema'>" +
            std::string(nil) + "</h:sayHi>";
        BOOST_TEST(rig.post(envelope(soap11, body)).body == none, nil);
    }
}

BOOST_AUTO_TEST_CASE(references_are_plain_attributes_and_run_nothing_twice) {
    int calls = 0;
    SoapRig rig(helloEndpoint([&](core::ExchangePtr exchange) {
        ++calls;
        sayHi(std::move(exchange));
    }));

    const Answer loop =
        rig.post(envelope(soap11, "<h:sayHi><arg0 href='#a'/></h:sayHi><m id='a' href='#b'/><m id='b' href='#a'/>"));

    BOOST_TEST(loop.status == 500);
    BOOST_TEST(ReadFault(loop).code == "Client");
    BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_CASE(encodings_are_read_by_mark_then_charset_then_declaration) {
    SoapRig rig;
    const std::string zoe = envelope(soap11, sayHiTo("Zo\xEB"));  // ISO-8859-1
    const std::string declared = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
                      utf8 = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

    BOOST_TEST(hello(rig.post("\xEF\xBB\xBF" + utf8 + envelope(soap11, sayHiTo("Zoë")),
                              "text/xml; charset=\"utf-8\"")) == "Hello Zoë");
    BOOST_TEST(hello(rig.post(declared + zoe, "text/xml; charset=ISO-8859-1")) == "Hello Zoë");
    BOOST_TEST(hello(rig.post(declared + zoe, "text/xml")) == "Hello Zoë");
    BOOST_TEST(hello(rig.post(utf8 + zoe, "text/xml; charset=ISO-8859-1")) == "Hello Zoë");  // the parameter wins
    BOOST_TEST(hello(rig.post(envelope(soap11, sayHiTo("Zoë € 😀")), "text/xml")) == "Hello Zoë € 😀");
    for (const bool bigEndian : {true, false}) {
        BOOST_TEST(hello(rig.post(utf16(envelope(soap11, sayHiTo("Ann")), bigEndian), "text/xml; charset=utf-16")) ==
                   "Hello Ann");
        BOOST_TEST(hello(rig.post(utf16(envelope(soap11, sayHiTo("Ann")), bigEndian), "text/xml")) == "Hello Ann");
    }
}

BOOST_AUTO_TEST_CASE(the_action_makes_no_difference_where_the_contract_sets_none) {
    SoapRig rig;
    const std::string body = envelope(soap11, sayHiTo("Ann"));

    for (const auto* action : {"", "\"\"", "sayHi", "\"sayHi\"", "\"urn:anything at all\"", "\""})
        BOOST_TEST(hello(rig.post(body, "text/xml", {{"soapaction", action}})) == "Hello Ann", action);
    BOOST_TEST(hello(rig.post(envelope(soap12, sayHiTo("Ann")), "application/soap+xml; action=\"urn:x\"",
                              {{"SOAPAction", "urn:y"}})) == "Hello Ann");
}

BOOST_AUTO_TEST_CASE(an_action_that_the_contract_sets_must_not_be_contradicted) {
    wsdl::Contract contract = helloContract();
    contract.operations[0].soapAction = "urn:hi";
    SoapRig rig(contract);
    const std::string one = envelope(soap11, sayHiTo("Ann")), two = envelope(soap12, sayHiTo("Ann"));

    BOOST_TEST(hello(rig.post(one)) == "Hello Ann");
    BOOST_TEST(hello(rig.post(one, "text/xml", {{"SOAPAction", "\"\""}})) == "Hello Ann");
    BOOST_TEST(hello(rig.post(one, "text/xml", {{"SOAPAction", "\"urn:hi\""}})) == "Hello Ann");
    BOOST_TEST(hello(rig.post(one, "text/xml", {{"SOAPAction", " urn:hi "}})) == "Hello Ann");
    BOOST_TEST(hello(rig.post(two, "application/soap+xml; action=\"urn:hi\"")) == "Hello Ann");
    BOOST_TEST(hello(rig.post(two, "application/soap+xml", {{"SOAPAction", "urn:hi"}})) == "Hello Ann");

    const ReadFault wrong(rig.post(one, "text/xml", {{"SOAPAction", "\"urn:bye\""}}));
    BOOST_TEST(wrong.code == "Client");
    BOOST_TEST(wrong.reason.find("\"urn:bye\" contradicts") != std::string::npos);
    BOOST_TEST(ReadFault(rig.post(two, "application/soap+xml; action=\"urn:bye\"")).code == "Sender");
}

BOOST_AUTO_TEST_CASE(an_empty_body_is_named_by_an_action_only_where_the_contract_says_so) {
    SoapRig hello11;
    const ReadFault empty(hello11.post(envelope(soap11, ""), "text/xml", {{"SOAPAction", "\"sayHi\""}}));
    BOOST_TEST(empty.code == "Client");
    BOOST_TEST(empty.reason.find("the Body is empty") != std::string::npos);

    wsdl::Contract contract = helloContract();
    contract.operations[0].inElement.clear();
    contract.operations[0].soapAction = "urn:hi";
    bool none = false;
    SoapRig rig(contract, [&](core::ExchangePtr exchange) {
        none = !exchange->payload() && bool(exchange->content());
        core::Exchange::reply(std::move(exchange));
    });
    BOOST_TEST(rig.post(envelope(soap11, " \n "), "text/xml", {{"SOAPAction", "\"urn:hi\""}}).status == 200);
    BOOST_TEST(none);
    BOOST_TEST(ReadFault(rig.post(envelope(soap11, ""))).code == "Client");
}

BOOST_AUTO_TEST_SUITE_END()
