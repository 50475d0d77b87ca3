"""SIGTERM: what was accepted is answered, then the daemon ends."""
import signal
import socket
import threading
import time

import pytest
from postbus_daemon import PLUGINS, Daemon, http_request, say_hi_envelope, sleep_envelope, wait_until

TYPES = [PLUGINS / 'types.so']


def sleepers(daemon, count, milliseconds):
    """Calls that are under way, each on a thread; their outcomes come into the list."""
    outcomes = []

    def call():
        try:
            outcomes.append(daemon.sleep(milliseconds, timeout=30))
        except Exception as error:  # noqa: BLE001
            outcomes.append(error)
    threads = [threading.Thread(target=call) for _ in range(count)]
    for each in threads:
        each.start()
    wait_until(lambda: daemon.admin('GET', '/exchanges')[1]['total'] == count)
    return threads, outcomes


def refuses_connections(daemon):
    try:
        socket.create_connection(daemon.address, timeout=0.3).close()
        return False
    except OSError:
        return True


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGINT])
def test_calls_under_way_are_answered_and_new_connections_refused(number):
    with Daemon(plugins=TYPES) as d:
        threads, outcomes = sleepers(d, 20, 1500)
        d.signal(number)
        d.wait_for('daemon.draining')
        wait_until(lambda: refuses_connections(d))
        assert d.running()

        for each in threads:
            each.join()
        assert d.wait(5) == 0
        assert len(outcomes) == 20
        for each in outcomes:
            assert not isinstance(each, Exception), each
            assert each['Connection'] == 'close'
        assert d.events('daemon.stopped')[0]['unanswered'] == 0
        assert not d.events('exchange.cut')
        assert not [each for each in d.events() if each['level'] == 'error']


def test_pipelined_requests_that_were_sent_are_answered_in_order():
    with Daemon(plugins=TYPES) as d:
        with socket.create_connection(d.address, timeout=10) as client:
            client.sendall(http_request('/test/types', sleep_envelope(800)) +
                           b''.join(http_request('/cxf/HelloWorld', say_hi_envelope('n%d' % i)) for i in range(5)))
            wait_until(lambda: d.admin('GET', '/exchanges')[1]['total'] >= 1)
            d.signal(signal.SIGTERM)
            received = b''
            while chunk := client.recv(65536):
                received += chunk
        assert d.wait(5) == 0
        assert received.count(b'HTTP/1.1 200') == 6
        order = [received.index(text) for text in [b'slept 800 ms'] + [b'Hello n%d' % i for i in range(5)]]
        assert order == sorted(order)


def test_idle_connections_do_not_hold_it_up():
    with Daemon() as d:
        idle = [d.connection() for _ in range(20)]
        for each in idle:
            d.say_hi(connection=each)
        begun = time.monotonic()
        assert d.stop() == 0
        assert time.monotonic() - begun < 2
        for each in idle:
            assert each.sock.recv(1) == b''


def test_at_the_limit_callers_get_a_fault_and_the_calls_are_named():
    with Daemon(plugins=TYPES, args=['--set', 'shutdown.drain=500ms']) as d:
        answers = []

        def call():
            answers.append(d.soap('/test/types', sleep_envelope(20_000), timeout=30))
        threads = [threading.Thread(target=call) for _ in range(3)]
        for each in threads:
            each.start()
        wait_until(lambda: d.admin('GET', '/exchanges')[1]['total'] == 3)
        begun = time.monotonic()
        d.signal(signal.SIGTERM)

        assert d.wait(5) == 0
        assert time.monotonic() - begun < 5
        for each in threads:
            each.join()
        assert [status for status, _, _ in answers] == [503] * 3
        for _, _, body in answers:
            assert b'Fault' in body
        cut = d.events('exchange.cut')
        assert len(cut) == 3
        assert all(each['endpoint'] == 'Types' and each['operation'] == 'sleep' for each in cut)
        assert d.events('daemon.stopped')[0]['unanswered'] == 3


def test_second_signal_ends_it_at_once():
    with Daemon(plugins=TYPES) as d:
        threads, _ = sleepers(d, 2, 20_000)
        d.signal(signal.SIGTERM)
        d.wait_for('daemon.draining')
        begun = time.monotonic()
        d.signal(signal.SIGTERM)

        assert d.wait(5) == 1
        assert time.monotonic() - begun < 2
        assert d.events('daemon.aborted')
        assert len(d.events('exchange.cut')) == 2
        for each in threads:
            each.join()


def test_admin_interface_tells_that_it_drains():
    with Daemon(plugins=TYPES) as d:
        threads, _ = sleepers(d, 1, 1500)
        d.signal(signal.SIGTERM)
        d.wait_for('daemon.draining')

        assert d.admin('GET', '/healthz')[0] == 200
        assert d.admin('GET', '/readyz') == (503, {'ready': False, 'reasons': ['the daemon is draining']})
        status, answer = d.admin('GET', '/status')
        assert (status, answer['state']) == (200, 'draining')
        assert d.admin('GET', '/exchanges')[1]['exchanges'][0]['operation'] == 'sleep'
        status, answer = d.admin('POST', '/reload')
        assert status == 422 and answer['problems'] == ['the daemon is stopping']
        threads[0].join()
        assert d.wait(5) == 0


def test_a_loop_that_a_service_blocks_is_seen_and_keeps_nobody_from_ending():
    with Daemon(plugins=TYPES, args=['--set', 'transports.http.threads=1', '--set', 'shutdown.drain=300ms']) as d:
        with socket.create_connection(d.address, timeout=10) as client:
            client.sendall(http_request('/test/types', sleep_envelope(20_000, operation='block')))
            wait_until(lambda: d.admin('GET', '/exchanges')[1]['total'] == 1)
            assert not d.admin('GET', '/exchanges')[1]['complete']
            assert 'a loop did not answer' in d.postbus('exchanges').stdout

            d.signal(signal.SIGTERM)
            assert d.wait(8) == 1
            assert d.events('daemon.stuck')
