"""Endpoints that lead to remote services: real daemons in front of real servers, good ones and bad ones."""
import hashlib
import http.client
import json
import socket
import threading
import time

import pytest
from postbus_daemon import HELLO_PATH, PLUGINS, SLOWNESS, SOAP12, Daemon, say_hi_envelope, wait_until
from script_backend import Backend, echoing, once

ENVELOPE = say_hi_envelope('Bob')


def config(url, **more):
    return 'endpoints:\n  It: %s\n' % json.dumps({'http': '/it', 'to': url, **more})


def settled(daemon):
    """Nothing is left open behind a test."""
    wait_until(lambda: daemon.admin('GET', '/status')[1]['exchanges']['open'] == 0, what='the end of all exchanges')
    return True


def test_a_remote_service_answers_behind_a_local_path():
    with Daemon() as backend, Daemon(config=config(backend.url + HELLO_PATH)) as daemon:
        for version in ('http://schemas.xmlsoap.org/soap/envelope/', SOAP12):
            envelope = say_hi_envelope('Bob', ns=version)
            kind = 'application/soap+xml' if version == SOAP12 else 'text/xml'
            direct = backend.soap(HELLO_PATH, envelope, content_type=kind)
            through = daemon.soap('/it', envelope, content_type=kind)
            assert through[0] == direct[0] == 200
            assert through[2] == direct[2]
            assert through[1]['Content-Type'] == direct[1]['Content-Type']
        seen, = [each for each in daemon.admin('GET', '/endpoints')[1]['endpoints'] if each['name'] == 'It']
        assert seen['service'] == backend.url + HELLO_PATH
        assert settled(daemon)


def test_the_fault_of_a_service_goes_through_as_it_is():
    with Daemon() as backend, Daemon(config=config(backend.url + HELLO_PATH)) as daemon:
        bad = b'<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body/></soap:Envelope>'
        direct, through = backend.soap(HELLO_PATH, bad), daemon.soap('/it', bad)
        assert through[0] == direct[0] == 500
        assert b'Client</faultcode>' in through[2]


def test_fields_go_on_but_for_those_of_one_connection():
    heads = []

    def script(peer):
        while request := peer.request():
            heads.append(request[0].decode())
            peer.answer(b'ok', fields=b'X-Theirs: 1\r\nConnection: X-Hop\r\nX-Hop: 1\r\n'
                                      b'Connection: close, x-other\r\nX-Other: 1\r\nServer: s\r\n')

    with Backend(script) as backend, Daemon(config=config(backend.url('/it?a=1'))) as daemon:
        status, headers, body = daemon.request('POST', '/it?b=2', b'hello', {
            'Content-Type': 'text/xml', 'SOAPAction': '"urn:it"', 'X-Mine': 'yes', 'Connection': 'X-Once', 'X-Once': '1',
            'Cookie': 'c=1', 'TE': 'trailers', 'Via': '1.0 first', 'Postbus-Hops': '3'})
    assert (status, body) == (200, b'ok')
    line, *fields = heads[0].split('\r\n')
    sent = dict(each.split(': ', 1) for each in fields)
    assert line == 'POST /it?a=1&b=2 HTTP/1.1'
    assert sent['Host'] == '127.0.0.1:%d' % backend.port
    assert (sent['SOAPAction'], sent['X-Mine'], sent['Cookie'], sent['Via']) == ('"urn:it"', 'yes', 'c=1', '1.1 postbus')
    assert [each for each in fields if each.startswith('Via')] == ['Via: 1.0 first', 'Via: 1.1 postbus']
    assert sent['Postbus-Hops'] == '4'
    assert 0 < int(sent['Postbus-Timeout']) <= 30000
    assert sent['X-Request-Id'] == headers['X-Request-Id']
    assert not {'Connection', 'X-Once', 'TE'} & set(sent)
    assert (headers['X-Theirs'], headers['Server']) == ('1', 's')
    assert not {'X-Hop', 'X-Other'} & set(headers)


