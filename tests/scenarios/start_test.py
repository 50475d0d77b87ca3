"""From the start to the first answer, and what keeps a daemon from starting."""
import os
import socket
import time

import pytest
from postbus_daemon import HELLO, SLOWNESS, Daemon, DaemonFailed


def test_serves_hello_world_without_any_configuration():
    with Daemon() as d:
        assert d.say_hi('Bob') == 'Hello Bob'
        assert d.say_hi() == 'Hello '

        status, headers, body = d.request('GET', '/cxf/HelloWorld?wsdl')
        assert status == 200
        assert headers['Content-Type'].startswith('text/xml')
        assert ('targetNamespace="%s"' % HELLO).encode() in body
        assert ('location="%s/cxf/HelloWorld"' % d.url).encode() in body

        assert d.request('GET', '/nothing/here')[0] == 404
        assert d.stop() == 0


def test_makes_its_state_folder():
    with Daemon() as d:
        assert (d.state / 'deploy').is_dir()
        assert (d.state / 'cache').is_dir()
        assert (d.state / 'admin.token').stat().st_mode & 0o777 == 0o600
        assert d.admin_socket.stat().st_mode & 0o777 == 0o660

        assert d.stop() == 0
        assert not d.admin_socket.exists()


def test_logs_its_addresses_before_it_says_ready():
    with Daemon() as d:
        names = [each['event'] for each in d.events()]
        assert names[0] == 'daemon.starting'
        assert names.index('endpoint.serving') < names.index('daemon.ready')
        opened = [i for i, name in enumerate(names) if name == 'listener.open']
        assert len(opened) == 3  # HTTP, admin over TCP and over the Unix socket
        assert max(opened) < names.index('daemon.ready')
        assert d.address[1] > 0


def test_second_daemon_on_the_same_state_folder_names_the_first():
    with Daemon() as first, Daemon(env={'STATE_DIRECTORY': str(first.state)}, wait=False) as second:
        assert second.wait() == 1

        reason = second.events('daemon.failed')[0]['reason']
        assert 'pid %d' % first.pid in reason
        assert str(first.state) in reason
        assert first.say_hi('still') == 'Hello still'


def test_folder_of_a_killed_daemon_is_free():
    with Daemon() as d:
        d.kill()
        d.start()

        assert d.say_hi('again') == 'Hello again'


def test_port_in_use_is_told_and_nothing_claims_to_be_ready():
    with socket.create_server(('127.0.0.1', 0)) as taken, notify_socket() as manager:
        address = '127.0.0.1:%d' % taken.getsockname()[1]
        with Daemon(args=['--set', 'transports.http.listen=[%s]' % address], wait=False,
                    env={'NOTIFY_SOCKET': manager.getsockname()}) as d:
            assert d.wait() == 1

            reason = d.events('daemon.failed')[0]['reason']
            assert 'transports.http.listen: cannot listen on %s: Address already in use' % address in reason
            assert '(pid %d) has it' % os.getpid() in reason
            assert '--set transports.http.listen=127.0.0.1:0' in reason
            assert not d.events('daemon.ready')
        with pytest.raises(BlockingIOError):
            manager.recv(1024)


def test_port_of_another_daemon_names_that_and_the_place_in_the_file():
    with Daemon() as first:
        port = first.admin_address[1]
        with Daemon(config='admin:\n  listen: 127.0.0.1:%d\n' % port, free_ports=False, wait=False,
                    args=['--set', 'transports.http.listen=127.0.0.1:0']) as second:
            assert second.wait() == 1

            reason = second.events('daemon.failed')[0]['reason']
            assert '%s:2:11: admin.listen: cannot listen on' % second.config_file in reason
            assert 'postbusd (pid %d) has it' % first.pid in reason
            assert first.say_hi('still') == 'Hello still'


def test_ready_comes_when_the_next_call_is_answered():
    for _ in range(20):
        with notify_socket() as manager:
            manager.settimeout(10)
            with Daemon(env={'NOTIFY_SOCKET': manager.getsockname()}, wait=False) as d:
                assert manager.recv(1024).startswith(b'READY=1\n')

                assert d.say_hi('now') == 'Hello now'
                assert d.stop() == 0
            assert manager.recv(1024) == b'STOPPING=1'


def test_reload_tells_the_service_manager():
    with notify_socket() as manager:
        manager.settimeout(10)
        with Daemon(env={'NOTIFY_SOCKET': manager.getsockname()}) as d:
            assert manager.recv(1024).startswith(b'READY=1\n')
            before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            assert d.admin('POST', '/reload')[0] == 200

            name, usec = manager.recv(1024).decode().split('\n')
            assert name == 'RELOADING=1'
            assert before <= int(usec.removeprefix('MONOTONIC_USEC=')) < before + 10_000_000
            assert manager.recv(1024).startswith(b'READY=1\n')


