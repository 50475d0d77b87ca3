"""docs/addressing.md, run as it is printed."""
import re

from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'addressing.md').read_text(encoding='utf-8')
CONFIGS = (re.findall(r'^```yaml\n(.*?)^```$', TEXT, re.M | re.S)
           + re.findall(r"^cat > \S+\.yaml <<'END'\n(.*?)^END$", TEXT, re.M | re.S))


def test_the_examples_work_as_printed(tmp_path):
    assert Clone(tmp_path).follow(TEXT) > 3


def test_the_configurations_are_valid(tmp_path):
    from postbus_daemon import run_postbus
    assert len(CONFIGS) == 2
    for each in CONFIGS:
        file = tmp_path / 'postbus.yaml'
        file.write_text(each)
        assert run_postbus('check', file).returncode == 0
