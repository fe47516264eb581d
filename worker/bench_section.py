#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts standard input into a Markdown file as the section of one GPU, in place of that GPU's earlier one.

    bench_section.py BENCHMARKS.md "NVIDIA H200" <section.md

A section lies between two comments that name the GPU; all others stay as they are. A new one goes to the end of the
file.
"""
import os
import pathlib
import sys


def marks(name):
    return f"<!-- bench_gpu.sh: {name} -->\n", f"<!-- end of {name} -->\n"


def with_section(text, name, section):
    begin, end = marks(name)
    block = begin + section.strip("\n") + "\n" + end
    if begin in text and end in text:
        first, last = text.index(begin), text.index(end) + len(end)
        return text[:first] + block + text[last:]
    return text.rstrip("\n") + "\n\n" + block


def main(path, name):
    file = pathlib.Path(path)
    text = with_section(file.read_text(encoding="utf-8"), name, sys.stdin.read())
    beside = file.with_name(file.name + ".new")  # an interruption must not leave half a file
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
