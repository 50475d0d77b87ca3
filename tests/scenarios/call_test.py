"""postbus call: services of a real daemon, and services of other stacks."""
import base64
import json
import re
import socket
import threading
import time
from pathlib import Path

import pytest
from lxml import etree
from postbus_daemon import PLUGINS, SLOWNESS, Daemon, run_postbus
from soap_peer import SOAP11, SOAP12, SoapPeer

DONE, FAILED, USAGE, UNREACHABLE, INVALID = 0, 1, 2, 3, 4
HERE = Path(__file__).resolve().parent / 'warehouse'
ORDERS, COMMON = 'urn:warehouse:orders', 'urn:warehouse:common'


@pytest.fixture(scope='module')
def daemon():
    with Daemon(plugins=[PLUGINS / each for each in ('types.so', 'first.so', 'first.wsdl', 'first.xsd')],
                config='endpoints: {Billing: {http: /billing}, HelloWorld: {http: /cxf/HelloWorld}}\n') as d:
        yield d


def answer_of(done):
    assert done.returncode == DONE, done.stdout + done.stderr
    return json.loads(done.stdout)['answer']


# ---- services of the bus

def test_an_endpoint_by_its_name(daemon):
    done = daemon.postbus('call', 'HelloWorld', 'sayHi', 'arg0=Zoë & <Bob>')
    assert (done.returncode, done.stdout) == (DONE, 'return: Hello Zoë & <Bob>\n')
    assert re.fullmatch(r'connect [\d.]+ ms, first byte [\d.]+ ms, total [\d.]+ ms; sent \d+ bytes, received \d+\n', done.stderr)
    told = json.loads(daemon.postbus('call', 'HelloWorld', 'sayHi', '--json').stdout)
    assert told['answer'] == {'return': 'Hello '}
    assert (told['url'], told['operation'], told['soap'], told['status']) == (
        daemon.url + '/cxf/HelloWorld', 'sayHi', '1.1', 200)
    timing = told['timing']
    assert 0 < timing['connectMs'] <= timing['firstByteMs'] <= timing['totalMs']
    assert timing['sentBytes'] > 100 < timing['receivedBytes']


def test_both_versions_of_soap(daemon):
    for version in ('1.1', '1.2'):
        told = json.loads(daemon.postbus('call', 'HelloWorld', 'sayHi', 'arg0=A', '--soap', version, '--json').stdout)
        assert (told['soap'], told['answer']) == (version, {'return': 'Hello A'})


def test_a_contract_that_came_with_its_service_and_imports(daemon):
    wsdl = daemon.url + '/test/first?wsdl'
    assert answer_of(run_postbus('call', wsdl, 'Reserve', 'count=11', 'article=X-7', '--json')) == {
        'article': 'X-7', 'held': False}
    listed = run_postbus('call', wsdl)
    assert listed.returncode == DONE
    assert 'Reserve\n    article  string\n    count    int\n' in listed.stdout


def test_every_kind_of_value(daemon, tmp_path):
    (tmp_path / 'bytes').write_bytes(b'\0\xff')
    arguments = {'string': ' a\tb ', 'boolean': '1', 'byte': '-128', 'short': '-32768', 'int': '2147483647',
                 'long': '-9223372036854775808', 'ubyte': '255', 'ushort': '65535', 'uint': '4294967295',
                 'ulong': '18446744073709551615', 'float': '0.1', 'double': '-INF', 'decimal': '1.10',
                 'dateTime': '2026-02-28T23:59:59.5Z', 'base64': '@%s' % (tmp_path / 'bytes'), 'colour': 'dark green'}
    done = daemon.postbus('call', daemon.url + '/test/types?wsdl', 'scalars', '--json',
                          *('value.%s=%s' % each for each in arguments.items()))
    assert answer_of(done)['value'] == {
        'string': ' a\tb ', 'boolean': True, 'byte': -128, 'short': -32768, 'int': 2147483647,
        'long': -9223372036854775808, 'ubyte': 255, 'ushort': 65535, 'uint': 4294967295, 'ulong': 18446744073709551615,
        'float': 0.1, 'double': '-INF', 'decimal': 1.1, 'dateTime': '2026-02-28T23:59:59.5Z', 'base64': 'AP8=',
        'colour': 'dark green'}
    assert '"decimal":1.10,' in done.stdout  # digit for digit


