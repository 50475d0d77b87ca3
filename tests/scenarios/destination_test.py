"""Endpoints and services that send to queues and topics: a real daemon, its command and its disk."""
import json
import shlex
import socket
import struct
import time

from postbus_daemon import PLUGINS, SLOWNESS, SOAP11, SOAP12, Daemon, say_hi_envelope, sleep_envelope, wait_until
from queue_command import figures, open_exchanges, queue, received

ENDINGS = 'urn:postbus:test:endings'


def ending(operation, how):
    return ('<s:Envelope xmlns:s="%s"><s:Body><e:%s xmlns:e="%s"><how>%s</how></e:%s></s:Body></s:Envelope>'
            % (SOAP11, operation, ENDINGS, how, operation)).encode()


IN_OUT = """
endpoints:
  HelloWorld: {http: [], queue: hello.requests}
  Front: {http: /front, to: 'queue:hello.requests'}
"""


def test_an_answer_comes_back_over_the_queue():
    with Daemon(config=IN_OUT) as d:
        assert d.say_hi('Bob', path='/front') == 'Hello Bob'
        status, headers, body = d.soap('/front', say_hi_envelope('Eve', SOAP12), 'application/soap+xml; charset=utf-8')
        assert (status, headers['Content-Type']) == (200, 'application/soap+xml; charset=utf-8')
        assert b'Hello Eve' in body
        kept = d.connection()
        for i in range(20):
            assert d.say_hi('N%d' % i, path='/front', connection=kept) == 'Hello N%d' % i
        kept.close()
        assert figures(d, 'hello.requests')['depth'] == 0
        wait_until(lambda: open_exchanges(d) == 0)
        shown, = [each for each in d.admin('GET', '/endpoints')[1]['endpoints'] if each['name'] == 'Front']
        assert (shown['service'], shown['state']) == ('queue:hello.requests', 'serving')


def test_a_fault_is_told_in_the_terms_of_the_caller():
    wrong = b'<s:Envelope xmlns:s="%s"><s:Body><x/></s:Body></s:Envelope>'
    with Daemon(config=IN_OUT) as d:
        status, _, body = d.soap('/front', wrong % SOAP11.encode())
        assert status == 500 and b'<faultcode>soap:Client</faultcode>' in body
        assert b'has no operation for element' in body
        status, headers, body = d.soap('/front', wrong % SOAP12.encode(), 'application/soap+xml')
        assert status == 400 and b'soap:Sender' in body
        assert d.request('GET', '/front')[0] == 405
        status, _, body = d.request('POST', '/front', b'x', {'Content-Type': ''})
        assert status == 415 and b'no Content-Type' in body


def test_in_only_is_accepted_when_the_queue_has_it_for_good():
    config = ("endpoints:\n  Orders: {http: /orders, to: 'queue:orders', send: {pattern: in-only, priority: 7}}\n"
              "queues: {orders: {max-messages: 2}}\n")
    with Daemon(config=config) as d:
        for i in range(2):
            assert d.soap('/orders', b'<order>%d</order>' % i)[::2] == (202, b'')
        d.kill()
        d.start()
        status, headers, body = d.soap('/orders', b'<order>2</order>')
        assert status == 503 and b'queue:orders' in body and b'full' in body

        first, second = received(d, 'orders', 2)
        assert (first['body'], second['body']) == ('<order>0</order>', '<order>1</order>')
        assert first['priority'] == 7
        assert first['properties'] == {
            'SOAPJMS_bindingVersion': '1.0', 'SOAPJMS_requestURI': 'jms:queue:orders', 'SOAPJMS_isFault': False,
            'SOAPJMS_contentType': 'text/xml; charset=utf-8', 'PostbusHops': 1}
        assert not first.get('replyTo')
        queue(d, 'pause', 'orders', '--in')
        status, _, body = d.soap('/orders', b'<order/>')
        assert status == 503 and b'paused' in body
        assert d.events('destination.failed', endpoint='Orders')
        wait_until(lambda: open_exchanges(d) == 0)


def test_the_deadline_ends_the_wait_and_the_message():
    config = "endpoints:\n  Front: {http: /front, to: 'queue:nobody', limits: {timeout: 300ms}}\n"
    with Daemon(config=config) as d:
        begin = time.monotonic()
        status, _, body = d.soap('/front', say_hi_envelope('Bob'))
        assert 0.2 < time.monotonic() - begin < 5 * SLOWNESS
        assert status == 500 and b'queue:nobody: no answer came in time' in body
        wait_until(lambda: figures(d, 'nobody')['depth'] == 0, what='the end of the message')
        wait_until(lambda: open_exchanges(d) == 0)


