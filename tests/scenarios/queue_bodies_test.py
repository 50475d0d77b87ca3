"""Bodies of messages as they are, over the admin interface and the command: whole, bounded, and lost to no client."""
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
from urllib.parse import quote, unquote

import pytest
from postbus_daemon import BIN, SLOWNESS, Daemon, UnixConnection, wait_until

MIB = 1024 * 1024
BINARY = bytes(range(256)) + b'\0\0\r\n\r\nHTTP/1.1 200 OK\r\n\n\n'


@pytest.fixture
def daemon():
    with Daemon() as d:
        yield d


def connection(daemon, over='unix', timeout=60):
    if over == 'unix':
        return UnixConnection(daemon.admin_socket, timeout * SLOWNESS)
    return http.client.HTTPConnection(*daemon.admin_address, timeout=timeout * SLOWNESS)


def call(daemon, method, path, body=None, headers=None, chunked=False):
    """(status, headers, bytes)"""
    used = connection(daemon)
    try:
        used.request(method, path, body, headers or {}, encode_chunked=chunked)
        answer = used.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        used.close()


def send(daemon, queue, body, content_type='application/octet-stream', **parameters):
    query = ''.join('&%s=%s' % (name.replace('_', '-'), quote(value, safe='')) for name, value in parameters.items())
    headers = {} if content_type is None else {'Content-Type': content_type}
    status, _, answer = call(daemon, 'POST', '/queues/send?queue=' + queue + query, body, headers)
    assert status == 200, answer
    return json.loads(answer)['id']


def received(daemon, queue, **kwargs):
    return call(daemon, 'POST', '/queues/receive?queue=%s&body=raw' % queue, **kwargs)


def figures(daemon, queue):
    found = [each for each in daemon.admin('GET', '/queues')[1]['queues'] if each['name'] == queue]
    return found[0] if found else {'depth': 0, 'inFlight': 0, 'consumers': 0}


def command(daemon, *arguments, body=None, timeout=60):
    return subprocess.run([str(BIN / 'postbus'), '--admin', 'unix:%s' % daemon.admin_socket, 'queue', *map(str, arguments)],
                          input=body, capture_output=True, timeout=timeout * SLOWNESS)


def test_a_body_comes_as_it_was_sent_with_the_properties_as_fields(daemon):
    sent = send(daemon, 'box', BINARY, 'image/x-odd; a="b"', reply_to='answers', correlation_id='c 1', type='t',
                group='g', priority='7', property='colour=red, or = blue')

    status, headers, body = received(daemon, 'box')

    assert (status, body) == (200, BINARY)
    assert headers['Content-Type'] == 'image/x-odd; a="b"'
    assert headers['Content-Length'] == str(len(BINARY))
    fields = {name: headers['Postbus-' + name] for name in (
        'Message-Id', 'Reply-To', 'Correlation-Id', 'Type', 'Group', 'Priority', 'Persistent', 'Deliveries',
        'Redelivered', 'Property')}
    assert fields == {'Message-Id': sent, 'Reply-To': 'answers', 'Correlation-Id': 'c 1', 'Type': 't', 'Group': 'g',
                      'Priority': '7', 'Persistent': 'true', 'Deliveries': '1', 'Redelivered': 'false',
                      'Property': 'colour=red%2C or = blue'}
    assert abs(int(headers['Postbus-Timestamp']) / 1000 - time.time()) < 600
    assert figures(daemon, 'box')['depth'] == 0


@pytest.mark.parametrize('body', [b'', b'x', b'\0', b'ab', b'\n' * 65536, b'z' * 65537],
                         ids=['none', 'one', 'nul', 'two', 'room', 'more'])
def test_bodies_of_odd_sizes_are_whole_and_acknowledged_with_their_last_byte(daemon, body):
    send(daemon, 'box', body)
    used = connection(daemon)
    for expected in (200, 204):
        used.request('POST', '/queues/receive?queue=box&body=raw')
        answer = used.getresponse()
        assert (answer.status, answer.read()) == (expected, body if expected == 200 else b'')
        assert figures(daemon, 'box')['depth'] == 0
    used.close()


def test_types_of_properties_can_be_told_apart(daemon):
    path = '/queues/send?queue=box&property=n:%3D3&property=f:%3D1.5&property=b:%3Dtrue&property=t=3&property=e='
    assert call(daemon, 'POST', path, b'x')[0] == 200

    _, headers, _ = received(daemon, 'box')

    assert sorted(headers.get_all('Postbus-Property')) == ['b:=true', 'e=', 'f:=1.5', 'n:=3', 't=3']


