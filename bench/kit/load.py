"""Load by wrk, and single calls that look at the whole answer."""
import json
import socket
import subprocess
from pathlib import Path

from kit.processes import on_core

SCRIPTS = Path(__file__).resolve().parent.parent / 'load'
CONTENT_TYPE = 'text/xml; charset=utf-8'


class LoadFailed(Exception):
    pass


def wrk(port, path, body_file, connections, seconds, core, paced=None):
    """One slice. {'requests', 'seconds', 'p50', 'p99' in ms}; any answer but 2xx and any broken connection fails it.

    `paced`: (file with the bytes that each answer must have, milliseconds that a connection rests before a request).
    """
    script = ['post.lua', str(body_file)] if paced is None else ['paced.lua', str(body_file), *map(str, paced)]
    run = subprocess.run(on_core(core) + [
        'wrk', '-t1', '-c%d' % connections, '-d%ds' % seconds, '--timeout', '10s', '-s', str(SCRIPTS / script[0]),
        'http://127.0.0.1:%d%s' % (port, path), '--', *script[1:], 'Content-Type', CONTENT_TYPE, 'SOAPAction', '""'],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=seconds + 60)
    if run.returncode != 0:
        raise LoadFailed(run.stdout)
    figures = json.loads(run.stdout.rstrip().rsplit('\n', 1)[-1])
    if figures['status'] or figures['broken'] or not figures['requests']:
        raise LoadFailed('port %d: %s' % (port, figures))
    return figures


def request_bytes(port, path, body):
    return ('POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: %s\r\nSOAPAction: ""\r\nContent-Length: %d\r\n\r\n'
            % (path, port, CONTENT_TYPE, len(body))).encode() + body


def read_answer(connection):
    """(head, body) of an answer with a Content-Length."""
    data = b''
    while b'\r\n\r\n' not in data:
        more = connection.recv(65536)
        if not more:
            raise LoadFailed('closed after %r' % data)
        data += more
    head, _, body = data.partition(b'\r\n\r\n')
    length = next(int(line.split(b':')[1]) for line in head.split(b'\r\n') if line.lower().startswith(b'content-length:'))
    while len(body) < length:
        more = connection.recv(65536)
        if not more:
            raise LoadFailed('closed within the body')
        body += more
    return head, body


def call(port, path, body, timeout=10):
    """(head, body) of one call on a connection of its own; not 200 fails."""
    with socket.create_connection(('127.0.0.1', port), timeout) as connection:
        connection.sendall(request_bytes(port, path, body))
        head, answer = read_answer(connection)
    if head.split(b' ', 2)[1] != b'200':
        raise LoadFailed('port %d: %r %r' % (port, head, answer))
    return head, answer
