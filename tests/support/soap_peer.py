"""A SOAP service of another stack: Python's http.server, lxml for XML and for validating what comes in.

    with SoapPeer({'/ws/a.wsdl': b'...'}, answer) as peer:
        peer.url, peer.requests

GET gives the documents. POST: the payload is given to `answer(payload, peer)`, which gives (status, content of the Body)
or bytes to be sent as they are; a Request is kept of each.
"""
import threading
from collections import namedtuple
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lxml import etree

SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/'
SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'
Request = namedtuple('Request', 'method path headers body payload')


class SoapPeer:
    def __init__(self, documents, answer=None):
        self.documents, self.answer, self.requests = dict(documents), answer, []
        self.user = None  # (status 401 for who is not)
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def give(self, status, content, content_type='text/xml; charset=utf-8', headers=()):
                self.send_response(status)
                self.send_header('Content-Type', content_type)
                self.send_header('Content-Length', str(len(content)))
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def allowed(self):
                if peer.user in (None, self.headers['Authorization']):
                    return True
                self.give(401, b'who are you?', 'text/plain')
                return False

            def do_GET(self):
                peer.requests.append(Request('GET', self.path, self.headers, b'', None))
                found = peer.documents.get(self.path)
                if not self.allowed():
                    return
                if isinstance(found, str):  # a redirect
                    self.give(302, b'', headers=[('Location', found)])
                else:
                    self.give(200 if found else 404, found or b'<html>nothing here</html>')

            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                envelope = etree.fromstring(body)
                ns = etree.QName(envelope).namespace
                payload = envelope.find('{%s}Body' % ns)
                peer.requests.append(Request('POST', self.path, self.headers, body, payload[0] if len(payload) else None))
                if not self.allowed():
                    return
                answer = peer.answer(payload[0], peer)
                if isinstance(answer, bytes):
                    self.wfile.write(answer)
                    self.close_connection = True
                    return
                status, content = answer
                if content is None:
                    return self.give(status, b'')
                kind = 'application/soap+xml' if ns == SOAP12 else 'text/xml'
                self.give(status, ('<e:Envelope xmlns:e="%s"><e:Body>%s</e:Body></e:Envelope>' % (ns, content)).encode(),
                          kind + '; charset=utf-8')

        self._server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self._server.daemon_threads = True
        self.url = 'http://127.0.0.1:%d' % self._server.server_address[1]

    def posts(self):
        return [each for each in self.requests if each.method == 'POST']

    def __enter__(self):
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={'poll_interval': 0.02})
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
