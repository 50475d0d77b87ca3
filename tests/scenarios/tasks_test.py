"""Operations that are coroutines, and calls that learn of their cancellation."""
import socket
import struct
import threading

import pytest
from lxml import etree
from postbus_daemon import PLUGINS, SLOWNESS, SOAP11, Daemon, http_request, wait_until

NS = 'urn:postbus:test:tasks'
CONFIG = '''
endpoints:
  Tasks: {http: /test/tasks}
  Short: {to: service:Tasks, http: /test/short, limits: {timeout: 300ms}}
'''


@pytest.fixture(scope='module')
def daemon():
    with Daemon(config=CONFIG, plugins=[PLUGINS / 'tasks.so', PLUGINS / 'patient.so']) as d:
        yield d


def envelope(operation, text='', number=None, ns=NS):
    content = '<text>%s</text>' % text + ('' if number is None else '<number>%d</number>' % number)
    return ('<s:Envelope xmlns:s="%s"><s:Body><t:%s xmlns:t="%s">%s</t:%s></s:Body></s:Envelope>' % (
        SOAP11, operation, ns, content, operation)).encode()


def call(daemon, operation, text='', number=None, path='/test/tasks'):
    """(status, the Body's first element or None)"""
    status, _, body = daemon.soap(path, envelope(operation, text, number), timeout=60)
    return status, etree.fromstring(body).find('{%s}Body' % SOAP11)[0] if body else None


def said(daemon, *args, **kwargs):
    status, element = call(daemon, *args, **kwargs)
    assert status == 200, etree.tostring(element)
    return element.findtext('text')


def counts(daemon):
    body = ('<s:Envelope xmlns:s="%s"><s:Body><t:counts xmlns:t="%s"/></s:Body></s:Envelope>' % (SOAP11, NS)).encode()
    answer = etree.fromstring(daemon.soap('/test/tasks', body)[2]).find('{%s}Body' % SOAP11)[0]
    return {each.tag: int(each.text) for each in answer}


def figures(daemon):
    return daemon.admin('GET', '/status')[1]['exchanges']


def nothing_left(daemon):
    wait_until(lambda: figures(daemon)['open'] == 0, what='the end of all exchanges')
    found = counts(daemon)
    assert (found['alive'], found['held']) == (0, 0)


def test_waits_and_answers(daemon):
    assert said(daemon, 'wait', 'ten', 10) == 'waited for ten'
    nothing_left(daemon)


