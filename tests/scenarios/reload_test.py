"""SIGHUP and `postbus reload`: all or nothing, and never an answer less."""
import re
import signal
import socket
import threading
import time

from postbus_daemon import SLOWNESS, Daemon, wait_until

GOOD = 'endpoints: {HelloWorld: {http: [/cxf/HelloWorld, /hi]}}\n'


class Load:
    """sayHi over keep-alive connections as long as the block lasts; every answer must be right."""

    def __init__(self, daemon, clients=2):
        self.daemon, self.failures, self.calls, self.on = daemon, [], 0, True
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        connection = self.daemon.connection()
        while self.on:
            try:
                assert self.daemon.say_hi('load', connection=connection) == 'Hello load'
                self.calls += 1
            except Exception as error:  # noqa: BLE001
                self.failures.append(repr(error))
                connection.close()
            time.sleep(0.005)

    def __enter__(self):
        for each in self.threads:
            each.start()
        return self

    def __exit__(self, *_):
        end = time.monotonic() + 10 * SLOWNESS
        while self.calls < 50 and time.monotonic() < end:  # also after the last thing that happened
            time.sleep(0.01)
        self.on = False
        for each in self.threads:
            each.join()
        assert not self.failures, self.failures[:3]
        assert self.calls >= 50


def reload_by_signal(daemon, outcome):
    count = len(daemon.events(outcome))
    daemon.signal(signal.SIGHUP)
    return daemon.wait_for(outcome, count=count + 1)


def test_new_paths_are_served_and_old_ones_given_up():
    with Daemon(config=GOOD) as d, Load(d):
        assert d.say_hi('a', path='/hi') == 'Hello a'
        d.config_file.write_text('endpoints: {HelloWorld: {http: [/cxf/HelloWorld, /hello]}}\n')
        reload_by_signal(d, 'config.reloaded')

        assert d.say_hi('b', path='/hello') == 'Hello b'
        assert d.request('GET', '/hi?wsdl')[0] == 404
        assert d.events('endpoint.gone')[0]['path'] == '/hi'


def test_broken_file_changes_nothing_and_names_every_fault():
    with Daemon(config=GOOD) as d, Load(d):
        d.config_file.write_text('transports:\n  http:\n    limits: {body: "eighty"}\nendpoints:\n'
                                 '  One: {http: /cxf/One}\n  Two: {htp: /cxf/Two}\n')
        status, answer = d.admin('POST', '/reload')

        assert status == 422 and not answer['reloaded'] and answer['invalid']
        assert [re.sub(r'.*?:(\d+):\d+:.*', r'\1', each) for each in answer['problems']] == ['3', '6']
        assert [each['problem'] for each in d.events('config.refused')] == answer['problems']
        assert d.request('GET', '/cxf/One?wsdl')[0] == 404
        assert d.say_hi('still', path='/hi') == 'Hello still'

        d.config_file.write_text('http:\n  port: "eighty"\nservices: [\n  {name: one, address: /cxf/One}\n')
        reload_by_signal(d, 'config.refused')
        assert d.say_hi('still', path='/hi') == 'Hello still'


def test_missing_file_changes_nothing():
    with Daemon(config=GOOD) as d, Load(d):
        d.config_file.unlink()
        status, answer = d.admin('POST', '/reload')

        assert status == 422
        assert str(d.config_file) in answer['problems'][0]
        assert d.say_hi('still', path='/hi') == 'Hello still'

        d.config_file.write_text(GOOD)
        assert d.admin('POST', '/reload') == (200, {'reloaded': True, 'problems': [], 'restart': []})


