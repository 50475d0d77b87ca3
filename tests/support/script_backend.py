"""A server that does to each connection what a script says: for tests of how others fail.

    with Backend(lambda peer: (peer.request(), peer.send(b'HTTP/1.1 200 OK\\r\\n...'))) as backend:
        backend.url('/it')

The script gets a Peer for each connection, on a thread of its own; when it returns, the connection is closed.
"""
import socket
import struct
import threading


class Peer:
    def __init__(self, sock):
        self.socket = sock
        self.data = b''

    def _more(self):
        piece = self.socket.recv(1 << 16)
        self.data += piece
        return bool(piece)

    def head(self):
        """The next request's head as bytes, or None when the caller has gone."""
        while b'\r\n\r\n' not in self.data:
            if not self._more():
                return None
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        return head

    def request(self):
        """(head, body) of the next request, or None. Bodies with a length, or in chunks."""
        head = self.head()
        if head is None:
            return None
        fields = dict(line.lower().split(b': ', 1) for line in head.split(b'\r\n')[1:])
        if fields.get(b'transfer-encoding') == b'chunked':
            return head, self._chunks()
        return head, self._take(int(fields.get(b'content-length', 0)))

    def _take(self, size):
        while len(self.data) < size and self._more():
            pass
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def _line(self):
        while b'\r\n' not in self.data and self._more():
            pass
        line, _, self.data = self.data.partition(b'\r\n')
        return line

    def _chunks(self):
        body = b''
        while size := int(self._line() or b'0', 16):
            body += self._take(size)
            self._line()
        self._line()
        return body

    def send(self, data):
        self.socket.sendall(data)

    def answer(self, body, status=b'200 OK', fields=b'Content-Type: text/xml; charset=utf-8\r\n'):
        self.send(b'HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s' % (status, fields, len(body), body))

    def reset(self):
        """Closes with a reset instead of an end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))


class Backend:
    def __init__(self, script):
        self.script = script
        self.connections = 0
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self._open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path='/it'):
        return 'http://127.0.0.1:%d%s' % (self.port, path)

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(sock)
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock):
        with sock:
            try:
                self.script(Peer(sock))
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for each in self._open:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def once(body, status=b'200 OK'):
    """Answers one request, and says that the connection ends after it: nobody sends another one into the closing."""
    def script(peer):
        peer.request()
        peer.answer(body, status, b'Content-Type: text/xml; charset=utf-8\r\nConnection: close\r\n')
    return script


def echoing(peer):
    """Answers each request with its own body."""
    while request := peer.request():
        peer.answer(request[1])