def test_a_caller_that_goes_away_leaves_nothing_behind():
    with Daemon(config="endpoints:\n  Front: {http: /front, to: 'queue:slow'}\n") as d:
        gone = d.connection()
        gone.request('POST', '/front', say_hi_envelope('Bob'), {'Content-Type': 'text/xml'})
        wait_until(lambda: figures(d, 'slow')['depth'] == 1)
        # With a reset: half a close could be a caller that has said all and waits.
        gone.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        gone.close()
        wait_until(lambda: open_exchanges(d) == 0)


def test_the_pattern_says_what_may_come_back():
    config = """
endpoints:
  Endings: {queue: endings}
  Robust: {http: /robust, to: 'queue:endings', send: {pattern: RobustInOnly}, limits: {timeout: 500ms}}
  Optional: {http: /optional, to: 'queue:endings', send: {pattern: in-opt-out}, limits: {timeout: 500ms}}
"""
    with Daemon(config=config, plugins=[PLUGINS / 'endings_v1.so']) as d:
        begin = time.monotonic()
        assert d.soap('/robust', ending('robust', 'reply'))[::2] == (202, b'')
        assert time.monotonic() - begin > 0.3
        status, _, body = d.soap('/robust', ending('robust', 'throw'))
        assert status == 500 and b'thrown' in body
        # An answer has no place there; the message was worked on all the same.
        assert d.soap('/robust', ending('inline', 'reply'))[::2] == (202, b'')

        status, _, body = d.soap('/optional', ending('optional', 'reply'))
        assert status == 200 and b'<how>reply</how>' in body
        assert d.soap('/optional', ending('optional', 'forget'))[::2] == (202, b'')
        wait_until(lambda: open_exchanges(d) == 0)


def test_a_service_of_the_bus_reaches_a_queue_by_the_endpoints_name():
    config = """
endpoints:
  HelloWorld: {http: [], queue: hello.requests}
  Front: {to: 'queue:hello.requests'}
"""
    ask = ('<s:Envelope xmlns:s="%s"><s:Body><c:ask xmlns:c="urn:postbus:test:caller"><endpoint>%%s</endpoint>'
           '<text>Bob</text></c:ask></s:Body></s:Envelope>' % SOAP11)
    with Daemon(config=config, plugins=[PLUGINS / 'caller.so']) as d:
        status, _, body = d.soap('/test/caller', ask % 'Front')
        assert status == 200 and b'Hello Bob' in body, body


def test_messages_that_run_in_a_circle_come_to_an_end():
    config = """
endpoints:
  A: {queue: {name: a, consumers: 20}, to: 'queue:b'}
  B: {http: /b, queue: {name: b, consumers: 20}, to: 'queue:a'}
  C: {queue: c, to: 'queue:d', send: {pattern: in-only}}
  D: {http: /d, queue: d, to: 'queue:c', send: {pattern: in-only}}
"""
    with Daemon(config=config) as d:
        assert d.soap('/d', say_hi_envelope('Bob'))[0] == 202
        wait_until(lambda: figures(d, 'DLQ.c')['depth'] + figures(d, 'DLQ.d')['depth'] == 1)
        dead, = json.loads(queue(d, 'browse', 'DLQ.d', '--json'))['messages']
        assert 'they call each other in a circle' in dead['deadLetter']['reason']
        status, _, body = d.soap('/b', say_hi_envelope('Bob'), timeout=30)
        assert status == 500 and b'they call each other in a circle' in body
        wait_until(lambda: open_exchanges(d) == 0)
        assert d.running()


TOPIC = """
endpoints:
  Publish: {http: /publish, to: 'topic:news'}
  A: {topic: news, to: 'queue:a', send: {pattern: in-only}}
%s
  Half: {topic: {name: news, subscription: halves}, to: 'queue:halves', send: {pattern: in-only}}
  OtherHalf: {topic: {name: news, subscription: halves}, to: 'queue:halves', send: {pattern: in-only}}
  Urgent: {topic: {name: news, selector: "SOAPJMS_soapAction = 'urgent'"}, to: 'queue:urgent', send: {pattern: in-only}}
"""
B = "  B: {topic: {name: news, consumers: 2}, to: 'queue:b', send: {pattern: in-only}}"


def publish(daemon, text, action=''):
    status, _, body = daemon.request('POST', '/publish', text, {'Content-Type': 'text/xml', 'SOAPAction': action})
    assert (status, body) == (202, b'')


