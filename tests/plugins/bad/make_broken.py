#!/usr/bin/python3
"""Makes files that are no plugins, or no longer.

  make_broken.py GOOD.so FOLDER

Writes into FOLDER: text.so, empty.so, wrong_machine.so, wrong_class.so, and copies of GOOD.so cut at 10, 50, 75, 99 %
and by one byte, or with the second half zero.
"""
import struct
import sys
from pathlib import Path

EM_AARCH64, EM_X86_64 = 183, 62


def main():
    good, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    if good[:4] != b'\x7fELF':
        sys.exit('%s is no ELF file' % sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)

    def put(name, content):
        (folder / name).write_bytes(content)

    put('text.so', b'This is no shared library.\n')
    put('empty.so', b'')
    machine = struct.unpack_from('<H', good, 18)[0]
    other = EM_X86_64 if machine == EM_AARCH64 else EM_AARCH64
    put('wrong_machine.so', good[:18] + struct.pack('<H', other) + good[20:])
    put('wrong_class.so', good[:4] + bytes([3 - good[4]]) + good[5:])
    for percent in (10, 50, 75, 99):
        put('cut_%d.so' % percent, good[:len(good) * percent // 100])
    put('cut_last_byte.so', good[:-1])
    half = len(good) // 2
    put('zero_tail.so', good[:half] + bytes(len(good) - half))


main()
