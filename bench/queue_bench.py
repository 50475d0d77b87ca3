"""the durable queue: sends against the disk's own flushes, and opening after a kill

An engine over a SQLite store, in a process of its own, beside the build (so on a disk, not in memory). Slices of raw
flushes (1 KB appended, fdatasync) and of sends alternate, since a disk's pace changes; a slice of sends counts with the
mean of the raw ones around it, and not at all where those differ by more than half.
"""
import json
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from kit.checks import at_least, at_most

SECONDS, ROUNDS, LEAST, BACKLOG = 1, 11, 7, 1_000_000
STEADY = 1.5


class QueueLoadFailed(Exception):
    pass


def lines(program, *words):
    run = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                         universal_newlines=True, check=False)
    if run.returncode:
        raise QueueLoadFailed('%s %s: %s' % (program.name, words[0], run.stderr))
    return [json.loads(line) for line in run.stdout.splitlines()]


def paired(slices):
    """{producers: [(ratio to the raw flushes around, p99 / p50)]} and how many were dropped."""
    found, dropped = {1: [], 64: []}, 0
    for before, sends, after in zip(slices, slices[1:], slices[2:]):
        if 'producers' not in sends:
            continue
        raw = before['raw'], after['raw']
        if max(raw) > STEADY * min(raw):
            dropped += 1
            continue
        found[sends['producers']].append((sends['rate'] / statistics.mean(raw), sends['p99'] / sends['p50']))
    return found, dropped


def sending(program, folder):
    found, dropped, slices = {1: [], 64: []}, 0, []
    for _ in range(4):  # a disk in a bad hour gets more rounds
        batch = lines(program, 'slices', folder, SECONDS, ROUNDS)
        slices += batch
        more, less = paired(batch)
        dropped += less
        for producers, each in more.items():
            found[producers] += each
        if min(map(len, found.values())) >= LEAST:
            break
    else:
        raise QueueLoadFailed('the disk was never steady for long: %d slices dropped' % dropped)
    rate = {producers: statistics.median(each['rate'] for each in slices if each.get('producers') == producers)
            for producers in found}
    print('raw flushes %.0f a second; sends by 1 producer %.0f, by 64 %.0f; %d and %d slices counted, %d dropped' %
          (statistics.median(each['raw'] for each in slices if 'raw' in each), rate[1], rate[64], len(found[1]),
           len(found[64]), dropped))
    return found


def opening(program, folder):
    with subprocess.Popen([program, 'fill', folder, str(BACKLOG)], stdout=subprocess.PIPE) as filling:
        if filling.stdout.readline() != b'filled\n':
            raise QueueLoadFailed('could not be filled')
        filling.kill()
    opened, = lines(program, 'open', folder)
    if opened['messages'] != BACKLOG:
        raise QueueLoadFailed('%d messages of %d are there after the kill' % (opened['messages'], BACKLOG))
    print('%d messages of 1 KB: open %.2f s after a kill' % (BACKLOG, opened['seconds']))
    return opened['seconds']


def run(build):
    program = build / 'bin' / 'bench_queue_load'
    folder = Path(tempfile.mkdtemp(prefix='bench-queue-', dir=build))
    try:
        found = sending(program, folder / 'sends')
        seconds = opening(program, folder / 'backlog')
    finally:
        shutil.rmtree(folder)
    ratio = {producers: statistics.median(each[0] for each in pairs) for producers, pairs in found.items()}
    return [at_least('sends by 1 producer to raw flushes', ratio[1], 0.8),
            at_least('sends by 64 producers to raw flushes', ratio[64], 6),
            at_most('p99 to p50 of a send by 64 producers', statistics.median(each[1] for each in found[64]), 15),
            at_most('seconds to open 1,000,000 messages after a kill', seconds, 2)]
