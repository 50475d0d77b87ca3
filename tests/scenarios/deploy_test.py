"""Plugins dropped, replaced, broken and removed while calls go on."""
import os
import shutil
import threading
import time

import pytest
from postbus_daemon import PLUGINS, ROOT, SLOWNESS, SOAP11, SOAP12, Daemon, wait_until

HELLO_V2, HELLO_V3 = PLUGINS / 'hello_v2.so', PLUGINS / 'hello_v3.so'
ECHO = PLUGINS / 'echo.so'
GREETINGS = {'Hello', 'Howdy', 'Salut'}
LIVE_WITHIN = 3


class Callers:
    """sayHi all the time; each answer must come from some version that was deployed."""

    def __init__(self, daemon, clients=2):
        self.daemon, self.on = daemon, True
        self.failures, self.greetings = [], []
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        connection = self.daemon.connection()
        while self.on:
            try:
                text = self.daemon.say_hi('x', connection=connection)
                greeting = text.removesuffix(' x')
                assert greeting in GREETINGS, text
                self.greetings.append(greeting)
            except Exception as error:  # noqa: BLE001
                self.failures.append(repr(error))
                connection.close()
            time.sleep(0.005)

    def __enter__(self):
        for each in self.threads:
            each.start()
        return self

    def __exit__(self, *_):
        self.on = False
        for each in self.threads:
            each.join()
        assert not self.failures, self.failures[:3]

    def latest(self):
        return self.greetings[-1] if self.greetings else None


def wait_for_greeting(daemon, greeting, timeout=10):
    wait_until(lambda: daemon.say_hi('x') == greeting + ' x', timeout, greeting)


def wait_for_status(daemon, path, status, timeout=10):
    wait_until(lambda: daemon.request('GET', path)[0] == status, timeout, '%d at %s' % (status, path))


def test_dropped_plugin_is_live_within_a_second_and_gone_with_its_file():
    with Daemon() as d:
        assert d.request('GET', '/test/echo?wsdl')[0] == 404
        begun = time.monotonic()
        file = d.deploy(ECHO)
        wait_for_status(d, '/test/echo?wsdl', 200)
        assert time.monotonic() - begun < 1 * SLOWNESS

        payload = '<e:x xmlns:e="urn:e" xmlns:q="urn:q" t="q:n">a<![CDATA[<b>]]> <c/></e:x>'
        for ns, content_type in ((SOAP11, 'text/xml'), (SOAP12, 'application/soap+xml')):
            status, headers, body = d.soap('/test/echo', ('<s:Envelope xmlns:s="%s"><s:Body>%s</s:Body></s:Envelope>' %
                                                          (ns, payload)).encode(), content_type)
            assert status == 200 and headers['Content-Type'].startswith(content_type)
            assert b'urn:q' in body and b'q:n' in body and b'a&lt;b&gt; ' in body

        file.unlink()
        wait_for_status(d, '/test/echo?wsdl', 404)
        assert d.say_hi('Bob') == 'Hello Bob'


def copy_over(source, target):
    shutil.copyfile(source, target)


def move(source, target):
    part = target.with_name('.moving')
    shutil.copyfile(source, part)
    os.replace(part, target)