def test_no_message_writes_fields_of_its_own(daemon):
    evil = 'a\r\nX-Evil: 1\r\n\r\n<html>\0\x7f\u00e9%41 '
    send(daemon, 'box', b'body', property='x=' + evil, reply_to=evil, correlation_id=evil, type=evil, group=evil,
         id=evil)

    status, headers, body = received(daemon, 'box')

    assert (status, body) == (200, b'body')
    assert 'X-Evil' not in headers
    for name in ('Reply-To', 'Correlation-Id', 'Type', 'Group', 'Message-Id'):
        assert unquote(headers['Postbus-' + name]) == evil
        assert re.fullmatch('[ -~]+', headers['Postbus-' + name])
    assert unquote(headers['Postbus-Property']) == 'x=' + evil


def test_a_name_of_a_property_can_not_be_taken_for_its_value(daemon):
    path = '/queues/send?queue=box&property=' + quote('a:b\r\nX-Evil: 1=v', safe='')
    assert call(daemon, 'POST', path, b'x')[0] == 200

    _, headers, _ = received(daemon, 'box')

    assert headers['Postbus-Property'] == 'a%3Ab%0D%0AX-Evil%3A 1=v'
    assert 'X-Evil' not in headers


def test_properties_that_no_client_would_take_as_fields_stay_in_the_queue(daemon):
    send(daemon, 'box', b'x', property='big=' + '\u00e9' * 1500)

    status, _, refusal = received(daemon, 'box')

    assert status == 413 and b'without body=raw' in refusal
    answer = daemon.admin('POST', '/queues/receive?queue=box')[1]
    assert answer['messages'][0]['properties'] == {'big': '\u00e9' * 1500}
    assert answer['messages'][0]['deliveries'] == 1


@pytest.mark.parametrize('query, message', [
    ('receive?queue=box&body=raw&count=2', 'one message'), ('receive?queue=box&body=hex', 'raw or json'),
    ('browse?queue=box&body=raw', 'say which with number'), ('browse?queue=box&number=x', 'no whole number')])
def test_what_can_not_be_asked(daemon, query, message):
    send(daemon, 'box', b'x')
    status, _, refusal = call(daemon, 'POST' if query.startswith('receive') else 'GET', '/queues/' + query)
    assert status == 400 and message in json.loads(refusal)['error']
    assert figures(daemon, 'box')['depth'] == 1


def test_browsing_one_message_leaves_it(daemon):
    for body in (b'first', BINARY):
        send(daemon, 'box', body)
    first, second = daemon.admin('GET', '/queues/browse?queue=box')[1]['messages']
    path = '/queues/browse?queue=box&body=raw&number=%d' % second['number']

    status, headers, body = call(daemon, 'GET', path)

    assert (status, body) == (200, BINARY)
    assert headers['Postbus-Number'] == str(second['number'])
    assert call(daemon, 'HEAD', path)[1]['Content-Length'] == str(len(BINARY))
    shown = daemon.admin('GET', '/queues/browse?queue=box&number=%d' % first['number'])[1]
    assert [each['body'] for each in shown['messages']] == ['first']
    assert call(daemon, 'GET', path + '00')[0] == 404
    assert figures(daemon, 'box')['depth'] == 2


def test_64_mib_go_both_ways(daemon, tmp_path):
    body = os.urandom(MIB) * 64
    send(daemon, 'box', body)
    pieces = (body[at:at + MIB] for at in range(0, len(body), MIB))
    assert call(daemon, 'POST', '/queues/send?queue=box', pieces, {'Transfer-Encoding': 'chunked'}, chunked=True)[0] == 200
    file, back = tmp_path / 'body', tmp_path / 'back'
    file.write_bytes(body)
    assert command(daemon, 'send', 'box', file).returncode == 0

    number = daemon.admin('GET', '/queues/browse?queue=box')[1]['messages'][0]['number']
    assert call(daemon, 'GET', '/queues/browse?queue=box&body=raw&number=%d' % number)[2] == body
    assert received(daemon, 'box')[2] == body
    assert command(daemon, 'receive', 'box', '--raw').stdout == body
    done = command(daemon, 'receive', 'box', '--output', back)

    assert (done.returncode, done.stdout, done.stderr) == (0, b'', b'')
    assert hashlib.sha256(back.read_bytes()).digest() == hashlib.sha256(body).digest()
    assert figures(daemon, 'box')['depth'] == 0


