"""WS-Addressing through the whole daemon: answers that come back, go nowhere, to a queue, or to an address."""
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from lxml import etree
from postbus_daemon import HELLO, HELLO_PATH, PLUGINS, SOAP11, SOAP12, Daemon, wait_until

WSA = 'http://www.w3.org/2005/08/addressing'
WSA_2004 = 'http://schemas.xmlsoap.org/ws/2004/08/addressing'
MESSAGE_ID = 'urn:uuid:00000000-0000-4000-8000-000000000007'
TO_QUEUES = '''
endpoints:
  HelloWorld:
    interceptors:
      - addressing: {reply-to: ["jms:queue:answers", "jms:queue:faults", "jms:queue:%s"], undelivered: lost}
''' % ('x' * 300)


def envelope(headers, body='<h:sayHi xmlns:h="%s"><arg0>Ned</arg0></h:sayHi>' % HELLO, ns=SOAP11, wsa=WSA):
    return ('<s:Envelope xmlns:s="%s" xmlns:w="%s"><s:Header>%s</s:Header><s:Body>%s</s:Body></s:Envelope>'
            % (ns, wsa, headers, body)).encode()


def addressed(reply_to=None, fault_to=None, message_id=MESSAGE_ID):
    headers = '<w:Action>urn:example:sayHi</w:Action>'
    if message_id:
        headers += '<w:MessageID>%s</w:MessageID>' % message_id
    for name, address in (('ReplyTo', reply_to), ('FaultTo', fault_to)):
        if address:
            headers += '<w:%s><w:Address>%s</w:Address></w:%s>' % (name, address, name)
    return headers


def header(body, name, wsa=WSA):
    return [each.text for each in etree.fromstring(body).iterfind('.//{%s}%s' % (wsa, name))]


def received(daemon, queue):
    done = daemon.postbus('queue', 'receive', queue, '--wait', '10s', '--json')
    assert done.returncode == 0, done.stderr
    message, = json.loads(done.stdout)['messages']
    return message


@pytest.fixture(scope='module')
def plain():
    with Daemon() as daemon:
        yield daemon


@pytest.fixture(scope='module')
def to_queues():
    with Daemon(config=TO_QUEUES) as daemon:
        yield daemon


@pytest.mark.parametrize('wsa', [WSA, WSA_2004], ids=['1.0', '2004/08'])
@pytest.mark.parametrize('ns, media', [(SOAP11, 'text/xml'), (SOAP12, 'application/soap+xml')], ids=['1.1', '1.2'])
def test_an_answer_has_its_headers_without_any_configuration(plain, ns, media, wsa):
    status, _, body = plain.soap(HELLO_PATH, envelope(addressed(), ns=ns, wsa=wsa), media + '; charset=utf-8')

    assert status == 200
    assert header(body, 'RelatesTo', wsa) == [MESSAGE_ID]
    assert header(body, 'Action', wsa) == [HELLO + 'HelloWorld/sayHiResponse']
    own, = header(body, 'MessageID', wsa)
    assert own.startswith('urn:uuid:') and own != MESSAGE_ID
    assert b'<return>Hello Ned</return>' in body


def test_without_the_headers_nothing_is_added(plain):
    assert b'Header' not in plain.soap(HELLO_PATH, envelope('<x:other xmlns:x="urn:x"/>'))[2]


def test_none_gets_202_and_nothing_else(plain):
    status, _, body = plain.soap(HELLO_PATH, envelope(addressed(WSA + '/none')))
    assert (status, body) == (202, b'')
    assert plain.say_hi('Eve') == 'Hello Eve'


def test_no_address_of_a_message_is_called_unless_it_is_allowed(plain):
    status, _, body = plain.soap(HELLO_PATH, envelope(addressed('http://127.0.0.1:1/cb')))
    assert status == 500
    assert b':OnlyAnonymousAddressSupported</faultcode>' in body
    assert header(body, 'ProblemHeaderQName') == ['wsa:ReplyTo']
    assert not plain.events('addressing.answer.undelivered')


