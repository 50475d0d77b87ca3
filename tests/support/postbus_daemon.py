"""Starts a real postbusd for a test, and stops it.

    with Daemon(config='endpoints: {...}', plugins=[PLUGINS / 'types.so'], args=['--set', 'logging.level=debug']) as d:
        d.say_hi('Bob')                      # 'Hello Bob'
        d.deploy(PLUGINS / 'echo.so')
        status, body = d.admin('GET', '/status')
        d.stop()                             # exit status

Each daemon has a folder of its own, ports that the kernel chose, and a log in JSON lines. It is up when __enter__
returns: the event daemon.ready stands in its log. When the block is left by an exception the log is printed. The programs come from
$POSTBUS_BIN, by default build/dev/bin. Needs nothing but Python 3.9.
"""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(os.environ.get('POSTBUS_BIN', ROOT / 'build' / 'dev' / 'bin'))
PLUGINS = BIN.parent / 'tests' / 'plugins'
# A build with sanitizers takes its time.
SLOWNESS = float(os.environ.get('POSTBUS_TEST_SLOWNESS', '1'))


def sanitized():
    """Whether the daemon was built with a sanitizer."""
    return b'__ubsan_handle' in (BIN / 'postbusd').read_bytes() or b'__tsan_init' in (BIN / 'postbusd').read_bytes()


def wait_until(condition, timeout=10, what='what was waited for'):
    """Waits until `condition()` is true, and gives its value; longer on builds that are slow."""
    end = time.monotonic() + timeout * SLOWNESS
    while not (value := condition()):
        assert time.monotonic() < end, '%s did not come in time' % what
        time.sleep(0.02)
    return value


SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/'
SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'
HELLO = 'http://cxf.examples.servicemix.apache.org/'
HELLO_PATH = '/cxf/HelloWorld'


class DaemonFailed(Exception):
    """It ended, or did not do in time what was waited for."""


