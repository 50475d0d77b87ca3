"""docs/queues.md, run as it is printed."""
import re

from readme_test import ROOT, Clone, steps

TEXT = (ROOT / 'docs' / 'queues.md').read_text(encoding='utf-8')


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    clone.run_daemon()
    try:
        for commands, expected in steps(TEXT):
            started = re.fullmatch(r'\./dev run(.*)\n', commands)
            if started:
                clone.run_daemon(*started[1].split())
                continue
            output = clone.run(commands)
            for line in expected:
                assert line in output, '%s\n%s' % (commands, output)
        clone.stop()
    finally:
        if clone.daemon:
            print(clone.daemon.log())
            clone.daemon.kill()


def test_the_configuration_is_a_valid_one(tmp_path):
    from postbus_daemon import run_postbus
    file = tmp_path / 'postbus.yaml'
    file.write_text(re.search(r'^```yaml\n(.*?)^```$', TEXT, re.M | re.S)[1])
    assert run_postbus('check', file).returncode == 0