def test_each_subscription_gets_a_copy_of_what_is_published(tmp_path):
    with Daemon(config=TOPIC % B, folder=tmp_path) as d:
        for i in range(4):
            publish(d, '<n>%d</n>' % i, '"urgent"' if i == 2 else '')

        everything = ['<n>%d</n>' % i for i in range(4)]
        assert [each['body'] for each in received(d, 'a', 4)] == everything
        assert sorted(each['body'] for each in received(d, 'b', 4)) == everything
        assert sorted(each['body'] for each in received(d, 'halves', 4)) == everything
        assert [each['body'] for each in received(d, 'urgent')] == ['<n>2</n>']
        assert figures(d, 'halves')['depth'] == 0
        shown = {each['name']: each.get('queue') for each in d.admin('GET', '/endpoints')[1]['endpoints']}
        assert shown['A'] == 'topic:news'

        # A durable subscription gathers while nobody listens to it.
        d.config_file.write_text(TOPIC % '')
        assert d.postbus('reload').returncode == 0
        d.wait_for('queue.endpoint.gone', endpoint='B')
        publish(d, '<later/>')
        assert [each['body'] for each in received(d, 'a')] == ['<later/>']
        d.kill()
        d.config_file.write_text(TOPIC % B)
        d.start()
        assert [each['body'] for each in received(d, 'b')] == ['<later/>']


def test_a_subscription_that_nobody_needs_any_more_can_be_removed(tmp_path):
    with Daemon(config=TOPIC % B, folder=tmp_path) as d:
        subscription = 'topic/news/shared-durable//B'
        refused = d.postbus('queue', 'remove', subscription)
        assert refused.returncode == 1 and 'has consumers' in refused.stderr
        d.config_file.write_text(TOPIC % '')
        assert d.postbus('reload').returncode == 0
        d.wait_for('queue.endpoint.gone', endpoint='B')
        publish(d, '<gathered/>')
        wait_until(lambda: figures(d, subscription)['depth'] == 1)

        queue(d, 'remove', subscription)

        assert subscription not in queue(d, 'list', '--json')
        publish(d, '<more/>')
        assert [each['body'] for each in received(d, 'a', 2)] == ['<gathered/>', '<more/>']
        d.kill()
        d.start()
        assert subscription not in queue(d, 'list', '--json')
        missing = d.postbus('queue', 'remove', 'nothing')
        assert missing.returncode == 1 and 'nothing' in missing.stderr


def test_a_subscription_with_another_selector_is_told_of_and_the_rest_goes_on(tmp_path):
    one = "endpoints:\n  A: {topic: {name: t, selector: \"JMSPriority > 5\"}, to: 'queue:a', send: {pattern: in-only}}\n"
    with Daemon(config=one, folder=tmp_path) as d:
        d.config_file.write_text(one.replace('> 5', '> 6'))
        assert d.postbus('reload').returncode == 0
        refused = d.wait_for('queue.endpoint.refused', endpoint='A')
        assert refused['queue'] == 'topic:t' and 'another topic or selector' in refused['reason']

        told = "takes nothing from topic:t: subscription 'A' has another topic or selector"
        shown = d.postbus('endpoints').stdout
        assert f'A: {told}' in shown and 'unreachable' in shown
        assert f'endpoint A {told}' in d.postbus('status').stdout
        remedy = refused['reason'].partition('postbus ')[2]
        assert d.postbus(*shlex.split(remedy)).returncode == 0
        assert d.postbus('reload').returncode == 0
        assert 'takes nothing' not in d.postbus('endpoints').stdout + d.postbus('status').stdout
        d.wait_for('queue.endpoint.serving', endpoint='A', count=2)


def test_attempts_and_dead_letters_of_a_subscription_are_the_endpoints_to_say(tmp_path):
    config = """
endpoints:
  Publish: {http: /publish, to: 'topic:t'}
  Types:
    topic: {name: t, retry: {attempts: 2, delay: 10ms}, dead-letter: lost}
    limits: {timeout: 200ms}
"""
    with Daemon(config=config, plugins=[PLUGINS / 'types.so'], folder=tmp_path) as d:
        assert d.soap('/publish', sleep_envelope(1000))[0] == 202
        dead, = received(d, 'lost')
        assert 'sleep' in dead['body']
        told = d.wait_for('queue.message.dead')
        assert (told['queue'], told['attempts']) == ('topic/t/shared-durable//Types', 2)
