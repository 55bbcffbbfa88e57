#!/usr/bin/env python3
"""Writes unicode_table.inc: the general category of every code point, as ascending ranges.

Usage: make_unicode_table.py /usr/share/unicode > unicode_table.inc
The folder holds UnicodeData.txt and PropList.txt of the Unicode Character Database (Debian: unicode-data).
"""

import pathlib
import re
import sys

LIMIT = 0x110000


def categories(folder):
    """A list with the category of each code point; "Cn" where none is assigned."""
    table = ["Cn"] * LIMIT
    first = None
    for line in (folder / "UnicodeData.txt").read_text(encoding="ascii").splitlines():
        code, name, category = line.split(";")[:3]
        code = int(code, 16)
        if name.endswith(", First>"):
            first = code
        elif name.endswith(", Last>"):
            table[first : code + 1] = [category] * (code + 1 - first)
        else:
            table[code] = category
    return table


def white_space(folder):
    pattern = re.compile(r"^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*White_Space\b")
    found = set()
    for line in (folder / "PropList.txt").read_text(encoding="utf-8").splitlines():
        match = pattern.match(line)
        if match:
            first = int(match[1], 16)
            found.update(range(first, int(match[2] or match[1], 16) + 1))
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    table = categories(folder)
    spaces = white_space(folder)
    entries = []
    previous = None
    for code in range(LIMIT):
        value = (table[code], code in spaces)
        if value != previous:
            kind = value[0] + (" | White_Space" if value[1] else "")
            entries.append("{0x%X, %s}," % (code, kind))
            previous = value
    print("// Made by make_unicode_table.py from the Unicode Character Database; each entry holds up to the next.")
    line = ""
    for entry in entries:
        if len(line) + len(entry) + 1 > 108:
            print(line)
            line = ""
        line += (" " if line else "") + entry
    print(line)


main()