def test_lists_of_fields_and_credentials_hold(tmp_path):
    heads = []

    def script(peer):
        while request := peer.request():
            heads.append(dict(each.split(': ', 1) for each in request[0].decode().split('\r\n')[1:]))
            peer.answer(b'ok', fields=b'X-A: 1\r\nX-B: 2\r\nContent-Type: text/plain\r\n')

    token = tmp_path / 'token'
    token.write_text('first\n')
    backend_config = {'headers': {'pass': ['X-A'], 'answer': ['X-B'], 'set': {'X-Key': 'k'}},
                      'credentials': {'bearer-file': str(token)}}
    with Backend(script) as backend, Daemon(config=config(backend.url(), backend=backend_config)) as daemon:
        ask = lambda: daemon.request('POST', '/it', b'x', {'X-A': '1', 'X-B': '2', 'X-Key': 'mine',
                                                           'SOAPAction': '""', 'Authorization': 'Basic eDp5'})
        _, headers, _ = ask()
        assert (heads[-1]['X-A'], heads[-1]['X-Key'], heads[-1]['SOAPAction']) == ('1', 'k', '""')
        assert 'X-B' not in heads[-1]
        assert heads[-1]['Authorization'] == 'Bearer first'
        assert (headers.get('X-A'), headers['X-B'], headers['Content-Type']) == (None, '2', 'text/plain')
        token.write_text('second\n')
        wait_until(lambda: ask() and heads[-1]['Authorization'] == 'Bearer second', what='the new token')


def silent(peer):
    peer.request()
    peer.request()


def answering(data, then=lambda peer: None):
    def script(peer):
        peer.request()
        peer.send(data)
        then(peer)
    return script


FAILURES = {
    'closed': (answering(b''), 502, 'it closed the connection before it answered'),
    'reset': (answering(b'', lambda peer: peer.reset()), 502, 'before it answered'),
    'no http': (answering(b'220 mail.example ESMTP\r\n'), 502, 'its answer is no good HTTP'),
    'half a head': (answering(b'HTTP/1.1 200 OK\r\nContent-'), 502, 'inside of its answer'),
    'half a body': (answering(b'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'), 502, 'of 50 bytes 4 came'),
    'two lengths': (answering(b'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nhalf'), 502,
                    'two Content-Length'),
    'silent': (silent, 500, 'it has not begun to answer within 0.3 s'),
    'slow': (answering(b'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf', silent), 500,
             'nothing more of its answer came for 0.3 s'),
}


@pytest.mark.parametrize('name', FAILURES)
def test_each_failure_of_a_backend_is_a_fault_of_its_own(name):
    script, expected, words = FAILURES[name]
    times = {'first-byte': '300ms'} if '0.3 s' in words else {}
    with Backend(script) as backend, Daemon(config=config(backend.url(), backend={'times': times})) as daemon:
        status, _, body = daemon.soap('/it', ENVELOPE)
        assert status == expected
        assert words in body.decode() and backend.url() in body.decode()
        assert b'Server</faultcode>' in body
        failed, = daemon.events('backend.failed')
        assert words in failed['reason'] and failed['endpoint'] == 'It'
        assert daemon.say_hi('Eve') == 'Hello Eve'
        assert settled(daemon)


def test_a_refused_connection_is_a_fault():
    with socket.create_server(('127.0.0.1', 0)) as gone:
        port = gone.getsockname()[1]
    with Daemon(config=config('http://127.0.0.1:%d/it' % port)) as daemon:
        status, _, body = daemon.soap('/it', ENVELOPE)
        assert status == 502
        assert b'Connection refused' in body
        assert daemon.request('GET', '/it')[0] == 502


def test_the_deadline_ends_the_call_and_its_connection():
    closed = threading.Event()

    def script(peer):
        peer.request()
        peer.request()
        closed.set()

    with Backend(script) as backend, Daemon(config=config(backend.url(), limits={'timeout': '400ms'})) as daemon:
        begun = time.monotonic()
        status, _, body = daemon.soap('/it', ENVELOPE)
        assert status == 500 and b'it was not done in time' in body
        assert time.monotonic() - begun < 5 * SLOWNESS
        assert closed.wait(5 * SLOWNESS)


def test_a_caller_that_goes_takes_the_call_along():
    asked, closed = threading.Event(), threading.Event()

    def script(peer):
        peer.request()
        asked.set()
        peer.request()
        closed.set()

    with Backend(script) as backend, Daemon(config=config(backend.url())) as daemon:
        connection = daemon.connection()
        connection.request('POST', '/it', ENVELOPE, {'Content-Type': 'text/xml'})
        assert asked.wait(5 * SLOWNESS)
        connection.sock.setsockopt(1, 13, b'\1\0\0\0\0\0\0\0')  # SO_LINGER: a reset
        connection.close()
        assert closed.wait(5 * SLOWNESS)
        assert settled(daemon)


def test_a_message_that_runs_in_a_circle_over_http_ends_in_a_fault():
    with Daemon(config=config('http://127.0.0.1:1/')) as daemon:
        daemon.config_file.write_text(config(daemon.url + '/it'))
        assert daemon.postbus('reload').returncode == 0
        status, _, body = daemon.soap('/it', ENVELOPE, timeout=30)
        assert status == 500
        assert b'the message has passed through 16 endpoints' in body
        assert settled(daemon)


