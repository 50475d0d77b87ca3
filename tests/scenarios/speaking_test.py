"""Services that speak first: messages of their own to queues, topics and callback addresses."""
import re
import socket
from pathlib import Path

import pytest
from postbus_daemon import PLUGINS, SOAP11, Daemon, say_hi_envelope, wait_until
from queue_command import figures, open_exchanges, queue, received
from script_backend import Backend

ROOT = Path(__file__).resolve().parents[2]

SPEAKER = """
endpoints:
  HelloWorld: {http: /hello, queue: hello.requests}
  Speaker:
    out:
      greet: "queue:hello.requests"
      call: "http://127.0.0.1:%d/hello"
      nowhere: {to: "queue:nobody", timeout: 300ms}
      tell: "topic:news"
      refused: "http://127.0.0.1:1/"
      alert:
        addresses: ["http://127.0.0.1:%d/*", "jms:queue:alerts.*", "http://127.0.0.1:1/gone"]
        timeout: 300ms
        send: {priority: 7}
      both: {to: "queue:usual", addresses: ["jms:queue:unusual"]}
  Archive: {topic: news, to: "queue:archive", send: {pattern: in-only}}
"""


def say(daemon, pattern, message, text='Bob', operation='say', address=''):
    envelope = ('<s:Envelope xmlns:s="%s"><s:Body><p:%s xmlns:p="urn:postbus:test:speaker"><pattern>%s</pattern>'
                '<message>%s</message><text>%s</text><address>%s</address></p:%s></s:Body></s:Envelope>'
                % (SOAP11, operation, pattern, message, text, address, operation))
    status, _, body = daemon.soap('/test/speaker', envelope)
    assert status == 200, body
    return re.search(rb'<text>(.*)</text>', body, re.S)[1].decode()


@pytest.fixture(scope='module')
def speaker():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    with Daemon(config=SPEAKER % (port, port), plugins=[PLUGINS / 'speaker.so'], free_ports=False, args=[
            '--set', 'transports.http.listen=["127.0.0.1:%d"]' % port, '--set', 'admin.listen=127.0.0.1:0']) as d:
        yield d
        wait_until(lambda: open_exchanges(d) == 0)


@pytest.mark.parametrize('message', ['greet', 'call'])
def test_a_service_that_speaks_first_gets_its_answer(speaker, message):
    assert say(speaker, 'out-in', message) == 'answer: Hello Bob'
    assert say(speaker, 'out-opt-in', message) == 'answer: Hello Bob'
    # What the pattern has no place for is not passed on.
    assert say(speaker, 'out-only', message) == 'done'


def test_a_message_is_out_only_on_a_topic(speaker):
    assert say(speaker, 'out-only', 'tell', 'everybody') == 'done'
    told, = received(speaker, 'archive')
    assert '>everybody<' in told['body']
    assert told['properties']['SOAPJMS_requestURI'] == 'jms:queue:archive'
    assert 'is a topic: what is published there is out-only' in say(speaker, 'out-in', 'tell')


def test_nothing_that_comes_back_ends_the_exchange_as_its_pattern_says(speaker):
    assert say(speaker, 'out-in', 'nowhere') == 'fault: queue:nobody: no answer came in time'
    assert say(speaker, 'out-opt-in', 'nowhere') == 'done'
    assert say(speaker, 'robust-out-only', 'nowhere') == 'done'
    assert say(speaker, 'out-only', 'nowhere') == 'done'
    # The out-only one waits for a taker; the others expire with the wait.
    wait_until(lambda: figures(speaker, 'nobody')['depth'] == 1)
    queue(speaker, 'purge', 'nobody')


def test_a_fault_comes_back_where_the_pattern_has_a_place_for_it(speaker):
    queue(speaker, 'pause', 'hello.requests', '--in')
    for pattern in 'out-only', 'robust-out-only', 'out-in', 'out-opt-in':
        assert 'paused' in say(speaker, pattern, 'greet')
        assert say(speaker, pattern, 'refused').startswith('fault: ')
    queue(speaker, 'resume', 'hello.requests')