def test_stops_and_starts_at_once_again_and_again():
    with Daemon() as d:
        port = d.address[1]
        d.stop()
        # From now on the port is a fixed one, with connections of the former daemon in TIME_WAIT.
        d.command += ['--set', 'transports.http.listen=["127.0.0.1:%d"]' % port]
        for i in range(20):
            begun = time.monotonic()
            d.start()
            assert d.say_hi(str(i)) == 'Hello %d' % i
            assert time.monotonic() - begun < 2 * SLOWNESS
            connection = d.connection()
            d.say_hi(connection=connection)  # kept open: the daemon is the one that closes
            assert d.stop() == 0
            connection.close()


def test_goes_on_when_nobody_reads_its_log():
    reader, writer = os.pipe()
    with Daemon(stderr=writer, wait=False) as d:
        os.close(writer)
        assert b'daemon.ready' in read_until(reader, b'daemon.ready')
        status = d.admin('GET', '/status')[1]
        url = next(each['address'] for each in status['listeners'] if each['transport'] == 'http')
        d.events = lambda *_, **__: [{'address': url}]
        os.close(reader)

        for i in range(50):
            assert d.say_hi(str(i)) == 'Hello %d' % i
        time.sleep(1.2)  # the access log is written by now
        assert d.running()
        assert d.say_hi('Bob') == 'Hello Bob'
        assert d.stop() == 0


def test_wrong_usage_and_invalid_files_have_their_own_status():
    for args, status in ((['--nonsense'], 2), (['--config'], 2), (['--config', '/no/such/file.yaml'], 4),
                         (['--set', 'endpoints=5'], 4), (['--help'], 0), (['--version'], 0)):
        with Daemon(args=args, wait=False) as d:
            assert d.wait() == status, args
            assert d.log().strip(), args


def test_check_tells_all_faults_and_starts_nothing():
    broken = 'transports:\n  http:\n    listen: [nonsense]\n    limts: {}\nendpoints:\n  A: {http: no-slash}\n'
    with Daemon(config=broken, args=['--check'], free_ports=False, wait=False) as d:
        assert d.wait() == 4
        lines = d.log().splitlines()
        assert len(lines) >= 3
        for line, where in zip(lines, (':3:', ':4:', ':6:')):
            assert where in line and str(d.config_file) in line
        assert "did you mean 'limits'" in d.log()
        assert not d.state.exists()
    with Daemon(config='endpoints: {A: {http: /a}}\n', args=['--check'], wait=False) as d:
        assert d.wait() == 0
        assert 'valid' in d.log()
        assert not d.state.exists()


def test_broken_file_does_not_start():
    with Daemon(config='endpoints: [', wait=False) as d:
        assert d.wait() == 4
        assert '%s:1:' % d.config_file in d.log()
        assert not d.state.exists()


def test_endpoints_of_the_file_that_nobody_serves_are_told_and_waited_for():
    with Daemon(config='endpoints: {Billing: {http: /billing}}\n') as d:
        assert d.wait_for('endpoint.waiting')['endpoint'] == 'Billing'
        status, headers, body = d.soap('/billing', b'<x/>')
        assert status == 503
        assert int(headers['Retry-After']) > 0
        assert b'Fault' in body and b'service Billing is not deployed' in body
        assert d.admin('GET', '/readyz') == (503, {'ready': False, 'reasons': ['endpoint Billing waits for its service']})
        assert d.admin('GET', '/healthz')[0] == 200
        assert d.say_hi('Bob') == 'Hello Bob'


def test_a_daemon_that_is_not_there_is_not_waited_for_in_vain():
    with pytest.raises(DaemonFailed):
        with Daemon(config='endpoints: ['):
            pass


def notify_socket():
    """The service manager's end, on an abstract socket."""
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = '\0postbus-scenario-%d-%d' % (os.getpid(), time.monotonic_ns())
    receiver.bind(name)
    receiver.setblocking(False)

    class Named:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            receiver.close()

        def getsockname(self):
            return '@' + name[1:]

        def settimeout(self, seconds):
            receiver.settimeout(seconds)

        def recv(self, size):
            return receiver.recv(size)
    return Named()


def read_until(descriptor, text, timeout=10):
    end, found = time.monotonic() + timeout, b''
    while text not in found and time.monotonic() < end:
        found += os.read(descriptor, 65536)
    return found
