"""postbus plugin deploy, undeploy, rollback, enable, disable, changes."""
import json
import shutil
import threading

import pytest
from postbus_daemon import HELLO_PATH, PLUGINS, Daemon, say_hi_envelope

HELLO = PLUGINS / 'hello_v2.so'
DONE, FAILED, USAGE = 0, 1, 2


@pytest.fixture
def daemon():
    # So long that nothing which a test sees can have come from the folder.
    with Daemon(config='plugins: {quiet: 10m}\n') as d:
        yield d


def test_a_plugin_is_deployed_while_calls_go_on_and_rolled_back(daemon):
    answers, stop, failed = set(), threading.Event(), []

    def load():
        while not stop.is_set():
            try:
                answers.add(daemon.say_hi('Bob'))
            except Exception as error:  # whatever it is, a call has failed
                failed.append(error)

    callers = [threading.Thread(target=load) for _ in range(4)]
    for each in callers:
        each.start()
    try:
        done = daemon.postbus('plugin', 'deploy', HELLO, '--as', 'mine.so')
        assert (done.returncode, done.stderr) == (DONE, '')
        assert done.stdout == 'hello-world 2.0.0 serves, where 1.0.0 was (mine.so)\n'
        assert daemon.say_hi('Bob') == 'Howdy Bob'
        again = daemon.postbus('plugin', 'deploy', HELLO)
        assert again.stdout == 'hello-world 2.0.0 serves already (mine.so)\n'

        back = daemon.postbus('--json', 'plugin', 'rollback', 'hello-world')
        assert json.loads(back.stdout) == {'name': 'hello-world', 'state': 'active', 'version': '1.0.0',
                                           'former': '2.0.0', 'file': 'mine.so', 'bundled': False, 'unchanged': False}
        assert daemon.say_hi('Bob') == 'Hello Bob'
    finally:
        stop.set()
        for each in callers:
            each.join()
    assert not failed
    assert answers == {'Hello Bob', 'Howdy Bob'}


def test_what_is_refused_says_why_and_changes_nothing(daemon, tmp_path):
    shutil.copy(HELLO, tmp_path / 'cut.so')
    with open(tmp_path / 'cut.so', 'r+b') as file:
        file.truncate(8000)
    done = daemon.postbus('plugin', 'deploy', tmp_path / 'cut.so')
    assert (done.returncode, done.stdout) == (FAILED, '')
    assert done.stderr.startswith('postbus: cut.so: is cut off')
    named = daemon.postbus('plugin', 'deploy', HELLO, '--as', '../x.so')
    assert (named.returncode, named.stdout) == (FAILED, '')
    assert 'is no name for a plugin file' in named.stderr
    missing = daemon.postbus('plugin', 'deploy', tmp_path / 'missing.so')
    assert missing.returncode == FAILED and 'cannot read' in missing.stderr
    for words in (['deploy'], ['depoly', 'x.so'], ['undeploy', 'a', 'b'], ['rollback', 'a', '--as', 'b'], []):
        assert daemon.postbus('plugin', *words).returncode == USAGE, words
    unknown = daemon.postbus('plugin', 'undeploy', 'hello')
    assert unknown.stderr == 'postbus: there is no plugin hello; there are: hello-world\n'
    assert daemon.say_hi('Bob') == 'Hello Bob'
    assert not list((daemon.state / 'deploy').iterdir())


def test_disable_enable_undeploy_and_what_became_of_it(daemon):
    assert daemon.postbus('plugin', 'deploy', HELLO).returncode == DONE
    done = daemon.postbus('plugin', 'disable', 'hello-world')
    assert done.stdout == 'hello-world is disabled; 2.0.0 served until now\n'
    status, _, body = daemon.soap(HELLO_PATH, say_hi_envelope('Bob'))
    assert status == 404, body
    assert daemon.postbus('plugin', 'enable', 'hello-world').stdout == 'hello-world 2.0.0 serves (hello_v2.so)\n'
    gone = daemon.postbus('plugin', 'undeploy', 'hello-world')
    assert gone.stdout == 'hello-world 1.0.0 serves, the bundled one, where 2.0.0 was (hello.so)\n'
    assert daemon.say_hi('Bob') == 'Hello Bob'

    told = json.loads(daemon.postbus('--json', 'plugin', 'changes', 'hello-world').stdout)['changes']
    way = [each['state'] for each in told if each['version'] == '2.0.0']
    assert way[:4] == ['resolved', 'loading', 'starting', 'active']
    assert way.count('active') == 2 and 'disabled' in way
    entered = json.loads(daemon.postbus('--json', 'plugins').stdout)['entered']
    assert entered['active'] == 4 and entered['refused'] == entered['zombie'] == 0
    assert 'hello-world' in daemon.postbus('plugin', 'changes').stdout


def test_over_the_admin_interface(daemon):
    status, answer = daemon.admin('POST', '/plugins/deploy?name=x.so', body=HELLO.read_bytes())
    assert (status, answer['state'], answer['version']) == (200, 'active', '2.0.0')
    assert daemon.admin('POST', '/plugins/deploy', body=b'x')[0] == 400
    assert daemon.admin('POST', '/plugins/deploy?name=x.so')[0] == 400
    assert daemon.admin('POST', '/plugins/undeploy')[0] == 400
    assert daemon.admin('POST', '/plugins/rollback?name=nobody')[0] == 404
    assert daemon.admin('GET', '/plugins/deploy?name=x.so')[0] == 405
