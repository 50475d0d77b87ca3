"""10,000 redeploys under load by the admin interface, 40 by file: failed calls, stale answers, what stays behind
"""
import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import postbus_daemon
from kit import load, processes
from kit.checks import at_least, at_most
from kit.postbus import PATH, REQUEST, Postbus

ORDERS, FILES = 10_000, 40
WARM = 500  # redeploys before the memory is looked at for the first time
MARK = b'g000000'


class Numbered:
    """A plugin whose greeting tells which redeploy it came by."""

    def __init__(self, build):
        self.bytes = (build / 'tests' / 'plugins' / 'hello_numbered.so').read_bytes()
        assert MARK in self.bytes

    def greeting(self, number):
        return b'g%06d' % number

    def content(self, number):
        return self.bytes.replace(MARK, self.greeting(number))


class Caller:
    """One connection, kept."""

    def __init__(self, port):
        self.connection, self.request = socket.create_connection(('127.0.0.1', port), 10), load.request_bytes(port, PATH, REQUEST)

    def answer(self):
        self.connection.sendall(self.request)
        head, body = load.read_answer(self.connection)
        if not head.startswith(b'HTTP/1.1 200 '):
            raise load.LoadFailed('%r %r' % (head, body))
        return body


class Load:
    """wrk without pause, from beginning to end; any answer but 2xx and any broken connection is kept in `failed`."""

    def __init__(self, port, folder):
        self.port, self.calls, self.failed, self.stopping = port, 0, [], threading.Event()
        self.body = folder / 'request.xml'
        self.body.write_bytes(REQUEST)
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.stopping.is_set():
            try:
                self.calls += load.wrk(self.port, PATH, self.body, 16, 2, 1)['requests']
            except Exception as error:
                self.failed.append(str(error))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()


def settled(pid):
    last = None
    for _ in range(20):
        now = processes.memory(pid)['RssAnon']
        if now == last:
            break
        last = now
        time.sleep(0.25)
    return last


def descriptors(pid):
    """Open files but sockets, which come and go with the load."""
    kinds = []
    for each in Path('/proc/%d/fd' % pid).iterdir():
        try:
            kinds.append(os.readlink(each))
        except FileNotFoundError:
            pass  # closed meanwhile
    return sum(not kind.startswith('socket:') for kind in kinds)


def mapped(daemon):
    """Copies of plugins that are mapped."""
    maps = Path('/proc/%d/maps' % daemon.pid).read_text().splitlines()
    return len({line.split()[-1] for line in maps if str(daemon.state / 'cache') in line})


def by_order(daemon, plugin, caller, first, count):
    """(stale answers, slowest order in ms)"""
    admin = postbus_daemon.UnixConnection(daemon.admin_socket, 60)
    stale, slowest = 0, 0
    for number in range(first, first + count):
        began = time.monotonic()
        admin.request('POST', '/plugins/deploy?name=hello.so', plugin.content(number))
        answer = admin.getresponse()
        told = answer.read()
        if answer.status != http.client.OK:
            raise load.LoadFailed('redeploy %d: %d %r' % (number, answer.status, told))
        slowest = max(slowest, time.monotonic() - began)
        stale += plugin.greeting(number) not in caller.answer()
    admin.close()
    return stale, slowest * 1000


def by_file(daemon, plugin, caller, first, count, folder):
    """Stale answers: of a former version after one of the new."""
    ways = [['cp'], ['mv'], ['rsync', '--ignore-times'], ['install', '-m', '644']]
    stale, source, target = 0, folder / 'next.so', daemon.state / 'deploy' / 'hello.so'
    for number in range(first, first + count):
        source.write_bytes(plugin.content(number))
        subprocess.run([*ways[number % len(ways)], str(source), str(target)], check=True)
        processes.await_true('redeploy %d by file' % number,
                             lambda: plugin.greeting(number) in caller.answer(), 30)  # noqa: B023
        stale += sum(plugin.greeting(number) not in caller.answer() for _ in range(20))
    return stale


def run(build):
    plugin, folder = Numbered(build), Path(tempfile.mkdtemp(prefix='postbus-redeploy-'))
    try:
        with Postbus(settings=['plugins.quiet=100ms']) as daemon, Load(daemon.port, folder) as calls:
            caller = Caller(daemon.port)
            stale, _ = by_order(daemon, plugin, caller, 1, WARM)
            before, files_before = settled(daemon.pid), descriptors(daemon.pid)
            began = time.monotonic()
            more, slowest = by_order(daemon, plugin, caller, 1 + WARM, ORDERS - WARM)
            each = (time.monotonic() - began) * 1000 / (ORDERS - WARM)
            growth = (settled(daemon.pid) - before) / (ORDERS - WARM)
            stale += more + by_file(daemon, plugin, caller, 1 + ORDERS, FILES, folder)
            calls.stopping.set()
            calls.thread.join()
            processes.await_true('former versions unloaded', lambda: mapped(daemon) == 1, 30)
            processes.await_true('descriptors closed', lambda: descriptors(daemon.pid) <= files_before, 30)
            files = descriptors(daemon.pid) - files_before
            log = daemon.log()
            held = log.count('plugin.unload.failed') + log.count('plugin.unload.overdue')
            unloaded = log.count(' plugin.unloaded ')
    finally:
        shutil.rmtree(folder)
    print('%d calls meanwhile; %.1f ms a redeploy, the slowest %.0f ms; %d unloaded' % (
        calls.calls, each, slowest, unloaded))
    for failure in calls.failed[:3]:
        print(failure)
    return [
        at_most('slices of load with a failed call', len(calls.failed), 0, 'slices'),
        at_most('stale answers after a switch', stale, 0, 'answers'),
        at_least('former versions unloaded', unloaded, ORDERS + FILES, 'versions'),
        at_most('versions that stay mapped', held, 0, 'versions'),
        at_most('growth of private memory a redeploy', growth / 1024, 1, 'KB'),
        at_most('descriptors left', files, 0, 'descriptors'),
    ]
