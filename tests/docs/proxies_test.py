"""docs/proxies.md, run as it is printed."""
import re
import socket

from readme_test import ROOT, Clone, steps

TEXT = (ROOT / 'docs' / 'proxies.md').read_text(encoding='utf-8')


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as probe:
        return str(probe.getsockname()[1])


def test_the_examples_work_as_printed(tmp_path):
    clone, ran = Clone(tmp_path), 0
    clone.run_daemon()
    try:
        for commands, expected in steps(TEXT.replace('9000', free_port())):
            started = re.fullmatch(r'\./dev run(.*)\n', commands)
            if started:
                clone.run_daemon(*started[1].split())
                continue
            output = clone.run(commands)
            for line in expected:
                assert line in output, '%s\n%s' % (commands, output)
                ran += 1
        assert ran == 2
        clone.stop()
    finally:
        if clone.daemon:
            print(clone.daemon.log())
            clone.daemon.kill()
