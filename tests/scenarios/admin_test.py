"""The admin interface: what it tells, and whom."""
import http.client
import json
import threading

import pytest
from postbus_daemon import PLUGINS, Daemon, sleep_envelope, wait_until

GUARDED = ['/status', '/endpoints', '/plugins', '/exchanges', '/nonsense', '/']


@pytest.fixture(scope='module')
def daemon():
    with Daemon(plugins=[PLUGINS / 'types.so'], config='endpoints: {Billing: {http: /billing}}\n') as d:
        yield d


def over_tcp(daemon, method, path, host=None, **headers):
    connection = http.client.HTTPConnection(*daemon.admin_address, timeout=10)
    try:
        connection.putrequest(method, path, skip_host=host is not None)
        if host:
            connection.putheader('Host', host)
        for name, value in headers.items():
            connection.putheader(name.replace('_', '-'), value)
        if method == 'POST':
            connection.putheader('Content-Length', '0')
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        return answer.status, answer.headers, json.loads(body) if body else None
    finally:
        connection.close()


def test_health_needs_no_token_and_may_be_asked_by_any_name(daemon):
    assert over_tcp(daemon, 'GET', '/healthz')[0] == 200
    assert over_tcp(daemon, 'GET', '/healthz', host='10.1.2.3:8182')[0] == 200
    assert over_tcp(daemon, 'GET', '/readyz')[0] == 503  # Billing waits
    assert over_tcp(daemon, 'HEAD', '/healthz')[2] is None


def test_the_rest_needs_the_token(daemon):
    for path in GUARDED:
        status, headers, body = over_tcp(daemon, 'GET', path)
        assert status == 401, path
        assert headers['WWW-Authenticate'] == 'Bearer'
        assert 'admin.token' in body['error'] and body['request']
        assert over_tcp(daemon, 'GET', path, Authorization='Bearer ' + 'f' * 64)[0] == 401
    assert over_tcp(daemon, 'POST', '/reload')[0] == 401
    assert not daemon.events('config.reloaded')
    assert over_tcp(daemon, 'GET', '/status', Authorization='Bearer ' + daemon.token)[0] == 200


def test_rebound_names_and_foreign_pages_are_turned_away_in_spite_of_the_token(daemon):
    token = 'Bearer ' + daemon.token
    port = daemon.admin_address[1]
    assert over_tcp(daemon, 'GET', '/status', host='evil.example:%d' % port, Authorization=token)[0] == 403
    assert over_tcp(daemon, 'GET', '/status', Authorization=token, Origin='http://evil.example')[0] == 403
    assert over_tcp(daemon, 'POST', '/reload', Authorization=token, Origin='null')[0] == 403
    assert over_tcp(daemon, 'GET', '/status', host='localhost:%d' % port, Authorization=token)[0] == 200
    own = 'http://127.0.0.1:%d' % port
    assert over_tcp(daemon, 'GET', '/status', Authorization=token, Origin=own)[0] == 200
    assert not daemon.events('config.reloaded')
    assert len(daemon.events('admin.refused')) >= 3


def test_errors_are_json(daemon):
    token = 'Bearer ' + daemon.token
    for method, path, expected in (('GET', '/nonsense', 404), ('GET', '/reload', 405), ('POST', '/status', 405),
                                   ('DELETE', '/status', 405), ('GET', '/status/more', 404)):
        status, headers, body = over_tcp(daemon, method, path, Authorization=token)
        assert status == expected, (method, path)
        assert headers['Content-Type'] == 'application/json'
        assert body['error'] and body['request']
        if status == 405:
            assert headers['Allow'] in ('POST', 'GET, HEAD')
    assert daemon.admin('GET', '/nonsense')[0] == 404


def test_status_tells_who_and_how_it_is(daemon):
    status, answer = daemon.admin('GET', '/status')
    assert status == 200
    assert answer['pid'] == daemon.pid
    assert answer['state'] == 'serving'
    assert not answer['ready'] and answer['reasons'] == ['endpoint Billing waits for its service']
    assert answer['configFile'] == str(daemon.config_file)
    assert answer['stateFolder'] == str(daemon.state)
    assert answer['uptime'] > 0
    assert ['%s:%d' % daemon.address] == [e['address'] for e in answer['listeners'] if e['transport'] == 'http']
    assert {'unix:%s' % daemon.admin_socket, '%s:%d' % daemon.admin_address} == {
        e['address'] for e in answer['listeners'] if e['transport'] == 'admin'}
    assert answer['memory']['resident'] > answer['memory']['anonymous'] > 0


