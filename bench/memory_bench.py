"""Memory at 1,000 idle connections, 1,000 new ones at once, and the first answer after the start
"""
import selectors
import socket
import statistics
import time
import resource

from kit import load, processes
from kit.checks import at_least, at_most
from kit.postbus import ANSWER, PATH, REQUEST, Postbus

CONNECTIONS = 1000
STARTS = 5


def raise_file_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS * 2 + 200
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise SystemExit('needs %d open files at once; the limit here is %d' % (wanted, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def idle_connections(port, count):
    """Open connections, each after one call."""
    request, opened = load.request_bytes(port, PATH, REQUEST), []
    for _ in range(count):
        connection = socket.create_connection(('127.0.0.1', port), 10)
        connection.sendall(request)
        opened.append(connection)
    for connection in opened:
        _, body = load.read_answer(connection)
        if ANSWER not in body:
            raise load.LoadFailed('not the answer: %r' % body)
    return opened


def settled(pid):
    """The memory once it stands still: what was freed or written late is done then."""
    last = processes.memory(pid)
    for _ in range(40):
        time.sleep(0.25)
        now = processes.memory(pid)
        if now['RssAnon'] == last['RssAnon']:
            break
        last = now
    return processes.memory(pid)


def at_once(port, count, seconds=30):
    """How many of `count` connections, all begun before any is served, had the right answer to their one call."""
    request, selector, answers = load.request_bytes(port, PATH, REQUEST), selectors.DefaultSelector(), {}
    good, open_ = 0, 0
    for _ in range(count):
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(('127.0.0.1', port))
        selector.register(connection, selectors.EVENT_WRITE)
        answers[connection] = b''
        open_ += 1
    end = time.monotonic() + seconds
    while open_ and time.monotonic() < end:
        for key, ready in selector.select(0.1):
            connection = key.fileobj
            try:
                if ready & selectors.EVENT_WRITE:
                    connection.sendall(request)
                    selector.modify(connection, selectors.EVENT_READ)
                    continue
                data = connection.recv(65536)
            except OSError:
                data = b''
            answers[connection] += data
            done = answers[connection].startswith(b'HTTP/1.1 200 ') and ANSWER in answers[connection]
            if done or not data:
                good += done
                open_ -= 1
                selector.unregister(connection)
                connection.close()
    for connection in answers:
        connection.close()
    return good


def first_answer():
    """Milliseconds from the start of the process to the end of its first answer."""
    postbus = Postbus(serving=False)
    request = load.request_bytes(postbus.port, PATH, REQUEST)
    began = time.monotonic()
    with postbus:
        while time.monotonic() - began < 10:
            with socket.socket() as connection:
                connection.settimeout(5)
                if connection.connect_ex(('127.0.0.1', postbus.port)) == 0:
                    connection.sendall(request)
                    head, body = load.read_answer(connection)
                    if head.startswith(b'HTTP/1.1 200 ') and ANSWER in body:
                        return (time.monotonic() - began) * 1000
            time.sleep(0.0005)
        raise load.LoadFailed('no answer within 10 s of the start')


def run(build):
    raise_file_limit()
    starts = [first_answer() for _ in range(STARTS)]
    print('first answer after', ', '.join('%.1f ms' % each for each in starts))

    with Postbus() as postbus:
        port = postbus.port
        for connection in idle_connections(port, 8):
            connection.close()
        before = settled(postbus.pid)
        opened = idle_connections(port, CONNECTIONS)
        idle = settled(postbus.pid)
        if not all(still_open(each) for each in opened):
            raise load.LoadFailed('a connection did not stay open')
        for connection in opened:
            connection.close()
    print('RssAnon %d KB before, %d KB with %d connections; VmRSS %d KB' % (
        before['RssAnon'] / 1024, idle['RssAnon'] / 1024, CONNECTIONS, idle['VmRSS'] / 1024))

    with Postbus() as postbus:
        began = time.monotonic()
        answered = at_once(postbus.port, CONNECTIONS)
        print('%d of %d new connections answered in %.0f ms' % (answered, CONNECTIONS, (time.monotonic() - began) * 1000))

    return [
        at_most('private memory (RssAnon) at 1,000 idle connections', idle['RssAnon'] / 1024, 8 * 1024, 'KB'),
        at_most('private memory a connection', (idle['RssAnon'] - before['RssAnon']) / CONNECTIONS / 1024, 2, 'KB'),
        at_most('resident memory (VmRSS) at 1,000 idle connections', idle['VmRSS'] / 1024, 24 * 1024, 'KB'),
        at_most('first answer after the start, median', statistics.median(starts), 50, 'ms'),
        at_least('1,000 new connections at once, answered', answered, CONNECTIONS, 'connections'),
    ]


def still_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b''
    except BlockingIOError:
        return True
