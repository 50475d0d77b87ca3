"""docs/plugins.md, run as it is printed."""
from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'plugins.md').read_text(encoding='utf-8')


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    clone.run_daemon()
    assert clone.follow(TEXT) == 13
