#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command line makes of bad input: bad_inputs.py PROGRAM [--print]

Each gets one clear sentence on standard error that names the place, exit code 2 (1 where the input is fine and the work
cannot be done); none crashes or hangs. --print lists them all.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve()
PLAN = {"recipes": ["dlperf-worker"], "topologies": ["1n1g"], "batch_sizes": [8]}
CLUSTER = {"name": "lab", "nodes": [{"name": "here", "local": True}]}
SLURM = {"name": "lab", "scheduler": "slurm", "nodes": 1, "slurm": {}, "node": {}}
RECIPE = {"title": "T", "framework": "PyTorch", "implementation": "PyTorch examples", "model": "r50", "format": "pytorch-examples"}
FORMAT = {"name": "mine", "lines": {"contain": ["time"]}, "value": {"after": "time "}}
MANY = ["a" * 300, "\u202e", "a b", "../x", "", "-x", "a/b", "a\nb", "\x1b[31m"]


def changed(base, path, value):
    """A copy with the value at "only.0.recipe"; None takes it away."""
    copied = copy.deepcopy(base)
    at = copied
    *above, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in above:
        at = at[step]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return copied


PLANS = [
    ("recipes", None), ("recipes", []), ("recipes", "dlperf-worker"), ("recipes", [1]), ("recipes", ["dlperf-wroker"]),
    ("recipes", ["dlperf-worker", "dlperf-worker"]), ("topologies", None), ("topologies", []), ("topologies", ["8g"]),
    ("topologies", ["0n1g"]), ("topologies", ["1n1g", "1n1g"]), ("topologies", ["99999n99999g"]), ("batch_sizes", None),
    ("batch_sizes", [0]), ("batch_sizes", [-1]), ("batch_sizes", ["8"]), ("batch_sizes", [1.5]), ("batch_sizes", [8, 8]),
    ("batch_sizes", [99999999999]), ("precisions", []), ("precisions", ["fp31"]), ("precisions", "fp32"), ("features", ["dali"]),
    ("features", []), ("features", [["nothing-like-it"]]), ("nodes", ["x"]), ("nodes", "x"), ("repetitions", 0),
    ("repetitions", 1001), ("repetitions", "3"), ("warmup", -1), ("warmup", "5"), ("train", 0), ("timeout_s", 0), ("pause_s", -1),
    ("options", []), ("options", {"other": {}}), ("options", {"dlperf-worker": {"nothing": "1"}}),
    ("options", {"dlperf-worker": {"image_size": 64}}), ("options", {"dlperf-worker": {"image_size": []}}),
    ("options", {"dlperf-worker": {"image_size": ["64", "64"]}}), ("options", {"dlperf-worker": {"launcher": "slrun"}}),
    ("env", []), ("env", {"A B": "1"}), ("env", {"DLPERF_NODES": "1"}), ("env", {"A": 1}), ("env", {"A": "x\u0000y"}),
    ("only", []), ("only", [{}]), ("only", [{"recipe": "x", "topology": "1n1g", "batch_size": 8}]),
    ("only", [{"recipe": "dlperf-worker", "topology": "1n1g", "batch_size": 9}]), ("wramup", 3), ("batchsizes", [8]),
    *[("precisions", [name]) for name in MANY],
]
CLUSTERS = [
    ("name", None), ("nodes", None), ("nodes", {}), ("nodes", [1]), ("nodes", []), ("nodes.0.name", None), ("nodes.0.local", None),
    ("nodes.0.local", "yes"), ("nodes.0.host", "10.0.0.1"), ("nodes.0.port", 0), ("nodes.0.port", 70000), ("nodes.0.port", "22"),
    ("nodes.0.devices", 0), ("nodes.0.devices", "8"), ("nodes.0.device_list", "0,,1"), ("nodes.0.work_dir", "relative"),
    ("nodes.0.work_dir", "/a\nb"), ("nodes.0.data_dir", "data"), ("nodes.0.env", []), ("nodes.0.env", {"1A": "x"}),
    ("nodes.0.env", {"DLPERF_NODES": "1"}), ("nodes.0.secret_env", ["a b"]), ("nodes.0.user", "-oProxyCommand=x"),
    ("nodes.0.interface", "ib0 rm"), ("nodes.0.container", "docker"), ("nodes.0.image", "-x"), ("nodes.0.runtime", "podman"),
    ("nodes.0.runtime", "lxc"), ("nodes.0.image_options", ["--x"]), ("nodes.0.adress", "x"), ("scheduler", "pbs"),
    *[("nodes.0.name", name) for name in MANY],
]
SLURMS = [("nodes", 0), ("nodes", "4"), ("slurm.jobs", "day"), ("slurm.options", ["mem=0"]), ("slurm.exclusive", "no"),
          ("slurm.partiton", "x"), ("node.host", "x"), ("node.name", "x"), ("slurm.login", 3), ("slurm", [])]
