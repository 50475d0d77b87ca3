#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "xml_support.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;
using namespace std::string_literals;

namespace {

struct Bad {
    std::string document;
    std::string message;  ///< how the refusal begins
};

const std::vector<Bad> notWellFormed = {
    {"", "the document is empty"},
    {"\xEF\xBB\xBF", "the document is empty"},
    {"  \n ", "line 2: the document does not begin with an element"},
    {"text", "line 1: "},
    {"<a>", "line 1: the document ends before element 'a' is closed"},
    {"<a>\n<b>\nx", "line 3: the document ends before element 'b' is closed"},
    {"<a>\n<b>\n<c", "line 3: Couldn't find end of Start Tag c, in element 'b'"},
    {"<a>\n<b></a>", "line 2: element 'b', begun in line 2, is not closed before the end of element 'a'"},
    {"<a></A>", "line 1: "},
    {"<a/><b/>", "line 1: there is something behind the end of the root element"},
    {"<a/>\ntext", "line 2: "},
    {"text<a/>", "line 1: "},
    {"<a", "line 1: "},
    {"<a/", "line 1: "},
    {"<a x></a>", "line 1: "},
    {"<a x=1></a>", "line 1: the value of an attribute is not in quotation marks"},
    {"<a x='1></a>", "line 1: "},
    {"<a x='<'></a>", "line 1: "},
    {"<a x='1'y='2'/>", "line 1: "},
    {"<a x='1'\n x='2'/>", "line 2: Attribute x redefined"},
    {"<a>&</a>", "line 1: a '&' begins no reference; by itself it is written &amp;, in element 'a'"},
    {"<a>&amp</a>", "line 1: a reference has no ';' at its end"},
    {"<a>&nbsp;</a>", "line 1: Entity 'nbsp' not defined"},
    {"<a x='&nbsp;'/>", "line 1: Entity 'nbsp' not defined"},
    {"<a>&#11;</a>", "line 1: a reference (&#...;) stands for U+000B, which is not allowed in XML, in element 'a'"},
    {"<a>&#x0;</a>", "line 1: a reference (&#...;) has no digits, or stands for U+0000, which is not"},
    {"<a>&#xD800;</a>", "line 1: "},
    {"<a>&#xFFFE;</a>", "line 1: a reference (&#...;) stands for U+FFFE, which is not"},
    {"<a>&#x110000;</a>", "line 1: a reference (&#...;) goes beyond U+10FFFF"},
    {"<a>&#99999999999999;</a>", "line 1: "},
    {"<a>&#x;</a>", "line 1: a reference (&#...;) has no digits"},
    {"<a>&#xZ;</a>", "line 1: a reference is neither &#DIGITS; nor &#xHEXDIGITS;"},
    {"<a x='&#1;'/>", "line 1: "},
    {"<a>]]></a>", "line 1: "},
    {"<a><![CDATA[x]]</a>", "line 1: "},
    {"<a><![cdata[x]]></a>", "line 1: "},
    {"<![CDATA[x]]><a/>", "line 1: "},
    {"<a><!-- x -- y --></a>", "line 1: "},
    {"<a><!-- x ---></a>", "line 1: "},
    {"<a><!- x --></a>", "line 1: "},
    {"<a><!-- x </a>", "line 1: "},
    {"<1a/>", "line 1: "},
    {"<a>1 < 2</a>", "line 1: a '<' begins no tag; by itself it is written &lt;, in element 'a'"},
    {"< a/>", "line 1: "},
    {"<a b\xC3\x97='1'/>", "line 1: "},
    {" <?xml version='1.0'?><a/>", "line 1: "},
    {"<?xml version='1.0'?><?xml version='1.0'?><a/>", "line 1: "},
    {"<?xml?><a/>", "line 1: "},
    {"<?xml encoding='UTF-8'?><a/>", "line 1: "},
    {"<?xml version='1.0' standalone='perhaps'?><a/>", "line 1: "},
    {"<?xml version='1.0' encoding='UTF 8'?><a/>", "the encoding 'UTF 8' is not supported"},
    {"<?xml version='1.0' x='1'?><a/>", "line 1: "},
    {"<?xml version='1.1'?><a/>", "line 1: only version 1.0 of XML is supported"},
    {"<?xml version='2.0'?><a/>", "line 1: "},
};

const std::vector<Bad> notNamespaced = {
    {"<p:a/>", "line 1: Namespace prefix p on a is not defined"},
    {"<a>\n<b p:x='1'/></a>", "line 2: Namespace prefix p for x on b is not defined"},
    {"<a xmlns:p='urn:p' xmlns:q='urn:p' p:x='1' q:x='2'/>", "line 1: Namespaced Attribute x in 'urn:p' redefined"},
    {"<a xmlns:p=''/>", "line 1: "},
    {"<a xmlns='urn:a' xmlns='urn:b'/>", "line 1: "},
    {"<a xmlns:p='urn:a' xmlns:p='urn:a'/>", "line 1: "},
    {"<a xmlns:xml='urn:a'/>", "line 1: "},
    {"<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>", "line 1: "},
    {"<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "line 1: "},
    {"<a xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>", "line 1: "},
    {"<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", "line 1: "},
    {"<xmlns:a/>", "line 1: "},
    {"<a:b:c xmlns:a='urn:a'/>", "line 1: "},
    {"<:a/>", "line 1: "},
    {"<a:/>", "line 1: "},
    {"<a :x='1'/>", "line 1: "},
    {"<a xmlns:='urn:a'/>", "line 1: "},
    {"<a xmlns:1='urn:a'/>", "line 1: "},
};

const std::vector<Bad> notOurs = {
    {"<?xml version='1.0'?>\n<!DOCTYPE a><a/>", "line 2: a document type declaration (DTD) is not allowed"},
    {"<!DOCTYPE a [<!ENTITY x 'ha'>]><a>&x;</a>", "line 1: a document type declaration (DTD) is not allowed"},
    {"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "line 1: a document type declaration (DTD) is not allowed"},
    {"<!DOCTYPE a PUBLIC 'x' 'http://127.0.0.1:1/x.dtd'><a/>", "line 1: a document type declaration (DTD) is not"},
    {"<!doctype a><a/>", "line 1: "},
    {"<a><!DOCTYPE a></a>", "line 1: "},
    {"<?php echo 1 ?><a/>", "line 1: processing instructions are not allowed"},
    {"<a>\n\n<?x?></a>", "line 3: processing instructions are not allowed"},
    {"<a/><?x y?>", "line 1: processing instructions are not allowed"},
    {"<a><?XML x?></a>", "line 1: "},
    {"<a><?1 x?></a>", "line 1: "},
    {"<a><?x:y z?></a>", "line 1: "},
    {"<a><?x", "line 1: "},
};

const std::vector<Bad> notCharacters = {
    {"<a>\n\x01</a>", "line 2: the character U+0001 is not allowed in XML"},
    {"<a>\0</a>"s, "line 1: the character U+0000 is not allowed in XML"},
    {"<a/>\0"s, "line 1: the character U+0000 is not allowed in XML"},
    {"<a>a\x0B"
     "b</a>",
     "line 1: the character U+000B is not allowed in XML"},
    {"<a x='\x1F'/>", "line 1: the character U+001F is not allowed in XML"},
    {"<a>\xC0\xAF</a>", "line 1: the byte 0xC0 begins no valid character of UTF-8"},
    {"<a>\xE0\x80\xAF</a>", "line 1: the byte 0xE0 begins no valid character of UTF-8"},
    {"<a>\xF0\x80\x80\xAF</a>", "line 1: the byte 0xF0 begins no valid character of UTF-8"},
    {"<a>\xED\xA0\x80</a>", "line 1: the byte 0xED begins no valid character of UTF-8"},
    {"<a>\xED\xB0\x80</a>", "line 1: the byte 0xED begins no valid character of UTF-8"},
    {"<a>\xF4\x90\x80\x80</a>", "line 1: the byte 0xF4 begins no valid character of UTF-8"},
    {"<a>\xF8\x88\x80\x80\x80</a>", "line 1: the byte 0xF8 begins no valid character of UTF-8"},
    {"<a>\xEF\xBF\xBE</a>", "line 1: the character U+FFFE is not allowed in XML"},
    {"<a>\xEF\xBF\xBF</a>", "line 1: the character U+FFFF is not allowed in XML"},
    {"<a>\x80</a>", "line 1: the byte 0x80 begins no valid character of UTF-8"},
    {"<a>\xC3</a>", "line 1: the byte 0xC3 begins no valid character of UTF-8"},
    {"<a>\xC3", "line 1: the byte 0xC3 begins no valid character of UTF-8"},
    {"<a><!-- \xFF --></a>", "line 1: the byte 0xFF begins no valid character of UTF-8"},
    {"<a><![CDATA[\xED\xA0\x80]]></a>", "line 1: the byte 0xED begins no valid character of UTF-8"},
    {"<a \xE2\x82='1'/>", "line 1: the byte 0xE2 begins no valid character of UTF-8"},
};

void refusesAll(const std::vector<Bad>& all) {
    for (const Bad& each : all) {
        Tape tape;
        const auto result = parse(each.document, {}, {}, tape);
        BOOST_REQUIRE_MESSAGE(!result, "taken: " << each.document);
        BOOST_TEST(result.error().message().starts_with(each.message),
                   each.document << ": " << result.error().message());
        BOOST_TEST(result.error().message().find("xmlParse") == std::string::npos,
                   result.error().message());  // no function
        BOOST_TEST(tape.empty());
        BOOST_TEST(tape.view()->node_count == 0u);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_refusals)

BOOST_AUTO_TEST_CASE(are_given_for_what_is_not_well_formed) { refusesAll(notWellFormed); }
BOOST_AUTO_TEST_CASE(are_given_for_wrong_namespaces) { refusesAll(notNamespaced); }
BOOST_AUTO_TEST_CASE(are_given_for_dtds_and_processing_instructions) { refusesAll(notOurs); }
BOOST_AUTO_TEST_CASE(are_given_for_bytes_that_are_no_characters) { refusesAll(notCharacters); }

BOOST_AUTO_TEST_CASE(find_bad_bytes_wherever_they_lie) {
    for (std::size_t before = 0; before < 40; ++before)
        for (const char* const bad : {"\x02", "\xC0\x80", "\xED\xBF\xBF", "\xE2\x82"}) {
            const std::string document = "<a>" + std::string(before, 'x') + bad + "</a>                        ";
            BOOST_TEST(refusal(document).find("line 1: the ") == 0u, document);
        }
}

BOOST_AUTO_TEST_CASE(leave_the_parser_good_for_the_next_document) {
    const std::string good = dump(parsed("<a xmlns='urn:a' x='1'>t<b/></a>"));

    for (const auto* all : {&notWellFormed, &notNamespaced, &notOurs, &notCharacters})
        for (const Bad& each : *all) {
            refusal(each.document);
            BOOST_TEST((dump(parsed("<a xmlns='urn:a' x='1'>t<b/></a>")) == good), each.document);
        }
}

BOOST_AUTO_TEST_CASE(hold_no_control_characters_and_are_short) {
    const std::string name(5000, 'n');
    for (const std::string& document :
         {"<a>&" + name + ";</a>", "<" + name + ">", "<a xmlns:p='\n\x1B[31m' p:x='1' p:x='2'/>"s,
          "<a xmlns:p='x&#10;y' xmlns:q='x&#10;y' p:x='1' q:x='2'/>"s, "<a xmlns:p='x\xC2\x85y' p:x='1' p:x='2'/>"s,
          "<?xml version='1.0' encoding='x\n\x1B[31my'?><a/>"s}) {
        const std::string message = refusal(document);
        BOOST_TEST(!message.empty());
        BOOST_TEST(message.size() < 300u);
        for (const char c : message) BOOST_TEST((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F), message);
        BOOST_TEST(message.find("\xC2\x85") == std::string::npos);
    }
    const std::string message = refusal("<a/>", "x\r\n\x1B[31m\xFF" + name);
    BOOST_TEST(message.starts_with("the encoding 'x???[31m?nnn"), message);
    BOOST_TEST(message.size() < 150u);
}

BOOST_AUTO_TEST_CASE(print_nothing) {
    // libxml2 writes its errors to standard error unless told otherwise.
    std::FILE* const file = std::tmpfile();
    const int kept = dup(2);
    std::fflush(stderr);
    dup2(fileno(file), 2);

    for (const auto* all : {&notWellFormed, &notNamespaced, &notOurs, &notCharacters})
        for (const Bad& each : *all) refusal(each.document);

    std::fflush(stderr);
    dup2(kept, 2);
    close(kept);
    BOOST_TEST(lseek(fileno(file), 0, SEEK_END) == 0);
    std::fclose(file);
}

BOOST_AUTO_TEST_SUITE_END()
