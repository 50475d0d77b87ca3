"""Request ids, the access log, and lines that nobody can forge."""
import json
import re
import time

import pytest
from postbus_daemon import HELLO, SLOWNESS, SOAP11, Daemon, say_hi_envelope, wait_until


def settle():
    time.sleep(1.2 * SLOWNESS)  # the access log is gathered and written within a second


def test_each_request_has_an_id_in_answer_fault_and_log():
    with Daemon() as d:
        _, headers, _ = d.soap('/cxf/HelloWorld', say_hi_envelope('Bob'))
        good = headers['X-Request-Id']
        status, headers, body = d.soap('/cxf/HelloWorld', b'<broken')
        bad = headers['X-Request-Id']
        assert status == 500 and bad in body.decode()
        _, headers, body = d.request('GET', '/nothing')
        gone = headers['X-Request-Id']
        assert gone in body.decode()
        assert len({good, bad, gone}) == 3
        settle()

        entry = d.accesses(request=good)[0]
        assert (entry['status'], entry['endpoint'], entry['operation']) == (200, 'HelloWorld', 'sayHi')
        assert d.accesses(request=bad)[0]['status'] == 500
        assert d.accesses(request=gone)[0]['status'] == 404


def test_every_line_is_json():
    with Daemon() as d:
        d.say_hi('Bob')
        d.request('GET', '/a%22b%5C?x="')
        d.stop()
        lines = d.log().splitlines()
        assert len(lines) > 8
        for line in lines:
            entry = json.loads(line)
            assert re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z', entry['time']), line
            assert 'event' in entry or 'request' in entry


def test_access_log_can_be_turned_off():
    with Daemon(args=['--set', 'logging.access=off']) as d:
        d.say_hi('Bob')
        d.stop()
        assert not d.accesses()
        assert d.events('daemon.ready')


def test_access_log_can_go_to_a_file():
    with Daemon(args=['--set', 'logging.access.file=access.log']) as d:
        d.say_hi('Bob')
        d.stop()
        assert not d.accesses()
        lines = (d.state / 'access.log').read_text().splitlines()
        assert [json.loads(line)['path'] for line in lines] == ['/cxf/HelloWorld']


FORGED = '2026-01-01 00:00:00 ERROR forged'
SECRET = 'hunter-two-secret'


@pytest.mark.parametrize('form', ['json', 'text'])
def test_no_value_forges_a_line_and_no_secret_is_written(form):
    header = ('<s:Header><e:Security xmlns:e="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-'
              '1.0.xsd"><e:UsernameToken><e:Password>%s</e:Password></e:UsernameToken></e:Security></s:Header>' % SECRET)
    envelope = ('<s:Envelope xmlns:s="%s">%s<s:Body><h:sayHi xmlns:h="%s"><arg0>x&#10;%s%%s</arg0></h:sayHi></s:Body>'
                '</s:Envelope>' % (SOAP11, header, HELLO, FORGED))
    with Daemon(json_log=False, wait=False, args=['--set', 'logging.format=' + form, '--set', 'logging.level=debug']) as d:
        wait_until(lambda: 'daemon.ready' in d.log())
        found = re.search(r'transport\W+http\W.*?address\W{1,3}127\.0\.0\.1:(\d+)', d.log())
        d._address = lambda _: ('127.0.0.1', int(found[1]))

        assert d.soap('/cxf/HelloWorld', (envelope % '').encode())[0] == 200
        assert d.soap('/cxf/HelloWorld', (envelope % '&#27;[31m').encode())[0] == 500
        unknown = '<s:Envelope xmlns:s="%s"><s:Body><a\u2028%s xmlns=""/></s:Body></s:Envelope>' % (SOAP11, 'b' * 9)
        d.soap('/cxf/HelloWorld', unknown.encode())
        d.soap('/cxf/HelloWorld', b'x', content_type='text/plain; x="\x1b[31m"')
        d.request('GET', '/x%0A' + FORGED.replace(' ', '%20') + '%1B[31m')
        d.request('GET', '/cxf/HelloWorld?wsdl', headers={'User-Agent': 'a\x1b[31m', 'X-Request-Id': 'b' * 300})
        d.stop()
        log = d.log()
        assert not any(line.startswith(FORGED[:10]) for line in log.splitlines())
        assert '\x1b' not in log
        assert SECRET not in log
        for line in log.splitlines():
            assert line.startswith('{' if form == 'json' else '20'), line


def test_text_is_the_default():
    with Daemon(json_log=False, wait=False) as d:
        wait_until(lambda: 'daemon.ready' in d.log())
        assert re.match(r'\d{4}-\d\d-\d\dT[\d:.]+Z info daemon\.starting version=', d.log())


def test_level_hides_what_is_below_it():
    with Daemon(args=['--set', 'logging.level=warning'], wait=False) as d:
        wait_until(lambda: d.admin_socket.exists() and d.admin('GET', '/readyz')[0] == 200)
        d.stop()
        assert not [each for each in d.events() if each['level'] in ('debug', 'info')]
