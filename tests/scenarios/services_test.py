"""Services on a real daemon: typed ones in all their ways of ending a call, and the raw echo, which keeps all it is sent."""
import time
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import etree
from postbus_daemon import PLUGINS, SOAP11, SOAP12, Daemon

NS = 'urn:postbus:test:types'
XSI = 'http://www.w3.org/2001/XMLSchema-instance'
CONTENT_TYPE = {SOAP11: 'text/xml; charset=utf-8', SOAP12: 'application/soap+xml; charset=utf-8'}
VERSIONS = pytest.mark.parametrize('soap', [SOAP11, SOAP12], ids=['soap11', 'soap12'])


@pytest.fixture(scope='module')
def daemon():
    with Daemon(plugins=[PLUGINS / 'types.so', PLUGINS / 'echo.so', PLUGINS / 'first.so', PLUGINS / 'first.wsdl',
                         PLUGINS / 'first.xsd']) as d:
        yield d


def post(daemon, path, body, soap=SOAP11, scope=''):
    """(status, headers, the parsed envelope or None). `scope`: declarations on the Envelope."""
    envelope = '<s:Envelope xmlns:s="%s" %s><s:Body>%s</s:Body></s:Envelope>' % (soap, scope, body)
    status, headers, answer = daemon.soap(path, envelope.encode(), content_type=CONTENT_TYPE[soap])
    return status, headers, etree.fromstring(answer) if answer else None


def types(daemon, operation, content='', soap=SOAP11):
    return post(daemon, '/test/types', '<t:%s xmlns:t="%s">%s</t:%s>' % (operation, NS, content, operation), soap)


def answer_of(daemon, operation, content=''):
    """The answer's element, of a call that went well."""
    status, _, envelope = types(daemon, operation, content)
    assert status == 200, etree.tostring(envelope)
    element = envelope.find('{%s}Body' % SOAP11)[0]
    assert element.tag == '{%s}%sResponse' % (NS, operation)
    return element


def fault_of(envelope, soap):
    """(local name of the code, reason, detail element or None)"""
    fault = envelope.find('{%s}Body/{%s}Fault' % (soap, soap))
    assert fault is not None, etree.tostring(envelope)
    if soap == SOAP11:
        prefix, _, local = fault.findtext('faultcode').partition(':')
        assert fault.find('faultcode').nsmap[prefix] == SOAP11
        return local, fault.findtext('faultstring'), fault.find('detail')
    value = fault.findtext('{%s}Code/{%s}Value' % (soap, soap))
    return value.partition(':')[2], fault.findtext('{%s}Reason/{%s}Text' % (soap, soap)), fault.find('{%s}Detail' % soap)


CODES = {SOAP11: {'sender': 'Client', 'receiver': 'Server'}, SOAP12: {'sender': 'Sender', 'receiver': 'Receiver'}}


def check_fault(daemon, operation, code, reason, soap, content=''):
    status, headers, envelope = types(daemon, operation, content, soap)
    assert status == (400 if soap == SOAP12 and code == 'sender' else 500)
    assert headers['Content-Type'] == CONTENT_TYPE[soap]
    found, text, detail = fault_of(envelope, soap)
    assert found == CODES[soap][code]
    assert reason in text
    return detail


# ---- typed values

SCALARS = ('<string> a\tb </string><boolean>true</boolean><byte>-128</byte><short>-32768</short><int>2147483647</int>'
           '<long>-9223372036854775808</long><ubyte>255</ubyte><ushort>65535</ushort><uint>4294967295</uint>'
           '<ulong>18446744073709551615</ulong><float>0.1</float><double>-INF</double><decimal>1.10</decimal>'
           '<dateTime>2026-02-28T23:59:59.5Z</dateTime><base64>AP8=</base64><colour>dark green</colour>')


def canonical(element):
    return etree.tostring(element, method='c14n', exclusive=True)


def test_every_kind_of_value_goes_in_and_out_unchanged(daemon):
    value = answer_of(daemon, 'scalars', '<value>%s</value>' % SCALARS)[0]
    assert canonical(value) == canonical(etree.fromstring('<value>%s</value>' % SCALARS))