class UnixConnection(http.client.HTTPConnection):
    """http.client over a Unix socket."""

    def __init__(self, path, timeout=10):
        super().__init__('localhost', timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def say_hi_envelope(name=None, ns=SOAP11):
    """The request of sayHi; without a name arg0 is left out."""
    arg0 = '' if name is None else '<arg0>%s</arg0>' % escape(name)
    return ('<s:Envelope xmlns:s="%s"><s:Body><h:sayHi xmlns:h="%s">%s</h:sayHi></s:Body></s:Envelope>'
            % (ns, HELLO, arg0)).encode()


def sleep_envelope(milliseconds, operation='sleep'):
    return ('<s:Envelope xmlns:s="%s"><s:Body><t:%s xmlns:t="urn:postbus:test:types"><milliseconds>%d</milliseconds>'
            '</t:%s></s:Body></s:Envelope>' % (SOAP11, operation, milliseconds, operation)).encode()


def http_request(path, envelope, close=False):
    """The bytes of a SOAP 1.1 POST, for a socket of one's own."""
    head = 'POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: %d\r\n%s\r\n'
    return (head % (path, len(envelope), 'Connection: close\r\n' if close else '')).encode() + envelope


class Daemon:
    """A postbusd of one's own. `config` is YAML text or a path; None: built-in defaults. `folder`: where it lives,
    made and removed when not given; the state folder is `folder`/state and outlives the daemon when `folder` is given.
    `plugins` lie in the deploy folder from the start. `wait`: until it is ready. `wrapper`: a command in front, e.g.
    ['taskset', '-c', '0'].
    """

    alive = []  # those started and not yet left

    def __init__(self, config=None, args=(), env=None, folder=None, plugins=(), stderr=None, json_log=True,
                 free_ports=True, wait=True, timeout=10, wrapper=()):
        self._own_folder = folder is None
        self.folder = Path(folder or tempfile.mkdtemp(prefix='postbus-'))
        self.state = self.folder / 'state'
        self.deploy_folder = self.state / 'deploy'
        self.admin_socket = self.state / 'admin.sock'
        self.log_file = self.folder / 'daemon.log'
        self.config_file = None
        self._plugins = [Path(each).name for each in plugins if Path(each).suffix == '.so']
        for each in plugins:
            self.deploy_folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(each, self.deploy_folder)
        self.timeout = timeout * SLOWNESS
        self.process = None
        self.exit_status = None
        self._stderr, self._wait = stderr, wait
        self._log_start = self.log_file.stat().st_size if self.log_file.exists() else 0
        command = [*wrapper, str(BIN / 'postbusd')]
        if config is not None:
            if isinstance(config, os.PathLike):
                self.config_file = Path(config)
            else:
                self.config_file = self.folder / 'postbus.yaml'
                self.config_file.write_text(config, encoding='utf-8')
            command += ['--config', str(self.config_file)]
        if free_ports:
            command += ['--set', 'transports.http.listen=["127.0.0.1:0"]', '--set', 'admin.listen=127.0.0.1:0']
        if json_log:
            command += ['--set', 'logging.format=json']
        self.command = command + [str(each) for each in args]
        self.env = {**os.environ, 'STATE_DIRECTORY': str(self.state)}
        for name in ('RUNTIME_DIRECTORY', 'NOTIFY_SOCKET', 'POSTBUS_ADMIN', 'POSTBUS_TOKEN'):
            self.env.pop(name, None)
        self.env.update(env or {})

    # ---- life

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self._end(failed=True)
            raise

    def __exit__(self, kind, *_):
        self._end(failed=kind is not None)

    def start(self):
        """Again after stop(), too."""
        self._log_start = self.log_file.stat().st_size if self.log_file.exists() else 0
        self.exit_status = None
        with open(self.log_file, 'ab') as log:
            self.process = subprocess.Popen(self.command, env=self.env, cwd=self.folder, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=self._stderr if self._stderr is not None else log)
        if self not in Daemon.alive:
            Daemon.alive.append(self)
        if self._wait:
            self.wait_for('daemon.ready')
            # A file that was copied just now may still be in its quiet time.
            wait_until(lambda: all(self._decided(each) for each in self._plugins), what='all of %s' % self._plugins)
        return self

    def _decided(self, plugin):
        return any(each['file'].endswith(plugin) for event in ('plugin.active', 'plugin.refused', 'plugin.failed')
                   for each in self.events(event))

    @property
    def pid(self):
        return self.process.pid

    def running(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=None):
        """Waits for the end; the exit status."""
        try:
            self.exit_status = self.process.wait(self.timeout if timeout is None else timeout * SLOWNESS)
        except subprocess.TimeoutExpired:
            raise DaemonFailed('postbusd did not end in time') from None
        return self.exit_status

    def stop(self, timeout=None):
        """SIGTERM, then the exit status."""
        if self.running():
            self.signal(signal.SIGTERM)
        return self.wait(timeout)

    def kill(self):
        if self.running():
            self.process.kill()
            self.wait()

    def _end(self, failed):
        status = None
        if self in Daemon.alive:
            Daemon.alive.remove(self)
        if self.process is not None:
            try:
                status = self.stop(timeout=15)
            except DaemonFailed as error:
                print(error, file=sys.stderr)
                failed, status = True, 'killed'
                self.process.kill()
                self.process.wait()
        if failed:
            print('---- postbusd %s\n---- exit status %s, log:\n%s----' % (
                ' '.join(self.command[1:]), status, self.log()), file=sys.stderr)
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    # ---- log

    def log(self):
        """What this run has written so far."""
        if not self.log_file.exists():
            return ''
        with open(self.log_file, 'rb') as file:
            file.seek(self._log_start)
            return file.read().decode('utf-8', 'replace')

    def events(self, event=None, **fields):
        """The log's lines as dicts, whole ones only; those of one event, with those fields."""
        found = []
        for line in self.log().splitlines(keepends=True):
            if not line.endswith('\n') or not line.startswith('{'):
                continue
            entry = json.loads(line)
            if 'event' in entry and event in (None, entry['event']) and all(entry.get(k) == v for k, v in fields.items()):
                found.append(entry)
        return found

    def accesses(self, **fields):
        """The access log's lines among them."""
        entries = [json.loads(line) for line in self.log().splitlines(keepends=True)
                   if line.startswith('{') and line.endswith('\n')]
        return [each for each in entries if 'event' not in each and all(each.get(k) == v for k, v in fields.items())]

    def wait_for(self, event, timeout=None, count=1, **fields):
        """Waits until the event stands in the log `count` times; the last of them."""
        end = time.monotonic() + (self.timeout if timeout is None else timeout * SLOWNESS)
        while True:
            found = self.events(event, **fields)
            if len(found) >= count:
                return found[count - 1]
            if not self.running():
                found = self.events(event, **fields)
                if len(found) >= count:
                    return found[count - 1]
                raise DaemonFailed('postbusd ended with %s before %s %s' % (self.process.returncode, event, fields))
            if time.monotonic() > end:
                raise DaemonFailed('no %s %s in time' % (event, fields))
            time.sleep(0.01)

    # ---- addresses

    @property
    def address(self):
        """(host, port) of the first HTTP listener."""
        return self._address('http')

    @property
    def admin_address(self):
        return self._address('admin')

    def _address(self, transport):
        for each in self.events('listener.open', transport=transport):
            found = re.fullmatch(r'\[?(.+?)\]?:(\d+)', each['address'])
            if found and not each['address'].startswith('unix:'):
                return found[1], int(found[2])
        raise DaemonFailed('no listener of transport %s' % transport)

    @property
    def url(self):
        return 'http://%s:%d' % self.address

    @property
    def admin_url(self):
        return 'http://%s:%d' % self.admin_address

    @property
    def token(self):
        return (self.state / 'admin.token').read_text(encoding='ascii').strip()

    # ---- calls

    def connection(self, timeout=10):
        return http.client.HTTPConnection(*self.address, timeout=timeout * SLOWNESS)

    def request(self, method, path, body=None, headers=None, timeout=10, connection=None):
        """(status, headers, body), on a connection of its own unless one is given."""
        used = connection or self.connection(timeout)
        try:
            used.request(method, path, body, headers or {})
            answer = used.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            if connection is None:
                used.close()

    def soap(self, path, envelope, content_type='text/xml; charset=utf-8', **kwargs):
        return self.request('POST', path, envelope, {'Content-Type': content_type, 'SOAPAction': '""'}, **kwargs)

    def say_hi(self, name=None, path=HELLO_PATH, **kwargs):
        """The text that came back; an answer that is not 200 raises."""
        status, _, body = self.soap(path, say_hi_envelope(name), **kwargs)
        text = body.decode('utf-8')
        found = re.search(r'<return>(.*?)</return>|<return/>', text, re.S)
        if status != 200 or not found:
            raise AssertionError('sayHi answered %d: %s' % (status, text))
        return found[1] or ''

    def sleep(self, milliseconds, **kwargs):
        """A call of the test service types.so that takes so long, on a pool thread."""
        status, headers, body = self.soap('/test/types', sleep_envelope(milliseconds), **kwargs)
        if status != 200 or ('slept %d ms' % milliseconds).encode() not in body:
            raise AssertionError('sleep answered %d: %s' % (status, body))
        return headers

    # ---- plugins

    def deploy(self, file, name=None):
        """Copies a plugin into the deploy folder, the careful way: a rename into place."""
        target = self.deploy_folder / (name or Path(file).name)
        part = target.with_name('.' + target.name + '.part')
        shutil.copy(file, part)
        os.replace(part, target)
        return target

    def undeploy(self, name):
        (self.deploy_folder / name).unlink()

    # ---- administration

    def admin(self, method, path, body=None, headers=None, timeout=10):
        """(status, parsed JSON) over the Unix socket."""
        connection = UnixConnection(self.admin_socket, timeout * SLOWNESS)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def postbus(self, *args, env=None, timeout=20):
        """Runs the command; a CompletedProcess with text."""
        return run_postbus('--admin', 'unix:%s' % self.admin_socket, *args, env=env, timeout=timeout)


def run_postbus(*args, env=None, cwd=None, timeout=20):
    """`postbus ARGS`, with nothing of the caller's environment that would lead it to another daemon."""
    clean = {**os.environ}
    for name in ('RUNTIME_DIRECTORY', 'STATE_DIRECTORY', 'POSTBUS_ADMIN', 'POSTBUS_TOKEN'):
        clean.pop(name, None)
    clean.update(env or {})
    return subprocess.run([str(BIN / 'postbus'), *(str(each) for each in args)], env=clean, cwd=cwd,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout * SLOWNESS)
