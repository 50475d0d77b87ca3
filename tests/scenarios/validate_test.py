"""Messages held against their contract, through the whole daemon."""
import gzip

import pytest
from postbus_daemon import HELLO, HELLO_PATH, SOAP11, SOAP12, Daemon, say_hi_envelope
from script_backend import Backend

CONFIG = 'endpoints: {HelloWorld: {interceptors: [validate]}}\n'
WRONG = ('<s:Envelope xmlns:s="%s">\n<s:Body>\n<h:sayHi xmlns:h="' + HELLO + '">\n<arg1>Ann</arg1></h:sayHi></s:Body>'
         '</s:Envelope>')


@pytest.fixture(scope='module')
def daemon():
    with Daemon(config=CONFIG) as running:
        yield running


def test_a_valid_call_is_answered(daemon):
    assert daemon.say_hi('Ann') == 'Hello Ann'
    assert daemon.say_hi() == 'Hello '


@pytest.mark.parametrize('ns, media, status, code', [(SOAP11, 'text/xml', 500, b'<faultcode>soap:Client</faultcode>'),
                                                     (SOAP12, 'application/soap+xml', 400,
                                                      b'<soap:Value>soap:Sender</soap:Value>')], ids=['1.1', '1.2'])
def test_one_that_is_not_is_told_line_element_and_rule(daemon, ns, media, status, code):
    given, _, body = daemon.soap(HELLO_PATH, (WRONG % ns).encode(), media + '; charset=utf-8')

    assert given == status and code in body
    assert b'line 4, element arg1: ' in body and b'(cvc-complex-type.2.4)' in body
    assert daemon.say_hi('Eve') == 'Hello Eve'


def test_it_is_off_unless_it_is_named():
    with Daemon() as daemon:
        # The service minds, in its own words.
        assert b'contract' not in daemon.soap(HELLO_PATH, (WRONG % SOAP11).encode())[2]


# ---- in front of a service elsewhere: its own WSDL says what is valid

def leading_to(url, messages='both'):
    return 'endpoints: {It: {http: /it, queue: it, to: "%s", interceptors: [validate: %s]}}\n' % (url, messages)


@pytest.fixture(scope='module')
def service():
    with Daemon() as running:
        yield running


@pytest.fixture(scope='module')
def front(service):
    with Daemon(config=leading_to(service.url + HELLO_PATH)) as running:
        yield running


def test_a_valid_message_goes_on_as_it_is(service, front):
    assert front.say_hi('Ann', '/it') == 'Hello Ann'
    odd = say_hi_envelope('Ann').replace(b'<s:Body>', b'<s:Header><x xmlns="urn:x"/></s:Header>\n<s:Body>')
    assert front.soap('/it', odd)[2] == service.soap(HELLO_PATH, odd)[2]
    status, _, body = front.request('POST', '/it', gzip.compress(say_hi_envelope('Zip')),
                                    {'Content-Type': 'text/xml; charset=utf-8', 'Content-Encoding': 'gzip'})
    assert status == 200 and b'Hello Zip' in body
    assert front.request('PUT', '/it', b'x')[0] == 405


@pytest.mark.parametrize('ns, media, status', [(SOAP11, 'text/xml', 500), (SOAP12, 'application/soap+xml', 400)],
                         ids=['1.1', '1.2'])
def test_one_that_is_not_does_not_reach_the_service(service, front, ns, media, status):
    before = len(service.accesses(method='POST'))
    given, _, body = front.soap('/it', (WRONG % ns).encode(), media + '; charset=utf-8')

    assert given == status and b'line 4, element arg1: ' in body and b'(cvc-complex-type.2.4)' in body
    assert front.soap('/it', b'<no envelope')[0] == 500
    assert len(service.accesses(method='POST')) == before


def test_a_message_from_a_queue_is_looked_at_too(front, tmp_path):
    for name, envelope in (('good', say_hi_envelope('Quinn')), ('bad', (WRONG % SOAP11).encode())):
        (tmp_path / name).write_bytes(envelope)
        assert front.postbus('queue', 'send', 'it', str(tmp_path / name), '--soap', '--reply-to', 'out').returncode == 0
        answer = front.postbus('queue', 'receive', 'out', '--wait', '10s').stdout
        assert ('Hello Quinn' if name == 'good' else 'element arg1') in answer


def test_an_answer_that_is_not_valid_is_kept_from_its_caller(service):
    wsdl = service.request('GET', HELLO_PATH + '?wsdl')[2]
    answers = [b'<h:sayHiResponse xmlns:h="%s"><back/></h:sayHiResponse>', b'<h:sayHiResponse xmlns:h="%s"/>',
               b'<s:Fault xmlns:h="%s"><faultcode>s:Server</faultcode><faultstring>own</faultstring></s:Fault>']
    given = iter(answers)

    def script(peer):
        while request := peer.request():
            if request[0].startswith(b'GET'):
                peer.answer(wsdl)
            else:
                body = next(given) % HELLO.encode()
                peer.answer(b'<s:Envelope xmlns:s="%s"><s:Body>%s</s:Body></s:Envelope>' % (SOAP11.encode(), body),
                            status=b'500 Fault' if b'Fault' in body else b'200 OK')

    with Backend(script) as backend, Daemon(config=leading_to(backend.url())) as front:
        status, _, body = front.soap('/it', say_hi_envelope('Ann'))
        assert status == 502 and b'answer is not valid' in body and b'element back' in body
        assert front.events('backend.failed', endpoint='It')
        assert front.soap('/it', say_hi_envelope('Ann'))[0] == 200
        status, _, body = front.soap('/it', say_hi_envelope('Ann'))
        assert status == 500 and b'own' in body


def test_nothing_passes_while_its_wsdl_can_not_be_had():
    asked = []

    def script(peer):
        while request := peer.request():
            asked.append(request[0].split()[0])
            peer.answer(b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><types>'
                        b'<schema xmlns="http://www.w3.org/2001/XMLSchema"><element name="a" type="none"/></schema>'
                        b'</types></definitions>')

    with Backend(script) as backend, Daemon(config=leading_to(backend.url())) as front:
        status, _, body = front.soap('/it', say_hi_envelope('Ann'))
        assert status == 502 and b"can't be validated" in body
        backend.listener.close()
    assert set(asked) == {b'GET'}