def test_absent_values_stay_absent(daemon):
    assert canonical(answer_of(daemon, 'options', '<value/>')[0]) == b'<value></value>'
    nil = '<value xmlns:x="%s"><int x:nil="1"/><string x:nil="true"/></value>' % XSI
    assert canonical(answer_of(daemon, 'options', nil)[0]) == b'<value></value>'


def test_structs_and_lists_nest(daemon):
    person = ('<value><name>Ada</name><home><street>Main</street></home><former><street>A</street></former>'
              '<former><street>B</street><city>C</city></former><phone>1</phone><phone/><colour>red</colour>'
              '<number>-1</number><child><name>Zoë</name><home><street/></home></child></value>')
    assert canonical(answer_of(daemon, 'person', person)[0]) == canonical(etree.fromstring(person))


@VERSIONS
def test_a_bad_value_is_the_callers_fault_and_named_by_its_place(daemon, soap):
    check_fault(daemon, 'options', 'sender', "value/int (line 2): 'abc' is no xs:int", soap, '<value>\n<int>abc</int></value>')
    check_fault(daemon, 'options', 'sender', 'value/other (line 1): unknown element', soap, '<value><other/></value>')
    check_fault(daemon, 'sleep', 'sender', "element 'milliseconds' is missing", soap)


def test_the_request_id_is_the_one_in_the_answers_head(daemon):
    status, headers, envelope = types(daemon, 'requestId')
    assert status == 200
    assert envelope.findtext('.//value') in headers.values()


# ---- ways of ending

@VERSIONS
def test_a_fault_has_one_detail_with_the_services_own_element(daemon, soap):  # case F05
    detail = check_fault(daemon, 'fail', 'receiver', 'failed as asked', soap)
    assert [child.tag for child in detail] == ['{urn:example:f}Why']
    assert detail[0].text == '7'


@VERSIONS
def test_a_senders_fault_keeps_all_of_its_detail(daemon, soap):
    detail = check_fault(daemon, 'failSender', 'sender', 'your fault', soap)
    assert [child.tag for child in detail] == ['{urn:example:f}a', '{urn:example:f}b']
    assert detail[1].get('c') == 'd'


@VERSIONS
@pytest.mark.parametrize('operation, reason', [
    ('throwError', 'thrown as asked'), ('throwInt', 'no std::exception'), ('throwRaw', 'thrown by a raw one'),
    ('throwForbidden', 'bell'), ('forget', 'without an answer'), ('badDecimal', "'1,5' is no xs:decimal"),
    ('forbidden', ''), ('badUtf8', ''), ('unbalanced', ''),
])
def test_whatever_a_handler_does_the_caller_gets_a_fault(daemon, operation, reason, soap):  # E17 among them
    check_fault(daemon, operation, 'receiver', reason, soap)
    assert daemon.say_hi('Bob') == 'Hello Bob'


@VERSIONS
def test_a_detail_that_is_no_xml_spoils_nothing_else(daemon, soap):
    check_fault(daemon, 'failBadDetail', 'sender', 'torn', soap)


def test_an_exception_behind_the_answer_changes_nothing(daemon):
    assert len(answer_of(daemon, 'throwAfterReply')) == 0


def test_a_one_way_call_is_accepted_and_done(daemon):
    before = int(answer_of(daemon, 'notes').findtext('value'))
    status, _, envelope = types(daemon, 'note', '<value>x</value>')
    assert status == 202 and envelope is None
    end = time.monotonic() + 5
    while int(answer_of(daemon, 'notes').findtext('value')) != before + 1:
        assert time.monotonic() < end


def test_an_answer_may_come_from_the_services_own_thread(daemon):
    assert answer_of(daemon, 'later', '<value>x</value>').findtext('value') == 'x'


# ---- echo