def test_an_answer_goes_to_a_queue(to_queues):
    status, _, body = to_queues.soap(HELLO_PATH, envelope(addressed('jms:queue:answers?priority=7')))

    assert (status, body) == (202, b'')
    message = received(to_queues, 'answers')
    assert '<return>Hello Ned</return>' in message['body']
    assert header(message['body'], 'RelatesTo') == [MESSAGE_ID]
    assert header(message['body'], 'To') == ['jms:queue:answers?priority=7']
    assert message['correlationId'] == MESSAGE_ID
    assert message['priority'] == 7
    assert message['properties'] == {
        'SOAPJMS_bindingVersion': '1.0', 'SOAPJMS_requestURI': 'jms:queue:answers', 'SOAPJMS_isFault': False, 'PostbusHops': 1,
        'SOAPJMS_contentType': 'text/xml; charset=utf-8', 'SOAPJMS_soapAction': HELLO + 'HelloWorld/sayHiResponse'}


def test_a_fault_goes_where_FaultTo_says(to_queues):
    unknown = envelope(addressed('jms:queue:answers', 'jms:queue:faults').replace('urn:example:sayHi',
                                                                               HELLO + 'HelloWorld/sayHi'), '<unknown/>')
    status, _, body = to_queues.soap(HELLO_PATH, unknown)

    assert (status, body) == (202, b'')
    message = received(to_queues, 'faults')
    assert '<faultcode>' in message['body']
    assert message['properties']['SOAPJMS_isFault'] is True
    assert message['properties']['SOAPJMS_soapAction'] == WSA + '/soap/fault'


def test_an_answer_that_can_not_be_delivered_is_kept(to_queues):
    bad = 'jms:queue:' + 'x' * 300  # longer than the name of a queue may be
    assert to_queues.soap(HELLO_PATH, envelope(addressed(bad)))[0] == 202

    message = received(to_queues, 'lost')
    assert '<return>Hello Ned</return>' in message['body']
    assert message['properties']['undeliveredTo'] == bad
    event = to_queues.wait_for('addressing.answer.undelivered')
    assert event['kept'] == 'lost' and event['to'] == bad and event['relates-to'] == MESSAGE_ID
    assert message['properties']['undeliveredReason'] == event['reason']


def test_a_queue_request_is_acknowledged_when_its_answer_is_on_its_way():
    config = TO_QUEUES + '    queue: hello.requests\n'
    with Daemon(config=config) as daemon:
        request = daemon.folder / 'request.xml'
        request.write_bytes(envelope(addressed('jms:queue:answers')))
        sent = daemon.postbus('queue', 'send', 'hello.requests', request, '--soap', '--reply-to', 'elsewhere')
        assert sent.returncode == 0, sent.stderr

        assert received(daemon, 'answers')['correlationId'] == MESSAGE_ID
        wait_until(lambda: 'hello.requests' in (listed := daemon.postbus('queue', 'list', '--json').stdout) and all(
            each['depth'] == 0 and each['inFlight'] == 0 for each in json.loads(listed)['queues']
            if each['name'] == 'hello.requests'))
        assert not [each for each in json.loads(daemon.postbus('queue', 'list', '--json').stdout)['queues']
                    if each['name'] == 'elsewhere' and each['depth']]


def test_the_caller_does_not_wait_and_a_slow_service_still_answers_its_queue():
    config = ('endpoints:\n  Types:\n    interceptors: [{addressing: {reply-to: "jms:queue:slow"}}]\n'
              '    limits: {timeout: 300ms}\n')
    types = 'urn:postbus:test:types'

    def sleep(milliseconds):
        return envelope(addressed('jms:queue:slow'),
                        '<t:sleep xmlns:t="%s"><milliseconds>%d</milliseconds></t:sleep>' % (types, milliseconds))

    with Daemon(config=config, plugins=[PLUGINS / 'types.so']) as daemon:
        path = '/test/types'
        assert daemon.soap(path, sleep(100))[0] == 202
        assert 'sleepResponse' in received(daemon, 'slow')['body']
        assert daemon.soap(path, sleep(1500))[0] == 202
        assert 'no answer in time' in received(daemon, 'slow')['body']