@pytest.mark.parametrize('chunked', [False, True])
def test_what_is_too_large_is_refused_by_the_name_of_the_setting(chunked):
    def sent(daemon, queue, size):
        body = b'x' * size
        extra = {'Transfer-Encoding': 'chunked'} if chunked else {}
        return call(daemon, 'POST', '/queues/send?queue=' + queue, iter([body]) if chunked else body, extra, chunked)

    with Daemon(config='admin: {limits: {body: 100KiB}}\nqueues: {small: {max-message-size: 10KiB}}\n') as d:
        assert sent(d, 'box', 100 * 1024)[0] == 200
        status, _, refusal = sent(d, 'box', 100 * 1024 + 1)
        assert status == 413 and 'limits.body' in json.loads(refusal)['error']
        assert sent(d, 'small', 10 * 1024)[0] == 200
        status, _, refusal = sent(d, 'small', 10 * 1024 + 1)
        assert status == 413 and 'max-message-size' in json.loads(refusal)['error']
        assert figures(d, 'box')['depth'] == figures(d, 'small')['depth'] == 1


def test_answers_in_json_hold_as_much_as_there_is_room_for(daemon):
    for _ in range(3):
        send(daemon, 'box', b'x' * (30 * MIB), 'text/plain')
    send(daemon, 'box', b'small')

    browsed = daemon.admin('GET', '/queues/browse?queue=box&bodies=true', timeout=60)[1]
    assert [each['size'] for each in browsed['messages']] == [30 * MIB] * 2 and browsed['more'] is True
    rest = daemon.admin('GET', '/queues/browse?queue=box&bodies=true&after=%d' % browsed['messages'][-1]['number'],
                        timeout=60)[1]
    assert [each['size'] for each in rest['messages']] == [30 * MIB, 5] and rest['more'] is False
    assert daemon.admin('GET', '/queues/browse?queue=box&limit=3')[1]['more'] is True
    assert daemon.admin('GET', '/queues/browse?queue=box&limit=4')[1]['more'] is False

    first = daemon.admin('POST', '/queues/receive?queue=box&count=10', timeout=60)[1]
    assert [each['size'] for each in first['messages']] == [30 * MIB] * 2 and first['more'] is True
    second = daemon.admin('POST', '/queues/receive?queue=box&count=10', timeout=60)[1]
    assert [(each['size'], each['deliveries']) for each in second['messages']] == [(30 * MIB, 1), (5, 1)]
    assert second['more'] is False


def test_a_message_larger_than_an_answer_comes_alone():
    with Daemon(config='admin: {limits: {body: 70MiB}}\nqueues: {box: {max-message-size: 70MiB}}\n') as d:
        send(d, 'box', b'x' * (66 * MIB))
        send(d, 'box', b'y')

        answer = d.admin('POST', '/queues/receive?queue=box&count=2', timeout=60)[1]

        assert [each['size'] for each in answer['messages']] == [66 * MIB] and answer['more'] is True
        assert received(d, 'box')[2] == b'y'


# ---- clients that go

FORMS = ['', '&body=raw']


def request_bytes(daemon, path):
    return ('POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n'
            % (path, daemon.token)).encode()


def plain_socket(daemon, over):
    if over == 'tcp':
        return socket.create_connection(daemon.admin_address, timeout=30 * SLOWNESS)
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(30 * SLOWNESS)
    made.connect(str(daemon.admin_socket))
    return made


@pytest.mark.parametrize('form', FORMS)
@pytest.mark.parametrize('over', ['unix', 'tcp'])
def test_a_client_that_goes_while_it_waits_takes_nothing_with_it(daemon, over, form):
    send(daemon, 'box', b'so that there is a queue')
    received(daemon, 'box')
    for body in (b'', b'1', b'twelve bytes'):
        client = plain_socket(daemon, over)
        client.sendall(request_bytes(daemon, '/queues/receive?queue=box&wait=40s' + form))
        wait_until(lambda: figures(daemon, 'box')['consumers'] == 1)
        client.close()
        if over == 'unix':  # a caller over TCP may only have ended its sending
            wait_until(lambda: figures(daemon, 'box')['consumers'] == 0)

        send(daemon, 'box', body)
        wait_until(lambda: figures(daemon, 'box')['consumers'] == 0)

        status, headers, back = received(daemon, 'box')
        assert (status, back) == (200, body)
        assert headers['Postbus-Redelivered'] == ('true' if over == 'tcp' else 'false')
        assert headers['Postbus-Deliveries'] == '1'


@pytest.mark.parametrize('form', FORMS)
@pytest.mark.parametrize('over', ['unix', 'tcp'])
def test_a_client_that_dies_inside_of_a_body_leaves_the_message_to_the_next(daemon, over, form):
    body = os.urandom(MIB) * 32
    send(daemon, 'box', body)
    client = plain_socket(daemon, over)
    client.sendall(request_bytes(daemon, '/queues/receive?queue=box' + form))
    assert client.recv(65536).startswith(b'HTTP/1.1 200')
    assert figures(daemon, 'box')['inFlight'] == 1
    client.close()
    wait_until(lambda: figures(daemon, 'box')['inFlight'] == 0)

    status, headers, back = received(daemon, 'box')

    assert status == 200 and back == body
    assert (headers['Postbus-Redelivered'], headers['Postbus-Deliveries']) == ('true', '1')