def test_many_wait_at_once_without_a_thread_each(daemon):
    answers = []
    threads = [threading.Thread(target=lambda i=i: answers.append(said(daemon, 'wait', str(i), 200))) for i in range(60)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(answers) == sorted('waited for %d' % i for i in range(60))
    assert not daemon.events('loop.blocked')
    nothing_left(daemon)


@pytest.mark.parametrize('operation, code, reason', [('throwLater', 'Server', 'broken: x'),
                                                     ('throwAtOnce', 'Client', 'your fault: x'),
                                                     ('rawThrows', 'Server', 'raw and broken')])
def test_what_it_throws_is_the_fault(daemon, operation, code, reason):
    status, fault = call(daemon, operation, 'x')
    assert status == 500
    assert (fault.findtext('faultcode').split(':')[1], fault.findtext('faultstring').split(' (request')[0]) == (code, reason)
    nothing_left(daemon)


def test_gives_all_that_a_function_may_give(daemon):
    assert said(daemon, 'maybe', 'x') == 'x'
    assert call(daemon, 'maybe')[0] == 202
    assert said(daemon, 'outcome', 'x') == 'x'
    assert call(daemon, 'outcome')[1].findtext('faultstring').startswith('nothing')
    assert daemon.soap('/test/tasks', envelope('note', 'x', 1))[0] == 202
    nothing_left(daemon)


def test_a_hundred_thousand_calls_in_a_row_take_no_stack(daemon):
    assert said(daemon, 'many', 'Bob', 100_000) == 'Hello Bob'
    nothing_left(daemon)


def test_goes_on_on_a_worker_where_it_may_wait_and_calls_from_there(daemon):
    for _ in range(20):
        assert said(daemon, 'worker', 'Bob') == 'Hello Bob'
    nothing_left(daemon)


def test_the_call_itself_may_be_a_coroutines(daemon):
    assert said(daemon, 'rawLater', 'x') == 'x'
    before = counts(daemon)['resumed']
    assert said(daemon, 'rawLater', 'goes on') == 'goes on'
    wait_until(lambda: counts(daemon)['resumed'] == before + 1)
    status, fault = call(daemon, 'rawLater', 'dropped')
    assert 'the service dropped the request without an answer' in fault.findtext('faultstring')
    nothing_left(daemon)


def test_one_whose_deadline_passes_is_destroyed_where_it_waits(daemon):
    before = counts(daemon)['resumed']
    status, fault = call(daemon, 'wait', 'x', 60_000, path='/test/short')
    assert 'gave no answer in time' in fault.findtext('faultstring')
    nothing_left(daemon)  # within the time of a test: it did not sleep for a minute
    assert counts(daemon)['resumed'] == before


@pytest.mark.parametrize('operation', ['ask', 'askWorker'])
def test_a_cancelled_callers_call_is_cancelled_too_over_every_hop(daemon, operation):
    before = counts(daemon)
    status, fault = call(daemon, operation, 'Tasks', path='/test/short')
    assert 'gave no answer in time' in fault.findtext('faultstring')
    nothing_left(daemon)
    after = counts(daemon)
    assert after['cancelled'] == before['cancelled'] + 1
    assert after['resumed'] == before['resumed']


@pytest.mark.parametrize('operation', ['wait', 'ask', 'askWorker', 'hold', 'stop'])
def test_a_caller_that_goes_away_is_told_to_the_service(daemon, operation):
    before = counts(daemon)
    abandoned = figures(daemon)['abandoned']
    text = 'Tasks' if operation.startswith('ask') else 'x'
    with socket.create_connection(daemon.address) as connection:
        connection.sendall(http_request('/test/tasks', envelope(operation, text, 60_000)))
        busy = 'held' if operation in ('ask', 'askWorker', 'hold') else 'alive'
        wait_until(lambda: counts(daemon)[busy] == 1, what='the call')
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))  # an abrupt end
    wait_until(lambda: figures(daemon)['abandoned'] > abandoned)
    nothing_left(daemon)
    assert counts(daemon)['cancelled'] == before['cancelled'] + (operation != 'wait')
    assert counts(daemon)['resumed'] == before['resumed']


def test_unloading_waits_for_those_that_wait_and_a_stop_ends_them():
    with Daemon(config=CONFIG + 'shutdown: {drain: %dms}\n' % (500 * SLOWNESS), plugins=[PLUGINS / 'tasks.so']) as daemon:
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(said(daemon, 'wait', 'x', 1500)))
        waiting.start()
        wait_until(lambda: counts(daemon)['alive'] == 1)
        daemon.undeploy('tasks.so')
        daemon.wait_for('plugin.undeployed')
        assert not daemon.events('plugin.unloaded')
        waiting.join()
        assert answers == ['waited for x']
        daemon.wait_for('plugin.unloaded', plugin='tasks')

        daemon.deploy(PLUGINS / 'tasks.so')
        daemon.wait_for('plugin.active', count=2, plugin='tasks')
        with socket.create_connection(daemon.address) as connection:
            connection.sendall(http_request('/test/tasks', envelope('wait', 'x', 60_000)))
            wait_until(lambda: counts(daemon)['alive'] == 1)
            assert daemon.stop() == 0
            assert connection.recv(100).startswith(b'HTTP/1.1 503')
        daemon.wait_for('plugin.unloaded', count=2, plugin='tasks')


def test_the_example_greets_in_turn(daemon):
    body = ('<s:Envelope xmlns:s="%s"><s:Body><p:greetInTurn xmlns:p="urn:patient"><name>Ada</name><name>Bob</name>'
            '</p:greetInTurn></s:Body></s:Envelope>' % SOAP11).encode()
    status, _, answer = daemon.soap('/cxf/Patient', body)
    assert status == 200, answer
    assert etree.fromstring(answer).xpath('//greeting/text()') == ['Hello Ada', 'Hello Bob']
