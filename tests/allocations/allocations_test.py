"""In the steady state a request takes nothing from the heap, access log and all.

The daemon runs under a library that counts (count_allocations.cpp). What the daemon does by itself
meanwhile is measured over as long a rest and is not the requests' doing.
"""
import mmap
import os
import socket
import struct
import time
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


def calls(connections, request, size, number):
    """`number` calls over the connections in turn, every one in flight at once; each answer as long as the first."""
    for _ in range(number // len(connections)):
        for each in connections:
            each.sendall(request)
        for each in connections:
            left = size
            while left > 0:
                data = each.recv(left)
                assert data, 'closed'
                left -= len(data)


@pytest.mark.parametrize('namespace, media_type', [(SOAP11, 'text/xml'), (SOAP12, 'application/soap+xml')],
                         ids=['SOAP 1.1', 'SOAP 1.2'])
def test_a_request_allocates_nothing(tmp_path, namespace, media_type):
    allocations = Allocations(tmp_path / 'counters')
    body = say_hi_envelope('World', namespace)
    request = (b'POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s; charset=utf-8\r\nSOAPAction: ""\r\n'
               b'Content-Length: %d\r\n\r\n' % (HELLO_PATH.encode(), media_type.encode(), len(body))) + body
    with Daemon(env={'LD_PRELOAD': str(LIBRARY), 'POSTBUS_ALLOCATIONS': str(tmp_path / 'counters')}) as daemon:
        connections = [socket.create_connection(daemon.address, 10) for _ in range(CONNECTIONS)]
        connections[0].sendall(request)
        time.sleep(0.2)
        first = connections[0].recv(65536)
        assert first.startswith(b'HTTP/1.1 200 ') and b'<return>Hello World</return>' in first
        calls(connections, request, len(first), WARM_UP)

        allocations.watch(1, stacks=4)
        began = time.monotonic()
        calls(connections, request, len(first), CALLS)
        took = time.monotonic() - began
        busy = allocations.count
        allocations.watch(1)
        time.sleep(took)
        resting = allocations.count
        allocations.watch(1)
        daemon.admin('GET', '/status')
        counting = allocations.count

        assert counting > 0, 'the counter does not count'
        assert busy <= resting, '%d allocations in %d requests, %d at rest' % (busy, CALLS, resting)
        for each in connections:
            each.close()