@pytest.mark.parametrize('form', ['raw', 'json'])
def test_a_client_that_goes_before_it_has_read_a_small_message_leaves_it(daemon, form):
    send(daemon, 'small', b'hello', 'text/plain')
    for i in range(100):
        used = connection(daemon)
        used.request('POST', '/queues/receive?queue=small&body=%s' % form)
        wait_until(lambda: figures(daemon, 'small')['inFlight'] == 1)
        if i % 8 == 1:
            time.sleep(0.1)  # it has all lain there for long
        used.sock.shutdown(socket.SHUT_RDWR)
        used.close()
        wait_until(lambda: figures(daemon, 'small')['depth'] == figures(daemon, 'small')['ready'] == 1)
    assert figures(daemon, 'small')['acknowledged'] == 0
    assert received(daemon, 'small')[2] == b'hello'
    wait_until(lambda: figures(daemon, 'small')['acknowledged'] == 1)


def test_a_client_that_is_killed_and_one_that_can_not_write_lose_nothing(daemon, tmp_path):
    body = os.urandom(MIB) * 32
    send(daemon, 'box', body)
    reader = subprocess.Popen([str(BIN / 'postbus'), '--admin', 'unix:%s' % daemon.admin_socket, 'queue', 'receive', 'box',
                               '--raw'], stdout=subprocess.PIPE)
    assert reader.stdout.read(1000) == body[:1000]
    reader.send_signal(signal.SIGKILL)
    reader.wait()
    reader.stdout.close()
    wait_until(lambda: figures(daemon, 'box')['inFlight'] == 0)

    done = command(daemon, 'receive', 'box', '--output', '/dev/full')
    assert done.returncode != 0 and b'could not be written' in done.stderr
    wait_until(lambda: figures(daemon, 'box')['inFlight'] == 0)
    done = command(daemon, 'receive', 'box', '--output', tmp_path / 'no' / 'folder')
    assert done.returncode == 1 and b'cannot write' in done.stderr

    assert command(daemon, 'receive', 'box', '--raw').stdout == body


def test_a_daemon_that_stops_while_it_sends_keeps_the_message(tmp_path):
    body = os.urandom(MIB) * 32
    with Daemon(folder=tmp_path) as d:
        send(d, 'box', body)
        client = plain_socket(d, 'unix')
        client.sendall(request_bytes(d, '/queues/receive?queue=box&body=raw'))
        assert client.recv(65536).startswith(b'HTTP/1.1 200')
        assert d.stop() == 0
        client.close()
        d.start()
        assert received(d, 'box')[2] == body


# ---- the command

def test_the_command_gives_bodies_byte_for_byte(daemon, tmp_path):
    for _ in range(3):
        assert command(daemon, 'send', 'box', body=BINARY).returncode == 0
    number = json.loads(command(daemon, 'browse', 'box', '--json').stdout)['messages'][0]['number']
    file = tmp_path / 'body'
    file.write_bytes(b'older')

    assert command(daemon, 'browse', 'box', '--number', number, '--raw').stdout == BINARY
    assert command(daemon, 'browse', 'box', '--number', number, '--output', file).returncode == 0
    assert file.read_bytes() == BINARY
    assert b'NUMBER' in command(daemon, 'browse', 'box', '--number', number).stdout
    assert command(daemon, 'receive', 'box', '--raw').stdout == BINARY
    assert command(daemon, 'receive', 'box', '--output', '-').stdout == BINARY
    assert command(daemon, 'receive', 'box', '--output=%s' % file).stdout == b''
    assert file.read_bytes() == BINARY

    file.write_bytes(b'older')
    none = command(daemon, 'receive', 'box', '--output', file)
    assert (none.returncode, none.stdout, none.stderr) == (1, b'', b'')
    refused = command(daemon, 'browse', 'box', '--number', number, '--output', file)
    assert refused.returncode == 1 and b'there is no message' in refused.stderr
    assert file.read_bytes() == b'older' and os.listdir(tmp_path) == ['body']


@pytest.mark.parametrize('arguments, message', [
    (['receive', 'a', '--raw', '--json'], 'not --json'), (['receive', 'a', '--raw', '--count', '2'], 'not for --count'),
    (['browse', 'a', '--raw'], 'needs --number'), (['browse', 'a', '--number', '1', '--raw', '--bodies'], 'not for --bodies'),
    (['receive', 'a', '--output', ''], 'needs a file'), (['purge', 'a', '--raw'], 'does not take --raw')])
def test_usage(arguments, message):
    done = Daemon(wait=False).postbus('queue', *arguments)  # never started
    assert done.returncode == 2 and message in done.stderr