RECIPES = [
    ("title", None), ("framework", None), ("format", None), ("start", "somewhere"), ("stop", "never"),
    ("options", []), ("options", {"Big": {}}), ("options", {"a": {"default": 1}}), ("options", {"a": {"choices": ["x"], "default": "y"}}),
    ("needs", {"commands": ["a b"]}), ("needs", {"gpus": "yes"}), ("python", {"versions": "new"}), ("python", {"imports": ["a b"]}),
    ("source", {"repository": "x", "option": "a"}), ("source", {"repository": "a/b"}), ("source", {"repository": "a/b", "option": "a", "commit": "abc"}),
    ("data", {"option": "nothing"}), ("log_file", "../x"), ("extends", "../nothing.json"), ("files", ["nothing.sh"]), ("titel", "x"),
]
FORMATS = [
    ("name", None), ("name", "a b"), ("lines", None), ("lines", {"contain": []}), ("lines", {"contain": [""]}), ("value", None),
    ("value.is", "miles"), ("value.pattern", "("), ("value.pattern", "x"), ("value.word", -1), ("rule", "guess"),
    ("rule", "between-stamps"), ("clock", "sundial"), ("figure", "2"), ("figure", "numpy:99"), ("window", {"warmup": 5, "train": 5}),
    ("window", {"warmup": -1}), ("index", {"above": 3}), ("header", {"worker_devices": "["}), ("said", {"figure": "x"}), ("vaule", {}),
]
TEXTS = ["", "{", "[]", "null", "3", "\"x\"", "{\"a\":}", "\ufeff{}", "\x00", "{\"name\": \"\\ud800\"}", "[" * 2000, "# plan"]
COMMANDS = [
    ["pln"], ["--versoin"], ["run"], ["run", "nothing.json"], ["run", "plan.json"], ["run", "plan.json", "--workspace"],
    ["run", "plan.json", "--workspace", "w", "--grace", "-1"], ["run", "plan.json", "--workspace", "w", "--lease", "x"],
    ["run", "plan.json", "--workspace", "w", "--stop-after", "9999"], ["run", "plan.json", "--wrkspace", "w"],
    ["plan", "."], ["plan", "plan.json", "extra"], ["plan", "plan.json", "--cluster", "nothing.json"],
    ["plan", "plan.json", "--recipes", "nothing"], ["check", "nothing.json"], ["check", "plan.json"], ["ps", "plan.json"],
    ["status"], ["status", "--workspace", "nothing"], ["show", "--workspace", "nothing"], ["logs", "--workspace", "nothing"],
    ["cancel", "--workspace", "nothing"], ["resume", "--workspace", "nothing"], ["compare", "--workspace", "nothing"],
    ["bench"], ["bench", "links"], ["bench", "lniks"], ["bench", "links", "nothing.json", "--workspace", "w"],
    ["bench", "links", "plan.json", "--workspace", "w"], ["bench", "links", "a.json", "b.json", "--workspace", "w"],
    ["bench", "compute"], ["bench", "compute", "--workspace", "w", "--repetitions", "0"],
    ["bench", "data"], ["bench", "data", "--workspace", "w", "--seconds", "x"],
    ["compare"], ["compare", "w"], ["compare", "nothing", "none"], ["compare", "--fail-below", "2%", "--workspace", "w"],
    ["compare", "a", "b", "--workspace", "nothing"], ["compare", "a", "b", "--workspace", ".", "--fail-below", "two"],
    ["compare", "a", "b", "--workspace", ".", "--fail-below", "101%"], ["compare", "a", "b", "c", "--workspace", "."],
    ["report", "--workspace", "nothing", "-o", "x.html"], ["report", "--workspace", "w", "-o", "x.docx"], ["report", "--workspace", "w"],
    ["report", "--workspace", "w", "-o", "x.md", "--language", "klingon"], ["publish"],
    ["publish", "--workspace", "nothing", "-o", "x.tar"], ["publish", "--workspace", "w", "-o", "x.zip"],
    ["publish", "--workspace", "w", "-o", "x.tar", "--campaign", "none"],
    ["analyze", "nothing"], ["analyze", "plan.json"], ["analyze", ".", "--format", "pytorch"], ["analyze", ".", "--warmup", "x"],
    ["import", "nothing", "--workspace", "w"], ["import", ".", "--workspace", "w", "--topology", "8"],
    ["import", ".", "--workspace", "w", "--batch-size", "0"], ["import", ".", "--workspace", "w", "--format", "nothing"],
    ["import", ".", "--workspace", "w", "--name", "../x"], ["import", ".", "--workspace", "w", "--warmup", "5"],
    ["import", ".", "--workspace", "w", "--warmup", "9", "--train", "3"], ["import", "plan.json", "--workspace", "w"],
    ["recipes", "dlperf-wroker"], ["recipes", "--recipes", "nothing"], ["cluster", "hostfile", "nothing"], ["cluster"],
    ["cluster", "ssh", "nothing"], ["formats", "--workspace", "nothing"], ["init", "x", "--recipe", "nothing"],
    ["init", "x", "--recipe", "dlperf-worker", "--topologies", "8"], ["help", "nothing"], ["prepare", "nothing.json"],
    ["report", "--workspace", "w", "-o", "x.md", "--pivot", ""], ["import", ".", "--workspace", "w", "--model", ""],
    ["cancel", "--workspace", "w", "--run", ""], ["retry", "--workspace", "w", "--campaign", ""], ["reap", "nothing.json"], ["clean", "--workspace", "nothing"],
    ["delete", "--workspace", "nothing", "x"], ["delete", "--workspace", "w"], ["delete", "--workspace", "w", "nothing"],
    ["delete", "--workspace", "w", "--empty-trash", "x"], ["restore", "--workspace", "nothing"],
    ["restore", "--workspace", "w"], ["restore", "--workspace", "w", "../x"],
]