def in_pieces(source, target):
    data = source.read_bytes()
    with open(target, 'wb', buffering=0) as out:
        for at in range(0, len(data), len(data) // 10 + 1):
            out.write(data[at:at + len(data) // 10 + 1])
            time.sleep(0.1)


@pytest.mark.parametrize('put', [copy_over, move, in_pieces])
def test_replacing_switches_to_the_new_code_without_losing_a_call(put):
    with Daemon() as d, Callers(d) as callers:
        target = d.deploy_folder / 'hello.so'
        put(HELLO_V2, target)  # replaces the bundled one
        wait_for_greeting(d, 'Howdy')
        begun = time.monotonic()
        put(HELLO_V3, target)
        wait_for_greeting(d, 'Salut')
        assert time.monotonic() - begun < (LIVE_WITHIN + 1) * SLOWNESS
        time.sleep(0.2)
        assert callers.latest() == 'Salut'

        target.unlink()
        wait_for_greeting(d, 'Hello')
        d.wait_for('plugin.unloaded', version='3.0.0')


def test_half_a_file_is_refused_once_and_what_serves_goes_on():
    with Daemon() as d, Callers(d):
        target = d.deploy(HELLO_V2, 'hello.so')
        wait_for_greeting(d, 'Howdy')
        target.write_bytes(HELLO_V3.read_bytes()[:20_000])
        refused = d.wait_for('plugin.refused')
        assert 'hello.so' in refused['file'] and refused['reason']
        time.sleep(1)
        assert len(d.events('plugin.refused')) == 1
        assert d.say_hi('x') == 'Howdy x'
        status, answer = d.admin('GET', '/plugins')
        states = {each['state'] for each in answer['plugins']}
        assert 'refused' in states and 'active' in states

        move(HELLO_V3, target)
        wait_for_greeting(d, 'Salut')


@pytest.mark.parametrize('name', ['broken/text.so', 'broken/empty.so', 'broken/cut_75.so', 'bad/load_crash.so',
                                  'bad/load_leave.so', 'bad/start_throws.so'])
def test_bad_plugins_harm_nothing(name):
    with Daemon() as d, Callers(d):
        d.deploy(PLUGINS / name, 'bad.so')
        wait_until(lambda: d.events('plugin.refused') or d.events('plugin.failed'))
        d.deploy(ECHO)
        wait_for_status(d, '/test/echo?wsdl', 200)


def test_newcomer_that_wants_a_path_of_another_is_refused():
    with Daemon() as d, Callers(d):
        d.deploy(PLUGINS / 'bad' / 'takes_a_path.so')
        reason = d.wait_for('plugin.refused')['reason']
        assert '/cxf/HelloWorld' in reason and 'HelloWorld' in reason
        assert d.say_hi('x') == 'Hello x'


def test_the_configuration_wins_over_a_plugins_own_path():
    config = 'endpoints: {Echo: {http: [/one, /two]}, Mirror: {to: service:Echo, http: /mirror}}\n'
    with Daemon(config=config, plugins=[ECHO]) as d:
        for path, status in (('/one', 200), ('/two', 200), ('/mirror', 200), ('/test/echo', 404)):
            assert d.request('GET', path + '?wsdl')[0] == status, path
        named = {each['name']: each for each in d.admin('GET', '/endpoints')[1]['endpoints']}
        assert named['Echo']['paths'] == ['/one', '/two']
        assert named['Mirror']['service'] == 'Echo'


def test_endpoint_of_the_file_waits_serves_and_waits_again():
    with Daemon(config='endpoints: {Echo: {http: /echo}}\n') as d:
        assert d.request('GET', '/echo?wsdl')[0] == 503
        assert d.admin('GET', '/readyz')[0] == 503
        d.deploy(ECHO)
        wait_for_status(d, '/echo?wsdl', 200)
        assert d.admin('GET', '/readyz')[0] == 200
        d.undeploy('echo.so')
        wait_for_status(d, '/echo?wsdl', 503)
        assert d.admin('GET', '/readyz')[0] == 200  # the others keep their traffic
        assert [each['state'] for each in d.admin('GET', '/endpoints')[1]['endpoints']] == ['waiting', 'serving']


def test_deploying_again_and_again_leaves_nothing_behind():
    with Daemon() as d:
        maps = None
        for i in range(15):
            d.deploy(ECHO)
            wait_for_status(d, '/test/echo?wsdl', 200)
            if i % 3 == 0:
                d.deploy(PLUGINS / 'bad' / 'start_throws.so', 'bad.so')
                d.wait_for('plugin.failed', count=i // 3 + 1)
                d.undeploy('bad.so')
            d.undeploy('echo.so')
            wait_for_status(d, '/test/echo?wsdl', 404)
            d.wait_for('plugin.unloaded', count=i + 1, plugin='echo')
            here = len([line for line in open('/proc/%d/maps' % d.pid) if '.so' in line])
            maps = maps or here
            assert here == maps


def test_same_size_and_older_time_is_noticed_and_the_same_content_is_not():
    with Daemon() as d, Callers(d):
        target = d.deploy(HELLO_V2, 'hello.so')
        wait_for_greeting(d, 'Howdy')
        old = d.folder / 'old.so'
        shutil.copyfile(HELLO_V3, old)
        a_year_ago = time.time() - 365 * 86_400
        os.utime(old, (a_year_ago, a_year_ago))
        os.replace(old, target)
        wait_for_greeting(d, 'Salut', timeout=LIVE_WITHIN)

        count = len(d.events('plugin.replaced'))
        move(HELLO_V3, target)
        time.sleep(1)
        assert len(d.events('plugin.replaced')) == count


def test_bundled_plugins_can_be_left_out_and_hidden():
    with Daemon(args=['--set', 'plugins.bundled=false']) as d:
        assert d.request('GET', '/cxf/HelloWorld?wsdl')[0] == 404
        assert d.admin('GET', '/plugins')[1]['plugins'] == []
    with Daemon() as d:
        (d.deploy_folder / 'hello.disabled').touch()
        wait_for_status(d, '/cxf/HelloWorld?wsdl', 404)
        (d.deploy_folder / 'hello.disabled').unlink()
        wait_for_status(d, '/cxf/HelloWorld?wsdl', 200)


def test_a_contract_beside_the_plugin_is_served():
    with Daemon() as d:
        for name in ('first.wsdl', 'first.xsd', 'first.so'):
            d.deploy(PLUGINS / name)
        endpoint = wait_until(lambda: next((each for each in d.admin('GET', '/endpoints')[1]['endpoints']
                                            if each['plugin'] == 'stock'), None))
        status, _, body = d.request('GET', endpoint['paths'][0] + '?wsdl')
        assert status == 200
        assert d.url.encode() + endpoint['paths'][0].encode() in body


def test_reload_and_redeploy_at_once_lose_nothing():
    with Daemon(config='endpoints: {}\n') as d, Callers(d, clients=3):
        target = d.deploy_folder / 'hello.so'
        for i in range(6):
            move((HELLO_V2, HELLO_V3)[i % 2], target)
            for j in range(5):
                d.config_file.write_text('endpoints: {Other: {to: service:HelloWorld, http: /other%d}}\n' % j)
                assert d.admin('POST', '/reload')[0] == 200
                assert d.say_hi('x', path='/other%d' % j).endswith(' x')
            wait_for_greeting(d, ('Howdy', 'Salut')[i % 2])


def test_the_sources_of_the_bundled_hello_are_as_short_as_promised():
    lines = (ROOT / 'plugins' / 'bundled' / 'hello' / 'hello.cpp').read_text().splitlines()
    assert len(lines) <= 30


BAD = PLUGINS / 'bad'


def test_a_plugin_that_does_not_end_while_it_is_tried_out_keeps_nobody_waiting(tmp_path):
    with Daemon(folder=tmp_path) as d:
        for name in 'load_sleep', 'load_spin', 'load_eat':
            d.deploy(BAD / (name + '.so'), 'a-%s.so' % name)
        wait_until(lambda: sum('being tried out' in each['reason'] for each in d.admin('GET', '/plugins')[1]['plugins']) >= 2,
                   what='the trials')
        with Callers(d):
            d.deploy(HELLO_V2, 'hello.so')
            wait_for_greeting(d, 'Howdy', LIVE_WITHIN * SLOWNESS)
        assert not d.events('plugin.refused', file=str(tmp_path / 'state' / 'deploy' / 'a-load_sleep.so'))
        # Removed while it is tried out: nothing of it is left to wait for.
        d.undeploy('a-load_sleep.so')
        wait_until(lambda: not any(each['file'] == 'a-load_sleep.so' for each in d.admin('GET', '/plugins')[1]['plugins']))
        begin = time.monotonic()
        assert d.stop() == 0
        assert time.monotonic() - begin < 3 * SLOWNESS


def test_a_start_waits_for_such_a_plugin_only_for_a_moment(tmp_path):
    deploy = tmp_path / 'state' / 'deploy'
    deploy.mkdir(parents=True)
    shutil.copy(BAD / 'load_sleep.so', deploy / 'first.so')
    shutil.copy(HELLO_V2, deploy / 'hello.so')
    begin = time.monotonic()
    with Daemon(folder=tmp_path) as d:
        assert d.say_hi('x') == 'Howdy x'
        assert time.monotonic() - begin < 6 * SLOWNESS
        assert not d.events('plugin.refused')
        d.wait_for('plugin.refused', timeout=30 * SLOWNESS)
        assert d.say_hi('x') == 'Howdy x'
