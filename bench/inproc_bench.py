"""sayHi called in-process by another service, against the same call over HTTP

Both in one daemon, in turn: its user CPU for each call. The caller is a plugin that calls HelloWorld by its name, one call
after the other, as a request to it says; that request is one in a million, and counts as nothing.

Over HTTP the request is made by the load generator, which is no part of the daemon; in-process it is the plugin that makes
it, and a third slice measures what that takes: the same structs written to the same kind of request, many in one, never
sent. What is compared to HTTP is the call without that; with it is printed as well.
"""
import statistics
import tempfile
from pathlib import Path

from kit import load
from kit.checks import at_most
from kit.postbus import ANSWER, PATH, REQUEST, Postbus
from kit.processes import cpu

SERVER_CORE, LOAD_CORE = 0, 1
ROUNDS, SECONDS, CALLS, CONNECTIONS = 7, 2, 1_000_000, 64
TIMES = ('<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><c:%s '
         'xmlns:c="urn:postbus:test:caller"><times>%d</times></c:%s></s:Body></s:Envelope>')


def by_http(postbus, body_file):
    before = cpu(postbus.pid)
    slice_ = load.wrk(postbus.port, PATH, body_file, CONNECTIONS, SECONDS, LOAD_CORE)
    return (cpu(postbus.pid)[0] - before[0]) / slice_['requests'] * 1e6


def in_process(postbus, operation, answer):
    before = cpu(postbus.pid)
    _, body = load.call(postbus.port, '/test/caller', (TIMES % (operation, CALLS, operation)).encode(), timeout=60)
    if b'<text>%s</text>' % answer not in body:
        raise load.LoadFailed('not the answer: %r' % body)
    return (cpu(postbus.pid)[0] - before[0]) / CALLS * 1e6


def run(build):
    rounds = []
    with tempfile.NamedTemporaryFile(suffix='.xml') as body_file, \
            Postbus(SERVER_CORE, plugins=[build / 'tests' / 'plugins' / 'caller.so']) as postbus:
        Path(body_file.name).write_bytes(REQUEST)
        assert ANSWER in load.call(postbus.port, PATH, REQUEST)[1]
        for _ in range(ROUNDS + 1):
            rounds.append((by_http(postbus, body_file.name), in_process(postbus, 'loop', b'Hello World'),
                           in_process(postbus, 'write', b'written')))
    del rounds[0]
    print('user CPU a call, medians of %d rounds: over HTTP %.2f us, in-process %.2f us, of it %.2f us for the request '
          'that the caller writes; with that %.2f of HTTP\'s' %
          (ROUNDS, *(statistics.median(each) for each in zip(*rounds)),
           statistics.median(call / http for http, call, _ in rounds)))
    return [at_most('user CPU of a call in-process to one over HTTP',
                    statistics.median((call - request) / http for http, call, request in rounds), 0.25)]
