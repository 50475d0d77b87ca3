"""A loss of power: of the store nothing is left but what was flushed. (kill -9 alone leaves the system's cache, and would
pass with every flush left out; the second test here shows that the first one would not.)"""
import os
import random
import shutil
import subprocess
import time

import pytest
from kill_test import Ledger
from queue_child import CHILD, SLOWNESS, drain

LIBRARY = os.path.join(os.environ['POSTBUS_BUILD_DIR'], 'tests/integration/queues/libtest_syscall_faults.so')

if SLOWNESS > 1:
    pytest.skip('a preloaded library comes before the sanitizer, which refuses that', allow_module_level=True)


def one_life(folder, durable, seed, alive, plan):
    env = dict(os.environ, LD_PRELOAD=LIBRARY, POSTBUS_FAULTS=str(plan), POSTBUS_FAULTS_FOLDER=str(folder),
               POSTBUS_DURABLE=str(durable))
    process = subprocess.Popen([CHILD, 'load', str(folder), '8', '8', str(seed)], stdout=subprocess.PIPE, env=env,
                               universal_newlines=True)
    time.sleep(alive)
    process.kill()
    output, _ = process.communicate()
    # The power is back.
    shutil.rmtree(folder)
    folder.mkdir()
    for each in durable.iterdir():
        if each.name in ('queues.db', 'queues.db-wal'):
            shutil.copy(each, folder / each.name)
    return output


def lives(tmp_path, count, fault):
    folder, durable, plan = tmp_path / 'queues', tmp_path / 'durable', tmp_path / 'plan'
    durable.mkdir()
    plan.write_text('')
    ledger, chance = Ledger(), random.Random(3)
    for seed in range(1, count + 1):
        if seed > 1:
            plan.write_text(fault)
        ledger.read(one_life(folder, durable, seed, chance.uniform(0.3, 0.7), plan))
    return ledger, drain(str(folder))


def lost_and_back(ledger, left):
    here = {name for queue, name, _ in left if queue in ('q', 'DLQ.q')}
    return ledger.sent - here - ledger.acked - ledger.acking, here & ledger.acked


def test_what_was_confirmed_was_flushed(tmp_path):
    ledger, left = lives(tmp_path, 5, '')

    lost, back = lost_and_back(ledger, left)
    assert len(ledger.sent) > 50 and len(ledger.acked) > 20, (len(ledger.sent), len(ledger.acked))
    assert not lost and not back and not ledger.wrong, (sorted(lost)[:5], sorted(back)[:5], ledger.wrong[:5])


def test_a_store_that_did_not_flush_would_be_found_out(tmp_path):
    ledger, left = lives(tmp_path, 2, 'sync=skip')

    lost, back = lost_and_back(ledger, left)
    assert lost or back