def test_port_in_use_changes_nothing_and_is_told_by_its_place():
    with socket.create_server(('127.0.0.1', 0)) as taken:
        config = 'transports:\n  http:\n    listen:\n      - 127.0.0.1:0\n%s' + GOOD
        other = '      - 127.0.0.1:%d\n' % taken.getsockname()[1]
        with Daemon(config=config % '', free_ports=False, args=['--set', 'admin.listen=off']) as d, Load(d):
            d.config_file.write_text(config.replace('/hi', '/new') % other)
            status, answer = d.admin('POST', '/reload')

            assert status == 422 and not answer['invalid']
            assert answer['problems'][0].startswith('%s:5:9: ' % d.config_file)
            assert '127.0.0.1:%d' % taken.getsockname()[1] in answer['problems'][0]
            assert d.request('GET', '/new?wsdl')[0] == 404
            assert d.say_hi('still', path='/hi') == 'Hello still'

            taken.close()
            assert d.admin('POST', '/reload')[0] == 200
            assert d.say_hi('both', path='/new') == 'Hello both'
            assert len(d.admin('GET', '/status')[1]['listeners']) == 3


def test_listener_that_is_no_longer_named_closes_after_its_answers():
    with socket.create_server(('127.0.0.1', 0)) as free:
        other = free.getsockname()
    with Daemon(config='transports: {http: {listen: ["127.0.0.1:0", "127.0.0.1:%d"]}}\n' % other[1], free_ports=False,
                args=['--set', 'admin.listen=off']) as d, Load(d):
        with socket.create_connection(other, timeout=5):
            pass
        d.config_file.write_text('transports: {http: {listen: ["127.0.0.1:0"]}}\n')
        assert d.admin('POST', '/reload')[0] == 200

        assert d.events('listener.closed')[0]['address'] == '127.0.0.1:%d' % other[1]
        try:
            socket.create_connection(other, timeout=0.3).close()
            raise AssertionError('still open')
        except OSError:
            pass


def test_what_takes_a_restart_is_said():
    with Daemon(config=GOOD) as d:
        d.config_file.write_text(GOOD + 'workers: {threads: 3}\nplugins: {quiet: 100ms}\n')
        status, answer = d.admin('POST', '/reload')

        assert status == 200
        assert answer['restart'] == ['plugins.quiet', 'workers.threads']
        assert [each['key'] for each in d.events('config.restart.needed')] == answer['restart']
        assert d.admin('GET', '/status')[1]['restart'] == answer['restart']
        d.config_file.write_text(GOOD)
        assert d.admin('POST', '/reload')[1]['restart'] == []


def test_limits_hold_for_the_next_request_of_an_open_connection():
    with Daemon(config=GOOD) as d:
        connection = d.connection()
        assert d.say_hi('x' * 5000, connection=connection) == 'Hello ' + 'x' * 5000
        d.config_file.write_text(GOOD + 'transports: {http: {limits: {body: 1KiB}}}\n')
        assert d.admin('POST', '/reload')[0] == 200

        assert d.say_hi('short', connection=connection) == 'Hello short'
        assert d.soap('/cxf/HelloWorld', b'x' * 5000, connection=connection)[0] == 413


def test_the_log_follows_the_file():
    with Daemon(config=GOOD + 'logging: {access: off}\n', json_log=False, args=['--set', 'logging.format=json']) as d:
        d.say_hi('quiet')
        d.config_file.write_text(GOOD + 'logging: {access: {file: access.log}, level: debug}\n')
        assert d.admin('POST', '/reload')[0] == 200
        d.say_hi('told')
        file = d.state / 'access.log'
        wait_until(lambda: file.exists() and 'HelloWorld' in file.read_text())

        # Turned away by logrotate, and opened anew.
        file.rename(d.state / 'access.log.1')
        assert d.admin('POST', '/reload')[0] == 200
        assert file.exists()


def test_many_reloads_lose_nothing():
    with Daemon(config=GOOD) as d, Load(d, clients=3):
        for i in range(30):
            d.config_file.write_text('endpoints: {HelloWorld: {http: [/cxf/HelloWorld, /v%d]}}\n' % i)
            assert d.admin('POST', '/reload')[0] == 200
            assert d.say_hi(str(i), path='/v%d' % i) == 'Hello %d' % i
