"""In the steady state a request takes nothing from the heap, access log and all.

The daemon runs under a library that counts (count_allocations.cpp). Its deployer, which looks into folders meanwhile, is
left out: no request meets it.
"""
import mmap
import os
import re
import signal
import socket
import struct
from pathlib import Path

import pytest

from postbus_daemon import HELLO_PATH, SOAP11, SOAP12, Daemon, say_hi_envelope

LIBRARY = Path(os.environ['POSTBUS_BUILD_DIR']) / 'lib' / 'libpostbus_count_allocations.so'
CONNECTIONS, WARM_UP, CALLS = 8, 2000, 10000


class Allocations:
    """The counters that the daemon shares."""

    def __init__(self, file):
        file.write_bytes(bytes(32))
        with open(file, 'r+b') as opened:
            self.memory = mmap.mmap(opened.fileno(), 32)

    def watch(self, on, stacks=0):
        struct.pack_into('QQQQ', self.memory, 0, on, 0, 0, stacks)

    @property
    def count(self):
        return struct.unpack_from('Q', self.memory, 8)[0]


def read_answer(connection):
    data = b''
    while b'\r\n\r\n' not in data:
        data += connection.recv(4096) or pytest.fail('closed')
    head, _, body = data.partition(b'\r\n\r\n')
    length = int(re.search(rb'(?i)content-length: *(\d+)', head)[1])
    while len(body) < length:
        body += connection.recv(4096) or pytest.fail('closed')
    return head, body


def calls(connections, request, number):
    """`number` calls over the connections in turn, one in flight on each."""
    for _ in range(number // len(connections)):
        for each in connections:
            each.sendall(request)
        for each in connections:
            head, body = read_answer(each)
            assert head.startswith(b'HTTP/1.1 200 ') and b'<return>Hello World</return>' in body, (head, body)


def all_at_once(daemon, connections, request):
    """A call on each connection, all of them there when the daemon looks: as many at once as there will ever be."""
    daemon.signal(signal.SIGSTOP)
    for each in connections:
        each.sendall(request)
    daemon.signal(signal.SIGCONT)
    for each in connections:
        read_answer(each)


@pytest.mark.parametrize('namespace, media_type', [(SOAP11, 'text/xml'), (SOAP12, 'application/soap+xml')],
                         ids=['SOAP 1.1', 'SOAP 1.2'])
def test_a_request_allocates_nothing(tmp_path, namespace, media_type):
    allocations = Allocations(tmp_path / 'counters')
    body = say_hi_envelope('World', namespace)
    request = (b'POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s; charset=utf-8\r\nSOAPAction: ""\r\n'
               b'Content-Length: %d\r\n\r\n' % (HELLO_PATH.encode(), media_type.encode(), len(body))) + body
    env = {'LD_PRELOAD': str(LIBRARY), 'POSTBUS_ALLOCATIONS': str(tmp_path / 'counters'),
           'POSTBUS_ALLOCATIONS_EXCEPT': 'deployer'}
    with Daemon(args=['--set', 'logging.access.file=access.log'], env=env) as daemon:
        connections = [socket.create_connection(daemon.address, 10) for _ in range(CONNECTIONS)]
        calls(connections, request, WARM_UP)
        for _ in range(20):
            all_at_once(daemon, connections, request)

        allocations.watch(1, stacks=4)
        calls(connections, request, CALLS)
        counted = allocations.count
        daemon.admin('GET', '/status')

        assert counted == 0, '%d allocations in %d requests' % (counted, CALLS)
        assert allocations.count > 0, 'the counter does not count'
        for each in connections:
            each.close()
