"""Kills a daemon's queues with senders and consumers at work, again and again, and looks at what is left.

A line that was printed is a promise. What was sent and confirmed must be there or have been taken; what was confirmed as
taken must never come again; of two messages in one transaction both are there or none.
"""
import collections
import random
import re
import subprocess
import time

from queue_child import CHILD, SLOWNESS, drain

CYCLES = 20


class Ledger:
    """All that was attempted and promised over all cycles."""

    def __init__(self):
        self.sending, self.sent, self.acking, self.acked = set(), set(), set(), set()
        self.pairs, self.got = set(), collections.Counter()
        self.wrong = []

    def read(self, output):
        first = {}
        for line in output.splitlines(keepends=True):
            if not line.endswith('\n'):
                continue
            word, name, *rest = line.split()
            if word == 'sending':
                self.sending.add(name)
                if rest:
                    self.pairs.add(name)
            elif word == 'got':
                self.check(name, rest[0], first)
                self.got[name] += 1
            else:
                getattr(self, word).add(name)

    def check(self, name, flag, first):
        if name in self.acked:
            self.wrong.append('%s came again after its acknowledgement was confirmed' % name)
        if name not in self.sending:
            self.wrong.append('%s was never sent' % name)
        if flag == 'first' and self.got[name]:
            self.wrong.append('%s came again without being marked as redelivered' % name)
        if flag == 'first':
            # One consumer prints what it takes in order; several may overtake each other by what they prefetch.
            sender, number = name.rsplit('.', 1)
            if int(number) + 25 * 16 < first.get(sender, -1):
                self.wrong.append('%s came long after a later one of its sender' % name)
            first[sender] = max(first.get(sender, -1), int(number))


def one_life(folder, seed, alive):
    process = subprocess.Popen([CHILD, 'load', folder, '16', '16', str(seed)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, universal_newlines=True)
    try:
        time.sleep(alive)
    finally:
        process.kill()
    output, errors = process.communicate()
    assert process.returncode == -9, (process.returncode, output[-300:], errors[-300:])
    return output


def test_nothing_confirmed_is_lost_or_comes_back(tmp_path):
    folder, ledger, chance = str(tmp_path / 'queues'), Ledger(), random.Random(7)
    for cycle in range(CYCLES):
        ledger.read(one_life(folder, cycle + 1, chance.uniform(0.15, 0.6) * SLOWNESS))
    left = drain(folder)

    in_q = [name for queue, name, _ in left if queue == 'q']
    dead = [name for queue, name, _ in left if queue == 'DLQ.q']
    pairs = [name for queue, name, _ in left if queue == 'pairs']
    everywhere = set(in_q) | set(dead) | ledger.acked

    assert len(ledger.sent) > 200 and len(ledger.acked) > 100, (len(ledger.sent), len(ledger.acked))
    assert not ledger.wrong, ledger.wrong[:5]
    assert not (ledger.sent - everywhere - ledger.acking), 'lost'
    assert not (set(in_q + dead) & ledger.acked), 'came back'
    assert not (set(in_q) & set(dead)), 'in the queue and among the dead letters'
    assert len(in_q) == len(set(in_q)) and len(dead) == len(set(dead)) and len(pairs) == len(set(pairs))
    assert set(in_q + dead + pairs) <= ledger.sending, 'never sent'
    half = {name for name in ledger.pairs if (name in pairs) != (name in everywhere | (ledger.acking & set(pairs)))}
    assert not half, 'half of a transaction: %s' % sorted(half)[:5]
    assert not (set(pairs) - ledger.pairs)
    assert any(ledger.got[name] > 1 for name in ledger.got)


def test_what_was_never_delivered_keeps_the_order_of_its_sender(tmp_path):
    folder, ledger = str(tmp_path / 'queues'), Ledger()
    for seed in (1, 2):
        process = subprocess.Popen([CHILD, 'load', folder, '4', '0', str(seed)], stdout=subprocess.PIPE,
                                   universal_newlines=True)
        time.sleep(0.3 * SLOWNESS)
        process.kill()
        ledger.read(process.communicate()[0])
    left = [name for queue, name, _ in drain(folder) if queue == 'q']

    assert ledger.sent <= set(left) <= ledger.sending
    by_sender = collections.defaultdict(list)
    for name in left:
        sender, number = re.fullmatch(r'(\d+\.\d+)\.(\d+)', name).groups()
        by_sender[sender].append(int(number))
    assert len(by_sender) == 8
    assert all(numbers == list(range(len(numbers))) for numbers in by_sender.values())
