"""Services behind queues: a real daemon, its command and its disk."""
import json
import os
import re
import signal
import time
from pathlib import Path

import pytest
from postbus_daemon import BIN, HELLO_PATH, PLUGINS, Daemon, sanitized, say_hi_envelope, sleep_envelope, wait_until

BUILD = Path(os.environ.get('POSTBUS_BUILD_DIR', BIN.parent))
CONFIG = 'endpoints:\n  HelloWorld: {queue: hello.requests}\n'


@pytest.fixture
def request_file(tmp_path):
    file = tmp_path / 'request.xml'
    file.write_bytes(say_hi_envelope('Bob'))
    return file


def queue(daemon, *args, **kwargs):
    done = daemon.postbus('queue', *args, **kwargs)
    assert done.returncode == 0, done.stderr
    return done.stdout


def received(daemon, name, count=1, wait='10s'):
    return json.loads(queue(daemon, 'receive', name, '--count', count, '--wait', wait, '--json'))['messages']


def browsed(daemon, name, *args):
    return json.loads(queue(daemon, 'browse', name, '--json', *args))['messages']


def figures(daemon, name):
    for each in json.loads(queue(daemon, 'list', '--json'))['queues']:
        if each['name'] == name:
            return each
    return {'depth': 0, 'inFlight': 0}


def depth(daemon, name):
    return figures(daemon, name)['depth']


def send(daemon, name, file, *args):
    return queue(daemon, 'send', name, file, *args).strip()


def test_a_soap_request_is_answered_on_its_reply_queue(request_file):
    with Daemon(config=CONFIG) as d:
        sent = send(d, 'hello.requests', request_file, '--soap', '--soap-action', 'urn:hi', '--reply-to', 'answers')

        answer, = received(d, 'answers')

        assert '<return>Hello Bob</return>' in answer['body']
        assert answer['correlationId'] == sent
        assert answer['contentType'] == 'text/xml; charset=utf-8'
        assert answer['properties'] == {'SOAPJMS_bindingVersion': '1.0', 'SOAPJMS_isFault': False,
                                        'SOAPJMS_contentType': 'text/xml; charset=utf-8'}
        assert depth(d, 'hello.requests') == 0
        assert d.say_hi('Eve') == 'Hello Eve'
        assert d.admin('GET', '/endpoints')[1]['endpoints'][0]['queue'] == 'hello.requests'


def test_faults_of_the_binding_come_as_answers(request_file):
    with Daemon(config=CONFIG) as d:
        send(d, 'hello.requests', request_file, '--property', 'SOAPJMS_bindingVersion=1.0', '--reply-to', 'answers',
             '--correlation-id', 'mine', '--property', 'SOAPJMS_requestURI=jms:queue:')

        answer, = received(d, 'answers')

        assert answer['properties']['SOAPJMS_isFault'] is True
        assert answer['correlationId'] == 'mine'
        assert 'sub:malformedRequestURI' in answer['body'] and 'http://www.w3.org/2010/soapjms/' in answer['body']


def test_what_nobody_waits_for_is_set_aside_with_the_reason_and_comes_back(tmp_path, request_file):
    with Daemon(config=CONFIG) as d:
        broken = tmp_path / 'broken.xml'
        broken.write_text('<not-soap/>')
        send(d, 'hello.requests', broken)
        wait_until(lambda: depth(d, 'DLQ.hello.requests') == 1)

        dead, = browsed(d, 'DLQ.hello.requests', '--bodies')

        assert dead['body'] == '<not-soap/>'
        assert dead['deadLetter']['origin'] == 'hello.requests'
        assert 'not an Envelope' in dead['deadLetter']['reason']
        assert d.events('queue.message.dead', queue='hello.requests')
        assert 'not an Envelope' in queue(d, 'browse', 'DLQ.hello.requests')

        assert queue(d, 'retry', 'DLQ.hello.requests', '--number', dead['number']) == '1 message\n'
        d.wait_for('queue.message.dead', count=2)
        wait_until(lambda: depth(d, 'DLQ.hello.requests') == 1)  # it is told before the disk has it
        assert queue(d, 'move', 'DLQ.hello.requests', 'elsewhere') == '1 message\n'
        assert queue(d, 'purge', 'elsewhere') == '1 message\n'
        assert depth(d, 'elsewhere') == depth(d, 'DLQ.hello.requests') == 0


