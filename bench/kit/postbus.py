"""Postbus as a user has it: built-in defaults, but for free ports and an access log that goes to a file."""
import postbus_daemon
from kit import load
from kit.peers import free_port
from kit.processes import await_true, on_core

PATH = postbus_daemon.HELLO_PATH
REQUEST = postbus_daemon.say_hi_envelope('World')
ANSWER = b'<return>Hello World</return>'


class Postbus(postbus_daemon.Daemon):
    """Listens on `port`. `serving` False: does not wait for the first answer."""

    def __init__(self, core=None, serving=True, plugins=(), settings=()):
        self.port, self.serving = free_port(), serving
        settings = [*settings, 'transports.http.listen=["127.0.0.1:%d"]' % self.port, 'admin.listen=127.0.0.1:0',
                    'logging.access.file=access.log']
        super().__init__(args=[word for each in settings for word in ('--set', each)], free_ports=False, json_log=False,
                         wait=False, wrapper=() if core is None else on_core(core), plugins=plugins)

    def start(self):
        super().start()
        if self.serving:
            await_true('postbusd serves', self.serves)
        return self

    def serves(self):
        if not self.running():
            raise postbus_daemon.DaemonFailed('postbusd ended')
        try:
            return ANSWER in self.say_hi_once()[1]
        except OSError:
            return False

    def say_hi_once(self):
        """(head, body), right ones only."""
        return load.call(self.port, PATH, REQUEST)