def test_nested_and_repeated(daemon):
    keys = ['value.name=Ann', 'value.home.street=A', 'value.former.street=X', 'value.former.city=Y', 'value.former.street=Z',
            'value.phone=1', 'value.phone=2', 'value.child[0].name=Kid', 'value.child[0].home.street=K',
            'value.child[0].child[0].name=Tot', 'value.child[0].child[0].home.street=T']
    value = answer_of(daemon.postbus('call', daemon.url + '/test/types?wsdl', 'person', *keys, '--json'))['value']
    assert value['former'] == [{'street': 'X', 'city': 'Y'}, {'street': 'Z'}]
    assert value['phone'] == ['1', '2']
    assert value['child'][0]['child'][0]['name'] == 'Tot'
    assert value['colour'] == [] and 'work' not in value


def test_an_example_can_be_sent_as_it_is(daemon, tmp_path):
    wsdl = daemon.url + '/test/types?wsdl'
    for operation, told in (('scalars', '  colour: red\n'), ('options', '  int: 0\n'), ('person', '  phone: ?\n'), ('nothing', '')):
        example = run_postbus('call', wsdl, operation, '--template')
        assert example.returncode == DONE
        (tmp_path / 'request.xml').write_text(example.stdout)
        sent = run_postbus('call', wsdl, operation, '--xml', tmp_path / 'request.xml')
        assert sent.returncode == DONE, sent.stderr
        assert told in sent.stdout


@pytest.mark.parametrize('version', ['1.1', '1.2'])
def test_faults(daemon, version):
    done = daemon.postbus('call', daemon.url + '/test/types?wsdl', 'fail', '--soap', version)
    assert (done.returncode, done.stdout) == (FAILED, '')
    code = 'Server' if version == '1.1' else 'Receiver'
    assert done.stderr.startswith('postbus: fault %s: failed as asked' % code)
    assert '  detail:\n    Why: 7\n' in done.stderr
    told = daemon.postbus('call', daemon.url + '/test/types?wsdl', 'failSender', '--soap', version, '--json')
    fault = json.loads(told.stdout)['fault']
    assert told.returncode == FAILED
    assert fault['code'] == ('Client' if version == '1.1' else 'Sender')
    assert fault['detail'] == {'a': '', 'b': {'@c': 'd', '#text': ''}}


def test_one_way(daemon):
    done = daemon.postbus('call', daemon.url + '/test/types?wsdl', 'note', 'value=x')
    assert (done.returncode, done.stdout) == (DONE, 'accepted\n')
    told = json.loads(daemon.postbus('call', daemon.url + '/test/types?wsdl', 'note', '--json').stdout)
    assert told['accepted'] is True and 'answer' not in told


def test_a_call_that_takes_too_long(daemon):
    start = time.monotonic()
    done = daemon.postbus('call', daemon.url + '/test/types?wsdl', 'sleep', 'milliseconds=20000', '--timeout', '300ms')
    assert done.returncode == FAILED
    assert 'no complete answer within 300 ms' in done.stderr
    assert time.monotonic() - start < 10 * SLOWNESS