def inputs(folder):
    """(what it is, the command)"""
    def written(name, text):
        file = folder / "files" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        return str(file)

    number = 0
    for kind, base, changes, command in (("plan", PLAN, PLANS, "plan"), ("cluster", CLUSTER, CLUSTERS, "ps"),
                                         ("cluster", SLURM, SLURMS, "ps")):
        for path, value in changes:
            number += 1
            file = written(f"{number}/{kind}.json", json.dumps(changed(base, path, value)))
            yield f"{kind}: {path} = {json.dumps(value)}", [command, file]
    for path, value in RECIPES:
        number += 1
        written(f"{number}/own/launch.sh", "true\n")
        written(f"{number}/own/recipe.json", json.dumps(changed(RECIPE, path, value)))
        yield f"recipe: {path} = {json.dumps(value)}", ["recipes", "own", "--recipes", str(folder / f"files/{number}")]
    for path, value in FORMATS:
        number += 1
        file = written(f"{number}/formats.json", json.dumps(changed(FORMAT, path, value)))
        yield f"formats: {path} = {json.dumps(value)}", ["analyze", ".", "--formats", file]
    for text in TEXTS:
        number += 1
        file = written(f"{number}/bad.json", text)
        for command in (["plan", file], ["ps", file], ["analyze", ".", "--formats", file]):
            yield f"{command[0]}: {text[:20]!r}", command
    for command in COMMANDS:
        yield " ".join(command), command


def complaint(command, folder):
    """(what is wrong with the answer, the answer)"""
    environment = {**os.environ, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
    done = subprocess.run([PROGRAM, *command], cwd=folder / "here", env=environment, capture_output=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL)
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (1, 2):
        return f"code {done.returncode}", said
    if not any(line.startswith("dlperf") for line in said.splitlines()[:2]):  # an import tells first how far it is
        return "it does not say who speaks", said
    if len(said) > 1500 or "json.exception" in said or "\x1b" in said or "terminate called" in said:
        return "no sentence for people", said
    if len(said.split()) < 5:
        return "too short to help", said
    return "", said


wrong, count = [], 0
with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    for name in ("home", "here"):
        (folder / name).mkdir()
    (folder / "here/plan.json").write_text(json.dumps(PLAN))
    for what, command in inputs(folder):
        problem, said = complaint(command, folder)
        count += 1
        if problem:
            wrong.append(f"{what}: {problem}: {said[:400]}")
        elif "--print" in sys.argv:
            print(f"{what[:90]}\n    {said.replace(str(folder), '')[:600]}")
    left = sorted(path.name for path in (folder / "here").iterdir())
    if left != ["plan.json"]:
        wrong.append(f"something was written: {left}")
print("\n".join(wrong) or f"{count} bad inputs, a sentence each")
sys.exit(bool(wrong))
