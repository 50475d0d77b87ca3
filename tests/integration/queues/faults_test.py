"""System calls that fail: the store is out of service after the first flush or write that failed, and a full disk is no
failure."""
import os

import pytest
from queue_child import SLOWNESS, Steps, drain

LIBRARY = os.path.join(os.environ['POSTBUS_BUILD_DIR'], 'tests/integration/queues/libtest_syscall_faults.so')

if SLOWNESS > 1:
    pytest.skip('a preloaded library comes before the sanitizer, which refuses that', allow_module_level=True)


class Faults:
    """The plan of faults, for a child under tmp_path."""

    def __init__(self, tmp_path):
        self.plan, self.folder = tmp_path / 'plan', str(tmp_path / 'queues')
        self.set('')

    def set(self, plan):
        # Put in place as a whole: the child reads it at any time.
        new = self.plan.with_suffix('.new')
        new.write_text(plan)
        new.replace(self.plan)

    def child(self):
        return Steps(self.folder, str(self.plan), LIBRARY)


@pytest.fixture
def faults(tmp_path):
    return Faults(tmp_path)


@pytest.mark.parametrize('fault', ['sync=EIO@1', 'sync=ENOSPC@1', 'write=EIO@1'])
def test_the_first_failed_flush_or_write_ends_the_service(faults, fault):
    with faults.child() as child:
        assert child.first == 'open'
        assert child.do('send 100') == 'sent'
        assert child.do('send 100') == 'sent'
        faults.set(fault)
        refused = child.do('send 100')
        assert refused.startswith('refused the queue store is out of service'), refused
        faults.set('')
        # Nothing is tried again, though the disk would work now.
        assert child.do('send 100').startswith('refused the queue store is out of service')
        assert child.do('status').startswith('failed')
        log = child.quit()
    assert 'queue.store.failed' in log

    with faults.child() as child:
        assert child.first == 'open'
        assert child.do('send 100') == 'sent'
        child.quit()
    # The one that was refused may be there.
    assert len(drain(faults.folder)) in (3, 4)


def test_an_acknowledgement_that_was_not_stored_is_not_confirmed(faults):
    with faults.child() as child:
        assert child.do('send 100') == 'sent'
        faults.set('sync=EIO')
        assert child.do('take').startswith('refused the queue store is out of service')
        faults.set('')
        child.quit()
    assert len(drain(faults.folder)) in (0, 1)


@pytest.mark.parametrize('fault', ['write=ENOSPC', 'write=short'])
def test_a_full_disk_refuses_senders_and_the_service_resumes(faults, fault):
    with faults.child() as child:
        assert child.do('send 100') == 'sent'
        faults.set(fault)
        refused = child.do('send 100')
        assert refused == 'refused the disk of the queue store is full; nothing was stored', refused
        assert child.do('status') == 'full 1'
        faults.set('')
        for _ in range(100):
            if child.do('status') == 'open 1':
                break
            __import__('time').sleep(0.05)
        assert child.do('send 100') == 'sent'
        assert child.do('take') == 'taken'
        log = child.quit()
    assert 'queue.store.full' in log and 'queue.store.room' in log and 'queue.store.failed' not in log
    assert len(drain(faults.folder)) == 1


def test_interrupted_writes_are_taken_up_again(faults):
    with faults.child() as child:
        for nth in range(1, 6):
            faults.set('write=EINTR@%d' % nth)
            assert child.do('send 5000') == 'sent'
            faults.set('')
            assert child.do('send 1') == 'sent'
        child.quit()
    assert len(drain(faults.folder)) == 10


def test_every_write_and_flush_in_turn_may_fail(faults):
    """Whichever call fails: what was confirmed is there, nothing is confirmed after a failure, and it opens again."""
    confirmed = 0
    for call in ('write=EIO@%d', 'write=ENOSPC@%d', 'sync=EIO@%d'):
        for nth in range(1, 8):
            with faults.child() as child:
                assert child.first == 'open'
                faults.set(call % nth)
                failed = False
                for _ in range(4):
                    said = child.do('send 3000')
                    assert said == 'sent' or said.startswith('refused')
                    if call.endswith('EIO@%d'):
                        assert not (failed and said == 'sent')
                        failed = failed or said != 'sent'
                    confirmed += said == 'sent'
                faults.set('')
                child.quit()
    found = len(drain(faults.folder))
    assert confirmed <= found <= confirmed + 2 * 7 * 3
