"""tools/check_layers.py refuses each kind of breach and names the line."""
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ORDER = ('sdk', 'base', 'formats/xml', 'core', 'transports/http', 'transports/inproc', 'interceptors/throttle',
         'plugins/bundled/hello')
TREE = {
    'sdk/postbus/plugin.hpp': '#include <vector>\n',
    'base/result.hpp': '#include <variant>\n',
    'formats/xml/parse.hpp': '#include "base/result.hpp"\n',
    'formats/xml/parse.cpp': '#include <libxml/parser.h>\n#include "formats/xml/parse.hpp"\n',
    'core/bus.hpp': '#include <postbus/plugin.hpp>\n#include "formats/xml/parse.hpp"\n',
    'transports/http/server.hpp': '#include <vector>\n#include "core/bus.hpp"\n',
    'transports/inproc/inproc.hpp': '#include "core/bus.hpp"\n',
    'interceptors/throttle/throttle.hpp': '#include "core/bus.hpp"\n',
    'plugins/bundled/hello/hello.cpp': '#include <postbus/plugin.hpp>\n',
    # Tests may look at everything.
    'tests/unit/all_test.cpp': '#include "transports/http/server.hpp"\n#include <libxml/tree.h>\n',
}


def check(folder, changes):
    (folder / 'CMakeLists.txt').write_text(''.join('add_subdirectory(%s)\n' % name for name in ORDER) +
                                           'add_subdirectory(tests)\n')
    for path, text in {**TREE, **changes}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    run = subprocess.run([sys.executable, ROOT / 'tools' / 'check_layers.py', folder], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, universal_newlines=True, timeout=60)
    return run.returncode, run.stdout


def test_a_tree_that_keeps_the_layers_passes(tmp_path):
    assert check(tmp_path, {}) == (0, 'layers hold\n')


@pytest.mark.parametrize('path, text, said', [
    ('core/bus.cpp', '#include <vector>\n#include "transports/http/server.hpp"\n',
     'core/bus.cpp:2: core uses transports/http, which is not below it'),
    ('base/result.cpp', '#include "formats/xml/parse.hpp"\n',
     'base/result.cpp:1: base uses formats/xml, which is not below it'),
    ('core/peek.cpp', '  #  include <libxml/tree.h>\n',
     'core/peek.cpp:1: <libxml/tree.h> may be included only by formats/xml, formats/xsd'),
    ('core/loop.cpp', '#include <boost/asio/io_context.hpp>\n',
     'core/loop.cpp:1: <boost/asio/io_context.hpp> may be included only by cli'),
    ('plugins/bundled/hello/more.cpp', '#include "core/bus.hpp"\n',
     'plugins/bundled/hello/more.cpp:1: a bundled plugin uses the SDK only'),
    ('sdk/postbus/more.hpp', '#include "base/result.hpp"\n',
     'sdk/postbus/more.hpp:1: sdk uses base, which is not below it'),
    ('transports/inproc/more.cpp', '#include "transports/http/server.hpp"\n',
     'transports/inproc/more.cpp:1: transports do not know each other'),
    ('interceptors/throttle/more.cpp', '#include "transports/http/server.hpp"\n',
     'interceptors/throttle/more.cpp:1: an interceptor knows no transport'),
    ('core/lost.cpp', '#include "result.hpp"\n', 'core/lost.cpp:1: "result.hpp" is no path from the root'),
    ('attic/old.cpp', '#include <vector>\n', 'attic/old.cpp: in no module of the root CMakeLists.txt'),
])
def test_a_breach_is_refused_and_named(tmp_path, path, text, said):
    assert check(tmp_path, {path: text}) == (1, said + '\nbreaches of the layering: 1\n')
