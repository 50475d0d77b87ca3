"""Plugins that send to queues and take from them: replaced, killed, blocked, and at the daemon's end."""
import collections
import json
import os
import re
import shutil
import threading
import time
from pathlib import Path

import pytest
from postbus_daemon import BIN, PLUGINS, SLOWNESS, SOAP11, Daemon, DaemonFailed, sanitized, wait_until

BUILD = Path(os.environ.get('POSTBUS_BUILD_DIR', BIN.parent))
V1, V2 = PLUGINS / 'courier_v1.so', PLUGINS / 'courier_v2.so'
CONFIG = '''
queues:
  work: {max-deliveries: 2, redelivery-delay: 20ms}
  as-task: {max-deliveries: 2, redelivery-delay: 20ms}
  owned: {max-deliveries: 2, redelivery-delay: 20ms}
  small: {max-messages: 1, max-message-size: 10B}
'''


def call(daemon, operation, queue, text=None, number=None, path='/test/courier'):
    inner = '<queue>%s</queue>' % queue
    inner += '' if text is None else '<text>%s</text>' % text
    inner += '' if number is None else '<number>%d</number>' % number
    status, _, body = daemon.soap(path, (
        '<s:Envelope xmlns:s="%s"><s:Body><c:%s xmlns:c="urn:courier">%s</c:%s></s:Body></s:Envelope>' % (
            SOAP11, operation, inner, operation)).encode(), timeout=60)
    found = re.search(rb'<text>(.*?)</text>', body)
    assert status == 200 and found, body
    return found[1].decode()


