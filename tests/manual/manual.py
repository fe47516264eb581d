#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual is true: manual.py FOLDER-OF-PROGRAMS

Runs the commands of all chapters in one folder, in the order of CHAPTERS. A block's fence says what it is: `sh` must
succeed, `sh fails` must not, `json SCHEMA FILE` is written, must be valid and be taken, `file FILE` is written, `text` is
for the eye. Links lead somewhere, every check is named, and the translated chapters have the same blocks.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

SOURCE = Path(__file__).resolve().parents[2]
MANUAL = SOURCE / "resources/manual"
PROGRAMS = Path(sys.argv[1]).resolve()
CHAPTERS = ["first-run", "cluster", "recipes", "comparison", "logs", "checks", "diagnoses", "files", "reference"]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def blocks(text):
    """(what the fence says, body)"""
    return re.findall(r"^```([^\n]+)\n(.*?)^```$", text, re.M | re.S)


def run(command, folder, codes=(0,)):
    environment = {**os.environ, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8",
                   "PATH": f"{folder / 'bin'}:{PROGRAMS}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-euc", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=600,
                          stdin=subprocess.DEVNULL, check=False)
    check(done.returncode in codes, f"code {done.returncode}: {command}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")


def make_machine(folder):
    """A home, and an ssh for which every host is this machine, where nobody listens."""
    for name in ("home", "bin"):
        (folder / name).mkdir()
    (folder / "ssh_config").write_text("Host *\n  HostName 127.0.0.1\n  Port 1\n")
    (folder / "bin/ssh").write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F {folder}/ssh_config "$@"\n')
    (folder / "bin/ssh").chmod(0o755)


def take(kind, body, file, folder):
    value = json.loads(body)
    schema = json.loads((SOURCE / "resources/schemas" / f"{kind}.schema.json").read_text())
    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        failures.append(f"{file}: {error.message}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(body)
    if kind == "plan" and "my-trainer" not in body:
        run(f"dlperf plan {file}", folder)
    if kind == "cluster":  # it is read; its nodes need not be there
        run(f"dlperf check {file} --reachable", folder, codes=(0, 1))


def follow(chapter, folder):
    for fence, body in blocks((MANUAL / "en" / f"{chapter}.md").read_text()):
        words = fence.split()
        if words[0] == "sh":
            for command in body.splitlines():
                run(command, folder, codes=(1, 2) if words[1:] == ["fails"] else (0,))
        elif words[0] == "json":
            take(words[1], body, folder / words[2], folder)
        elif words[0] == "file":
            (folder / words[1]).write_text(body)
        else:
            check(fence == "text", f"{chapter}: a block of {fence}")


def check_links(file):
    text = file.read_text()
    for target in re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", text):
        check(not target or (file.parent / target).exists(), f"{file}: no {target}")


def check_checks():
    """Every title that a check may have stands in the chapter."""
    chapter = (MANUAL / "en/checks.md").read_text()
    titles = set()
    for file in [*(SOURCE / "core/cluster").glob("*.cpp"), SOURCE / "core/remote/preflight.cpp"]:
        titles |= set(re.findall(r'\b(?:passed|warning|failed|impossible|Check)[({]\s*"([A-Z][^"]+)"', file.read_text()))
    check(len(titles) > 20, f"only {len(titles)} titles of checks were found")
    for title in titles:
        check(title.strip() in chapter, f"checks.md does not name {title}")


def check_translations():
    for file in (MANUAL / "zh_CN").glob("*.md"):
        check(blocks(file.read_text()) == blocks((MANUAL / "en" / file.name).read_text()), f"{file}: other blocks than in English")


with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    make_machine(folder)
    for chapter in CHAPTERS:
        follow(chapter, folder)
check({file.stem for file in (MANUAL / "en").glob("*.md")} == set(CHAPTERS), "a chapter is not in CHAPTERS")
for file in MANUAL.glob("*/*.md"):
    check_links(file)
check_checks()
check_translations()
made = subprocess.run([sys.executable, MANUAL / "make_tables.py", "--check"], capture_output=True, text=True, check=False)
check(made.returncode == 0, made.stdout)
print("\n".join(failures) or f"{len(CHAPTERS)} chapters hold")
sys.exit(bool(failures))
