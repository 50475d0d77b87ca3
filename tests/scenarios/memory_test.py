"""What large messages leave behind in the daemon's memory."""
import threading

import pytest
from postbus_daemon import HELLO, HELLO_PATH, SLOWNESS, SOAP11, Daemon, wait_until


def envelope(content):
    return ('<s:Envelope xmlns:s="%s"><s:Body><h:sayHi xmlns:h="%s">%s</h:sayHi></s:Body></s:Envelope>'
            % (SOAP11, HELLO, content)).encode()


def own_memory(daemon):
    with open('/proc/%d/status' % daemon.pid) as status:
        return next(int(line.split()[1]) for line in status if line.startswith('RssAnon')) * 1024


@pytest.mark.skipif(SLOWNESS != 1, reason='a sanitizer keeps what was freed')
def test_large_messages_leave_nothing_behind():
    bodies = [envelope('<arg0>%s</arg0>' % ('x' * 12_000_000)), envelope('<a/>' * 1_500_000)]
    config = 'transports: {http: {limits: {body: 64MiB}}}\n'
    with Daemon(config=config) as d:
        assert d.say_hi('Bob') == 'Hello Bob'
        for i in range(6):
            threads = [threading.Thread(target=d.soap, args=(HELLO_PATH, bodies[i % 2])) for _ in range(4)]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
        wait_until(lambda: own_memory(d) < 12e6, what='the memory to be given back')
        assert d.say_hi('Bob') == 'Hello Bob'