def test_what_is_wrong_is_named_with_a_remedy(daemon):
    def refusal(*args, status=USAGE):
        done = daemon.postbus('call', *args)
        assert (done.returncode, done.stdout) == (status, ''), done.stderr
        return done.stderr

    assert "no endpoint 'HelloWold', did you mean 'HelloWorld'?" in refusal('HelloWold', 'sayHi')
    assert "no operation 'sayHy', did you mean 'sayHi'?" in refusal('HelloWorld', 'sayHy')
    text = refusal('HelloWorld', 'sayHi', 'agr0=x')
    assert "sayHi has no parameter 'agr0', did you mean 'arg0'?" in text
    assert '    arg0  string, optional\n' in text
    types = daemon.url + '/test/types?wsdl'
    assert 'required and missing: value.home.street' in refusal(types, 'person', 'value.name=A')
    assert "milliseconds: expected a whole number from 0 to 4294967295 (xs:unsignedInt), got '-1'" in refusal(
        types, 'sleep', 'milliseconds=-1')
    assert "no port 'Prot'" in refusal(types, 'sleep', '--port', 'Prot')
    assert 'Billing is not deployed' in refusal('Billing', 'x', status=FAILED)
    assert json.loads(daemon.postbus('call', 'HelloWorld', 'no', '--json').stdout)['error'].startswith('the service has no')


def test_nobody_there(tmp_path):
    closed = socket.socket()
    closed.bind(('127.0.0.1', 0))
    url = 'http://127.0.0.1:%d/?wsdl' % closed.getsockname()[1]
    done = run_postbus('call', url, 'x')
    assert done.returncode == UNREACHABLE
    assert 'is not reached' in done.stderr
    assert run_postbus('--admin', 'unix:%s/none.sock' % tmp_path, 'call', 'Name').returncode == UNREACHABLE
    missing = run_postbus('call', tmp_path / 'none.wsdl')
    assert (missing.returncode, missing.stderr) == (INVALID, 'postbus: %s/none.wsdl: No such file or directory\n' % tmp_path)
    wsdl = HERE / 'ws' / 'warehouse.wsdl'
    assert run_postbus('call', wsdl, 'Count', 'sku=a', '--url', url).returncode == UNREACHABLE
    assert 'https is not supported' in run_postbus('call', wsdl, 'Count', 'sku=a', '--url', 'https://localhost/').stderr
    closed.close()


# ---- a service of another stack: SOAP 1.2, bare, imports by relative location, each request validated by its schema

def documents():
    return {'/' + each.relative_to(HERE).as_posix(): each.read_bytes() for each in HERE.rglob('*.*')}


def warehouse(payload, peer):
    schema = etree.XMLSchema(etree.parse(str(HERE / 'schemas' / 'orders.xsd')))
    if not schema.validate(payload):
        return 400, ('<e:Fault xmlns:e="%s"><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text xml:lang="en">%s'
                     '</e:Text></e:Reason></e:Fault>' % (SOAP12, schema.error_log.last_error.message.replace('<', '')))
    if payload.tag == '{%s}sku' % COMMON:
        return 200, '<c:count xmlns:c="%s">%d</c:count>' % (COMMON, len(''.join(payload.xpath('text()'))))
    lines = payload.findall('{%s}line' % ORDERS)
    if len(lines) > 3:
        return 500, ('<e:Fault xmlns:e="%s"><e:Code><e:Value>e:Receiver</e:Value><e:Subcode><e:Value xmlns:o="%s">o:Shortage'
                     '</e:Value></e:Subcode></e:Code><e:Reason><e:Text xml:lang="en">too many</e:Text></e:Reason><e:Detail>'
                     '<o:shortage xmlns:o="%s"><c:sku xmlns:c="%s">A</c:sku><o:left>3</o:left></o:shortage></e:Detail></e:Fault>'
                     % (SOAP12, ORDERS, ORDERS, COMMON))
    rows = ''.join('<line sku="%s">%s</line>' % (each[0].text, each[1].text) for each in lines)
    return 200, ('<receipt xmlns="%s" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><number>7</number>'
                 '<total>12.50</total>%s<due i:nil="true"/></receipt>' % (ORDERS, rows))


@pytest.fixture()
def peer():
    with SoapPeer(documents(), warehouse) as p:
        yield p


def call(peer, *args):
    return run_postbus('call', peer.url + '/ws/warehouse.wsdl', *args)


