#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the chapters that are made of data: files.md of the schemas, diagnoses.md of the rules. --check says whether they
are up to date."""
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESOURCES = HERE.parent


def text_of(rule, everything):
    """(type, description) of a field, for people."""
    words = rule.get("description", "")
    while "$ref" in rule:
        place = everything
        for step in rule["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        rule = place
        words = words or rule.get("description", "")
    if "enum" in rule:
        return " or ".join(f"`{value}`" for value in rule["enum"]), words
    if "anyOf" in rule:
        return " or ".join(text_of(one, everything)[0] for one in rule["anyOf"]), words
    kind = rule.get("type", "")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "array":
        return f"list of {text_of(rule.get('items', {}), everything)[0] or 'anything'}", words
    return {"string": "text", "integer": "number", "boolean": "true, false"}.get(kind, kind), words


def rows(fields, needed, everything):
    lines = ["| field | type | meaning |", "| --- | --- | --- |"]
    for name, rule in fields.items():
        if name == "$schema":
            continue
        kind, words = text_of(rule, everything)
        star = "" if name not in needed else " (needed)"
        lines.append(f"| `{name}`{star} | {kind} | {words} |".replace("\\n", " "))
    return lines


def parts_of(name, rule, everything):
    """The object's table, then those of the objects in it."""
    inner = rule.get("items", rule.get("additionalProperties")) if "properties" not in rule else rule
    if not isinstance(inner, dict) or "properties" not in inner:
        return []
    lines = [f"### {name}", "", *rows(inner["properties"], inner.get("required", []), everything), ""]
    for field, one in inner["properties"].items():
        lines += parts_of(f"{name}: {field}", one, everything) if "$ref" not in one else []
    return lines


def files():
    lines = ["# Files", "",
             "Plans, clusters, recipes and log formats are JSON. `\"$schema\"` is allowed in each: editors that know the schemas of",
             "`share/dlperf-dashboard/schemas` complete and check while you type.", ""]
    for name in ("plan", "cluster", "recipe", "formats"):
        schema = json.loads((RESOURCES / "schemas" / f"{name}.schema.json").read_text())
        top = schema if "properties" in schema else schema["$defs"]["format"]
        lines += [f"## {name}.json", "", schema["description"], "", *rows(top["properties"], top.get("required", []), schema), ""]
        for field, rule in top["properties"].items():
            lines += parts_of(field, rule, schema) if "$ref" not in rule else []
        for part in ("node", "slurm") if name == "cluster" else ():
            one = schema["$defs"][part]
            lines += [f"### {part}", "", *rows(one["properties"], one.get("required", []), schema), ""]
    return "\n".join(lines)


def capital(sentence):
    return sentence[0].upper() + sentence[1:]


def diagnoses():
    lines = ["# Diagnoses", "",
             "What a run's log is looked through for, while it trains. The rules are data, `share/dlperf-dashboard/diagnosis.json`.", ""]
    for rule in json.loads((RESOURCES / "diagnosis.json").read_text())["rules"]:
        lines += [f"## {rule['id']}", "", capital(rule["what"].replace("{node}", "a node")), "", rule["why"], "",
                  f"**What to do:** {rule['remedy']}", ""]
        if rule.get("command"):
            lines += ["```text", rule["command"], "```", ""]
    return "\n".join(lines)


stale = False
for name, text in (("files.md", files()), ("diagnoses.md", diagnoses())):
    file = HERE / "en" / name
    if "--check" not in sys.argv:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        print(f"{file} is out of date: resources/manual/make_tables.py")
        stale = True
sys.exit(stale)