def test_the_WSDL_says_so_where_it_is_configured_and_a_reload_changes_it():
    config = 'endpoints: {HelloWorld: {interceptors: [{addressing: %s}]}}\n'
    with Daemon(config=config % 'optional') as daemon:
        def wsdl():
            return daemon.request('GET', HELLO_PATH + '?wsdl')[2]
        assert re.search(rb'<wsam:Addressing wsp:Optional="true">', wsdl())
        assert b'wsam:Action="%sHelloWorld/sayHi"' % HELLO.encode() in wsdl()
        assert daemon.say_hi('Bob') == 'Hello Bob'

        daemon.config_file.write_text(config % 'required')
        assert daemon.postbus('reload').returncode == 0
        assert re.search(rb'<wsam:Addressing>', wsdl())
        status, _, body = daemon.soap(HELLO_PATH, envelope(''))
        assert status == 500 and b':MessageAddressingHeaderRequired</faultcode>' in body

        daemon.config_file.write_text(config % 'off')
        assert daemon.postbus('reload').returncode == 0
        assert b'wsam' not in wsdl()
        assert b'RelatesTo' not in daemon.soap(HELLO_PATH, envelope(addressed()))[2]


class Receiver:
    """A server of somebody else's, which takes answers. What it is given, in order, and the status it gives."""

    def __init__(self, status=202):
        self.taken, self.status = [], status
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                receiver.taken.append((self.path, dict(self.headers), body))
                self.send_response(receiver.status)
                self.send_header('Content-Length', '0')
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()

    @property
    def url(self):
        return 'http://127.0.0.1:%d' % self.server.server_address[1]


def to_addresses(*addresses, undelivered='lost'):
    return ('endpoints: {HelloWorld: {interceptors: [{addressing: {reply-to: %s, undelivered: %s}}]}}\n'
            % (json.dumps(addresses), undelivered))


@pytest.mark.parametrize('ns, media', [(SOAP11, 'text/xml'), (SOAP12, 'application/soap+xml')], ids=['1.1', '1.2'])
def test_an_answer_is_posted_to_its_address(ns, media):
    with Receiver() as receiver, Daemon(config=to_addresses(receiver.url + '/answers/*')) as daemon:
        status, _, body = daemon.soap(HELLO_PATH, envelope(addressed(receiver.url + '/answers/7?a=b'), ns=ns),
                                      media + '; charset=utf-8')
        assert (status, body) == (202, b'')
        wait_until(lambda: receiver.taken)
        (path, headers, answer), = receiver.taken
        action = '"%sHelloWorld/sayHiResponse"' % HELLO
        assert path == '/answers/7?a=b'
        assert b'<return>Hello Ned</return>' in answer and header(answer, 'RelatesTo') == [MESSAGE_ID]
        if ns == SOAP11:
            assert headers['Content-Type'] == 'text/xml; charset=utf-8' and headers['SOAPAction'] == action
        else:
            assert headers['Content-Type'] == 'application/soap+xml; charset=utf-8; action=' + action
            assert 'SOAPAction' not in headers
        assert daemon.soap(HELLO_PATH, envelope(addressed(receiver.url + '/others/7')))[0] == 500
        assert len(receiver.taken) == 1


def test_an_answer_that_nobody_takes_is_kept_with_the_reason():
    with Receiver(status=500) as refusing, Receiver() as closed:
        closed.thread.is_alive() and closed.close()
        with Daemon(config=to_addresses(refusing.url + '/*', closed.url + '/*')) as daemon:
            for server, reason in ((refusing, 'answered with status 500'), (closed, '')):
                assert daemon.soap(HELLO_PATH, envelope(addressed(server.url + '/cb')))[0] == 202
                message = received(daemon, 'lost')
                assert '<return>Hello Ned</return>' in message['body']
                assert message['properties']['undeliveredTo'] == server.url + '/cb'
                assert reason in message['properties']['undeliveredReason'] != ''
            assert len(daemon.events('addressing.answer.undelivered')) == 2
            assert daemon.say_hi('Eve') == 'Hello Eve'


def test_many_answers_elsewhere_arrive_each_once():
    with Receiver() as receiver, Daemon(config=to_addresses(receiver.url + '/*')) as daemon:
        ids = ['urn:uuid:%08d-0000-4000-8000-000000000000' % i for i in range(100)]
        connection = daemon.connection()
        for each in ids:
            assert daemon.soap(HELLO_PATH, envelope(addressed(receiver.url + '/cb', message_id=each)),
                               connection=connection)[0] == 202
        wait_until(lambda: len(receiver.taken) >= len(ids))
        assert sorted(header(body, 'RelatesTo')[0] for _, _, body in receiver.taken) == ids
        wait_until(lambda: daemon.admin('GET', '/exchanges')[1]['total'] == 0)
