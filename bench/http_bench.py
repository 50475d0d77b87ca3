"""sayHi over HTTP keep-alive: against nginx's `return 200` and gSOAP, one core each for server and load

Slices of load alternate between the servers, so that what else the machine does falls on all of them alike; each round
gives a ratio, the median of the rounds counts. Postbus runs with its features on, access log into a file.
"""
import statistics
import tempfile
from pathlib import Path

from kit import load
from kit.checks import at_least, at_most
from kit.peers import Gsoap, Nginx
from kit.postbus import ANSWER, PATH, REQUEST, Postbus
from kit.processes import cpu

SERVER_CORE, LOAD_CORE = 0, 1
CONNECTIONS = (16, 64, 256)
ROUNDS, SECONDS = 7, 2


def verified(port, path, expected):
    head, body = load.call(port, path, REQUEST)
    if expected not in body:
        raise load.LoadFailed('not the answer: %r %r' % (head, body))
    return head, body


class Figures:
    """What the slices of one server gave."""

    def __init__(self):
        self.rate, self.user, self.system, self.p99 = [], [], [], []

    def take(self, slice_, before, after):
        self.rate.append(slice_['requests'] / slice_['seconds'])
        self.user.append((after[0] - before[0]) / slice_['requests'] * 1e6)
        self.system.append((after[1] - before[1]) / slice_['requests'] * 1e6)
        self.p99.append(slice_['p99'])

    def line(self):
        return '%9.0f/s   user %5.2f us, system %5.2f us a request   p99 %7.2f ms' % tuple(
            statistics.median(each) for each in (self.rate, self.user, self.system, self.p99))


def measure(servers, connections, body_file):
    """{name: Figures} of ROUNDS alternating slices, after one that warms up."""
    figures = {name: Figures() for name in servers}
    for number in range(ROUNDS + 1):
        for name, (pid, port, path, expected) in servers.items():
            verified(port, path, expected)
            before = cpu(pid)
            slice_ = load.wrk(port, path, body_file, connections, SECONDS if number else 1, LOAD_CORE)
            if number:
                figures[name].take(slice_, before, cpu(pid))
    return figures


def median_ratio(ours, theirs):
    return statistics.median(a / b for a, b in zip(ours, theirs))


def run(build):
    checks, user_ours, user_nginx = [], [], []
    with tempfile.NamedTemporaryFile(suffix='.xml') as body_file, Postbus(SERVER_CORE) as postbus:
        Path(body_file.name).write_bytes(REQUEST)
        head, body = verified(postbus.port, PATH, ANSWER)
        with Nginx(SERVER_CORE, head, body) as nginx, Gsoap(SERVER_CORE, build) as gsoap:
            servers = {
                'nginx': (nginx.pid, nginx.port, '/', nginx.body),
                'postbus': (postbus.pid, postbus.port, PATH, ANSWER),
                'gSOAP': (gsoap.pid, gsoap.port, '/', ANSWER),
            }
            print('%d slices of %d s each, in turn; answers of %d bytes' % (ROUNDS, SECONDS, len(head) + 4 + len(body)))
            for connections in CONNECTIONS:
                figures = measure(servers, connections, body_file.name)
                for name, each in figures.items():
                    print('%4d connections  %-8s %s' % (connections, name, each.line()), flush=True)
                ours, theirs = figures['postbus'], figures['nginx']
                checks.append(at_least('rate to nginx, %d connections' % connections,
                                       median_ratio(ours.rate, theirs.rate), 0.85))
                checks.append(at_least('rate to gSOAP, %d connections' % connections,
                                       median_ratio(ours.rate, figures['gSOAP'].rate), 3))
                user_ours += ours.user
                user_nginx += theirs.user
    checks.append(at_most('user CPU a request to nginx', statistics.median(user_ours) / statistics.median(user_nginx), 2.2))
    return checks
