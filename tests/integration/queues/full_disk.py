"""Runs inside of a mount namespace of its own, on a small disk: see full_disk_test.py."""
import os
import sys
import time

from queue_child import Steps, drain


def wait_for(child, state):
    for _ in range(200):
        said = child.do('status')
        if said.startswith(state):
            return said
        time.sleep(0.05)
    raise AssertionError('%s, not %s' % (said, state))


def main(disk):
    folder, filler = os.path.join(disk, 'queues'), os.path.join(disk, 'filler')
    with Steps(folder) as child:
        assert child.first == 'open', child.first
        with open(filler, 'wb') as file:
            file.write(bytes(8 << 20))
        sent, taken = 0, 0
        while True:
            said = child.do('send 50000')
            if said != 'sent':
                break
            sent += 1
        assert said == 'refused the disk of the queue store is full; nothing was stored', said
        assert sent > 20, sent
        # Receivers go on though nothing else fits on the disk.
        for _ in range(10):
            said = child.do('take')
            assert said == 'taken', said
            taken += 1
        os.unlink(filler)
        wait_for(child, 'open')
        assert child.do('send 50000') == 'sent'
        sent += 1

        # Full again, and nobody makes room but those who receive.
        while child.do('send 50000') == 'sent':
            sent += 1
        while child.do('status').split()[1] != '0':
            said = child.do('take')
            assert said == 'taken', (said, taken, os.popen('ls -l %s; df %s' % (folder, disk)).read())
            taken += 1
        wait_for(child, 'open')
        for _ in range(3):
            assert child.do('send 50000') == 'sent'
            sent += 1
        log = child.quit()
        assert 'queue.store.failed' not in log, log
    assert len(drain(folder)) == sent - taken, (sent, taken)
    print('full disk: sent %d, taken %d' % (sent, taken))


main(sys.argv[1])
