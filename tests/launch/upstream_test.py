#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the command lines of the recipes that run others' trainers against those trainers' parsers.

    python3 upstream_test.py --dlperf build/bin/dlperf --resources resources [unittest's own arguments]

upstream/RECIPE.json records what the parser of one revision of one trainer takes (upstream/launchers.json: those of the
programs that start it). Each recipe's launch.sh is run for every value of its options that recipe.json names, every
precision, every feature and the topologies 1n1g, 1n8g and 2n8g, with programs in place of Python, mpirun and horovodrun
that write down how they were called. No trainer is needed, none is run.
"""
import argparse
import ast
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOPOLOGIES = ("1n1g", "1n8g", "2n8g")
ADDRESSES = ("10.11.0.2", "10.11.0.3")
BATCH, TRAIN = 24, 120
RESOURCES = Path("resources")
DLPERF = ""


# ---------------------------------------------------------------- recipes as they travel

def merge(under, over):
    """As RFC 7386 says: objects are merged, null takes away, the rest replaces."""
    merged = dict(under)
    for key, value in over.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def as_list(value):
    return value if isinstance(value, list) else [value]


def read_recipe(name):
    """recipe.json over what it extends, and all files of the folder that is brought to the nodes."""
    folder = RESOURCES / "recipes" / name
    recipe = json.loads((folder / "recipe.json").read_text())
    files = [folder / file for file in as_list(recipe.pop("files", []))]
    for base in as_list(recipe.pop("extends", [])):
        path = folder / base
        under = json.loads(path.read_text())
        files += [path.parent / file for file in as_list(under.pop("files", []))]
        recipe = merge(under, recipe)
    files += [file for file in folder.iterdir() if file.name not in ("recipe.json", "__pycache__")]
    return recipe, files


def all_recipes():
    return sorted(path.parent.name for path in (RESOURCES / "recipes").glob("*/recipe.json"))


def facts_of(name):
    return json.loads((HERE / "upstream" / f"{name}.json").read_text())


def recorded_recipes():
    return sorted(path.stem for path in (HERE / "upstream").glob("*.json") if path.stem != "launchers")


# ---------------------------------------------------------------- what may be tried

class Case:
    def __init__(self, topology, precision, features=(), options=(), rank=0):
        self.topology, self.precision, self.features = topology, precision, tuple(features)
        self.options, self.rank = dict(options), rank
        self.nodes, self.devices = (int(number) for number in re.findall(r"\d+", topology))

    def __str__(self):
        options = "".join(f" {name}={value!r}" for name, value in self.options.items())
        return f"{self.topology} {self.precision} {'+'.join(self.features) or 'no feature'}{options} rank {self.rank}"


def option_values(recipe, facts):
    """Each option's values that the recipe names, or that the facts add for those that take more than a few."""
    for name, option in recipe["options"].items():
        yield name, option.get("choices") or facts.get("samples", {}).get(name) or [option["default"]]


def cases(recipe, facts):
    features = recipe.get("features", [])
    together = [(), *((feature,) for feature in features), *itertools.combinations(features, 2)]
    variations = [{}] + [{name: value} for name, values in option_values(recipe, facts) for value in values
                         if value != recipe["options"][name]["default"]]
    everything = itertools.product(TOPOLOGIES, recipe["precisions"], together, variations)
    for topology, precision, chosen, options in everything:
        yield Case(topology, precision, chosen, options)


def must_be_refused(case, facts):
    if any(set(pair) <= set(case.features) for pair in facts.get("conflicts", [])):
        return True
    for rule in facts.get("refused", []):
        if all((rule.get("topology", case.topology) == case.topology,
                rule.get("precision", case.precision) == case.precision,
                all(case.options.get(name) == value for name, value in rule.get("options", {}).items()),
                set(rule.get("features", [])) <= set(case.features),
                not rule.get("feature") or case.features)):
            return True
    return False


# ---------------------------------------------------------------- running launch.sh

RECORDER = """#!/bin/bash
{ printf '%s\\0' "$(basename "$0")" "$@"; printf '\\n\\0'; } >>"$RECORD"
printf '%s\\n' "$worker_endpoints" "$current_endpoint" >"$RECORD.endpoints"
env -0 >"$RECORD.$$" && mv "$RECORD.$$" "$RECORD.variables"  # whole: each device's process has its turn
"""


class Lab:
    """A recipe as a node has it: its folder, a run's folder, checkouts that are only names, recording programs."""

    def __init__(self, name):
        self.recipe, files = read_recipe(name)
        self.facts = facts_of(name) if name in recorded_recipes() else {}
        self.root = Path(tempfile.mkdtemp(prefix="upstream-"))
        self.folder, self.bin = self.root / "recipe", self.root / "venv" / "bin"
        for path in (self.folder, self.bin, self.root / "data"):
            path.mkdir(parents=True)
        for file in files:
            shutil.copy(file, self.folder)
        for program in ("python", "mpirun", "mpiexec", "horovodrun", "dlperf-worker"):
            (self.bin / program).write_text(RECORDER)
            (self.bin / program).chmod(0o755)
        for folder in self.facts.get("folders", []) + self.checkout_folders():
            (self.root / folder).mkdir(parents=True, exist_ok=True)

    def checkout_folders(self):
        source = self.recipe.get("source")
        return [] if source is None else [f"source_dir/{source.get('folder', '')}"]

    def close(self):
        shutil.rmtree(self.root)

    def environment(self, case, run):
        addresses = ADDRESSES[:case.nodes]
        variables = {
            "PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.root), "RECORD": str(run / "record"),
            "DLPERF_RUN_ID": "20260101-000000-test", "DLPERF_RUN_DIR": str(run), "DLPERF_RECIPE_DIR": str(self.folder),
            "DLPERF_PYTHON": str(self.bin / "python"), "DLPERF_DATA_DIR": str(self.root / "data"),
            "DLPERF_BIN_DIR": str(self.bin),
            "DLPERF_NODES": str(case.nodes), "DLPERF_DEVICES": str(case.devices), "DLPERF_NODE_RANK": str(case.rank),
            "DLPERF_WORLD_SIZE": str(case.nodes * case.devices), "DLPERF_REPETITION": "1",
            "DLPERF_DEVICE_LIST": ",".join(map(str, range(case.devices))), "DLPERF_NODE_ADDRESSES": ",".join(addresses),
            "DLPERF_MASTER_ADDR": addresses[0], "DLPERF_MASTER_PORT": "11222", "DLPERF_INTERFACE": "ib0",
            "DLPERF_SSH_PORTS": ",".join(["10000"] * case.nodes), "DLPERF_RDMA": "mlx5_0",
            "DLPERF_BATCH_SIZE": str(BATCH), "DLPERF_PRECISION": case.precision,
            "DLPERF_FEATURES": ",".join(case.features), "DLPERF_TRAIN": str(TRAIN), "DLPERF_WARMUP": "20",
        }
        for name, option in self.recipe["options"].items():
            value = case.options.get(name, option["default"])
            if value.startswith("~/"):
                value = str(self.root / name)
            variables["DLPERF_OPT_" + name.upper()] = value
        return variables

    def launch(self, case, plan=()):
        """`plan`: the variables that the plan sets."""
        run = Path(tempfile.mkdtemp(prefix="run-", dir=self.root))
        variables = {**self.environment(case, run), **dict(plan), "DLPERF_VARIABLES": " ".join(dict(plan))}
        done = subprocess.run(["bash", self.folder / "launch.sh"], env=variables, cwd=run,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        return Launched(self, case, run, done)


class Launched:
    def __init__(self, lab, case, run, done):
        self.lab, self.case, self.run = lab, case, run
        self.code, self.errors = done.returncode, done.stderr.strip()
        record = run / "record"
        text = record.read_text() if record.exists() else ""
        self.calls = [call.split("\0")[:-1] for call in text.split("\n\0")[:-1]]
        told = run / "record.variables"
        pairs = told.read_text().split("\0")[:-1] if told.exists() else []
        self.variables = dict(pair.split("=", 1) for pair in pairs)


# ---------------------------------------------------------------- parsers

class Wrong(Exception):
    pass


def holds(kind, text):
    """Whether a value is one that the parser's type takes."""
    try:
        if kind == "int":
            int(text)
        elif kind == "float":
            float(text)
        elif kind == "bool":
            return text.lower() in ("yes", "true", "t", "y", "1", "no", "false", "f", "n", "0")
        elif kind in ("ints", "floats", "numbers"):
            for part in text.split(","):
                (int if kind == "ints" else float)(part)
        elif kind == "literal":
            ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def check_value(name, fact, value):
    if not holds(fact["type"], value):
        raise Wrong(f"{name}: {value!r} is no {fact['type']}")
    if value not in fact.get("choices", [value]):
        raise Wrong(f"{name}: {value!r} is none of {fact['choices']}")


def parse(arguments, options, until_word=False):
    """Reads arguments as the parser of these options does: {option: [values]}, words without an option, what is left.
    `until_word`: the first word ends it, as it does a launcher's."""
    found, words, left = {}, [], list(arguments)
    while left:
        argument = left.pop(0)
        name, equals, attached = argument.partition("=")
        if not argument.startswith("-") or argument == "-" or re.match(r"-[\d.]", argument):
            if until_word:
                return found, words, [argument, *left]
            words.append(argument)
            continue
        if name not in options:
            raise Wrong(f"{name}: the parser does not know it")
        fact = options[name]
        values = take_values(name, fact, attached if equals else None, left)
        for value in values:
            check_value(name, fact, value)
        if name in found and not fact.get("repeats") and name not in ("-mca", "-x"):
            raise Wrong(f"{name}: given twice")
        found.setdefault(name, []).append(values[0] if len(values) == 1 else values)
    missing = [name for name, fact in options.items() if fact.get("required") and name not in found]
    if missing and not until_word:
        raise Wrong(f"{missing[0]}: is missing")
    return found, words, []


def take_values(name, fact, attached, left):
    if fact["type"] == "flag":
        if attached is not None:
            raise Wrong(f"{name}: takes no value")
        return []
    if attached is not None:
        return [attached]
    many = fact.get("nargs")
    if isinstance(many, int):  # mpirun's: whatever they begin with
        values, left[:many] = left[:many], []
        if len(values) < many:
            raise Wrong(f"{name}: its value is missing")
        return values
    if many == "?" or fact.get("absl") and fact["type"] == "bool":  # absl: --flag=value, or --flag for true
        return [left.pop(0)] if many == "?" and left and not left[0].startswith("-") else []
    values = []
    while left and (not left[0].startswith("-") or re.match(r"-[\d.]", left[0])):
        values.append(left.pop(0))
        if many is None:
            break
    if not values:
        raise Wrong(f"{name}: its value is missing")
    return values


LAUNCHERS = json.loads((HERE / "upstream" / "launchers.json").read_text())


def known_launcher(call, names):
    """The recorded program that this call begins with, and the rest of the call."""
    for name in names:
        words = name.split()[0]
        if call[0] == words or os.path.basename(call[0]) == words:
            return name, call[1:]
        if call[:2] == ["-m", words]:
            return name, call[2:]
    return None, call


class Command:
    """One trainer's command line, its launchers read and taken off: options, words, and how the launchers were told."""

    def __init__(self, launched):
        self.lab, self.case, self.facts = launched.lab, launched.case, launched.lab.facts
        self.python = str(self.lab.bin / "python")
        self.launchers = {}
        if len(launched.calls) != 1:
            raise Wrong(f"{len(launched.calls)} programs were started instead of one: {launched.errors[-300:]}")
        left = self.through_launchers(launched.calls[0])
        left = self.to_trainer(left)
        if "arguments_after" in self.facts:
            end = left.index(self.facts["arguments_after"])
            self.assignments, left = dict(pair.split("=", 1) for pair in left[1:end] if "=" in pair), left[end + 1:]
        self.options, self.words, _ = parse(left, self.facts["options"])
        low, high = self.facts["positionals"]
        if not low <= len(self.words) <= high:
            raise Wrong(f"words without an option: {self.words}")

    def through_launchers(self, call):
        while True:
            if call[0] == "python" or call[0] == self.python:
                call = call[2:] if call[1] == "-u" else call[1:]
            name, rest = known_launcher(call, self.facts.get("launcher", []))
            if name is None:
                break
            try:
                self.launchers[name], _, call = parse(rest, LAUNCHERS[name]["options"], until_word=True)
            except Wrong as wrong:
                raise Wrong(f"{name}, {wrong}") from wrong
        wanted = self.facts.get("launcher", [])
        alone = self.facts.get("alone")
        small = alone is not None and TOPOLOGIES.index(self.case.topology) <= TOPOLOGIES.index(alone)
        if wanted and bool(self.launchers) == small:
            raise Wrong(f"{'a' if small else 'no'} launcher of {wanted} started it")
        return call

    def to_trainer(self, call):
        """What comes before the trainer are programs of the recipe's own folder and their words."""
        for place, word in enumerate(call):
            if os.path.basename(word) in self.facts["runs"] or word in self.facts["runs"]:
                for own in call[:place]:
                    if own.endswith(".py") and not Path(own).is_file():
                        raise Wrong(f"{own} is no file of the recipe")
                self.assignments = {}
                return call[place + 1:]
        raise Wrong(f"none of {self.facts['runs']} in {call[:8]}")

    def setting(self, place):
        """A value that the facts name: of an option, of an assignment, or of the configuration."""
        if "option" in place:
            return self.options.get(place["option"], [None])[0]
        if "assignment" in place:
            return self.assignments.get(place["assignment"])
        return self.configuration().get(place["key"])

    def configuration(self):
        if "config_option" in self.facts:
            return flat(json.loads(Path(self.options[self.facts["config_option"]][0]).read_text()))
        return dict(pair.split("=", 1) for pair in self.options.get(self.facts.get("override_option"), []))


def flat(tree, path=""):
    found = {}
    for key, value in tree.items():
        found.update(flat(value, f"{path}{key}.") if isinstance(value, dict) else {path + key: value})
    return found


# ---------------------------------------------------------------- what is held

def check_settings(command):
    facts = command.facts
    for key, value in command.configuration().items():
        fact = {**facts.get("config", {}), **facts.get("overrides", {})}.get(key)
        if fact is None:
            raise Wrong(f"{key}: the configuration does not know it")
        if value is None:
            continue
        written = value if isinstance(value, str) else json.dumps(value)
        check_value(key, fact, written)
    for name in command.assignments:
        if "assignments" in facts and name not in facts["assignments"]:
            if name.split(".")[0] in ("config", "default"):
                raise Wrong(f"{name}: the configuration does not know it")


def check_meaning(command):
    """The batch size counts what the trainer takes it for; the trainer ends when all is measured."""
    facts, case = command.facts, command.case
    times = {"device": 1, "node": case.devices, "world": case.devices * case.nodes}[facts["batch"]["of"]]
    wanted = BATCH * times * facts["batch"].get("times", 1)
    if str(command.setting(facts["batch"])) != str(wanted):
        raise Wrong(f"the batch size is {command.setting(facts['batch'])} instead of {wanted}")
    if "ends" in facts:
        wanted = TRAIN + facts["ends"]["more"]
        if str(command.setting(facts["ends"])) != str(wanted):
            raise Wrong(f"it ends after {command.setting(facts['ends'])} iterations instead of {wanted}")
    for pair in facts.get("excludes", []):
        if set(pair) <= set(command.options):
            raise Wrong(f"{' and '.join(pair)} exclude each other")
    for first, second in facts.get("implies", []):
        if first in command.options and second not in command.options:
            raise Wrong(f"{first} needs {second}")


def check_outputs(launched, command):
    """What the trainer writes stays in the run's folder, and is not the run's own log."""
    run = str(launched.run)
    for option in command.facts.get("outputs", []):
        value = command.options.get(option, [None])[0]
        fine = value in (".", "", "/dev/null", "{scratch}") or value and "/" not in value or \
            value and (value == run or value.startswith(run + "/"))
        if not fine:
            raise Wrong(f"{option}: {value!r} is outside of the run's folder")
    for values in command.options.values():
        if run + "/log" in values:
            raise Wrong("the run's own log is given to the trainer")


def check_launchers(launched, command):
    case, facts = command.case, command.facts
    processes = case.nodes * facts.get("processes", case.devices)
    for name in ("mpirun", "horovodrun"):
        told = command.launchers.get(name)
        if told is None:
            continue
        slots = processes // case.nodes
        hosts = ",".join(f"{address}:{slots}" for address in (ADDRESSES if case.nodes > 1 else ("localhost",)))
        if told["-np"] != [str(processes)] or told["-H"] != [hosts]:
            raise Wrong(f"{name}: {told['-np']} processes on {told['-H']}")
        if name == "mpirun":
            given = told.get("-x", [])
            for variable in ["DLPERF_RUN_ID", *facts.get("forwarded", [])]:
                if variable not in given:
                    raise Wrong(f"mpirun: -x {variable} is missing")
        if case.nodes > 1:
            text = json.dumps(told)
            if "10000" not in text:
                raise Wrong(f"{name}: the SSH port is missing")
    if case.topology in facts.get("environment", {}):
        endpoints = (launched.run / "record.endpoints").read_text().split()
        if endpoints != [",".join(f"{address}:11222" for address in ADDRESSES), f"{ADDRESSES[case.rank]}:11222"]:
            raise Wrong(f"the endpoints are {endpoints}")


def verdict(lab, case):
    """None, or what is wrong with this case."""
    launched = lab.launch(case)
    try:
        if must_be_refused(case, lab.facts):
            if launched.code == 0 or not launched.errors or launched.calls:
                return "is not refused with a reason"
            return None
        if launched.code != 0:
            return f"launch.sh ended with {launched.code}: {launched.errors[-300:]}"
        command = Command(launched)
        check_settings(command)
        check_meaning(command)
        check_outputs(launched, command)
        check_launchers(launched, command)
    except Wrong as wrong:
        return str(wrong)
    finally:
        shutil.rmtree(launched.run)
    return None


class CommandLines(unittest.TestCase):
    """One test a recipe; added below."""

    def hold(self, name):
        lab = Lab(name)
        self.addCleanup(lab.close)
        tried = list(cases(lab.recipe, lab.facts))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            verdicts = pool.map(lambda case: verdict(lab, case), tried)
        wrong = [f"{name}: {case}: {what}" for case, what in zip(tried, verdicts) if what]
        self.assertEqual([], wrong[:10], f"{len(wrong)} of {len(tried)} cases are wrong")
        self.nodes_differ(lab)
        self.unknown_values_are_refused(lab)

    def nodes_differ(self, lab):
        if lab.recipe["start"] == "first-node" or {"topology": "2n8g"} in lab.facts.get("refused", []):
            return
        lines = []
        for rank in (0, 1):
            launched = lab.launch(Case("2n8g", lab.recipe["precisions"][0], rank=rank))
            calls = json.dumps(launched.calls).replace(str(launched.run), "RUN")
            endpoints = launched.run / "record.endpoints"
            config = launched.run / "config.yaml"
            lines.append(calls + "".join(path.read_text() for path in (endpoints, config) if path.exists()))
        same = lines[0] == lines[1]
        self.assertEqual(lab.facts.get("same_on_every_node", False), same, "what the second node is told")

    def unknown_values_are_refused(self, lab):
        """A misspelled value must not silently be another one."""
        for name, option in lab.recipe["options"].items():
            if not option.get("choices"):
                continue
            features = [(), *((feature,) for feature in lab.recipe.get("features", []))]
            tried = [Case(topology, precision, chosen, {name: "no-such-value"}) for topology, precision, chosen
                     in itertools.product(("1n8g", "2n8g"), lab.recipe["precisions"], features)]
            self.assertTrue(any(verdict(lab, case) for case in tried), f"{name}=no-such-value passes everywhere")


# By these launch.sh says where the trainer is, and who takes part: no plan may.
WIRING = re.compile("DLPERF_.*|CUDA_VISIBLE_DEVICES|PYTHON.*|.*PATH|PWD|OLDPWD|SHLVL|_|RECORD|MASTER_.*|MS_.*|DMLC_.*|"
                    "TF_CONFIG|DEVICE_ID|TRAINER|SPEED_.*|worker_endpoints|current_endpoint")


class Variables(unittest.TestCase):
    """What a plan sets is what the trainer gets."""

    def set_by(self, lab, case, plan=()):
        launched = lab.launch(case, plan)
        shutil.rmtree(launched.run)
        of_options = [option.get("variable") for option in lab.recipe["options"].values()]  # a plan may not set them
        return {name: value for name, value in launched.variables.items()
                if not WIRING.fullmatch(name) and name not in of_options}

    def lost_by_the_plan(self, lab, case):
        names = set(self.set_by(lab, case)) - set(lab.environment(case, lab.root))
        kept = self.set_by(lab, case, dict.fromkeys(names, "by the plan"))
        return {name: kept.get(name) for name in names if not kept.get(name, "").endswith("by the plan")}

    def test_the_plan_has_the_last_word(self):
        for name in all_recipes():
            lab = Lab(name)
            self.addCleanup(lab.close)
            features = [(), *((feature,) for feature in lab.recipe.get("features", []))]
            tried = [Case(*one) for one in itertools.product(TOPOLOGIES, lab.recipe["precisions"], features)]
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                lost = list(pool.map(lambda case, lab=lab: self.lost_by_the_plan(lab, case), tried))
            for case, variables in zip(tried, lost):
                with self.subTest(recipe=name, case=str(case)):
                    self.assertEqual({}, variables)

    def test_what_the_trainer_sets_itself_is_refused(self):
        if not DLPERF:
            self.skipTest("no --dlperf")
        for name, variable in (("gluon-cv-resnet50", "MXNET_CUDNN_AUTOTUNE_DEFAULT"),
                               ("gluon-nlp-bert", "MXNET_GPU_MEM_POOL_TYPE"),
                               ("mxnet-partial-fc", "MXNET_BACKWARD_DO_MIRROR"),
                               ("ngc-pytorch-resnet50-today", "KMP_AFFINITY"),
                               ("ngc-tensorflow1-bert", "TF_XLA_FLAGS"),
                               ("ngc-tensorflow1-resnet50", "TF_GPU_THREAD_MODE")):
            with self.subTest(recipe=name):
                refused = read_plan_of(name, {"NCCL_ALGO": "Ring", variable: "1"})
                self.assertEqual(2, refused.returncode)
                self.assertIn(f"the plan sets {variable}, and the trainer of recipe {name} sets it over that", refused.stderr)
                self.assertEqual(0, read_plan_of(name, {"NCCL_ALGO": "Ring"}).returncode)

    def test_dlperfs_values_are_there_without_a_plan(self):
        for name, topology, variable, value in (("paddle-bert", "2n8g", "NCCL_IB_DISABLE", "1"),
                                                ("ngc-mxnet-resnet50", "1n8g", "HOROVOD_CYCLE_TIME", "0.1"),
                                                ("pytorch", "2n8g", "NCCL_IB_HCA", "mlx5_0"),
                                                ("dlperf-worker", "2n8g", "NCCL_SOCKET_IFNAME", "ib0")):
            lab = Lab(name)
            self.addCleanup(lab.close)
            with self.subTest(recipe=name):
                self.assertEqual(value, self.set_by(lab, Case(topology, lab.recipe["precisions"][0])).get(variable))


def read_plan_of(name, env=()):
    """What `dlperf plan` says of the recipe on one device, with variables that the plan sets."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = {"name": "two", "nodes": [{"name": node, "host": address, "devices": 8}
                                            for node, address in zip("ab", ADDRESSES)]}
        (Path(folder) / "cluster.json").write_text(json.dumps(cluster))
        plan = {"name": name, "recipes": [name], "topologies": ["1n1g"], "batch_sizes": [8],
                "precisions": read_recipe(name)[0]["precisions"][:1], "repetitions": 1, "env": dict(env)}
        (Path(folder) / "plan.json").write_text(json.dumps(plan))
        return subprocess.run([DLPERF, "plan", f"{folder}/plan.json", "--cluster", f"{folder}/cluster.json",
                               "--recipes", str(RESOURCES / "recipes")],
                              capture_output=True, text=True, timeout=60, check=False)


class Recipes(unittest.TestCase):
    def test_every_recipe_with_a_source_is_recorded(self):
        folders = [path.parent.name for path in (RESOURCES / "recipes").glob("*/recipe.json")]
        with_source = {name for name in folders if "source" in read_recipe(name)[0]}
        self.assertEqual(set(), with_source - set(recorded_recipes()))

    def test_revisions_agree(self):
        for name in recorded_recipes():
            recipe, facts = read_recipe(name)[0], facts_of(name)
            source = recipe.get("source", {})
            with self.subTest(recipe=name):
                if "commit" in source:
                    self.assertEqual((facts["repository"], facts["commit"]), (source["repository"], source["commit"]))
                    self.assertIn(source["commit"][:7], recipe["options"][source["option"]]["help"])

    def test_options_say_what_they_take(self):
        for name in recorded_recipes():
            for option, fact in read_recipe(name)[0]["options"].items():
                with self.subTest(recipe=name, option=option):
                    self.assertTrue(fact["help"])
                    if "choices" in fact:
                        self.assertIn(fact["default"], fact["choices"])

    def test_dlperf_reads_them(self):
        if not DLPERF:
            self.skipTest("no --dlperf")
        for name in recorded_recipes():
            done = read_plan_of(name)
            with self.subTest(recipe=name):
                self.assertEqual(0, done.returncode, done.stderr[-500:])


for recipe_name in recorded_recipes():
    setattr(CommandLines, "test_" + recipe_name.replace("-", "_"),
            lambda self, name=recipe_name: self.hold(name))

if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--dlperf", default="")
    parser.add_argument("--resources", type=Path, default=HERE.parents[1] / "resources")
    own, others = parser.parse_known_args()
    RESOURCES, DLPERF = own.resources.resolve(), own.dlperf and os.path.abspath(own.dlperf)
    unittest.main(argv=[sys.argv[0], *others])