def echoed(daemon, body, soap=SOAP11, scope=''):
    status, headers, envelope = post(daemon, '/test/echo', body, soap, scope)
    assert status == 200, etree.tostring(envelope)
    assert headers['Content-Type'] == CONTENT_TYPE[soap]
    return envelope.find('{%s}Body' % soap)


def infoset(element):
    """All that a document says, prefixes left out but for those that text or values may rely on."""
    return (element.tag, sorted(element.attrib.items()), element.text or '',
            [(infoset(child), child.tail or '') for child in element if isinstance(child.tag, str)])


BODIES = [
    '<a xmlns="urn:a"/>',
    '<a xmlns="urn:a"><b xmlns=""/><c xmlns="urn:c" xml:lang="de" xml:space="preserve"> x </c></a>',
    '<p:a xmlns:p="urn:a" p:x="1" x="2" y="a&#10;b&#9;c &lt;&amp;&quot;&gt;"/>',
    '<a xmlns="urn:a"> mixed <b>content</b> and\n\t<b/> white  space\n </a>',
    '<a xmlns="urn:a">Zoë–日本 &#x1F600; &lt;&amp;&gt; ]]&gt; &#13;</a>',
    '<q:a xmlns:q="urn:q" xmlns:i="%s" xmlns:x="urn:x" i:type="x:T" i:nil="false"><v>x:name</v></q:a>' % XSI,
]


@VERSIONS
@pytest.mark.parametrize('body', BODIES)
def test_echo_keeps_the_infoset(daemon, body, soap):
    sent = etree.fromstring(body)
    back = echoed(daemon, body, soap)
    assert len(back) == 1
    assert infoset(back[0]) == infoset(sent)


@VERSIONS
def test_echo_keeps_the_prefixes_that_content_relies_on(daemon, soap):
    body = '<a i:type="x:T">x:name<b xmlns:x="urn:other">x:name</b></a>'
    back = echoed(daemon, body, soap, 'xmlns:x="urn:x" xmlns:i="%s" xmlns="urn:default"' % XSI)[0]
    assert back.tag == '{urn:default}a'
    assert back.get('{%s}type' % XSI) == 'x:T' and back.nsmap['x'] == 'urn:x'
    assert back[0].nsmap['x'] == 'urn:other'


def test_echo_gives_cdata_as_text_and_drops_comments(daemon):
    back = echoed(daemon, '<a>one<!-- two --><![CDATA[<three>]]></a>')[0]
    assert back.text == 'one<three>' and len(back) == 0


def test_echo_keeps_several_elements_and_none(daemon):
    assert [child.tag for child in echoed(daemon, '<a/><b xmlns="urn:b"/>')] == ['a', '{urn:b}b']
    assert len(echoed(daemon, '')) == 0


# ---- contract first

def test_the_contract_beside_the_plugin_is_served(daemon):
    status, _, body = daemon.request('GET', '/test/first?wsdl')
    assert status == 200
    wsdl = etree.fromstring(body)
    assert b'Written by hand' in body
    address = wsdl.find('.//{http://schemas.xmlsoap.org/wsdl/soap/}address').get('location')
    assert address == daemon.url + '/test/first'
    location = wsdl.find('.//{http://www.w3.org/2001/XMLSchema}import').get('schemaLocation')
    where = urlsplit(urljoin(daemon.url + '/test/first?wsdl', location))
    assert where.netloc == '%s:%d' % daemon.address
    status, _, schema = daemon.request('GET', '%s?%s' % (where.path, where.query))
    assert status == 200 and etree.fromstring(schema).get('targetNamespace') == 'urn:postbus:test:first'


def test_a_contracts_qualified_children_go_in_and_out(daemon):
    ns = 'urn:postbus:test:first'
    status, _, envelope = post(daemon, '/test/first',
                               '<ReserveRequest xmlns="%s"><article>x</article><count>3</count></ReserveRequest>' % ns)
    assert status == 200, etree.tostring(envelope)
    answer = envelope.find('{%s}Body' % SOAP11)[0]
    assert infoset(answer) == infoset(etree.fromstring(
        '<Reservation xmlns="%s"><article>x</article><held>true</held></Reservation>' % ns))