ORDER = ['reference=R1', 'buyer.@xsi:type=Company', 'buyer.name=Ann', 'buyer.vat=NL1', 'line.sku=A', 'line.count=2',
         'line.size=S', 'line.size=L', 'line.sku=B', 'line.count=1', 'card=4711', '@rush=true', 'note=please']


def test_requests_are_valid_by_the_schema(peer, tmp_path):
    (tmp_path / 'drawing').write_bytes(bytes(range(256)))
    done = call(peer, 'PlaceOrder', *ORDER, 'drawing=@%s' % (tmp_path / 'drawing'), '--url', peer.url + '/here', '--json')
    assert answer_of(done) == {'number': 7, 'total': 12.5, 'due': None,
                               'line': [{'@sku': 'A', '#text': 2}, {'@sku': 'B', '#text': 1}]}
    request, = peer.posts()
    assert request.path == '/here'
    assert request.headers['Content-Type'] == 'application/soap+xml; charset=utf-8; action="urn:warehouse/PlaceOrder"'
    assert 'SOAPAction' not in request.headers
    assert request.payload.attrib == {'version': '1', 'rush': 'true'}
    assert [etree.QName(each).localname for each in request.payload] == [
        'reference', 'buyer', 'line', 'line', 'card', 'due', 'note', 'drawing']
    assert base64.b64decode(request.payload[-1].text) == bytes(range(256))
    # Each document once, whatever the loops.
    fetched = [each.path for each in peer.requests if each.method == 'GET']
    assert sorted(fetched) == ['/schemas/common/common.xsd', '/schemas/common/parties.xsd', '/schemas/orders.xsd',
                               '/ws/abstract.wsdl', '/ws/warehouse.wsdl']


def test_simple_elements_and_text(peer):
    done = call(peer, 'Count', 'sku=abcd', '--url', peer.url)
    assert (done.returncode, done.stdout) == (DONE, 'count: 4\n')
    assert answer_of(call(peer, 'Count', 'sku=abcd', '--url', peer.url, '--json')) == 4


def test_a_fault_with_a_typed_detail(peer):
    lines = [each for i in range(4) for each in ('line.sku=%d' % i, 'line.count=1')]
    args = ['PlaceOrder', 'reference=R', 'buyer.name=A', *lines, 'invoice=true', '--url', peer.url]
    done = call(peer, *args)
    assert (done.returncode, done.stdout) == (FAILED, '')
    assert done.stderr.startswith('postbus: fault Receiver: too many\n  subcode: Shortage\n  detail:\n    shortage:\n'
                                  '      sku: A\n      left: 3\n')
    fault = json.loads(call(peer, *args, '--json').stdout)['fault']
    assert fault['detail'] == {'shortage': {'sku': 'A', 'left': 3}} and fault['subcodes'] == ['Shortage']


def test_one_way_and_the_versions_that_are_wished_for(peer):
    peer.answer = lambda payload, peer: (202, None)
    done = call(peer, 'Notify', *ORDER, '--url', peer.url, '--soap', '1.1')
    assert (done.returncode, done.stdout) == (DONE, 'accepted\n')
    request, = peer.posts()
    assert request.headers['SOAPAction'] == '"urn:warehouse/Notify"'
    assert etree.QName(etree.fromstring(request.body)).namespace == SOAP11


def test_the_list_tells_keys_headers_and_what_can_not_be_called(peer):
    text = call(peer).stdout
    assert 'WarehousePort (WarehouseService), SOAP 1.2, http://127.0.0.1:1/moved\n' in text
    assert 'Takes an order.' in text and 'with the header {%s}key' % COMMON in text
    for line in ('line.count  positiveInteger', 'line.size   string, repeated', '@rush       boolean, optional',
                 "can't be called with KEY=VALUE: it is of style rpc"):
        assert line in text, text
    operation, = json.loads(call(peer, 'Count', '--list', '--json').stdout)['ports'][0]['operations']
    assert operation['parameters'] == [{'key': 'sku', 'type': 'token', 'required': True, 'repeated': False,
                                        'nillable': False, 'doc': '', 'values': []}]
    done = call(peer, 'Old', 'sku=a')
    assert done.returncode == USAGE and 'style rpc; give the content of the Body with --xml' in done.stderr


