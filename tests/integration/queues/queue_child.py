"""The program that the tests run: how to start it, and what it says."""
import os
import subprocess

CHILD = os.path.join(os.environ['POSTBUS_BIN'], 'test_queue_child')
SLOWNESS = int(os.environ.get('POSTBUS_TEST_SLOWNESS', '1'))


def drain(folder):
    """(queue, name, flag) in the order of delivery."""
    run = subprocess.run([CHILD, 'drain', folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60 * SLOWNESS,
                         universal_newlines=True, check=True)
    lines = run.stdout.splitlines()
    assert lines[-1] == 'drained', run.stdout[-500:] + run.stderr[-500:]
    return [tuple(each.split()[1:]) for each in lines if each.startswith('left ')]


class Steps:
    """A child that does one thing at a time."""

    def __init__(self, folder, faults=None, library=None):
        env = dict(os.environ)
        if faults:
            env.update(LD_PRELOAD=library, POSTBUS_FAULTS=faults, POSTBUS_FAULTS_FOLDER=folder)
        self.process = subprocess.Popen([CHILD, 'steps', folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=env, universal_newlines=True)
        self.first = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def do(self, command):
        self.process.stdin.write(command + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def quit(self):
        """What was logged."""
        _, log = self.process.communicate('quit\n', timeout=30 * SLOWNESS)
        return log
