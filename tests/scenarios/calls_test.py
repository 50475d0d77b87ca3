"""Services that call each other in-process, by the endpoint's name."""
import threading
from xml.sax.saxutils import escape

import pytest
from lxml import etree
from postbus_daemon import PLUGINS, SOAP11, Daemon

NS = 'urn:postbus:test:caller'


@pytest.fixture(scope='module')
def daemon():
    with Daemon(plugins=[PLUGINS / 'caller.so', PLUGINS / 'greeter.so', PLUGINS / 'types.so', PLUGINS / 'echo.so']) as d:
        yield d


def call(daemon, operation, content, path='/test/caller', attributes=''):
    """(status, the Body's first element)"""
    envelope = '<s:Envelope xmlns:s="%s"><s:Body><c:%s xmlns:c="%s" %s>%s</c:%s></s:Body></s:Envelope>' % (
        SOAP11, operation, NS, attributes, content, operation)
    status, _, body = daemon.soap(path, envelope.encode(), timeout=30)
    return status, etree.fromstring(body).find('{%s}Body' % SOAP11)[0]


def ask(daemon, operation, endpoint, text, milliseconds=None):
    limit = '' if milliseconds is None else '<milliseconds>%d</milliseconds>' % milliseconds
    return call(daemon, operation, '<endpoint>%s</endpoint><text>%s</text>%s' % (endpoint, escape(text), limit))


def reason(element):
    assert element.tag == '{%s}Fault' % SOAP11, etree.tostring(element)
    return element.findtext('faultstring')


@pytest.mark.parametrize('operation', ['ask', 'wait'])
def test_the_others_answer_is_there(daemon, operation):
    status, element = ask(daemon, operation, 'HelloWorld', 'Zoë–日本 <&>')
    assert (status, element.findtext('text')) == (200, 'Hello Zoë–日本 <&>')


@pytest.mark.parametrize('operation', ['ask', 'wait'])
def test_an_endpoint_that_is_not_there_is_a_fault(daemon, operation):
    status, element = ask(daemon, operation, 'Nobody', 'x')
    assert status == 500
    assert "there is no endpoint named 'Nobody'" in reason(element)


def test_a_payload_that_the_other_does_not_take_is_a_fault(daemon):
    assert 'endpoint Types has no operation for the element' in reason(ask(daemon, 'ask', 'Types', 'x')[1])


def test_waiting_on_a_loop_is_refused(daemon):
    assert "a nonblocking operation can't wait" in reason(ask(daemon, 'waitOnLoop', 'HelloWorld', 'x')[1])


def test_the_payload_passes_as_it_is(daemon):
    inner = ('<x:any xmlns:x="urn:x" xmlns:t="urn:t" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
             'xsi:type="t:T" a=" 1 ">mixed <y/> text</x:any>')
    status, element = call(daemon, 'pass', inner, attributes='to="Echo"')
    assert status == 200, etree.tostring(element)
    assert etree.tostring(element[0], method='c14n') == etree.tostring(etree.fromstring(inner), method='c14n') or \
        element[0].attrib == etree.fromstring(inner).attrib and element[0].nsmap['t'] == 'urn:t'
    assert ''.join(element[0].itertext()) == 'mixed  text'


def test_an_operation_that_may_wait_is_called_from_a_loop(daemon):
    sleep = '<t:sleep xmlns:t="urn:postbus:test:types"><milliseconds>20</milliseconds></t:sleep>'
    status, element = call(daemon, 'pass', sleep, attributes='to="Types"')
    assert status == 200, etree.tostring(element)


def test_calls_in_a_circle_end_in_a_fault(daemon):
    nested = '<x xmlns=""/>'
    for _ in range(40):
        nested = '<c:pass to="Caller">%s</c:pass>' % nested
    status, element = call(daemon, 'pass', nested, attributes='to="Caller"')
    assert status == 500
    assert 'they call each other in a circle' in reason(element)


def greeter(daemon, operation, names):
    envelope = '<s:Envelope xmlns:s="%s"><s:Body><g:%s xmlns:g="urn:greeter">%s</g:%s></s:Body></s:Envelope>' % (
        SOAP11, operation, ''.join('<name>%s</name>' % each for each in names), operation)
    status, _, body = daemon.soap('/cxf/Greeter', envelope.encode())
    assert status == 200, body
    return [each.text for each in etree.fromstring(body).iter('greeting')]


def test_the_example_greets_one_and_all(daemon):
    assert greeter(daemon, 'greet', ['Ada']) == ['Hello Ada']
    assert greeter(daemon, 'greetAll', ['Ada', 'Zoë', '']) == ['Hello Ada', 'Hello Zoë', 'Hello ']


def test_a_thousand_calls_of_one_request(daemon):
    status, element = call(daemon, 'loop', '<times>1000</times>')
    assert (status, element.findtext('text')) == (200, 'Hello World')


def test_more_waiting_calls_than_workers_all_come_through(daemon):
    """Each waits on a worker for another that needs a worker."""
    outcomes = []
    def one(number):
        inner = '<t:sleep xmlns:t="urn:postbus:test:types"><milliseconds>%d</milliseconds></t:sleep>' % (number % 7)
        element = call(daemon, 'waitAndPass', inner, attributes='to="Types"')[1]
        outcomes.append('slept %d ms' % (number % 7) in ''.join(element.itertext()))
    threads = [threading.Thread(target=one, args=(i,)) for i in range(40)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert outcomes == [True] * 40


def test_nothing_is_left_open(daemon):
    status, report = daemon.admin('GET', '/status')
    assert status == 200
    assert report['exchanges']['open'] == 0, report
