#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""worker/bench_gpu.sh without a GPU: its words, its arithmetic on made-up programs, and a dry run of the real ones.

    bench_gpu_test.py FOLDER_OF_THE_PROGRAMS [unittest's arguments]
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WORKER = pathlib.Path(__file__).parents[2] / "worker"
SCRIPT = WORKER / "bench_gpu.sh"
programs = None

# 2 slow iterations, which are the warm-up, then 5 of 4 images in 0.1 s (batch 4): 40 images/s.
FAKE_WORKER = """#!/bin/sh
case "$*" in *"--batch-size 2 "*) echo "dlperf-worker: no luck" >&2; exit 7 ;; esac
for n in 1 2; do echo "iteration $n epoch 0 loss 1.0 time 9.0 s data 0 s comm 0 s throughput 1 images/s"; done
for n in 3 4 5 6 7; do echo "iteration $n epoch 0 loss 1.0 time 0.1 s data 0 s comm 0 s throughput 40 images/s"; done
"""
# Measured once; the second time it says who it is and waits.
SLEEPING_WORKER = FAKE_WORKER + """
[ -e "${0%/*}/results/once" ] && echo $$ >"${0%/*}/results/started.new" && mv "${0%/*}/results/started.new" \
  "${0%/*}/results/started" && exec sleep 100
touch "${0%/*}/results/once"
"""
# Eager makes 20 images/s, compile 32, and the third is not there.
FAKE_PYTHON = f"""#!/bin/sh
case "$*" in
  *"import torch"*) echo "PyTorch 0.0" ;;
  *bench_torch.py*"--mode eager"*) echo '{{"images_per_second": 20.04, "x": 1}}' ;;
  *bench_torch.py*"--mode compile"*) echo '{{"images_per_second": 32.0, "x": 1}}' ;;
  *bench_torch.py*) echo '{{"missing": "torch.compile"}}'; exit 3 ;;
  *) exec {sys.executable} "$@" ;;
esac
"""


def run(*arguments, python=sys.executable):
    environment = {**os.environ, "PYTHON": str(python)}
    return subprocess.run([str(SCRIPT), *map(str, arguments)], env=environment, capture_output=True, text=True)


def program(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    path.chmod(0o755)
    return path


class Words(unittest.TestCase):
    def test_bash_can_read_it(self):
        subprocess.run(["bash", "-n", str(SCRIPT)], check=True)

    def test_help_and_refusals(self):
        self.assertIn("--minutes N", run("--help").stdout)
        for arguments, message in ((["--minutes", "0"], "--minutes must be a whole number"),
                                   (["--stages", "all"], "--stages must be some of"),
                                   (["--backend", "tpu"], "--backend must be cpu or cuda, not 'tpu'"),
                                   (["--fast"], "unknown option '--fast'"), (["--build"], "--build needs a value")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(message, result.stderr)

    def test_the_plan_names_every_figure_as_not_measured(self):
        plan = run("--plan").stdout
        for row in ("| fp16 | 256 | not measured", "| bf16 | 256 | not measured", "| tf32 | 256 | not measured",
                    "memcheck | not measured", "racecheck | not measured", "fp16, 200 steps |"):
            self.assertIn(row, plan)

    def test_benchmarks_md_says_so_until_there_was_a_gpu(self):
        text = (WORKER / "BENCHMARKS.md").read_text()
        if "no GPU yet" in text:
            self.assertIn(run("--plan").stdout.rstrip("\n") + "\n<!-- end of no GPU yet -->", text)


class Rows(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        program(self.folder.name, "dlperf-worker", FAKE_WORKER)
        self.python = program(self.folder.name, "python", FAKE_PYTHON)
        self.results = pathlib.Path(self.folder.name) / "results"

    def measure(self, *arguments):
        return run("--backend", "cpu", "--programs", self.folder.name, "--results", self.results, *arguments,
                   python=self.python)

    def test_speed_is_of_all_iterations_after_the_warm_up_and_the_ratio_is_to_the_best_pytorch(self):
        result = self.measure("--stages", "throughput")
        self.assertEqual(result.returncode, 0, result.stderr)
        row = "| fp32 | 4 | 40.0 | 0.0 % of 3 | 20.0 | 32.0 | not in this PyTorch: torch.compile | 1.250 | |"
        self.assertIn(row, result.stdout)
        self.assertIn("these are not GPU figures", result.stdout)

    def test_what_fails_is_a_row_that_says_so_and_the_others_are_measured(self):
        result = self.measure("--stages", "batches,throughput")
        self.assertEqual(result.returncode, 1)
        self.assertIn("| fp32 | 2 | failed (7): dlperf-worker: no luck |", result.stdout)
        self.assertIn("| bf16 | 4 | 40.0 |", result.stdout)

    def test_a_later_run_keeps_the_rows_of_other_stages(self):
        self.measure("--stages", "throughput")
        result = self.measure("--stages", "breakdown")
        self.assertIn("| fp32 | 4 | 40.0 |", result.stdout)

    def test_an_interrupted_run_ends_what_it_started_and_leaves_what_it_saw(self):
        program(self.folder.name, "dlperf-worker", SLEEPING_WORKER)
        command = [str(SCRIPT), "--backend", "cpu", "--programs", self.folder.name, "--results", str(self.results),
                   "--stages", "throughput"]
        process = subprocess.Popen(command, env={**os.environ, "PYTHON": str(self.python)}, stdout=subprocess.PIPE,
                                   text=True)
        started = self.results / "started"
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        process.stdout.close()
        self.assertIn("Images a second", (self.results / "section.md").read_text())
        with self.assertRaises(ProcessLookupError):
            os.kill(int(started.read_text()), 0)

    def test_a_budget_leaves_out_what_would_not_fit(self):
        result = self.measure("--stages", "throughput", "--minutes", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| fp32 | 4 | 40.0 |", result.stdout)
        self.assertIn("left out: takes about 150 s", result.stdout)


class Section(unittest.TestCase):
    def write(self, text, name, section):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "B.md"
            file.write_text(text)
            command = [sys.executable, str(WORKER / "bench_section.py"), str(file), name]
            subprocess.run(command, input=section, text=True, check=True)
            return file.read_text()

    def test_a_gpus_section_replaces_its_own_and_leaves_the_others(self):
        text = self.write("# Title\n", "A", "first\n")
        text = self.write(text, "B", "second\n")
        text = self.write(text, "A", "third\\1\n")
        self.assertEqual(text, "# Title\n\n<!-- bench_gpu.sh: A -->\nthird\\1\n<!-- end of A -->\n"
                               "\n<!-- bench_gpu.sh: B -->\nsecond\n<!-- end of B -->\n")

    def test_the_first_takes_the_place_of_what_says_that_there_is_none(self):
        text = self.write("# Title\n", "no gpu", "x\n").replace("no gpu", "no GPU yet")
        self.assertNotIn("no GPU yet", self.write(text, "A", "first\n"))


class DryRun(unittest.TestCase):
    def test_the_real_programs(self):
        with tempfile.TemporaryDirectory() as results:
            before = (WORKER / "BENCHMARKS.md").read_bytes()
            result = run("--backend", "cpu", "--programs", programs, "--results", results)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertRegex(result.stdout, r"\| fp32 \| 4 \| [0-9.]+ \|")
            self.assertRegex(result.stdout, r"dlperf-worker cpu, 2 processes against dlperf-worker cpu \|.*\| pass \|")
            self.assertEqual((WORKER / "BENCHMARKS.md").read_bytes(), before)


if __name__ == "__main__":
    programs = sys.argv.pop(1)
    unittest.main()