def test_figures_count(daemon):
    before = daemon.admin('GET', '/status')[1]['exchanges']
    for _ in range(5):
        daemon.say_hi('Bob')
    daemon.soap('/cxf/HelloWorld', b'no xml')
    after = daemon.admin('GET', '/status')[1]['exchanges']
    assert after['begun'] - before['begun'] == 6
    assert after['faults'] - before['faults'] == 1
    # A moment after the last answer.
    wait_until(lambda: daemon.admin('GET', '/status')[1]['exchanges']['open'] == 0)


def test_endpoints_tell_where_they_are_and_why_not(daemon):
    answer = daemon.admin('GET', '/endpoints')[1]
    named = {each['name']: each for each in answer['endpoints']}
    hello = named['HelloWorld']
    assert hello['state'] == 'serving' and hello['operations'] == ['sayHi']
    assert hello['urls'] == [daemon.url + '/cxf/HelloWorld']
    assert hello['wsdl'] == [daemon.url + '/cxf/HelloWorld?wsdl']
    assert named['Billing']['state'] == 'waiting'
    assert named['Billing']['reason'] == 'service Billing is not deployed'
    assert 'sleep' in named['Types']['operations']


def test_plugins_tell_what_they_are(daemon):
    named = {each['name']: each for each in daemon.admin('GET', '/plugins')[1]['plugins']}
    assert named['types']['state'] == 'active' and not named['types']['bundled']
    assert len(named['types']['hash']) == 64
    bundled = [each for each in named.values() if each['bundled']]
    assert [each['services'] for each in bundled] == [['HelloWorld']]


def test_exchanges_under_way_are_listed(daemon):
    thread = threading.Thread(target=daemon.soap, args=('/test/types', sleep_envelope(1500)))
    thread.start()
    found = wait_until(lambda: daemon.admin('GET', '/exchanges')[1]['exchanges'])
    assert found[0]['endpoint'] == 'Types' and found[0]['operation'] == 'sleep'
    assert found[0]['id'] and found[0]['peer'].startswith('127.0.0.1')
    assert 0 <= found[0]['age'] < 5
    thread.join()
    assert daemon.admin('GET', '/exchanges')[1] == {'total': 0, 'complete': True, 'exchanges': []}


def test_answers_while_all_workers_are_busy():
    with Daemon(plugins=[PLUGINS / 'types.so'], args=['--set', 'workers.threads=2']) as d:
        threads = [threading.Thread(target=d.soap, args=('/test/types', sleep_envelope(1000))) for _ in range(6)]
        for each in threads:
            each.start()
        wait_until(lambda: d.admin('GET', '/exchanges')[1]['total'] == 6)
        assert d.admin('POST', '/reload')[0] == 200
        for each in threads:
            each.join()


def test_token_is_kept_over_a_restart():
    with Daemon() as d:
        token = d.token
        d.stop()
        d.start()
        assert d.token == token
        assert over_tcp(d, 'GET', '/status', Authorization='Bearer ' + token)[0] == 200


def test_interface_can_be_shut_but_for_the_socket(tmp_path):
    runtime = tmp_path / 'run'
    runtime.mkdir()
    with Daemon(args=['--set', 'admin.listen=off'], env={'RUNTIME_DIRECTORY': str(runtime)}) as d:
        addresses = [e['address'] for e in d.events('listener.open', transport='admin')]
        assert addresses == ['unix:%s/admin.sock' % runtime]
        d.admin_socket = runtime / 'admin.sock'
        assert d.admin('GET', '/healthz')[0] == 200


def test_socket_that_can_not_be_opened_is_told_and_done_without(tmp_path):
    deep = tmp_path / ('d' * 100)
    deep.mkdir()
    with Daemon(env={'RUNTIME_DIRECTORY': str(deep)}) as d:
        assert 'admin.sock' in d.wait_for('admin.socket.skipped')['path']
        assert over_tcp(d, 'GET', '/healthz')[0] == 200
