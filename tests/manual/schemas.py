#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas of resources/schemas say what the program takes: the same fields, the same types; and what is bundled
keeps to them. schemas.py FOLDER-OF-PROGRAMS"""
import copy
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv[1]) / "dlperf"
ODD = "zzzzzzzzzzzz"  # near no field
PLAN = {"recipes": ["dlperf-worker"], "topologies": ["1n1g"], "batch_sizes": [8], "options": {}, "env": {},
        "only": [{"recipe": "dlperf-worker", "topology": "1n1g", "batch_size": 8}]}
SEARCH = {"recipes": ["dlperf-worker"], "topologies": ["1n1g"], "batch_sizes": [8], "search": {"batch_size": {}}}
THREADS = {**SEARCH, "search": {"option": {"name": "workers"}}}
UNTIL = {"recipes": ["dlperf-worker"], "topologies": ["1n1g"], "batch_sizes": [8], "until": {"width": "2%"}}
CLUSTER = {"name": "lab", "nodes": [{"name": "here", "local": True}]}
SLURM = {"name": "lab", "scheduler": "slurm", "nodes": 1, "slurm": {}, "node": {}}
RECIPE = {"title": "T", "framework": "PyTorch", "implementation": "PyTorch examples", "model": "r50",
          "format": "pytorch-examples", "options": {"one": {"default": "1"}}, "needs": {}, "python": {},
          "source": {"repository": "a/b", "option": "one"}, "data": {"option": "one"}}
FORMAT = {"name": "mine", "lines": {"contain": ["time"]}, "value": {"after": "time "}, "index": {"after": "step "},
          "window": {}, "fold": {}, "header": {}, "said": {}, "loss": {"after": "loss "}, "data": {"after": "data "}}
# A whole file, and where in it an object lies that the schema describes: (file, path in it, path in the schema).
OBJECTS = [
    ("plan", PLAN, [], []), ("plan", PLAN, ["only", 0], ["properties", "only", "items"]),
    ("plan", UNTIL, ["until"], ["properties", "until"]),
    ("plan", SEARCH, ["search"], ["properties", "search"]),
    ("plan", SEARCH, ["search", "batch_size"], ["properties", "search", "properties", "batch_size"]),
    ("plan", THREADS, ["search", "option"], ["properties", "search", "properties", "option"]),
    ("cluster", CLUSTER, [], []), ("cluster", CLUSTER, ["nodes", 0], ["$defs", "node"]),
    ("cluster", SLURM, [], []), ("cluster", SLURM, ["slurm"], ["$defs", "slurm"]),
    ("recipe", RECIPE, [], []), ("recipe", RECIPE, ["options", "one"], ["properties", "options", "additionalProperties"]),
    *[("recipe", RECIPE, [name], ["properties", name]) for name in ("needs", "python", "source", "data")],
    ("formats", FORMAT, [], ["$defs", "format"]),
    *[("formats", FORMAT, [name], ["$defs", "format", "properties", name])
      for name in ("window", "lines", "index", "value", "fold", "header", "said")],
    ("formats", FORMAT, ["loss"], ["$defs", "place"]),
]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def schema(name):
    return json.loads((SOURCE / "resources/schemas" / f"{name}.schema.json").read_text())


def at(value, path):
    for step in path:
        value = value[step]
    return value


def refusal(kind, value, folder):
    """What the program says of the file; empty where it takes it."""
    file = folder / f"{kind}.json"
    file.write_text(json.dumps(value))
    recipe = folder / "recipes/own"
    recipe.mkdir(parents=True, exist_ok=True)
    (recipe / "launch.sh").write_text("true\n")
    if kind == "recipe":
        (recipe / "recipe.json").write_text(json.dumps(value))
    (folder / "logs").mkdir(exist_ok=True)
    command = {"plan": ["plan", file], "cluster": ["ps", file], "recipe": ["recipes", "own", "--recipes", recipe.parent],
               "formats": ["analyze", folder / "logs", "--formats", file]}[kind]
    done = subprocess.run([PROGRAM, *command], capture_output=True, text=True, timeout=60, check=False)
    if kind == "formats" and "no logs" in done.stderr:
        return ""
    return done.stderr if done.returncode == 2 or kind == "recipe" and done.returncode else ""


def known_fields(words):
    found = re.search(r"Known are ([^.]*)\.", words)
    return set(found[1].split(", ")) if found else words


def check_fields(folder):
    for kind, whole, path, place in OBJECTS:
        where = f"{kind}: {'.'.join(map(str, path)) or 'top'}"
        file = copy.deepcopy(whole)
        at(file, path)[ODD] = 1
        said = set(at(schema(kind), place)["properties"]) - {"$schema"}
        known = known_fields(refusal(kind, file, folder))
        if kind == "recipe" and not path:
            known = known | {"extends", "files"}  # taken out before the others are read
        if kind == "cluster" and not path:
            said -= {"slurm", "node"} if "slurm" not in whole else set()
        check(said == known, f"{where}: the schema has {sorted(said)}, the program {known}")


def wrong(rule, everything):
    """A value of another type."""
    while "$ref" in rule:
        rule = at(everything, rule["$ref"].removeprefix("#/").split("/"))
    kinds = [rule] + rule.get("anyOf", [])
    return 7 if any(kind.get("type") in ("string", "array", "object", "boolean") or "enum" in kind for kind in kinds) else "x"


def check_types(folder):
    for kind, whole, path, place in OBJECTS:
        rules = schema(kind)
        for field, rule in at(rules, place)["properties"].items():
            if field == "$schema" or (kind, field) in {("cluster", "nodes"), ("cluster", "node"), ("cluster", "slurm")}:
                continue
            file = copy.deepcopy(whole)
            at(file, path)[field] = wrong(rule, rules)
            where = f"{kind}: {'.'.join(map(str, [*path, field]))} = {at(file, path)[field]!r}"
            check(not jsonschema.Draft202012Validator(rules).is_valid(file), f"{where} is valid")
            check(refusal(kind, file, folder), f"{where} is taken")


def check_taken(folder):
    for kind, whole in (("plan", PLAN), ("cluster", CLUSTER), ("cluster", SLURM), ("recipe", RECIPE), ("formats", FORMAT)):
        check(jsonschema.Draft202012Validator(schema(kind)).is_valid(whole), f"{kind}: not valid: {whole}")
        words = "" if whole is SLURM else refusal(kind, {**whole, "$schema": "x"}, folder)
        check(not words, f"{kind}: refused: {words}")


def check_bundled():
    files = [("plan", file) for file in SOURCE.glob("resources/plans/*.json")]
    files += [("recipe", file) for file in SOURCE.glob("resources/recipes/*/recipe.json")]
    files += [("recipe", file) for file in SOURCE.glob("resources/measurements/*/recipe.json")]
    files += [("formats", SOURCE / "resources/formats.json")]
    files += [("formats", file) for file in SOURCE.glob("resources/measurements/*/format.json")]
    check(len(files) > 30, "the bundled files are missing")
    for kind, file in files:
        validator = jsonschema.Draft202012Validator(schema(kind))
        for error in validator.iter_errors(json.loads(file.read_text())):
            failures.append(f"{file.relative_to(SOURCE)}: {'.'.join(map(str, error.path))}: {error.message[:200]}")


for name in ("plan", "cluster", "recipe", "formats"):
    jsonschema.Draft202012Validator.check_schema(schema(name))
with tempfile.TemporaryDirectory() as temporary:
    check_bundled()
    check_taken(Path(temporary))
    check_fields(Path(temporary))
    check_types(Path(temporary))
print("\n".join(failures) or "schemas and program agree")
sys.exit(bool(failures))