def test_what_is_not_configured_is_told_with_the_remedy(speaker):
    assert say(speaker, 'out-only', 'unknown') == (
        'fault: the configuration does not say where unknown of service Speaker goes to: give its endpoint out: '
        '{unknown: queue:NAME}, topic:NAME or http://HOST:PORT/PATH')
    assert 'can\'t wait' in say(speaker, 'out-in', 'greet', operation='sayOnLoop')


def test_a_message_may_outlive_the_call_that_caused_it(speaker):
    assert say(speaker, 'out-in', 'greet', 'Later', operation='sayLater') == 'later'
    wait_until(lambda: 'it said: answer: Hello Later' in speaker.log())
    shown = {each['name']: each for each in speaker.admin('GET', '/endpoints')[1]['endpoints']}
    assert shown['Speaker#greet']['service'] == 'queue:hello.requests'


def test_the_end_of_the_daemon_waits_no_longer_for_answers_than_for_others(tmp_path):
    config = ("endpoints:\n  Speaker: {out: {nowhere: {to: 'queue:nobody', timeout: 25s}}}\n"
              "  Front: {http: /front, to: 'queue:nobody', limits: {timeout: 25s}}\nshutdown: {drain: 500ms}\n")
    with Daemon(config=config, plugins=[PLUGINS / 'speaker.so'], folder=tmp_path) as d:
        assert say(d, 'out-in', 'nowhere', operation='sayLater') == 'later'
        caller = d.connection(timeout=30)
        caller.request('POST', '/front', say_hi_envelope('Bob'), {'Content-Type': 'text/xml'})
        wait_until(lambda: figures(d, 'nobody')['depth'] == 2)
        assert d.stop(timeout=15) == 0
        assert caller.getresponse().status == 503
        caller.close()


def test_a_service_that_is_removed_takes_no_exchange_with_it(tmp_path):
    config = "endpoints:\n  Speaker: {out: {nowhere: {to: 'queue:nobody', timeout: 2s}}}\n"
    with Daemon(config=config, plugins=[PLUGINS / 'speaker.so'], folder=tmp_path) as d:
        assert say(d, 'out-in', 'nowhere', operation='sayLater') == 'later'
        d.undeploy('speaker.so')
        d.wait_for('plugin.unloaded', plugin='speaker')
        assert 'it said: fault' in d.log()
        wait_until(lambda: open_exchanges(d) == 0)


def hello(daemon):
    return daemon.url + '/hello'


def test_a_message_goes_to_the_address_that_its_receiver_has_given(speaker):
    assert say(speaker, 'out-in', 'alert', address=hello(speaker)) == 'answer: Hello Bob'
    assert say(speaker, 'out-only', 'alert', 'here', address='jms:queue:alerts.mine') == 'done'
    told, = received(speaker, 'alerts.mine')
    assert '>here<' in told['body'] and told['priority'] == 7
    # What the address itself says of its messages goes before the configuration.
    assert say(speaker, 'out-only', 'alert', address='jms:queue:alerts.mine?priority=2&amp;targetService=Eve') == 'done'
    told, = received(speaker, 'alerts.mine')
    assert (told['priority'], told['properties']['SOAPJMS_targetService']) == (2, 'Eve')


def test_each_receiver_gets_its_own():
    bodies = []

    def script(peer):
        while request := peer.request():
            bodies.append((request[0].split()[1], request[1]))
            peer.answer(b'', b'202 Accepted', b'')

    with Backend(script) as backend:
        config = 'endpoints: {Speaker: {out: {alert: {addresses: ["%s*"]}}}}\n' % backend.url('/')
        with Daemon(config=config, plugins=[PLUGINS / 'speaker.so']) as d:
            for i in range(300):  # more than are kept ready
                assert say(d, 'robust-out-only', 'alert', 'N%d' % i, address=backend.url('/at/%d' % i)) == 'done'
            assert say(d, 'robust-out-only', 'alert', 'again', address=backend.url('/at/0')) == 'done'
            wait_until(lambda: open_exchanges(d) == 0)
    assert [path for path, _ in bodies] == [b'/at/%d' % i for i in range(300)] + [b'/at/0']
    assert all(b'>N%d<' % i in body for i, (_, body) in enumerate(bodies[:-1]))
    assert backend.connections == 1


