"""The servers that Postbus is measured against, each on a core and a port of its own."""
import shlex
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from kit import load
from kit.processes import await_true, on_core

PEERS = Path(__file__).resolve().parent.parent / 'peers'


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


class Server:
    """A process that listens on `port`, in a folder that goes with it. Subclasses give command()."""

    def __init__(self, core):
        self.port, self.core, self.folder, self.process = free_port(), core, None, None

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix='postbus-bench-'))
        try:
            with open(self.folder / 'log', 'wb') as log:
                self.process = subprocess.Popen(on_core(self.core) + self.command(), stdin=subprocess.DEVNULL,
                                                stdout=log, stderr=log)
            await_true('%s listens' % type(self).__name__, lambda: self.process.poll() is not None or listens(self.port))
            if self.process.poll() is not None:
                raise RuntimeError('%s ended: %s' % (type(self).__name__, (self.folder / 'log').read_text()))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class NginxServer(Server):
    """An nginx by a configuration of ours, whose @WORDS@ subclasses give."""

    conf = 'nginx.conf'

    def words(self):
        return {'FOLDER': str(self.folder), 'PORT': str(self.port)}

    def command(self):
        text = (PEERS / self.conf).read_text()
        for word, value in self.words().items():
            text = text.replace('@%s@' % word, value)
        (self.folder / 'nginx.conf').write_text(text)
        return [shutil.which('nginx', path='/usr/sbin:/usr/local/sbin:/usr/bin'), '-e', str(self.folder / 'error.log'),
                '-p', str(self.folder), '-c', str(self.folder / 'nginx.conf')]

    @property
    def pid(self):
        """The worker's: it does the work."""
        children = Path('/proc/%d/task/%d/children' % (self.process.pid, self.process.pid)).read_text().split()
        return int(children[0])


class NginxAnswer(NginxServer):
    """`return 200` with this body."""

    def __init__(self, core, body):
        super().__init__(core)
        self.body = body

    def words(self):
        return {**super().words(), 'BODY': self.body.decode().replace('\\', '\\\\').replace("'", "\\'")}


class NginxProxy(NginxServer):
    """`proxy_pass` to a port, over kept connections."""

    conf = 'nginx_proxy.conf'

    def __init__(self, core, backend_port):
        super().__init__(core)
        self.backend_port = backend_port

    def words(self):
        return {**super().words(), 'BACKEND': str(self.backend_port)}


class Nginx(NginxAnswer):
    """`return 200` with an answer of as many bytes, head included, as `like` has: the same work for the kernel."""

    def __init__(self, core, like_head, like_body):
        super().__init__(core, like_body)
        with self:
            head, _ = load.call(self.port, '/', b'')
        excess = len(head) + len(self.body) - len(like_head) - len(like_body)
        self.body = self.body[:-excess] if excess > 0 else self.body + b' ' * -excess


class Gsoap(Server):
    """gSOAP's own way to serve many: a thread for each connection."""

    def __init__(self, core, build):
        super().__init__(core)
        self.program = self.built(build / 'peers' / 'gsoap')

    @staticmethod
    def built(folder):
        program, sources = folder / 'server', PEERS / 'gsoap'
        if program.exists() and all(program.stat().st_mtime > file.stat().st_mtime for file in sources.iterdir()):
            return program
        folder.mkdir(parents=True, exist_ok=True)
        flags = shlex.split(subprocess.run(['pkg-config', '--cflags', '--libs', 'gsoap'], stdout=subprocess.PIPE,
                                           check=True, universal_newlines=True).stdout)
        for command in (['soapcpp2', '-c', '-S', '-L', '-x', '-w', '-d', str(folder), str(sources / 'hello.h')],
                        ['gcc', '-O2', '-DNDEBUG', '-pthread', '-I', str(folder), '-o', str(program),
                         str(folder / 'soapC.c'), str(folder / 'soapServer.c'), str(sources / 'server.c'), *flags]):
            subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return program

    def command(self):
        return [str(self.program), str(self.port)]

    @property
    def pid(self):
        return self.process.pid
