#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps translations/messages_zh_CN.json, the Chinese of what core and the command line say, complete.

A text is a literal of the sources, or a field of the diagnoses and recipes, of two words or more; the numbers and names that go
into it stand as {}. Without an option it adds what is new, with an empty translation, and drops what is gone; null
is for texts that no language changes. --check: writes nothing, and fails where that would change anything, where a
translation is empty, or where it names a {} that its text does not have.
"""
import argparse
import collections
import glob
import json
import os
import re
import sys

os.chdir(os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
CATALOG = "translations/messages_zh_CN.json"
SOURCES = ["core", "app"]
# In these, literals are formats of other programs: shell, SSH, HTML, TeX, what trainers print.
NOT_SAID = re.compile(r"core/(log/line_level|report/(html|latex)_report|report/escape)\.cpp")
LITERALS = re.compile(r'(?:u8|L)?"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\"": '"', r"\\": "\\", r"\'": "'"}
PLACE = re.compile(r"\{[0-9]*(?::[^{}]*(?:\{\}[^{}]*)*)?\}")


def unescaped(literal):
    literal = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda found: chr(int(found.group(1), 16)), literal)
    return re.sub(r'\\[nt"\\\']', lambda found: ESCAPES[found.group(0)], literal)


def literals_of(path):
    text = open(path, encoding="utf-8").read()
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    text = re.sub(r"^\s*//.*$|(?<=[\s;{}(),])//[^\n]*$|^\s*#include.*$", "", text, flags=re.M)
    for found in LITERALS.finditer(text):
        parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', found.group(0))
        yield unescaped("".join(parts))


def patterns_of(literal):
    """Of each line: "the log " + name is "the log {}", and what a joint parts is looked up by itself."""
    for line in PLACE.sub("{}", literal).replace("{{", "{").replace("}}", "}").split("\n"):
        line = re.sub(r"^[,;:.] |[:,;] $", "", line)
        line = re.sub(r"^ +(?=[a-z(])", "{} ", line) if not line.startswith("  ") else line
        line = re.sub(r"^([\"'])(?= )", r"\1{}\1", line)
        line = re.sub(r"(?<=\w) $", " {}", line)
        line = re.sub(r" \"$", " \"{}\"", line)
        yield line.strip()


def fields_of(value, names):
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in names and isinstance(inner, str):
                yield inner
            else:
                yield from fields_of(inner, names)
    elif isinstance(value, list):
        for inner in value:
            yield from fields_of(inner, names)


def is_text(literal):
    return (re.search(r"[a-z]{2,}[,:;]? (?:[a-z{\"(]|[0-9])", literal) is not None
            and re.search(r"^[<\\(\[#]|\\b|[&|]{2}|\$\(|\$\{|2>|</|=\"|^\w+ -\w|%s|^ *\w+=\{", literal) is None)


def texts():
    """Every text that must be translated, in the order of the files, and all literals."""
    wanted = {}
    every = []
    paths = [path for folder in SOURCES for path in sorted(glob.glob(folder + "/**/*.*", recursive=True))]
    for path in paths:
        if not path.endswith((".cpp", ".h")) or NOT_SAID.match(path):
            continue
        for literal in literals_of(path):
            for pattern in patterns_of(literal):
                every.append(pattern)
                if is_text(pattern):
                    wanted.setdefault(pattern)
    every.append(open("resources/vocabulary.json", encoding="utf-8").read())
    said = list(fields_of(json.load(open("resources/diagnosis.json", encoding="utf-8")), ("what", "why", "remedy")))
    said += fields_of(json.load(open("resources/experiments.json", encoding="utf-8")), ("title", "why"))
    for path in sorted(glob.glob("resources/recipes/*/*.json")):
        said += fields_of(json.load(open(path, encoding="utf-8")), ("help",))
    for path in sorted(glob.glob("resources/views/*.json")):
        said += fields_of(json.load(open(path, encoding="utf-8")), ("name",))
    for field in said:
        text = re.sub(r"\{\w+\}", "{}", field)
        every.append(text)
        wanted.setdefault(text)
    return wanted, every


def trouble_of(key, value):
    if value is None:
        return None
    if value == "":
        return "is not translated"
    places = key.count("{}")
    named = [int(number) if number else None for number in re.findall(r"\{(\d*)\}", value)]
    numbers = [i if number is None else number for i, number in enumerate(named)]
    if not set(numbers) <= set(range(places)):  # it may leave out an English plural's "s"
        return f"has {places} {{}}, its translation has {numbers}"
    return None


WORDS = re.compile(r"[^\W\d_]+")


def unrepeated(pairs):
    repeated = [key for key, count in collections.Counter(key for key, _ in pairs).items() if count > 1]
    if repeated:
        raise SystemExit(f"{CATALOG} has twice: {repeated}")
    return dict(pairs)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true")
    check = arguments.parse_args().check
    catalog = json.load(open(CATALOG, encoding="utf-8"), object_pairs_hook=unrepeated)
    wanted, every = texts()
    wrong = [f"new, not in {CATALOG}: {key!r}" for key in wanted if key not in catalog]
    words = set(WORDS.findall(" ".join(every)))  # a key may be put together of several literals
    gone = [key for key in catalog if not words.issuperset(WORDS.findall(key))]
    wrong += [f"said nowhere: {key!r}" for key in gone]
    wrong += [f"{key!r} {trouble_of(key, value)}" for key, value in catalog.items() if trouble_of(key, value)]
    if not check:
        merged = {key: catalog.get(key, "") for key in wanted}
        merged |= {key: value for key, value in catalog.items() if key not in merged and key not in gone}
        with open(CATALOG, "w", encoding="utf-8") as file:
            json.dump(merged, file, ensure_ascii=False, indent=1)
            file.write("\n")
        print(f"{len(merged)} texts, {sum(value == '' for value in merged.values())} without a translation")
        return 0
    print("\n".join(wrong) or f"{len(catalog)} texts, all translated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