def test_headers_credentials_and_what_is_shown(peer, tmp_path):
    peer.user = 'Basic ' + base64.b64encode(b'ann:p:w').decode()
    (tmp_path / 'key.xml').write_text('<c:key xmlns:c="%s">secret</c:key>' % COMMON)
    denied = call(peer, 'Count', 'sku=a')
    assert denied.returncode == INVALID and 'HTTP 401' in denied.stderr
    done = call(peer, 'PlaceOrder', *ORDER, '--url', peer.url, '--user', 'ann:p:w', '--header', 'X-Trace: 7',
                '--soap-header', tmp_path / 'key.xml', '--verbose')
    assert done.returncode == DONE, done.stderr
    request, = peer.posts()
    assert request.headers['X-Trace'] == '7'
    header = etree.fromstring(request.body).find('{%s}Header' % SOAP12)
    assert (header[0].tag, header[0].text) == ('{%s}key' % COMMON, 'secret')
    assert '> Authorization: Basic ***\n' in done.stderr and peer.user[6:] not in done.stderr
    assert '> X-Trace: 7\n' in done.stderr and '< HTTP 200 OK\n' in done.stderr


def test_credentials_do_not_follow_an_import_to_another_server(peer):
    with SoapPeer({'/a.wsdl': b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><import namespace="a" location="%s"/>'
                   b'</definitions>' % (peer.url + '/ws/warehouse.wsdl').encode(), '/b.wsdl': '/a.wsdl'}) as other:
        done = run_postbus('call', other.url + '/b.wsdl', '--user', 'ann:pw', '--header', 'X-Key: 7')
    assert done.returncode == DONE, done.stderr
    assert [each.headers['Authorization'] is None for each in other.requests] == [False, False]
    assert peer.requests and all(each.headers['Authorization'] is None and each.headers['X-Key'] is None
                                 for each in peer.requests)


def test_given_xml_is_sent_as_it_is(peer, tmp_path):
    payload = '<c:sku xmlns:c="%s"><!-- as it is -->xyz</c:sku>' % COMMON
    (tmp_path / 'p.xml').write_text('<?xml version="1.0"?>\n' + payload)
    done = call(peer, 'Count', '--xml', tmp_path / 'p.xml', '--url', peer.url)
    assert done.returncode == DONE
    assert payload.encode() in peer.posts()[0].body
    envelope = '<e:Envelope xmlns:e="%s"><e:Body>%s</e:Body></e:Envelope>' % (SOAP11, payload)
    (tmp_path / 'e.xml').write_text(envelope)
    peer.answer = lambda payload, peer: (200, '<c:count xmlns:c="%s">1</c:count>' % COMMON)
    assert call(peer, 'Count', '--xml', tmp_path / 'e.xml', '--url', peer.url).stdout == 'count: 1\n'
    assert peer.posts()[1].body == envelope.encode()
    assert peer.posts()[1].headers['Content-Type'] == 'text/xml; charset=utf-8'
    (tmp_path / 'torn.xml').write_text('<a>\n<b>')
    torn = call(peer, 'Count', '--xml', tmp_path / 'torn.xml')
    assert torn.returncode == USAGE and 'torn.xml: line 2' in torn.stderr


def test_a_wsdl_of_files(peer):
    done = run_postbus('call', 'ws/warehouse.wsdl', 'Count', 'sku=ab', '--url', peer.url, cwd=HERE)
    assert (done.returncode, done.stdout) == (DONE, 'count: 2\n')
    assert all(each.method == 'POST' for each in peer.requests)


