"""Clients in number, and clients that behave badly: the daemon stays up and answers the others."""
import os
import resource
import socket
import struct
import threading
import time

import pytest
from postbus_daemon import PLUGINS, SLOWNESS, Daemon, http_request, sanitized, say_hi_envelope, sleep_envelope, wait_until

SAY_HI = http_request('/cxf/HelloWorld', say_hi_envelope('Bob'))


def descriptors(daemon):
    return len(os.listdir('/proc/%d/fd' % daemon.pid))


def processor_seconds(daemon):
    fields = open('/proc/%d/stat' % daemon.pid).read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def answer(client):
    received = b''
    while b'Envelope>' not in received.partition(b'\r\n\r\n')[2]:
        chunk = client.recv(65536)
        assert chunk, 'closed after %r' % received
        received += chunk
    return received


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    client.close()


def raise_own_limit(wanted):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def test_a_thousand_connections_at_once_are_all_answered():
    raise_own_limit(2000)
    with Daemon() as d:
        before = descriptors(d)
        clients = [socket.create_connection(d.address, timeout=20) for _ in range(1000)]
        for each in clients:
            each.sendall(SAY_HI)
        for each in clients:
            assert answer(each).startswith(b'HTTP/1.1 200')
        for each in clients:
            each.close()
        wait_until(lambda: descriptors(d) == before)
        assert d.say_hi('Bob') == 'Hello Bob'


def test_clients_that_reset_while_they_are_answered_leave_nothing_behind():
    with Daemon(plugins=[PLUGINS / 'types.so', PLUGINS / 'echo.so']) as d:
        before = descriptors(d)
        large = http_request('/test/echo', b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><x>' +
                             b'y' * 2_000_000 + b'</x></s:Body></s:Envelope>')
        for i in range(100):
            client = socket.create_connection(d.address, timeout=10)
            if i % 4 == 0:  # an answer that does not fit into the socket's buffer
                client.sendall(large)
                client.recv(1)
            elif i % 4 == 1:  # in the middle of a request
                client.sendall(SAY_HI[:-20])
            elif i % 4 == 2:  # before the answer is there
                client.sendall(http_request('/test/types', sleep_envelope(300)))
            else:
                client.sendall(b'GET /cxf/HelloWorld?wsdl HTTP/1.1\r\nHost: x\r\n\r\n' * 20)
                client.recv(1)
            reset(client)
        wait_until(lambda: descriptors(d) == before)
        wait_until(lambda: d.admin('GET', '/exchanges')[1]['total'] == 0)
        assert d.admin('GET', '/status')[1]['exchanges']['abandoned'] > 0
        assert d.say_hi('Bob') == 'Hello Bob'
        assert d.stop() == 0


@pytest.mark.skipif(sanitized(), reason='sanitizers need descriptors themselves, and cry wolf without')
def test_at_the_limit_of_descriptors_old_connections_are_served_and_no_processor_burns():
    with Daemon(wrapper=['prlimit', '--nofile=256:256']) as d:
        old = d.connection()
        assert d.say_hi('Bob', connection=old) == 'Hello Bob'
        clients = [socket.create_connection(d.address, timeout=10) for _ in range(400)]
        d.wait_for('listener.accept.paused')
        burnt = processor_seconds(d)
        for _ in range(10):
            assert d.say_hi('Bob', connection=old) == 'Hello Bob'
            time.sleep(0.2)
        assert processor_seconds(d) - burnt < 0.4  # of 2 s

        for each in clients[:300]:
            each.close()
        begun = time.monotonic()
        assert d.say_hi('new') == 'Hello new'
        assert time.monotonic() - begun < 1 * SLOWNESS
        d.deploy(PLUGINS / 'echo.so')
        wait_until(lambda: d.request('GET', '/test/echo?wsdl')[0] == 200)
        for each in clients:
            each.close()


def test_a_request_that_does_not_come_in_time_is_its_callers_fault():
    with Daemon(args=['--set', 'transports.http.limits.body-time=200ms']) as d:
        head, _, body = SAY_HI.partition(b'\r\n\r\n')
        with socket.create_connection(d.address, timeout=10 * SLOWNESS) as client:
            client.sendall(head + b'\r\n\r\n' + body[:-10])
            told = answer(client)
    assert told.startswith(b'HTTP/1.1 408 ')
    assert b'<faultcode>soap:Client</faultcode>' in told and b'the body of the request took too long' in told


@pytest.mark.parametrize('kind', ['head', 'body', 'deaf'])
def test_slow_clients_are_sent_away_and_do_not_slow_down_the_others(kind):
    raise_own_limit(1000)
    limits = '{header-time: 2s, body-time: 2s, idle: 5s}'
    with Daemon(args=['--set', 'transports.http.limits=' + limits], plugins=[PLUGINS / 'echo.so']) as d:
        clients = [socket.create_connection(d.address, timeout=10) for _ in range(200)]
        on = True

        def drip():
            head, _, body = SAY_HI.partition(b'\r\n\r\n')
            first = {'head': b'P', 'body': head + b'\r\n\r\n', 'deaf': b''}[kind]
            rest = head[1:] if kind == 'head' else body
            alive = list(clients)
            for each in alive:
                each.sendall(first)
            at = 0
            while on and kind != 'deaf' and at < len(rest):
                for each in list(alive):
                    try:
                        each.sendall(rest[at:at + 1])
                    except OSError:
                        alive.remove(each)
                at += 1
                time.sleep(0.2)
        dripping = threading.Thread(target=drip)
        dripping.start()
        times = []
        end = time.monotonic() + 4
        connection = d.connection()
        while time.monotonic() < end:
            begun = time.monotonic()
            assert d.say_hi('Bob', connection=connection) == 'Hello Bob'
            times.append(time.monotonic() - begun)
            time.sleep(0.02)
        on = False
        dripping.join()
        # The machine may be busy, a blocked daemon would take seconds.
        assert sorted(times)[len(times) // 2] < 0.1
        wait_until(lambda: d.admin('GET', '/status')[1]['http']['connections'] <= 1, timeout=15)
        for each in clients:
            each.close()


def test_standard_descriptors_that_are_closed_get_no_socket():
    with Daemon(wrapper=['sh', '-c', 'exec "$@" <&- >&- 2>&-', 'sh'], wait=False) as d:
        wait_until(lambda: d.admin_socket.exists())
        wait_until(lambda: d.admin('GET', '/readyz')[0] == 200)
        for number in (0, 1, 2):
            assert os.readlink('/proc/%d/fd/%d' % (d.pid, number)) == '/dev/null'
        address = next(e['address'] for e in d.admin('GET', '/status')[1]['listeners'] if e['transport'] == 'http')
        host, port = address.rsplit(':', 1)
        d._address = lambda _: (host, int(port))
        assert d.say_hi('Bob') == 'Hello Bob'
