"""The postbus command."""
import json
import threading

import pytest
from postbus_daemon import PLUGINS, Daemon, run_postbus, sleep_envelope, wait_until

DONE, FAILED, USAGE, UNREACHABLE, INVALID = 0, 1, 2, 3, 4


@pytest.fixture(scope='module')
def daemon():
    with Daemon(plugins=[PLUGINS / 'types.so'], config='endpoints: {Billing: {http: /billing}}\n') as d:
        yield d


def test_check_needs_no_daemon(tmp_path):
    file = tmp_path / 'postbus.yaml'
    file.write_text('endpoints: {A: {http: /a}}\n')
    done = run_postbus('check', file)
    assert (done.returncode, done.stderr) == (DONE, '')
    assert 'valid' in done.stdout

    file.write_text('transports:\n  http:\n    limts: {}\nendpoints: {A: {http: no-slash}}\n')
    broken = run_postbus('check', file)
    assert broken.returncode == INVALID
    assert broken.stderr.splitlines()[0].startswith('%s:3:5: ' % file)
    assert broken.stderr.splitlines()[1].startswith('%s:4:' % file)
    told = run_postbus('--json', 'check', file)
    assert told.returncode == INVALID
    assert json.loads(told.stdout) == {'file': str(file), 'valid': False, 'problems': broken.stderr.splitlines()}
    assert run_postbus('check', tmp_path / 'missing.yaml').returncode == INVALID

    file.write_text('endpoints: {A: {http: /a}}\n')
    assert run_postbus('check', file, '--set', 'workers.threads=none').returncode == INVALID


def test_usage():
    assert run_postbus().returncode == USAGE
    for arguments, told in ((['nonsense'], 'unknown command nonsense (see postbus help)'),
                            (['queue', 'recieve', 'q'], 'unknown command queue recieve, did you mean receive? (see postbus help queue)'),
                            (['queue', 'receive', 'q', '--wait', '10'], '--wait: \'10\' has no unit; write 10s for seconds '
                             'or 10ms for milliseconds (see postbus help queue)')):
        done = run_postbus(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (USAGE, '', 'postbus: %s\n' % told)
    for arguments in (['help', 'queue'], ['queue', '--help']):
        done = run_postbus(*arguments)
        assert done.returncode == DONE and 'queue receive NAME' in done.stdout and 'endpoints' not in done.stdout
    assert run_postbus('check').returncode == USAGE
    assert run_postbus('--help').returncode == DONE
    assert 'postbus ' in run_postbus('--version').stdout


def test_nobody_there(tmp_path):
    done = run_postbus('--admin', 'unix:%s/none.sock' % tmp_path, 'status')
    assert done.returncode == UNREACHABLE
    assert done.stderr == ('postbus: no daemon answers at unix:%s/none.sock (No such file or directory); is postbusd '
                           'running there?\n' % tmp_path)
    assert 'Connection refused' in run_postbus('--admin', 'http://127.0.0.1:1', 'status').stderr
    assert run_postbus('--admin', 'http://127.0.0.1:1', 'status').returncode == UNREACHABLE
    assert run_postbus('--admin', 'ftp://x', 'status').returncode == UNREACHABLE


def test_status_for_people_and_programs(daemon):
    done = daemon.postbus('status')
    assert done.returncode == DONE
    for text in ('pid %d' % daemon.pid, '%s:%d' % daemon.address, 'not ready', 'Billing', str(daemon.state)):
        assert text in done.stdout, text
    told = daemon.postbus('--json', 'status')
    assert json.loads(told.stdout)['pid'] == daemon.pid


def test_endpoints_plugins_exchanges(daemon):
    endpoints = daemon.postbus('endpoints').stdout
    assert daemon.url + '/cxf/HelloWorld?wsdl' in endpoints
    assert 'Billing: service Billing is not deployed' in endpoints
    assert 'types.so' in daemon.postbus('plugins').stdout
    assert daemon.postbus('exchanges').stdout == 'no calls are under way\n'
    assert json.loads(daemon.postbus('plugins', '--json').stdout)['plugins']

    thread = threading.Thread(target=daemon.soap, args=('/test/types', sleep_envelope(1500)))
    thread.start()
    wait_until(lambda: daemon.admin('GET', '/exchanges')[1]['total'])
    assert 'sleep' in daemon.postbus('exchanges').stdout
    thread.join()


def test_reload(daemon):
    done = daemon.postbus('reload')
    assert (done.returncode, done.stdout) == (DONE, 'reloaded\n')
    good = daemon.config_file.read_text()
    daemon.config_file.write_text('endpoints:\n  A: {htp: /a}\n')
    broken = daemon.postbus('reload')
    assert broken.returncode == INVALID
    assert '%s:2:7: ' % daemon.config_file in broken.stderr and 'nothing was changed' in broken.stderr
    assert json.loads(daemon.postbus('reload', '--json').stdout)['problems']
    daemon.config_file.write_text('transports: {http: {listen: ["127.0.0.1:0", "203.0.113.1:99"]}}\n')
    assert daemon.postbus('reload').returncode == DONE  # --set still wins
    daemon.config_file.write_text(good)
    assert daemon.postbus('reload').returncode == DONE


def test_finds_the_daemon_of_this_folder(daemon):
    here = run_postbus('status', '--json', env={'STATE_DIRECTORY': str(daemon.state)})
    assert json.loads(here.stdout)['pid'] == daemon.pid
    there = run_postbus('status', '--json', env={'POSTBUS_ADMIN': 'unix:%s' % daemon.admin_socket})
    assert json.loads(there.stdout)['pid'] == daemon.pid

    (daemon.folder / 'postbus-state').symlink_to(daemon.state)
    by_default = run_postbus('status', '--json', cwd=daemon.folder)
    assert json.loads(by_default.stdout)['pid'] == daemon.pid


def test_over_tcp_the_token_comes_from_the_folder_or_the_environment(daemon):
    without = run_postbus('--admin', daemon.admin_url, 'status')
    assert without.returncode == FAILED
    assert 'admin.token' in without.stderr
    wrong = run_postbus('--admin', daemon.admin_url, 'status', env={'POSTBUS_TOKEN': 'x' * 64})
    assert (wrong.returncode, wrong.stderr) == (
        FAILED, 'postbus: the token is wrong\n  go where ./postbus-state is the daemon\'s, or name its state folder: '
        '--admin unix:FOLDER/admin.sock, or STATE_DIRECTORY=FOLDER postbus ...\n')
    for env in ({'POSTBUS_TOKEN': daemon.token}, {'STATE_DIRECTORY': str(daemon.state)}):
        assert run_postbus('--admin', daemon.admin_url, 'status', env=env).returncode == DONE


def test_something_else_that_speaks_http_is_no_daemon(daemon):
    done = run_postbus('--admin', daemon.url, 'status')
    assert done.returncode == FAILED
    assert '404' in done.stderr