@pytest.mark.parametrize('answer, message', [
    (b'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 11\r\n\r\n<h1>no</h1>', 'HTTP 502 Bad Gateway: the answer is no SOAP envelope'),
    (b'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\n<a>', 'the answer is no SOAP envelope (line 1: '),
    (b'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 300\r\n\r\n<a>', 'ended before it was complete: 3 of 300'),
    (b'HTTP/1.1 307 Temporary\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n', 'it leads to http://x/'),
    (b'nonsense\r\n\r\n', ''),
    (b'', 'the exchange failed'),
])
def test_answers_that_are_none(peer, answer, message):
    peer.answer = lambda payload, peer: answer
    done = call(peer, 'Count', 'sku=a', '--url', peer.url)
    assert (done.returncode, done.stdout) == (FAILED, '')
    assert message in done.stderr
    assert 'error' in json.loads(call(peer, 'Count', 'sku=a', '--url', peer.url, '--json').stdout)


def test_an_answer_that_drips_ends_with_the_time(peer):
    ended = threading.Event()

    def drip(payload, peer):
        ended.wait(20 * SLOWNESS)
        return b''
    peer.answer = drip
    start = time.monotonic()
    done = call(peer, 'Count', 'sku=a', '--url', peer.url, '--timeout', '500ms')
    ended.set()
    assert done.returncode == FAILED and 'no complete answer within 500 ms' in done.stderr
    assert time.monotonic() - start < 10 * SLOWNESS


# ---- WSDLs that are wrong, or mean harm

def one(document, path='/a.wsdl'):
    """What is said about a WSDL that a server gives."""
    with SoapPeer({path: document}) as peer:
        done = run_postbus('call', peer.url + path, timeout=60)
    assert done.stdout == ''
    return done.returncode, done.stderr.replace(peer.url, 'URL')


def test_wsdls_that_are_wrong():
    assert one(b'<html>\n</html>', '/service') == (INVALID, (
        'postbus: URL/service:1: neither a WSDL nor a schema: the root element is html '
        '(the WSDL of a service is often at URL/service?wsdl)\n'))
    status, text = one(b'<a>\n\n</b>')
    assert status == INVALID and text.startswith('postbus: URL/a.wsdl: line 3: ')
    assert 'no port for SOAP over HTTP' in one(b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>')[1]
    assert 'HTTP 404' in one(b'', '/none')[1]


def test_wsdls_that_mean_harm():
    start = time.monotonic()
    bomb = b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + b''.join(
        b'<!ENTITY %c "%s">' % (98 + i, b'&%c;' % (97 + i) * 10) for i in range(9)) + b']>\n<definitions>&j;</definitions>'
    assert one(bomb) == (INVALID, 'postbus: URL/a.wsdl: line 1: a document type declaration (DTD) is not allowed\n')
    status, text = one(b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/">\n<import namespace="a" '
                       b'location="file:///etc/passwd"/></definitions>')
    assert status == INVALID and "a.wsdl:2: a document from the network may not refer to the file" in text
    deep = b'<a>' * 100_000
    assert one(deep)[0] == INVALID
    huge = b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><!--' + b' ' * (17 << 20) + b'--></definitions>'
    status, text = one(huge)
    assert status == INVALID and 'more than 16777216 bytes' in text
    assert time.monotonic() - start < 60 * SLOWNESS


def test_imports_without_end_are_cut():
    class Endless(dict):
        def get(self, path):
            return (b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><import namespace="a" location="%d"/></definitions>'
                    % (int(path[1:]) + 1))

    with SoapPeer({}) as peer:
        peer.documents = Endless()
        done = run_postbus('call', peer.url + '/0', timeout=60)
        assert done.returncode == INVALID and 'more than 200 documents are referred to' in done.stderr
        assert len(peer.requests) == 200


def test_an_operation_of_two_ports_is_named_once():
    with Daemon(config='endpoints: {HelloWorld: {soap: {advertise: ["1.1", "1.2"]}}}\n') as d:
        done = d.postbus('call', 'HelloWorld', 'nope')
        assert "no operation 'nope'; known are: sayHi\n" in done.stderr
