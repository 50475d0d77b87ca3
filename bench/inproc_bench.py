"""sayHi called in-process by another service, against the same call over HTTP

Both in one daemon, in turn: user CPU for each call. The caller is a plugin that calls HelloWorld by its name, one call
after the other, as a request to it says.
"""
import statistics
import tempfile
from pathlib import Path

from kit import load
from kit.checks import at_most
from kit.postbus import ANSWER, PATH, REQUEST, Postbus
from kit.processes import cpu

SERVER_CORE, LOAD_CORE = 0, 1
ROUNDS, SECONDS, CALLS, CONNECTIONS = 7, 1, 200_000, 64
LOOP = ('<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><c:loop '
        'xmlns:c="urn:postbus:test:caller"><times>%d</times></c:loop></s:Body></s:Envelope>' % CALLS).encode()


def by_http(postbus, body_file):
    before = cpu(postbus.pid)
    slice_ = load.wrk(postbus.port, PATH, body_file, CONNECTIONS, SECONDS, LOAD_CORE)
    return (cpu(postbus.pid)[0] - before[0]) / slice_['requests'] * 1e6


def in_process(postbus):
    before = cpu(postbus.pid)
    _, body = load.call(postbus.port, '/test/caller', LOOP)
    if b'<text>done</text>' not in body:
        raise load.LoadFailed('not the answer: %r' % body)
    return (cpu(postbus.pid)[0] - before[0]) / CALLS * 1e6


def run(build):
    http, inproc = [], []
    with tempfile.NamedTemporaryFile(suffix='.xml') as body_file, \
            Postbus(SERVER_CORE, plugins=[build / 'tests' / 'plugins' / 'caller.so']) as postbus:
        Path(body_file.name).write_bytes(REQUEST)
        assert ANSWER in load.call(postbus.port, PATH, REQUEST)[1]
        for number in range(ROUNDS + 1):
            by_wire, by_name = by_http(postbus, body_file.name), in_process(postbus)
            if number:
                http.append(by_wire)
                inproc.append(by_name)
    print('user CPU a call, medians of %d rounds: over HTTP %.2f us, in-process %.2f us' %
          (ROUNDS, statistics.median(http), statistics.median(inproc)))
    return [at_most('user CPU of a call in-process to one over HTTP',
                    statistics.median(a / b for a, b in zip(inproc, http)), 0.25)]
