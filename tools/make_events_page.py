#!/usr/bin/python3
"""Makes docs/reference/events.md from the definitions of log events in the sources.

  make_events_page.py [--check] [ROOT]

An event is defined once, as

  inline constexpr log::Event PluginRefused{"plugin.refused", log::Level::Warning, "What it means and what to do."};

An id that is defined twice, or a definition of another form, is an error. With --check nothing is written: exit status 1
says that the page is not up to date.
"""
import argparse
import re
import sys
from pathlib import Path

PAGE = 'docs/reference/events.md'
OUTSIDE = ('tests/', 'bench/', 'examples/', 'build/', 'tools/', '.')
DEFINITION = re.compile(r'\blog::Event\s+\w+\s*\{')
LEVEL = re.compile(r'(?:log::)?Level::(Debug|Info|Warning|Error)\b')
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ID = re.compile(r'[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+')
INTRODUCTION = '''# Events

What the daemon writes to its log, by id. The id is what to look for and to alarm on: texts may change, ids stay. Values
follow as `key=value`, or as members of the object with `logging: {format: json}`. `logging.level` chooses the least level
that is written. The page is made from the definitions in the sources by `tools/make_events_page.py`.
'''


class Fault(Exception):
    """A definition that cannot be taken, with its place."""


class Reader:
    """Reads one definition, token by token, from the first byte after its brace."""

    def __init__(self, text, offset):
        self.text, self.offset = text, offset

    def take(self, pattern):
        space = re.compile(r'(?:\s|//[^\n]*\n)*').match(self.text, self.offset)
        found = pattern.match(self.text, space.end())
        if found:
            self.offset = found.end()
        return found

    def need(self, pattern, what):
        found = self.take(pattern)
        if not found:
            raise Fault('no %s where one was expected in an event' % what)
        return found

    def literal(self, what):
        """Neighbouring literals are one, as in C++."""
        parts = [self.need(TEXT, what)[1]]
        while found := self.take(TEXT):
            parts.append(found[1])
        return re.sub(r'\\(.)', lambda m: {'n': '\n', 't': '\t'}.get(m[1], m[1]), ''.join(parts))


def events_of(path, text):
    for start in DEFINITION.finditer(text):
        place = '%s:%d' % (path, text.count('\n', 0, start.start()) + 1)
        reader = Reader(text, start.end())
        try:
            ident = reader.literal('id')
            reader.need(re.compile(','), 'comma')
            level = reader.need(LEVEL, 'log::Level')[1].lower()
            reader.need(re.compile(','), 'comma')
            meaning = ' '.join(reader.literal('meaning').split())
            reader.need(re.compile(r',?\s*\}'), 'closing brace')
            if not ID.fullmatch(ident):
                raise Fault("'%s' is no id: words of a-z, 0-9 and '-', joined by dots" % ident)
            if not meaning:
                raise Fault("'%s' has no meaning" % ident)
        except Fault as fault:
            raise Fault('%s: %s' % (place, fault)) from None
        yield ident, level, meaning, place


def collect(root):
    events, faults = {}, []
    for file in sorted(root.rglob('*')):
        path = file.relative_to(root).as_posix()
        if file.suffix not in ('.hpp', '.cpp') or path.startswith(OUTSIDE):
            continue
        # A comment shows how a definition looks; it is none.
        text = re.sub(r'^\s*///?.*$', '', file.read_text(encoding='utf-8'), flags=re.M)
        try:
            for ident, level, meaning, place in events_of(path, text):
                if ident in events:
                    faults.append("%s: '%s' is defined at %s already" % (place, ident, events[ident][2]))
                events.setdefault(ident, (level, meaning, place))
        except Fault as fault:
            faults.append(str(fault))
    return events, faults


def render(events):
    page, area = INTRODUCTION, None
    for ident in sorted(events):
        level, meaning, _ = events[ident]
        if ident.split('.')[0] != area:
            area = ident.split('.')[0]
            page += '\n## %s\n\n| id | level | meaning |\n|---|---|---|\n' % area
        page += '| `%s` | %s | %s |\n' % (ident, level, meaning.replace('|', '\\|'))
    return page


def main():
    options = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    options.add_argument('--check', action='store_true', help='write nothing; fail when the page is not up to date')
    options.add_argument('root', nargs='?', default=Path(__file__).resolve().parent.parent, type=Path)
    given = options.parse_args()

    events, faults = collect(given.root)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        return 1
    page, file = render(events), given.root / PAGE
    if given.check:
        if file.is_file() and file.read_text(encoding='utf-8') == page:
            return 0
        print('%s is not up to date; run tools/make_events_page.py' % PAGE, file=sys.stderr)
        return 1
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
