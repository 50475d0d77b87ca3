"""Where operations run: on the loop, on workers, as the configuration says; and what is told of those that block."""
import threading
import time

import pytest
from postbus_daemon import PLUGINS, SLOWNESS, Daemon, say_hi_envelope, sleep_envelope, wait_until

THREADS, QUEUE = 2, 3
POOLED = '''
workers: {threads: %d, queue: %d}
endpoints:
  Pooled: {to: service:HelloWorld, http: /pooled, dispatch: pooled}
''' % (THREADS, QUEUE)


class Sleepers:
    """Calls of a service that takes its time, until they are waited for."""

    def __init__(self, daemon, count, milliseconds):
        self.statuses = []
        self.threads = [threading.Thread(target=self._call, args=(daemon, milliseconds)) for _ in range(count)]
        for each in self.threads:
            each.start()

    def _call(self, daemon, milliseconds):
        self.statuses.append(daemon.soap('/test/types', sleep_envelope(milliseconds), timeout=60)[0])

    def wait(self):
        for each in self.threads:
            each.join()
        return self.statuses


def test_a_full_pool_answers_503_at_once_while_other_endpoints_go_on():
    with Daemon(config=POOLED, plugins=[PLUGINS / 'types.so']) as daemon:
        held = int(1500 * SLOWNESS)
        sleepers = Sleepers(daemon, THREADS + QUEUE, held)
        wait_until(lambda: daemon.admin('GET', '/status')[1]['exchanges']['open'] == THREADS + QUEUE)

        refused, served, begun = 0, 0, time.monotonic()
        with_pool, inline = daemon.connection(), daemon.connection()
        for _ in range(100):
            status, headers, body = daemon.soap('/pooled', say_hi_envelope('Bob'), connection=with_pool)
            assert status == 503, body
            assert b'Server</faultcode>' in body and b'all workers are busy' in body
            refused += 1
            served += daemon.say_hi('Bob', connection=inline) == 'Hello Bob'
        assert time.monotonic() - begun < held / 1000, 'the refusals waited for a worker'
        assert (refused, served) == (100, 100)

        assert sleepers.wait() == [200] * (THREADS + QUEUE)
        assert daemon.say_hi('Bob', path='/pooled') == 'Hello Bob'
        assert daemon.admin('GET', '/status')[1]['exchanges']['open'] == 0


def test_a_reload_moves_an_endpoint_to_the_workers_and_back():
    with Daemon(config='endpoints: {Types: {dispatch: inline}}\n', plugins=[PLUGINS / 'types.so'],
                args=['--set', 'watchdog.limit=50ms']) as daemon:
        daemon.sleep(300)
        blocked = daemon.wait_for('loop.blocked', endpoint='Types', operation='sleep')
        freed = daemon.wait_for('loop.freed', endpoint='Types', operation='sleep', request=blocked['request'])
        assert freed['millis'] >= 300 > 50 <= blocked['millis']

        daemon.config_file.write_text('endpoints: {Types: {dispatch: pooled}}\n')
        assert daemon.postbus('reload').returncode == 0
        daemon.sleep(300)
        assert len(daemon.events('loop.blocked')) == len(daemon.events('loop.freed')) == 1


def test_the_blocked_handler_is_named_while_it_blocks_with_the_callers_request_id():
    with Daemon(config='endpoints: {Types: {dispatch: inline}}\n', plugins=[PLUGINS / 'types.so'],
                args=['--set', 'watchdog.limit=50ms', '--set', 'transports.http.threads=1']) as daemon:
        sleepers = Sleepers(daemon, 1, int(2000 * SLOWNESS))
        blocked = daemon.wait_for('loop.blocked')
        assert not daemon.events('loop.freed')
        assert sleepers.wait() == [200]
        freed = daemon.wait_for('loop.freed')
        assert (freed['endpoint'], freed['request']) == ('Types', blocked['request'])
        wait_until(lambda: daemon.accesses(request=blocked['request']), what='the access line of the request that was named')


def test_status_shows_how_late_the_loops_are():
    with Daemon(args=['--set', 'transports.http.threads=2']) as daemon:
        loops = wait_until(lambda: daemon.admin('GET', '/status')[1]['loops'])
        assert [each['name'] for each in loops] == ['http-0', 'http-1']
        wait_until(lambda: all(each['longestLagMicroseconds'] > 0 for each in daemon.admin('GET', '/status')[1]['loops']))
        assert 'loop           http-0, late by ' in daemon.postbus('status').stdout


@pytest.mark.parametrize('given, told', [('sideways', 'known are: declared, pooled, inline'), ('pooledd', "did you mean 'pooled'")])
def test_an_unknown_dispatch_is_refused_with_its_place(given, told):
    with Daemon(config='endpoints: {A: {dispatch: %s}}\n' % given, wait=False) as daemon:
        assert daemon.wait() != 0
        assert 'endpoints.A.dispatch' in daemon.log() and told in daemon.log()