def test_a_killed_daemon_answers_every_request_after_its_start(tmp_path):
    count = 30
    config = 'endpoints:\n  Types: {queue: {name: types.requests, consumers: 4}}\n'
    with Daemon(config=config, plugins=[PLUGINS / 'types.so'], folder=tmp_path) as d:
        file = tmp_path / 'sleep.xml'
        file.write_bytes(sleep_envelope(60))
        sent = [send(d, 'types.requests', file, '--soap', '--reply-to', 'answers') for _ in range(count // 2)]
        queue(d, 'pause', 'types.requests', '--out')
        sent += [send(d, 'types.requests', file, '--soap', '--reply-to', 'answers') for _ in range(count // 2)]
        queue(d, 'resume', 'types.requests')
        for _ in range(3):
            wait_until(lambda: figures(d, 'types.requests')['inFlight'] > 0 or depth(d, 'types.requests') == 0)
            d.kill()
            d.start()

        wait_until(lambda: depth(d, 'types.requests') == 0, timeout=30)
        answered = set()
        while depth(d, 'answers'):
            answered |= {each['correlationId'] for each in received(d, 'answers', count=100, wait='1s')}
        assert answered == set(sent)
        assert depth(d, 'DLQ.types.requests') == 0


def test_a_stop_that_can_not_wait_keeps_what_is_not_answered(tmp_path):
    config = 'endpoints:\n  Types: {queue: types.requests}\nshutdown: {drain: 200ms}\n'
    with Daemon(config=config, plugins=[PLUGINS / 'types.so'], folder=tmp_path) as d:
        slow, quick = tmp_path / 'slow.xml', tmp_path / 'quick.xml'
        slow.write_bytes(sleep_envelope(1500))
        quick.write_bytes(sleep_envelope(1))
        sent = {send(d, 'types.requests', slow, '--soap', '--reply-to', 'answers'),
                send(d, 'types.requests', quick, '--soap', '--reply-to', 'answers')}
        wait_until(lambda: d.admin('GET', '/exchanges')[1]['total'] == 1)

        assert d.stop() == 0
        assert d.events('queue.stop.expired', requests=1)
        d.start()

        assert {each['correlationId'] for each in received(d, 'answers', count=2)} == sent


def test_paused_queues_refuse_or_hold(request_file):
    with Daemon(config=CONFIG) as d:
        queue(d, 'pause', 'hello.requests', '--out')
        send(d, 'hello.requests', request_file, '--soap', '--reply-to', 'answers')
        time.sleep(0.3)
        assert depth(d, 'answers') == 0 and depth(d, 'hello.requests') == 1
        assert 'paused out' in queue(d, 'list')

        queue(d, 'pause', 'hello.requests')
        refused = d.postbus('queue', 'send', 'hello.requests', request_file)
        assert refused.returncode == 1 and 'paused' in refused.stderr

        queue(d, 'resume', 'hello.requests')
        assert len(received(d, 'answers')) == 1


def test_a_reload_brings_changes_and_takes_queues_away(request_file):
    with Daemon(config='endpoints: {}\n') as d:
        assert not d.events('queue.recovery.done')
        d.config_file.write_text(CONFIG)
        assert d.postbus('reload').returncode == 0
        send(d, 'hello.requests', request_file, '--reply-to', 'answers')
        assert len(received(d, 'answers')) == 1

        d.config_file.write_text('endpoints:\n  HelloWorld: {queue: {name: other, consumers: 2}, http: []}\n')
        d.signal(signal.SIGHUP)
        d.wait_for('queue.endpoint.serving', queue='other', consumers=2)
        d.wait_for('queue.endpoint.gone', queue='hello.requests')
        send(d, 'other', request_file, '--reply-to', 'answers')
        assert len(received(d, 'answers')) == 1
        assert d.request('GET', HELLO_PATH + '?wsdl')[0] == 404
        send(d, 'hello.requests', request_file, '--reply-to', 'answers')

        d.config_file.write_text('endpoints: {}\n')
        assert d.postbus('reload').returncode == 0
        d.wait_for('queue.endpoint.gone', queue='other')
        assert depth(d, 'hello.requests') == 1 and depth(d, 'answers') == 0


def test_an_endpoint_waits_for_its_service(tmp_path):
    with Daemon(config='endpoints:\n  Types: {queue: types.requests}\n') as d:
        file = tmp_path / 'sleep.xml'
        file.write_bytes(sleep_envelope(1))
        send(d, 'types.requests', file, '--reply-to', 'answers')
        wait_until(lambda: figures(d, 'types.requests')['inFlight'] == 1)
        d.deploy(PLUGINS / 'types.so')

        answer, = received(d, 'answers', wait='20s')

        assert 'slept 1 ms' in answer['body']
        assert not d.events('queue.message.dead')


def test_a_store_that_can_not_be_opened_takes_nothing_else_down(tmp_path, request_file):
    state = tmp_path / 'state'
    state.mkdir()
    (state / 'queues').write_text('in the way')
    with Daemon(config=CONFIG, folder=tmp_path) as d:
        d.wait_for('queue.store.unopened')
        status, ready = d.admin('GET', '/readyz')
        assert status == 503 and 'queue store' in ready['reasons'][0]
        assert d.say_hi('Bob') == 'Hello Bob'
        assert d.postbus('queue', 'send', 'hello.requests', request_file).returncode == 1
        assert d.postbus('queue', 'reopen').returncode == 1

        (state / 'queues').unlink()
        queue(d, 'reopen')

        assert d.admin('GET', '/readyz')[0] == 200
        send(d, 'hello.requests', request_file, '--reply-to', 'answers')
        assert len(received(d, 'answers')) == 1


@pytest.mark.skipif(sanitized(), reason='a sanitizer wants to be the first library that is loaded')
def test_a_store_that_fails_stops_its_endpoints_alone_until_it_is_reopened(tmp_path, request_file):
    plan = tmp_path / 'faults'
    plan.touch()
    faults = {'LD_PRELOAD': str(BUILD / 'tests/integration/queues/libtest_syscall_faults.so'),
              'POSTBUS_FAULTS': str(plan), 'POSTBUS_FAULTS_FOLDER': str(tmp_path / 'state' / 'queues')}
    with Daemon(config=CONFIG, folder=tmp_path, env=faults) as d:
        queue(d, 'pause', 'hello.requests', '--out')
        sent = send(d, 'hello.requests', request_file, '--soap', '--reply-to', 'answers')
        plan.write_text('sync=EIO')

        refused = d.postbus('queue', 'send', 'hello.requests', request_file)

        assert refused.returncode == 1
        d.wait_for('queue.store.failed')
        assert d.admin('GET', '/readyz') == (503, {'ready': False, 'reasons': [
            'the queue store has failed; after the cause is mended: postbus queue reopen']})
        assert 'the store has failed' in queue(d, 'list')
        assert d.say_hi('Bob') == 'Hello Bob'

        plan.write_text('')
        queue(d, 'reopen')
        assert d.admin('GET', '/readyz')[0] == 200
        queue(d, 'resume', 'hello.requests')
        assert sent in {each['correlationId'] for each in received(d, 'answers', count=2, wait='3s')}


def test_a_folder_is_no_message(tmp_path):
    with Daemon() as d:
        done = d.postbus('queue', 'send', 'q', tmp_path)
        assert (done.returncode, done.stderr) == (1, 'postbus: cannot read %s\n' % tmp_path)
        assert figures(d, 'q')['depth'] == 0


def test_the_store_is_opened_when_somebody_uses_it(request_file):
    with Daemon() as d:
        assert json.loads(queue(d, 'list', '--json')) == {'store': 'none', 'queues': []}
        assert queue(d, 'list') == 'there are no queues\n'
        assert d.postbus('queue', 'browse', 'nothing').returncode == 1
        assert not (d.state / 'queues').exists()

        send(d, 'box', request_file, '--priority', 2, '--delay', '0s', '--property', 'colour=red', '--property', 'n:=3')
        send(d, 'box', request_file, '--priority', 9, '--type', 'urgent')

        first, second = browsed(d, 'box')
        assert (second['properties'], second['priority']) in [({'colour': 'red', 'n': 3}, 2), ({}, 9)]
        assert received(d, 'box')[0]['type'] == 'urgent'
        assert queue(d, 'receive', 'box', '--selector', "colour = 'red' AND n > 2") == say_hi_envelope('Bob').decode() + '\n'
        assert d.postbus('queue', 'receive', 'box').returncode == 1
        assert d.admin('POST', '/queues/send?queue=box&priority=11', b'x')[0] == 400


@pytest.mark.parametrize('arguments, message', [
    ([], 'queue needs one of'), (['lists'], 'unknown command queue lists'), (['send'], 'queue send needs a queue'),
    (['move', 'a'], 'queue move needs two queues'), (['list', 'x'], 'queue list does not take x'),
    (['purge', 'a', '--bodies'], 'queue purge does not take --bodies')])
def test_usage(arguments, message):
    with_daemon = Daemon(wait=False)  # never started
    done = with_daemon.postbus('queue', *arguments)
    assert done.returncode == 2
    assert re.search(message, done.stderr)
