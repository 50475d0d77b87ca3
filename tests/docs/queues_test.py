"""docs/queues.md, run as it is printed."""
import re

from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'queues.md').read_text(encoding='utf-8')


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    clone.run_daemon()
    clone.follow(TEXT)


def test_the_configuration_is_a_valid_one(tmp_path):
    from postbus_daemon import run_postbus
    file = tmp_path / 'postbus.yaml'
    file.write_text(re.search(r'^```yaml\n(.*?)^```$', TEXT, re.M | re.S)[1])
    assert run_postbus('check', file).returncode == 0
