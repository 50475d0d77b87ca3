"""tools/make_events_page.py: what it makes of definitions, and what it refuses."""
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / 'tools/make_events_page.py'
TWO = '''
/// inline constexpr log::Event Example{"example.shown", log::Level::Info, "In a comment: no event."};
inline constexpr log::Event PluginRefused{"plugin.refused", log::Level::Warning,
                                          "A file | was not taken; \\"it\\" stays. "  // why
                                          "Mend it."};
constexpr log::Event Ready{
    "daemon.ready", Level::Info, "The next request is served."};
void emit(const log::Event& event);
'''


@pytest.fixture
def tree(tmp_path):
    def make(**sources):
        for name, text in sources.items():
            file = tmp_path / (name.replace('__', '/') + '.hpp')
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path
    return make


def run(root, *options):
    return subprocess.run([sys.executable, TOOL, *options, root], capture_output=True, text=True, timeout=60)


def page(root):
    return (root / 'docs/reference/events.md').read_text()


def test_definitions_become_rows_sorted_by_id(tree):
    root = tree(base__x=TWO, tests__y='constexpr log::Event T{"test.only", log::Level::Info, "Not ours."};')

    assert run(root).returncode == 0

    rows = [line for line in page(root).splitlines() if line.startswith('| `')]
    assert rows == ['| `daemon.ready` | info | The next request is served. |',
                    '| `plugin.refused` | warning | A file \\| was not taken; "it" stays. Mend it. |']


def test_check_passes_only_while_the_page_is_what_would_be_made(tree):
    root = tree(base__x=TWO)
    assert run(root, '--check').returncode == 1
    run(root)
    assert run(root, '--check').returncode == 0

    tree(base__z='constexpr log::Event N{"new.one", log::Level::Debug, "New."};')

    found = run(root, '--check')
    assert found.returncode == 1
    assert 'docs/reference/events.md is not up to date' in found.stderr
    assert 'new.one' not in page(root)


def test_an_id_defined_twice_is_an_error_that_names_both_places(tree):
    root = tree(a='constexpr log::Event A{"x.y", log::Level::Info, "A."};',
                b='\nconstexpr log::Event B{"x.y", log::Level::Info, "B."};')

    found = run(root)

    assert found.returncode == 1
    assert found.stderr == "b.hpp:2: 'x.y' is defined at a.hpp:1 already\n"


@pytest.mark.parametrize('definition, fault', [
    ('{"NoId", log::Level::Info, "X."}', "a.hpp:1: 'NoId' is no id"),
    ('{"x.y", log::Level::Loud, "X."}', 'a.hpp:1: no log::Level where one was expected'),
    ('{"x.y", log::Level::Info, ""}', "a.hpp:1: 'x.y' has no meaning"),
    ('{"x.y", log::Level::Info, text}', 'a.hpp:1: no meaning where one was expected'),
])
def test_a_definition_of_another_form_is_an_error(tree, definition, fault):
    found = run(tree(a='constexpr log::Event A%s;' % definition))

    assert found.returncode == 1
    assert found.stderr.startswith(fault)
