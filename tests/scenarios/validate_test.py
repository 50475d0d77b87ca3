"""Messages held against their contract, through the whole daemon."""
import pytest
from postbus_daemon import HELLO, HELLO_PATH, SOAP11, SOAP12, Daemon

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