@pytest.mark.parametrize('status', [301, 302, 303, 304, 307, 308, 400, 404, 500])
def test_a_receiver_that_redirects_or_refuses_has_not_taken_the_message(status):
    def script(peer):
        while peer.request():
            peer.answer(b'', b'%d It' % status, b'Location: /elsewhere\r\n')

    with Backend(script) as backend:
        config = ('endpoints:\n  Speaker: {out: {alert: {addresses: ["%s*"]}}}\n'
                  '  Onward: {queue: {name: onward, retry: {attempts: 1}}, to: "%s"}\n' % (
                      backend.url('/'), backend.url('/there')))
        with Daemon(config=config, plugins=[PLUGINS / 'speaker.so']) as d:
            for pattern in 'out-only', 'robust-out-only', 'out-in', 'out-opt-in':
                told = say(d, pattern, 'alert', address=backend.url('/x'))
                assert told.startswith('fault: ') and told.endswith('it answered with status %d' % status), told
            queue(d, 'send', 'onward', '--soap', '--content-type', 'text/xml', ROOT / 'examples' / 'say-hi.xml')
            wait_until(lambda: figures(d, 'DLQ.onward')['depth'] == 1)
            wait_until(lambda: open_exchanges(d) == 0)


@pytest.mark.parametrize('address, reason', [
    ('http://127.0.0.1:2/', 'list it in addresses'),
    ('http://127.0.0.1.elsewhere/', 'list it in addresses'),
    ('http://user@127.0.0.1:1/gone', 'list it in addresses'),
    ('jms:queue:others', 'list it in addresses'),
    ('jms:topic:alerts.x', 'list it in addresses'),
    ('nonsense', 'list it in addresses'),
    ('jms:queue:alerts.x?priority=11', 'jms:queue:alerts.x?priority=11'),
    ('http://127.0.0.1:1/gone', 'http://127.0.0.1:1/gone: '),
])
def test_an_address_that_is_not_listed_gets_nothing(speaker, address, reason):
    for pattern in 'out-only', 'robust-out-only', 'out-in', 'out-opt-in':
        told = say(speaker, pattern, 'alert', address=address)
        assert told.startswith('fault: ') and reason in told, told


def test_a_message_without_an_address_goes_where_the_configuration_says(speaker):
    assert say(speaker, 'out-only', 'both', 'one') == 'done'
    assert say(speaker, 'out-only', 'both', 'two', address='jms:queue:unusual') == 'done'
    assert '>one<' in received(speaker, 'usual')[0]['body']
    assert '>two<' in received(speaker, 'unusual')[0]['body']
    assert say(speaker, 'out-only', 'alert') == (
        'fault: Speaker#alert: the message names no address, and the configuration has none for it: give it to: as well')
    assert 'give its endpoint out: {greet: {addresses: [http://HOST:PORT/PATH]}}' in say(
        speaker, 'out-in', 'greet', address=hello(speaker))


def test_the_addresses_can_be_changed_while_messages_are_sent(tmp_path):
    config = 'endpoints: {Speaker: {out: {alert: {addresses: ["jms:queue:%s"]}}}}\n'
    with Daemon(config=config % 'one', plugins=[PLUGINS / 'speaker.so'], folder=tmp_path) as d:
        assert say(d, 'out-only', 'alert', address='jms:queue:one') == 'done'
        d.config_file.write_text(config % 'two')
        assert d.postbus('reload').returncode == 0
        assert say(d, 'out-only', 'alert', address='jms:queue:two') == 'done'
        assert 'list it' in say(d, 'out-only', 'alert', address='jms:queue:one')
        shown = {each['name']: each for each in d.admin('GET', '/endpoints')[1]['endpoints']}
        assert shown['Speaker#alert']['service'] == 'the address of each message'
