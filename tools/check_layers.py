#!/usr/bin/python3
"""Reads every #include and refuses what the layering forbids.

  check_layers.py [ROOT]

The order of add_subdirectory() in the root CMakeLists.txt is the layering: a module may include only itself and what is
above it in that list. Each library has one door: the modules that may name its headers. Exit status 1 names each breach.
"""
import re
import sys
from pathlib import Path

SOURCES = {'.h', '.hpp', '.cpp', '.c'}
# A library's headers, and the only places that may include them.
DOORS = {
    r'libxml/': {'formats/xml', 'formats/xsd'},
    r'openssl/': {'security/crypto', 'security/tls'},
    r'yaml-cpp/': {'config'},
    r'sqlite3': {'queues/store'},
    r'boost/(asio|beast)': {'cli'},
    r'zlib\.h': {'formats/mime'},
    r'Poco/': {'base', 'config', 'admin', 'cli', 'server', 'plugins/deployer', 'formats/json', 'formats/mime'},
}
# Outside of the layering: they test, measure or show it.
OUTSIDE = ('tests/', 'bench/', 'examples/', 'build/', 'tools/')


def modules(root):
    text = (root / 'CMakeLists.txt').read_text(encoding='utf-8')
    names = re.findall(r'^\s*add_subdirectory\(([^)\s]+)', text, re.M)
    return [n for n in names if not (n + '/').startswith(OUTSIDE)]


def module_of(path, order):
    hits = [m for m in order if path == m or path.startswith(m + '/')]
    return max(hits, key=len) if hits else None


def sources(root):
    """The files that the layering is about, without walking into build folders."""
    for top in sorted(root.iterdir()):
        if top.name.startswith('.') or (top.name + '/').startswith(OUTSIDE):
            continue
        for file in sorted(top.rglob('*')) if top.is_dir() else [top]:
            if file.suffix in SOURCES and file.is_file():
                yield file


def check(root):
    order = modules(root)
    rank = {m: i for i, m in enumerate(order)}
    breaches = []
    for file in sources(root):
        path = file.relative_to(root).as_posix()
        mine = module_of(path, order)
        if mine is None:
            breaches.append('%s: in no module of the root CMakeLists.txt' % path)
            continue
        for number, line in enumerate(file.read_text(encoding='utf-8', errors='replace').splitlines(), 1):
            m = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
            if not m:
                continue
            where, target = '%s:%d' % (path, number), m[2]
            for pattern, doors in DOORS.items():
                if re.match(pattern, target) and mine not in doors:
                    breaches.append('%s: <%s> may be included only by %s' % (where, target, ', '.join(sorted(doors))))
            if target.startswith('postbus/'):
                theirs = 'sdk'
            elif m[1] == '"':
                if mine == 'sdk' and (file.parent / target).is_file():
                    continue
                theirs = module_of(target, order)
                if theirs is None or not (root / target).is_file():
                    breaches.append('%s: "%s" is no path from the root' % (where, target))
                    continue
            else:
                continue
            if rank[theirs] > rank[mine]:
                breaches.append('%s: %s uses %s, which is not below it' % (where, mine, theirs))
            elif mine == 'sdk' and theirs != 'sdk':
                breaches.append('%s: the SDK includes nothing of ours' % where)
            elif mine.startswith('plugins/bundled') and theirs not in ('sdk', mine):
                breaches.append('%s: a bundled plugin uses the SDK only' % where)
            elif mine.startswith('transports/') and theirs.startswith('transports/') and theirs != mine:
                breaches.append('%s: transports do not know each other' % where)
            elif mine.startswith('interceptors/') and theirs.startswith('transports/'):
                breaches.append('%s: an interceptor knows no transport' % where)
    return breaches


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent).resolve()
    breaches = check(root)
    for each in breaches:
        print(each)
    print('breaches of the layering: %d' % len(breaches) if breaches else 'layers hold')
    return 1 if breaches else 0


if __name__ == '__main__':
    sys.exit(main())
