"""README's tour, run as it is printed.

Its ```sh blocks run one after another in a folder that looks like a clone; a ```text block says what the output of the
block before it holds, line by line. The daemon has free ports: the printed ones are translated.
"""
import os
import re
import subprocess
from pathlib import Path

import pytest

from postbus_daemon import Daemon

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r'^```(sh|text)\n(.*?)^```$', re.M | re.S)
HTTP, ADMIN = '127.0.0.1:8181', '127.0.0.1:8182'


def steps(text):
    """[(commands, [lines of the output])]"""
    found = []
    for kind, content in BLOCK.findall(text):
        if kind == 'sh':
            found.append((content, []))
        else:
            found[-1][1].extend(content.splitlines())
    return found


class Clone:
    """A folder with what the tour uses, and the daemon that `./dev run` of the tour would have started."""

    def __init__(self, folder):
        self.folder, self.daemon = folder, None
        for name in ('sdk', 'plugins', 'examples'):
            (folder / name).symlink_to(ROOT / name)
        (folder / 'build' / 'release').mkdir(parents=True)
        (folder / 'build' / 'release' / 'bin').symlink_to(os.environ['POSTBUS_BIN'])

    def run_daemon(self, *arguments):
        self.stop()
        self.daemon = Daemon(args=arguments, folder=self.folder, env={'STATE_DIRECTORY': str(self.folder / 'postbus-state')})
        self.daemon.__enter__()

    def stop(self):
        if self.daemon:
            self.daemon.__exit__(None, None, None)
            assert self.daemon.exit_status == 0
            self.daemon = None

    def translated(self, text):
        return text.replace(HTTP, '%s:%d' % self.daemon.address).replace(ADMIN, '%s:%d' % self.daemon.admin_address)

    def run(self, commands):
        # The socket is where a daemon started here has it; `postbus` looks there first.
        done = subprocess.run(['bash', '-euo', 'pipefail', '-c', self.translated(commands)], cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                              env={'PATH': os.environ['PATH'], 'HOME': str(self.folder)})
        output = done.stdout.decode()
        assert done.returncode == 0, '%s\n%s' % (commands, output)
        return output

    def follow(self, text):
        """Does what a page says, step by step, then ends the daemon; how many lines were found as the page has them."""
        found = 0
        try:
            for commands, expected in steps(text):
                started = re.fullmatch(r'\./dev run(.*)\n', commands)
                if started:
                    self.run_daemon(*started[1].split())
                    continue
                output = self.run(commands)
                for line in expected:
                    assert self.translated(line) in output, '%s\n%s' % (commands, output)
                    found += 1
            self.stop()
        finally:
            if self.daemon:
                print(self.daemon.log())
                self.daemon.kill()
        return found


def test_the_tour_works_as_printed(tmp_path):
    clone = Clone(tmp_path)
    clone.run_daemon()
    clone.follow((ROOT / 'README.md').read_text(encoding='utf-8'))


def test_the_tour_has_its_stops():
    text = (ROOT / 'README.md').read_text(encoding='utf-8')

    assert len(steps(text)) >= 8
    assert text.index('./dev run') < text.index('./dev test') < text.index('## ')
    assert 'A crash inside a plugin ends the daemon' in text


@pytest.mark.parametrize('page', ['README.md', 'CONTRIBUTING.md', *sorted(
    each.relative_to(ROOT).as_posix() for each in (ROOT / 'docs').rglob('*.md'))])
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding='utf-8')

    for link in re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)', text):
        if '://' not in link:
            assert ((ROOT / page).parent / link).exists(), link
