"""A disk that is full in earnest: a small tmpfs, in a mount namespace of the test's own."""
import os
import subprocess
import sys

import pytest
from queue_child import SLOWNESS

MAY_MOUNT = subprocess.run(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], stderr=subprocess.DEVNULL,
                           check=False).returncode == 0


@pytest.mark.skipif(not MAY_MOUNT, reason='no mounts here')
def test_receivers_drain_a_full_disk_and_the_service_resumes(tmp_path):
    disk = tmp_path / 'disk'
    disk.mkdir()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'full_disk.py')
    run = subprocess.run(['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=24m none "$1" && exec "$2" "$3" "$1"',
                          'sh', str(disk), sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         timeout=120 * SLOWNESS, universal_newlines=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