def test_it_can_be_called_by_name_and_through_a_queue(tmp_path):
    file = tmp_path / 'hi.xml'
    file.write_bytes(ENVELOPE)
    with Daemon() as backend, Daemon(config=config(backend.url + HELLO_PATH, queue='it.requests'),
                                     plugins=[PLUGINS / 'caller.so']) as daemon:
        ask = ('<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>'
               '<ask xmlns="urn:postbus:test:caller"><endpoint xmlns="">It</endpoint><text xmlns="">Eve</text></ask>'
               '</soap:Body></soap:Envelope>').encode()
        status, _, body = daemon.soap('/test/caller', ask)
        assert status == 200, body
        assert b'Hello Eve' in body
        done = daemon.postbus('queue', 'send', 'it.requests', file, '--soap', '--reply-to', 'answers')
        assert done.returncode == 0, done.stderr
        done = daemon.postbus('queue', 'receive', 'answers', '--count', 1, '--wait', '10s', '--json')
        answer, = json.loads(done.stdout)['messages']
        assert '<return>Hello Bob</return>' in answer['body']
        assert settled(daemon)


def test_bad_xml_is_told_where_it_has_to_be_read():
    with Backend(once(b'<open>')) as backend, \
            Daemon(config=config(backend.url()), plugins=[PLUGINS / 'caller.so']) as daemon:
        ask = ('<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>'
               '<ask xmlns="urn:postbus:test:caller"><endpoint xmlns="">It</endpoint><text xmlns="">Eve</text></ask>'
               '</soap:Body></soap:Envelope>').encode()
        _, _, body = daemon.soap('/test/caller', ask)
        assert b'its answer is no SOAP message' in body
        # One that only passes it on has no opinion.
        assert daemon.soap('/it', ENVELOPE)[2] == b'<open>'


def rss(daemon):
    with open('/proc/%d/status' % daemon.pid) as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmHWM')) * 1024


@pytest.mark.parametrize('chunked', [False, True])
def test_large_bodies_stream_both_ways_in_little_memory(chunked):
    size, piece = int(200e6 / SLOWNESS), bytes(range(256)) * 256
    pieces = size // len(piece)
    got = []

    def script(peer):
        head = peer.head()
        digest, seen = hashlib.sha256(), 0
        if chunked:
            while length := int(peer._line(), 16):
                data = peer._take(length)
                digest.update(data)
                seen += len(data)
                peer._line()
        else:
            while seen < pieces * len(piece):
                data = peer.data or peer.socket.recv(1 << 16)
                peer.data = b''
                digest.update(data)
                seen += len(data)
        got.append((seen, digest.hexdigest(), head))
        peer.send(b'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n')
        peer.send(b'Transfer-Encoding: chunked\r\n\r\n' if chunked else b'Content-Length: %d\r\n\r\n' % (pieces * len(piece)))
        for _ in range(pieces):
            peer.send(b'%x\r\n%s\r\n' % (len(piece), piece) if chunked else piece)
        if chunked:
            peer.send(b'0\r\n\r\n')

    expected = hashlib.sha256(piece * pieces).hexdigest()
    with Backend(script) as backend, Daemon(config=config(backend.url())) as daemon:
        connection = daemon.connection(timeout=60)
        headers = {'Content-Type': 'application/octet-stream'}
        if not chunked:
            headers['Content-Length'] = str(pieces * len(piece))
        connection.request('POST', '/it', (piece for _ in range(pieces)), headers, encode_chunked=chunked)
        answer = connection.getresponse()
        digest = hashlib.sha256()
        while data := answer.read(1 << 16):
            digest.update(data)
        assert got[0][0] == pieces * len(piece)
        assert got[0][1] == digest.hexdigest() == expected
        assert (b'Transfer-Encoding: chunked' in got[0][2]) == chunked
        if SLOWNESS == 1:
            assert rss(daemon) < 64e6
        assert settled(daemon)


def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one():
    with Backend(answering(b'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n' + b'x' * 200000)) as backend, \
            Daemon(config=config(backend.url())) as daemon:
        connection = daemon.connection()
        connection.request('POST', '/it', ENVELOPE)
        with pytest.raises(http.client.IncompleteRead):
            connection.getresponse().read()
        daemon.wait_for('backend.cut')
        assert daemon.say_hi('Eve') == 'Hello Eve'