def queue(daemon, *args):
    done = daemon.postbus('queue', *args, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def figures(daemon, name):
    for each in json.loads(queue(daemon, 'list', '--json'))['queues']:
        if each['name'] == name:
            return each
    return collections.defaultdict(int)


def received(daemon, name, count, wait='10s'):
    """So many messages, and then no more."""
    found = []
    while len(found) < count:
        done = daemon.postbus('queue', 'receive', name, '--count', min(1000, count - len(found)), '--wait', wait, '--json',
                              timeout=60)
        assert done.returncode in (0, 1), done.stderr
        some = json.loads(done.stdout)['messages']
        if not some:
            break
        found += some
    return found


def bodies(messages):
    return [each['body'] for each in messages]


def replace(daemon, file):
    count = len(daemon.events('plugin.replaced'))
    daemon.deploy(file, 'courier.so')
    daemon.wait_for('plugin.replaced', count=count + 1)


@pytest.fixture
def plugin(tmp_path):
    """The first version, under the name that the second takes its place by."""
    (tmp_path / 'plugin').mkdir()
    return shutil.copy(V1, tmp_path / 'plugin' / 'courier.so')


@pytest.fixture
def daemon(plugin):
    with Daemon(config=CONFIG, plugins=[plugin]) as d:
        yield d


def test_the_example_of_the_documentation():
    def soap(operation, inner=''):
        return ('<s:Envelope xmlns:s="%s"><s:Body><o:%s xmlns:o="urn:orders">%s</o:%s></s:Body></s:Envelope>' % (
            SOAP11, operation, inner, operation)).encode()

    with Daemon(plugins=[PLUGINS / 'orders.so']) as d:
        for article in ('nails', 'screws'):
            status, _, body = d.soap('/cxf/Orders', soap('order', '<article>%s</article><count>7</count>' % article))
            assert status == 200 and b'orderResponse' in body

        shipped = [re.search(rb'<text>(.*)</text>', d.soap('/cxf/Orders', soap('nextShipment'))[2])[1] for _ in range(2)]
        assert sorted(shipped) == [b'7 of nails shipped', b'7 of screws shipped']
        status, _, body = d.soap('/cxf/Orders', soap('nextShipment'))
        assert status == 500 and b'nothing has been shipped' in body
        without_count = d.folder / 'order'
        without_count.write_text('nuts')
        queue(d, 'send', 'orders', without_count)
        wait_until(lambda: figures(d, 'DLQ.orders')['depth'] == 1)
        assert figures(d, 'orders')['depth'] == figures(d, 'shipments')['depth'] == 0


def test_every_form_of_handler_takes_and_acknowledges(daemon):
    for name in ('work', 'in-order', 'as-task', 'owned', 'by-thread'):
        assert call(daemon, 'send', name, name) == 'sent'

    assert sorted(bodies(received(daemon, 'done', 4))) == ['1.0.0 ' + each for each in
                                                           ('as-task', 'by-thread', 'owned', 'work')]
    assert bodies(received(daemon, 'ordered', 1)) == ['1.0.0 in-order']
    for name in ('work', 'in-order', 'as-task', 'owned', 'by-thread'):
        wait_until(lambda name=name: figures(daemon, name)['acknowledged'] == 1)
        assert figures(daemon, name)['depth'] == 0


def test_what_is_thrown_is_tried_again_and_then_set_aside(daemon):
    for name, text in (('work', 'fail'), ('work', 'poison'), ('as-task', 'fail'), ('owned', 'drop')):
        call(daemon, 'send', name, text)

    wait_until(lambda: figures(daemon, 'DLQ.work')['depth'] == 2 and figures(daemon, 'DLQ.as-task')['depth'] == 1
               and figures(daemon, 'DLQ.owned')['depth'] == 1)
    dead = {each['body']: each['deadLetter'] for each in
            json.loads(queue(daemon, 'browse', 'DLQ.work', '--bodies', '--json'))['messages']}
    assert (dead['fail']['reason'], dead['fail']['attempts']) == ('told to fail', 2)
    assert (dead['poison']['reason'], dead['poison']['attempts']) == ('told that it is poison', 1)
    dropped, = json.loads(queue(daemon, 'browse', 'DLQ.owned', '--json'))['messages']
    assert dropped['deadLetter']['reason'] == 'the service dropped the message'
    call(daemon, 'send', 'owned', 'release')
    assert bodies(received(daemon, 'done', 1)) == ['1.0.0 release']


def test_topics_go_to_subscriptions_and_durable_ones_gather(daemon):
    assert call(daemon, 'publish', 'news', 'hello') == 'sent'
    assert call(daemon, 'publish', 'ledger', '100') == 'sent'
    assert bodies(received(daemon, 'read', 1)) == ['1.0.0 hello']
    assert bodies(received(daemon, 'booked', 1)) == ['1.0.0 100']


def test_a_send_that_is_refused_says_why(daemon):
    assert 'holds' not in call(daemon, 'send', 'small', 'one')
    assert re.match(r'6 .*full', call(daemon, 'send', 'small', 'two'))
    assert re.match(r"5 a message of 11 bytes; 'small' takes up to 10", call(daemon, 'send', 'small', '12345678901'))
    assert call(daemon, 'send', 'topic/none', 'x') == "4 no queue 'topic/none'"
    assert call(daemon, 'send', '', 'x') == '3 a queue or topic needs a name'


def test_receiving_waits_and_on_a_loop_it_does_not(daemon):
    assert call(daemon, 'take', 'mine', number=50) == 'nothing'
    call(daemon, 'send', 'mine', 'a')
    assert call(daemon, 'take', 'mine', number=0) == 'got a'
    assert call(daemon, 'block', 'mine').startswith('8 this thread must not wait')
    assert call(daemon, 'async', 'mine', 'b') == 'b'
    assert call(daemon, 'take', 'mine', number=0) == 'got b!'
    assert figures(daemon, 'mine')['depth'] == 0


def test_replacing_under_load_loses_nothing_and_does_nothing_twice(daemon):
    count = 600
    failures = []
    replaced = threading.Event()  # half of the messages come after the first time, however quick the disk is

    def send(name, first):
        try:
            for i in range(0, count // 2, 10):
                if i == count // 4 // 10 * 10:
                    assert replaced.wait(60)
                assert call(daemon, 'sendMany', name, '%d-%d-' % (first, i), 10) == 'sent'
        except AssertionError as error:
            failures.append(error)

    names = ('work', 'as-task', 'in-order')
    threads = [threading.Thread(target=send, args=(name, i)) for name in names for i in range(2)]
    for each in threads:
        each.start()
    for turn in range(6):
        replace(daemon, V2 if turn % 2 == 0 else V1)
        replaced.set()
        time.sleep(0.1)
    for each in threads:
        each.join()
    assert not failures, failures[:2]
    for name in names:
        wait_until(lambda name=name: figures(daemon, name)['depth'] == 0, timeout=60)

    messages = received(daemon, 'done', 2 * count + 1, wait='300ms')
    assert {each['body'].split()[0] for each in messages} == {'1.0.0', '2.0.0'}
    done = collections.Counter(each['correlationId'] for each in messages)
    ordered = collections.Counter(each['correlationId'] for each in received(daemon, 'ordered', count + 1, wait='300ms'))
    assert (len(done), set(done.values())) == (2 * count, {1})
    assert (len(ordered), set(ordered.values())) == (count, {1})
    for name in names:
        assert figures(daemon, name)['acknowledged'] == count
        assert figures(daemon, 'DLQ.' + name)['depth'] == 0
    daemon.wait_for('plugin.unloaded', count=6, timeout=20)
    assert not daemon.events('plugin.unload.overdue') and not daemon.events('plugin.queue.unsettled')


def test_a_former_version_ends_what_it_has_begun_and_is_handed_nothing_more(daemon):
    for i in range(4):
        call(daemon, 'send', 'work', 'sleep 1500 %d' % i)
    wait_until(lambda: figures(daemon, 'work')['inFlight'] >= 4)
    for i in range(8):  # held ready by the former
        call(daemon, 'send', 'work', 'x%d' % i)

    replace(daemon, V2)

    done = bodies(received(daemon, 'done', 12))
    assert sorted(done[:8]) == ['2.0.0 x%d' % i for i in range(8)]
    assert sorted(done[8:]) == ['1.0.0 sleep 1500 %d' % i for i in range(4)]
    daemon.wait_for('plugin.unloaded', version='1.0.0')
    wait_until(lambda: figures(daemon, 'work')['acknowledged'] == 12)


def test_a_handler_that_hangs_blocks_neither_replacement_nor_reload_nor_other_queues(plugin):
    config = CONFIG + 'plugins: {drain: 1s}\n'
    with Daemon(config=config, plugins=[plugin]) as d:
        call(d, 'send', 'work', 'sleep 6000')
        wait_until(lambda: figures(d, 'work')['inFlight'] == 1)

        begun = time.monotonic()
        assert d.admin('POST', '/reload')[0] == 200
        replace(d, V2)
        call(d, 'send', 'in-order', 'x')
        assert bodies(received(d, 'ordered', 1)) == ['2.0.0 x']
        assert time.monotonic() - begun < 5 * SLOWNESS
        # Then it is given up, and the next one has the message; what the first says of it is not heard.
        d.wait_for('plugin.queue.overdue', service='Courier')
        done = bodies(received(d, 'done', 2, wait='15s'))
        assert sorted(done) == ['1.0.0 sleep 6000', '2.0.0 sleep 6000']
        wait_until(lambda: figures(d, 'work')['acknowledged'] == 1)
        assert figures(d, 'work')['depth'] == figures(d, 'DLQ.work')['depth'] == 0
        assert d.events('plugin.queue.unsettled')


def test_reopening_the_queues_has_plugins_take_again(daemon):
    call(daemon, 'send', 'work', 'a')
    assert bodies(received(daemon, 'done', 1)) == ['1.0.0 a']
    failures = []

    def send():
        for i in range(100):
            answer = call(daemon, 'send', 'work', 'b%d' % i)
            if answer != 'sent' and not answer.startswith('6 '):
                failures.append(answer)

    sender = threading.Thread(target=send)
    sender.start()
    for _ in range(3):
        queue(daemon, 'reopen')
    sender.join()
    assert not failures, failures[:3]
    wait_until(lambda: figures(daemon, 'work')['depth'] == 0)
    call(daemon, 'send', 'work', 'z')
    wait_until(lambda: '1.0.0 z' in bodies(received(daemon, 'done', 1000, wait='300ms')))


def test_a_store_that_does_not_open_says_so_and_plugins_take_when_it_does(tmp_path):
    state = tmp_path / 'state'
    state.mkdir()
    (state / 'queues').write_text('in the way')
    with Daemon(config=CONFIG, folder=tmp_path, plugins=[V1]) as d:
        assert d.say_hi('Bob') == 'Hello Bob'
        answer = call(d, 'send', 'work', 'a')
        assert re.match('[69] ', answer), answer

        (state / 'queues').unlink()
        queue(d, 'reopen')

        assert call(d, 'send', 'work', 'b') == 'sent'
        assert bodies(received(d, 'done', 1)) == ['1.0.0 b']


def planned_faults(folder):
    """The file that says which system calls of the store fail, and what a daemon needs to heed it."""
    plan = folder / 'faults'
    plan.touch()
    return plan, {'LD_PRELOAD': str(BUILD / 'tests/integration/queues/libtest_syscall_faults.so'),
                  'POSTBUS_FAULTS': str(plan), 'POSTBUS_FAULTS_FOLDER': str(folder / 'state' / 'queues')}


@pytest.mark.skipif(sanitized(), reason='a sanitizer wants to be the first library that is loaded')
def test_a_store_that_fails_is_an_error_of_sending_and_loses_nothing(tmp_path):
    plan, faults = planned_faults(tmp_path)
    with Daemon(config=CONFIG, folder=tmp_path, plugins=[V1], env=faults) as d:
        for i in range(3):
            assert call(d, 'send', 'work', 'sleep 800 %d' % i) == 'sent'
        wait_until(lambda: figures(d, 'work')['inFlight'] == 3)
        plan.write_text('sync=EIO')

        assert call(d, 'send', 'work', 'x').startswith('9 ')
        assert call(d, 'send', 'elsewhere', 'x').startswith('9 ')
        d.wait_for('queue.store.failed')
        assert d.say_hi('Bob') == 'Hello Bob'
        time.sleep(1)

        plan.write_text('')
        queue(d, 'reopen')
        # Their answers could not be sent: they are worked on again.
        wait_until(lambda: figures(d, 'work')['depth'] == 0)
        done = set(bodies(received(d, 'done', 5, wait='500ms'))) - {'1.0.0 x'}
        assert done == {'1.0.0 sleep 800 %d' % i for i in range(3)}
        assert call(d, 'send', 'mine', 'x') == 'sent'


@pytest.mark.skipif(sanitized(), reason='a sanitizer wants to be the first library that is loaded')
def test_a_daemon_ends_with_its_store_where_that_is_wanted(tmp_path):
    plan, faults = planned_faults(tmp_path)
    with Daemon(config=CONFIG + 'queue: {on-failure: exit}\n', folder=tmp_path, plugins=[V1], env=faults) as d:
        assert call(d, 'send', 'elsewhere', 'kept') == 'sent'
        plan.write_text('sync=EIO')
        assert call(d, 'send', 'elsewhere', 'x').startswith('9 ')  # answered all the same
        assert d.process.wait(30 * SLOWNESS) == 1
        assert d.events('daemon.giving-up') and d.events('daemon.stopped')
    with Daemon(config=CONFIG, folder=tmp_path, plugins=[V1]) as d:
        assert queue(d, 'receive', 'elsewhere', '--wait', '10s') == 'kept\n'


def test_a_killed_daemon_hands_out_again_what_was_not_done(tmp_path):
    with Daemon(config=CONFIG, plugins=[V1], folder=tmp_path) as d:
        for i in range(20):
            call(d, 'send', 'work', 'sleep 100 %d' % i)
        wait_until(lambda: figures(d, 'done')['depth'] >= 4)
        d.kill()
        d.start()

        wait_until(lambda: figures(d, 'work')['depth'] == 0, timeout=30)
        done = bodies(received(d, 'done', 100, wait='500ms'))
        assert {each for each in done} == {'1.0.0 sleep 100 %d' % i for i in range(20)}
        assert len(done) <= 20 + 4  # those that were at work


def test_a_message_that_brings_the_daemon_down_is_set_aside(tmp_path):
    with Daemon(config=CONFIG, plugins=[V1], folder=tmp_path) as d:
        (tmp_path / 'die').write_text('die')
        d.postbus('queue', 'send', 'work', tmp_path / 'die')  # may be told of the end before it is of the success
        ends = 0
        while True:
            try:
                d.wait(timeout=2)
            except DaemonFailed:
                break  # it goes on
            ends += 1
            try:
                d.start()
            except DaemonFailed:
                pass  # it came to its end before it was ready
        # The first attempt was not stored; each after it was.
        assert ends == 3
        assert figures(d, 'DLQ.work')['depth'] == 1
        call(d, 'send', 'work', 'x')
        assert bodies(received(d, 'done', 1)) == ['1.0.0 x']


def test_the_daemon_ends_with_the_messages_at_work_done(tmp_path):
    with Daemon(config=CONFIG, plugins=[V1], folder=tmp_path) as d:
        for i in range(12):
            call(d, 'send', 'work', 'sleep 700 %d' % i)
        wait_until(lambda: figures(d, 'work')['inFlight'] >= 4)
        assert d.stop() == 0
        assert not d.events('plugin.queue.unsettled') and not d.events('plugin.unload.failed')
        d.start()
        done = bodies(received(d, 'done', 12, wait='10s'))
        assert sorted(done) == sorted('1.0.0 sleep 700 %d' % i for i in range(12))
        wait_until(lambda: figures(d, 'work')['depth'] == 0)
        assert figures(d, 'DLQ.work')['depth'] == 0


def test_a_handler_that_hangs_does_not_keep_the_daemon(tmp_path):
    with Daemon(config=CONFIG + 'shutdown: {drain: 500ms}\n', plugins=[V1], folder=tmp_path) as d:
        call(d, 'send', 'work', 'sleep 60000')
        wait_until(lambda: figures(d, 'work')['inFlight'] == 1)
        begun = time.monotonic()
        assert d.stop(timeout=20) == 0
        assert time.monotonic() - begun < 8 * SLOWNESS
        d._plugins = []
        d.undeploy('courier_v1.so')
        d.start()
        assert figures(d, 'work')['depth'] == 1
