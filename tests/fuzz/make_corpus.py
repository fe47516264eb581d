#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the fuzzers, out of the tests' logs and formats: tests/fuzz/make_corpus.py FOLDER

    fuzz_log/      logs of every format, and hostile ones
    fuzz_formats/  every row of resources/formats.json as a user's file
    fuzz_import/   the same logs in archives, some of which want out of their folder
    words.txt      what the formats look for, as libFuzzer's dictionary
"""
import functools
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FORMATS = json.loads((ROOT / "resources/formats.json").read_text())
LOG_BYTES = 3000  # of a seed: short ones are tried more often
LONG_LINE = 70_000  # beyond what the engine keeps of a line


@functools.cache
def first_logs():
    """The start of the first log of each format's test vectors."""
    with tempfile.TemporaryDirectory() as folder:
        make_vectors = ROOT / "tests/analysis/reference/make_vectors.py"
        subprocess.run([sys.executable, "-B", make_vectors, folder], check=True)
        return {path.name.removesuffix("-00.txt"): path.read_bytes().split(b"\n>>> ")[1].split(b"\n", 1)[1][:LOG_BYTES]
                for path in Path(folder).glob("*-00.txt")}


def first_log(name):
    return first_logs().get(name, b"")


def hostile(log):
    """What a log may look like that no trainer meant to write."""
    lines = log.splitlines()
    return {
        "crlf": b"\r\n".join(lines),
        "progress": b"\r".join(lines),
        "colours": b"\n".join(b"\x1b[32m" + line.replace(b" ", b"\x1b[0m ", 1) + b"\x1b[K" for line in lines),
        "nul": log.replace(b" ", b"\0", 20) + b"\0" * 100,
        "utf8": log.replace(b"0", b"\xff\xc0\x80\xed\xa0\x80", 10),
        "long": log[:500] + b"x" * LONG_LINE + log[:500],
        "ranks": b"".join(b"[1,%d]<stdout>:%s\n" % (i % 3, line) for i, line in enumerate(lines)),
        "huge": log.replace(b"1", b"99999999999999999999", 50),
    }


def log_seeds():
    """The first byte chooses the format, the second the length of the pieces."""
    seeds = {}
    for number, row in enumerate(FORMATS):
        log = first_log(row["name"]) or first_log("dlperf-worker")
        seeds[row["name"]] = bytes([number, 7]) + log
    for number in (0, 1, 2):
        for kind, bad in hostile(first_log(FORMATS[number]["name"])).items():
            seeds[f"{FORMATS[number]['name']}-{kind}"] = bytes([number, 63]) + bad
    return seeds


def format_seeds():
    return {row["name"]: json.dumps([row]).encode() for row in FORMATS}


def as_zip(files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return archive.getvalue()


def as_tar(files, mode, links=()):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode=mode) as made:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            made.addfile(entry, io.BytesIO(content))
        for name, target in links:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            made.addfile(entry)
    return archive.getvalue()


def import_seeds():
    logs = {f"logs/{row['name']}/1n1g/r50_b128_fp32_1.log": first_log(row["name"]) for row in FORMATS[:6]}
    away = {"../r50_b128_fp32_1.log": first_log("pytorch-examples"), "/a.log": b"x", "a/../../b.log": b"y"}
    seeds = {"zip": as_zip(logs), "tar": as_tar(logs, "w"), "tar.gz": as_tar(logs, "w:gz"), "zip-away": as_zip(away),
             "tar-away": as_tar(away, "w", [("logs", "/"), ("logs/1n1g", "..")]), "log": first_log("pytorch-examples")}
    bad = {f"1n1g/{kind}_b1_fp32_1.log": log for kind, log in hostile(first_log("pytorch-examples")).items()}
    return seeds | {"zip-hostile": as_zip(bad)}


def words():
    """The strings of all rows, each once."""
    found, left = set(), list(FORMATS)
    while left:
        value = left.pop()
        if isinstance(value, str) and len(value) < 40:
            found.add(value)
        elif isinstance(value, (dict, list)):
            left += value.values() if isinstance(value, dict) else value
    escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in sorted(found) if word)
    return "".join(f'"{word}"\n' for word in escaped)


def main():
    folder = Path(sys.argv[1])
    for target, seeds in {"fuzz_log": log_seeds(), "fuzz_formats": format_seeds(), "fuzz_import": import_seeds()}.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, seed in seeds.items():
            (folder / target / name).write_bytes(seed)
    (folder / "words.txt").write_text(words())


if __name__ == "__main__":
    main()
