"""docs/calling.md, run as it is printed."""
from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'calling.md').read_text(encoding='utf-8')


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    (tmp_path / 'tests').symlink_to(ROOT / 'tests')
    clone.run_daemon()
    clone.follow(TEXT)


def test_every_option_is_told():
    from postbus_daemon import run_postbus
    usage = run_postbus('--help').stdout
    options = usage[usage.index('  call '):usage.index('  queue list')]
    for option in ('--list', '--template', '--xml', '--url', '--port', '--soap', '--soap-header', '--header', '--user',
                   '--timeout', '--verbose'):
        assert option in options and option in TEXT, option
