"""a plain proxy of SOAP messages beside nginx's proxy_pass, and a body of 1 GB

Both proxies have core 0, the backend (nginx) and the load core 1. Slices alternate; in each as many connections send a
message of 1 KB, rest, and send again: a rate far below what either can take, so that CPU a request is what is measured.
Every byte of every answer is compared. Then 1 GB goes through Postbus each way.
"""
import hashlib
import socket
import statistics
import tempfile
import threading
from pathlib import Path

from kit import load
from kit.checks import at_most
from kit.peers import NginxAnswer, NginxProxy
from kit.postbus import Postbus
from kit.processes import cpu, memory

PROXY_CORE, OTHER_CORE = 0, 1
CONNECTIONS, PAUSE_MS = 64, 12
ROUNDS, SECONDS = 9, 3
PATH = '/stock'
PIECE = bytes(range(256)) * 256
GIGABYTE = 1 << 30


def message(kind, size=1024):
    """A SOAP message of exactly so many bytes."""
    start = ('<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><%s xmlns="urn:stock">'
             % kind).encode()
    end = ('</%s></soap:Body></soap:Envelope>' % kind).encode()
    return start + b'x' * (size - len(start) - len(end)) + end


def settings(port):
    return ['endpoints={Stock: {http: %s, to: "http://127.0.0.1:%d%s"}}' % (PATH, port, PATH)]


class Sink:
    """A backend that reads a body of a gigabyte and answers with one."""

    def __init__(self):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.digest = None
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        peer, _ = self.listener.accept()
        with peer:
            data = b''
            while b'\r\n\r\n' not in data:
                data += peer.recv(1 << 16)
            data = data.split(b'\r\n\r\n', 1)[1]
            digest, seen = hashlib.sha256(data), len(data)
            while seen < GIGABYTE:
                data = peer.recv(1 << 20)
                digest.update(data)
                seen += len(data)
            self.digest = digest.hexdigest()
            peer.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n' % GIGABYTE)
            for _ in range(GIGABYTE // len(PIECE)):
                peer.sendall(PIECE)


def one_gigabyte():
    """The most memory the daemon has had, after a gigabyte each way."""
    sink = Sink()
    expected = hashlib.sha256()
    for _ in range(GIGABYTE // len(PIECE)):
        expected.update(PIECE)
    with Postbus(settings=settings(sink.port)) as postbus, \
            socket.create_connection(('127.0.0.1', postbus.port), 60) as caller:
        caller.sendall(b'POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n'
                       % (PATH.encode(), GIGABYTE))
        for _ in range(GIGABYTE // len(PIECE)):
            caller.sendall(PIECE)
        data = b''
        while b'\r\n\r\n' not in data:
            data += caller.recv(1 << 16)
        head, data = data.split(b'\r\n\r\n', 1)
        assert head.startswith(b'HTTP/1.1 200'), head
        digest, seen = hashlib.sha256(data), len(data)
        while seen < GIGABYTE:
            data = caller.recv(1 << 20)
            if not data:
                raise load.LoadFailed('the answer ended after %d bytes' % seen)
            digest.update(data)
            seen += len(data)
        if not sink.digest == digest.hexdigest() == expected.hexdigest():
            raise load.LoadFailed('other bytes came than were sent')
        return memory(postbus.pid)['VmHWM']


def run(build):
    request, answer = message('order'), message('confirmation')
    cost, rates = {'nginx': [], 'postbus': []}, {'nginx': [], 'postbus': []}
    with tempfile.TemporaryDirectory() as folder, NginxAnswer(OTHER_CORE, answer) as backend, \
            NginxProxy(PROXY_CORE, backend.port) as nginx, \
            Postbus(PROXY_CORE, settings=settings(backend.port)) as postbus:
        body_file, expected_file = Path(folder) / 'request', Path(folder) / 'answer'
        body_file.write_bytes(request)
        expected_file.write_bytes(answer)
        proxies = {'nginx': (nginx.pid, nginx.port), 'postbus': (postbus.pid, postbus.port)}
        for number in range(ROUNDS + 1):
            for name, (pid, port) in proxies.items():
                before = cpu(pid)
                slice_ = load.wrk(port, PATH, body_file, CONNECTIONS, SECONDS if number else 1, OTHER_CORE,
                                  paced=(expected_file, PAUSE_MS))
                after = cpu(pid)
                if number:
                    cost[name].append([(b - a) / slice_['requests'] * 1e6 for a, b in zip(before, after)])
                    rates[name].append(slice_['requests'] / slice_['seconds'])
    for name in proxies:
        print('%-8s %6.0f/s   user %5.2f us, system %5.2f us a request' % (
            name, statistics.median(rates[name]), statistics.median(each[0] for each in cost[name]),
            statistics.median(each[1] for each in cost[name])), flush=True)
    ratio = statistics.median(sum(ours) / sum(theirs) for ours, theirs in zip(cost['postbus'], cost['nginx']))
    medians = [statistics.median(each) for each in rates.values()]
    apart = max(medians) / min(medians)
    peak = one_gigabyte()
    print('1 GB up and 1 GB down: at most %.1f MB of memory' % (peak / 1e6))
    return [at_most('CPU a request to nginx proxy_pass', ratio, 1.4),
            at_most('the two rates, one to the other', apart, 1.1),
            at_most('memory with a body of 1 GB', peak / 1e6, 64, 'MB')]