def test_a_slow_reader_slows_the_backend():
    sent = []

    def script(peer):
        peer.request()
        peer.send(b'HTTP/1.1 200 OK\r\nContent-Length: 500000000\r\n\r\n')
        while True:
            peer.send(b'x' * 65536)
            sent.append(65536)

    with Backend(script) as backend, Daemon(config=config(backend.url())) as daemon:
        connection = daemon.connection()
        connection.request('POST', '/it', ENVELOPE)
        answer = connection.getresponse()

        def stands_still():
            before = len(sent)
            time.sleep(0.5)
            return before and len(sent) == before

        wait_until(stands_still, timeout=30, what='the backend to be slowed')
        assert sum(sent) < 60e6
        answer.read(1 << 20)
        connection.close()
        assert settled(daemon)


WSDL = b'''<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
 targetNamespace="urn:it"><import namespace="urn:b" location="parts/b.wsdl"/>
<types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import namespace="urn:c" schemaLocation="/it?xsd=1&amp;x"/>
<xs:import namespace="urn:d" schemaLocation="http://elsewhere.invalid/d.xsd"/></xs:schema></types>
<service name="It"><port name="It"><soap:address location="http://internal:1/it"/></port></service></definitions>'''


def test_the_wsdl_is_fetched_with_what_it_imports_and_its_addresses_are_ours():
    asked = []
    documents = {
        b'/it?wsdl': WSDL,
        b'/parts/b.wsdl': b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:b"/>',
        b'/it?xsd=1&x': b'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="e.xsd"/></xs:schema>',
        b'/e.xsd': b'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>',
    }

    def script(peer):
        while request := peer.request():
            target = request[0].split(b' ')[1]
            asked.append(target)
            peer.answer(documents[target]) if target in documents else peer.answer(b'', b'404 Not Found')

    with Backend(script) as backend, Daemon(config=config(backend.url())) as daemon:
        own = daemon.url + '/it'
        status, headers, body = daemon.request('GET', '/it?wsdl')
        assert (status, headers['Content-Type']) == (200, 'text/xml; charset=utf-8'), body
        text = body.decode()
        assert '<soap:address location="%s"/>' % own in text
        assert 'location="%s?wsdl=b.wsdl"' % own in text
        assert 'schemaLocation="http://elsewhere.invalid/d.xsd"' in text
        name = text.split('schemaLocation="%s?xsd=' % own)[1].split('"')[0]
        status, _, schema = daemon.request('GET', '/it?xsd=' + name)
        assert status == 200 and ('schemaLocation="%s?xsd=e.xsd"' % own).encode() in schema
        assert daemon.request('GET', '/it?wsdl=b.wsdl')[2] == documents[b'/parts/b.wsdl']
        assert daemon.request('GET', '/it?xsd=nothing')[0] == 404
        assert sorted(asked) == sorted(documents)  # each once: the rest came from the copy
        daemon.request('GET', '/it?wsdl', headers={'Cache-Control': 'no-cache'})
        assert len(asked) == 2 * len(documents)


def test_a_wsdl_that_can_not_be_had_is_told():
    with Backend(once(b'', b'404 Not Found')) as backend, \
            Daemon(config=config(backend.url())) as daemon:
        status, _, body = daemon.request('GET', '/it?wsdl')
        assert status == 502
        assert b'it answered with status 404' in body


def test_redirects_are_answers_unless_they_are_to_be_followed():
    def script(peer):
        while request := peer.request():
            if b' /new ' in request[0]:
                peer.answer(b'here: ' + request[1])
            else:
                peer.answer(b'', b'307 Temporary Redirect', b'Location: /new\r\n')

    with Backend(script) as backend:
        with Daemon(config=config(backend.url())) as daemon:
            status, headers, _ = daemon.request('POST', '/it', b'x')
            assert (status, headers['Location']) == (307, '/new')
        with Daemon(config=config(backend.url(), backend={'redirects': 1})) as daemon:
            assert daemon.request('POST', '/it', b'x')[2] == b'here: x'


def test_a_reload_takes_an_endpoint_elsewhere():
    with Backend(once(b'one')) as one, Backend(once(b'two')) as two, \
            Daemon(config=config(one.url())) as daemon:
        assert daemon.soap('/it', ENVELOPE)[2] == b'one'
        daemon.config_file.write_text(config(two.url()))
        assert daemon.postbus('reload').returncode == 0
        assert daemon.soap('/it', ENVELOPE)[2] == b'two'


def test_stopping_ends_calls_that_never_end():
    with Backend(silent) as backend, \
            Daemon(config=config(backend.url()), args=['--set', 'shutdown.drain=500ms']) as daemon:
        caller = threading.Thread(target=lambda: daemon.soap('/it', ENVELOPE))
        caller.start()
        wait_until(lambda: daemon.admin('GET', '/status')[1]['exchanges']['open'] == 1)
        assert daemon.stop() == 0
        caller.join()
