"""docs/exchanges.md, run as it is printed."""
import re

from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'exchanges.md').read_text(encoding='utf-8')
CONFIGS = (re.findall(r'^```yaml\n(.*?)^```$', TEXT, re.M | re.S)
           + re.findall(r"^cat > \S+\.yaml <<'END'\n(.*?)^END$", TEXT, re.M | re.S))


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    clone.run_daemon()
    assert clone.follow(TEXT) == 4


def test_the_configurations_are_valid(tmp_path):
    from postbus_daemon import run_postbus
    assert len(CONFIGS) == 3
    for each in CONFIGS:
        file = tmp_path / 'postbus.yaml'
        file.write_text(each)
        assert run_postbus('check', file).returncode == 0


def test_quotes_the_file():
    quoted = TEXT.split('`examples/prices/prices.cpp`', 1)[1].split('```cpp\n', 1)[1].split('```', 1)[0]
    lines = (ROOT / 'examples/prices/prices.cpp').read_text(encoding='utf-8').splitlines(True)
    assert quoted == ''.join(lines[1:])
