"""What the kernel says about a process."""
import os
import time
from pathlib import Path

TICK = 1 / os.sysconf('SC_CLK_TCK')


def cpu(pid):
    """(user, system) seconds so far, all its threads together, those that have ended too."""
    fields = Path('/proc/%d/stat' % pid).read_text().rpartition(')')[2].split()
    return int(fields[11]) * TICK, int(fields[12]) * TICK


def memory(pid):
    """{'RssAnon': bytes, 'VmRSS': bytes ...}"""
    found = {}
    for line in Path('/proc/%d/status' % pid).read_text().splitlines():
        name, _, value = line.partition(':')
        if value.endswith(' kB'):
            found[name] = int(value.split()[0]) * 1024
    return found


def await_true(what, condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError('%s: not within %d s' % (what, seconds))
        time.sleep(0.005)


def on_core(core):
    return ['taskset', '-c', str(core)]
