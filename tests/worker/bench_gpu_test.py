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

# 2 slow iterations, which are the warm-up, then 5 of 4 images in 0.1 s (batch 4): 40 images/s. The loss falls.
FAKE_WORKER = """#!/bin/sh
case "$*" in *"--batch-size 2 "*) echo "dlperf-worker: no luck" >&2; exit 7 ;; esac
for n in 1 2; do echo "iteration $n epoch 0 loss 2.$((9 - n)) time 9.0 s data 0 s comm 0 s throughput 1 images/s"; done
for n in 3 4 5 6 7; do echo "iteration $n epoch 0 loss 1.$((9 - n)) time 0.1 s data 0 s comm 0 s throughput 40 images/s"; done
"""
# Measured once; the second time it says who it is and waits.
SLEEPING_WORKER = FAKE_WORKER + """
[ -e "${0%/*}/results/once" ] && echo $$ >"${0%/*}/results/started.new" && mv "${0%/*}/results/started.new" \
  "${0%/*}/results/started" && exec sleep 100
touch "${0%/*}/results/once"
"""
# Eager makes 20 images/s, compile 32, and the others are not there.
FAKE_PYTHON = f"""#!/bin/sh
case "$*" in
  *"import torch"*) echo "PyTorch 0.0" ;;
  *bench_torch.py*"--mode eager"*) echo '{{"images_per_second": 20.04, "x": 1}}' ;;
  *bench_torch.py*"--mode compile"*) echo '{{"images_per_second": 32.0, "x": 1}}' ;;
  *bench_torch.py*) echo '{{"missing": "torch.compile"}}'; exit 3 ;;
  *) exec {sys.executable} "$@" ;;
esac
"""


def run(*arguments, **variables):
    environment = {**os.environ, "PYTHON": sys.executable, **variables}
    return subprocess.run(list(map(str, arguments)), env=environment, capture_output=True, text=True)


class WithPrograms(unittest.TestCase):
    """In a folder of its own with made-up programs."""
    texts = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.results = self.folder / "results"
        self.variables = {"PYTHON": str(self.folder / "python"), "PATH": f"{self.folder}:{os.environ['PATH']}"}
        for name, text in self.texts.items():
            self.program(name, text)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()


def ends(pid, deadline):
    """Whether a process that was told to end does so; an orphan that nobody has reaped yet has ended."""
    while time.monotonic() < deadline:
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        time.sleep(0.05)
    return False


class Words(unittest.TestCase):
    def test_help_and_refusals(self):
        self.assertIn("--minutes N", run(SCRIPT, "--help").stdout)
        for arguments, message in ((["--minutes", "0"], "--minutes must be a number"),
                                   (["--minutes", "8.55"], "like 8 or 8.5, not '8.55'"),
                                   (["--stages", "all"], "--stages must be some of"),
                                   (["--backend", "tpu"], "--backend must be cpu or cuda, not 'tpu'"),
                                   (["--fast"], "unknown option '--fast'"), (["--build"], "--build needs a value")):
            result = run(SCRIPT, *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(message, result.stderr)

    def test_the_plan_names_every_figure_as_not_measured(self):
        plan = run(SCRIPT, "--plan").stdout
        for row in ("| fp16 | 256 | not measured", "| bf16 | 256 | not measured", "| tf32 | 256 | not measured",
                    "memcheck | not measured", "racecheck | not measured", "fp16, 200 steps |"):
            self.assertIn(row, plan)


class Rows(WithPrograms):
    texts = {"dlperf-worker": FAKE_WORKER, "python": FAKE_PYTHON}

    def command(self, *arguments):
        return [SCRIPT, "--backend", "cpu", "--programs", self.folder, "--results", self.results, *arguments]

    def measure(self, *arguments):
        return run(*self.command(*arguments), **self.variables)

    def test_speed_is_of_all_iterations_after_the_warm_up_and_the_ratio_is_to_the_best_pytorch(self):
        result = self.measure("--stages", "throughput")
        self.assertEqual(result.returncode, 0, result.stderr)
        none = "not in this PyTorch: torch.compile"
        row = f"| fp32 | 4 | 40.0 | 0.0 % of 3 | 20.0 | 32.0 | {none} | {none} | 1.250 | |"
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
        self.program("dlperf-worker", SLEEPING_WORKER)
        process = subprocess.Popen(self.command("--stages", "throughput"), env={**os.environ, **self.variables},
                                   stdout=subprocess.PIPE, text=True)
        started = self.results / "started"
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        process.stdout.close()
        self.assertIn("Images a second", (self.results / "section.md").read_text())
        self.assertTrue(ends(int(started.read_text()), time.monotonic() + 60))

    def test_a_budget_leaves_out_what_would_not_fit(self):
        result = self.measure("--stages", "throughput", "--minutes", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| fp32 | 4 | 40.0 |", result.stdout)
        self.assertIn("left out: takes about 140 s", result.stdout)

    def test_a_training_that_teaches_nothing_has_no_figure(self):
        note = 'echo "# note: iteration 7 taught nothing: a gradient was too large for fp16"\n'
        for text, words in ((FAKE_WORKER.replace("loss 1.$((9 - n))", "loss nan"), "the loss of iteration 3 is nan"),
                            (FAKE_WORKER.replace("loss 1.$((9 - n))", "loss 9.5"), "the loss went from 2.8 to 9.5"),
                            (FAKE_WORKER + note, "a gradient was too large after 7 iterations")):
            self.program("dlperf-worker", text)
            result = self.measure("--stages", "throughput")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"| fp32 | 4 | wrong: {words} |", result.stdout)

    def test_a_second_call_goes_on_where_the_first_ended(self):
        self.measure("--stages", "throughput")
        self.program("dlperf-worker", "#!/bin/sh\nexit 9\n")
        result = self.measure("--continue")
        self.assertIn("| fp32 | 4 | 40.0 | 0.0 % of 3 | 20.0 | 32.0 |", result.stdout)
        self.assertIn("| fp32 | 2 | failed (9)", result.stdout)

    def test_each_figure_is_kept_in_the_output_folder_at_once(self):
        output = self.folder / "output"
        result = self.measure("--stages", "numerics,throughput,checks,breakdown", "--output", output)
        self.assertNotIn(".new", result.stderr + result.stdout)
        self.assertIn("| fp32 | 4 | 40.0 |", (output / "section.md").read_text())
        listed = subprocess.run(["tar", "-tzf", output / "results.tar.gz"], capture_output=True, text=True, check=True)
        for file in ("./section.md", "./rows/speed-fp32-4", "./logs/speed-fp32-4-worker-1.out"):
            self.assertIn(file, listed.stdout.splitlines())
        self.assertEqual(sorted(p.name for p in output.iterdir()), ["results.tar.gz", "section.md"])


# A machine with GPUs: each program notes how it was called, and from which variables, in the file `calls`.
NOTE = 'echo "${0##*/} $*" >>"${0%/*}/calls"\n'
GPU_WORKER = "#!/bin/sh\n" + NOTE + """
case "$*" in *"--devices"*) echo "GPUs: ${CUDA_VISIBLE_DEVICES-all}" >>"${0%/*}/calls" ;; esac
for n in $(seq 120); do echo "iteration $n epoch 0 loss $((200 - n)) time ${SECONDS_A_STEP:-0.1} s data 0 s"; done
"""
GPU_CHECK = "#!/bin/sh\n" + NOTE + """
case "$*" in *"--breakdown"*) echo "| kind of work | ms |"; echo "|---|---|"; echo "| all | 1 |" ;; esac
"""
SANITIZER = "#!/bin/sh\n" + NOTE + "exit ${SANITIZER_SAYS:-0}\n"
NVIDIA_SMI = """#!/bin/sh
case "$*" in
  -L) for n in $(seq 0 $((GPUS - 1))); do echo "GPU $n: Made up (UUID: GPU-$n)"; done ;;
  *=name*) echo "Made up" ;;
  *compute_cap*) echo 9.0 ;;
  *) echo 1.2 ;;
esac
"""
# The last two modes do what the environment says.
GPU_PYTHON = f"""#!/bin/sh
case "$*" in
  *"import torch"*) echo "PyTorch 0.0" ;;
  *bench_torch.py*"--mode max-autotune"*) eval "$AUTOTUNE" ;;
  *bench_torch.py*"--mode reduce-overhead"*) eval "$OVERHEAD" ;;
  *bench_torch.py*) echo '{{"images_per_second": 2000.0, "x": 1}}' ;;
  *compare.py*header*) exec {sys.executable} "$@" ;;
  *compare.py*) echo "| compared | pass |" ;;
  *) exec {sys.executable} "$@" ;;
esac
"""


class OnGpus(WithPrograms):
    texts = {"dlperf-worker": GPU_WORKER, "dlperf-worker-check": GPU_CHECK, "python": GPU_PYTHON,
             "compute-sanitizer": SANITIZER, "nvidia-smi": NVIDIA_SMI}

    def measure(self, stages, *arguments, **environment):
        """The result, and the calls of the programs."""
        (self.folder / "calls").write_text("")
        variables = {"GPUS": "1", "AUTOTUNE": "exit 1", "OVERHEAD": """echo '{"images_per_second": 1900.0}'""",
                     "CUDA_VISIBLE_DEVICES": "", **self.variables, **environment}
        result = run(SCRIPT, "--no-write", "--programs", self.folder, "--results", self.results, "--stages", stages,
                     *arguments, **variables)
        return result, self.calls()

    def test_a_shapes_plans_are_prepared_once_and_by_a_run_that_is_not_measured(self):
        result, calls = self.measure("throughput")
        fp16 = [call for call in calls if "--precision fp16 --batch-size 256 --image-size 224" in call]
        self.assertEqual([call.split()[-1] for call in fp16], ["120", "2", "120", "120", "120", "120"])
        self.assertEqual(fp16[0], calls[0])
        self.assertIn("| fp16 | 256 | 2560.0 | 0.0 % of 4 | 2000.0 |", result.stdout)

    def test_a_first_figure_comes_before_the_search_for_plans(self):
        searching = 'case "$DLPERF_WORKER_PLANS" in 0) ;; *) echo "no plan" >&2; exit 5 ;; esac\n'
        self.program("dlperf-worker", GPU_WORKER.replace("for n", searching + "for n", 1))
        result, _ = self.measure("throughput")
        self.assertIn("| fp16 | 256 | at least 2560.0 |", result.stdout)

    def test_a_plan_that_ends_the_process_costs_itself_or_else_fusion(self):
        crashing = 'case "$DLPERF_WORKER_PLANS$DLPERF_WORKER_FUSION" in "") kill -SEGV $$ ;; esac\n'
        self.program("dlperf-worker", GPU_WORKER.replace("for n", crashing + "for n", 1))
        result, calls = self.measure("throughput")
        self.assertIn("without fused convolutions from here on: failed (139)", result.stdout)
        self.assertIn("| fp16 | 256 | 2560.0 | 0.0 % of 4 |", result.stdout)
        self.assertEqual([call.split()[-1] for call in calls[:5]], ["120", "2", "2", "2", "120"])

    def test_a_plan_that_hangs_costs_half_of_the_time_that_is_left(self):
        self.program("hangs_once", '#!/bin/sh\n[ -e "$0.ran" ] || { touch "$0.ran"; exec sleep 100; }\n')
        lines = ("source $1/bench/limits.sh; logs=$2; budget=8 backend=cuda running=''; declare -A plans=(); "
                 "prepared 1 key $2/hangs_once; echo $? $why; ((SECONDS < 8)) && echo in time")
        result = run("bash", "-c", lines, "bash", WORKER, self.folder)
        self.assertEqual(result.stdout, "0\nin time\n", result.stderr)

    def test_a_preparation_that_fails_is_the_rows_reason_and_is_not_tried_again_at_once(self):
        self.program("dlperf-worker", GPU_WORKER + 'echo "no plan" >&2; exit 5\n')
        result, calls = self.measure("throughput")
        self.assertEqual(result.returncode, 1)
        self.assertIn("| bf16 | 256 | preparing: failed (5): no plan |", result.stdout)
        self.assertEqual(len(calls), 4)

    def test_the_most_important_figure_comes_first_also_where_time_is_short(self):
        result, calls = self.measure("numerics,throughput", "--minutes", "4")
        self.assertIn("--precision fp16 --batch-size 256", calls[0])
        self.assertIn("| fp16 | 256 | 2560.0 |", result.stdout)
        self.assertLess(result.stdout.index("fp16, batch 256, worker"), result.stdout.index("gradients of"))

    def test_what_takes_little_comes_before_pytorch_in_other_precisions(self):
        result, _ = self.measure("numerics,throughput,checks")
        places = [result.stdout.index(text) for text in (
            "fp16, batch 256, reduce-overhead", "bf16, batch 256, worker", "tf32, batch 256, worker",
            "compute-sanitizer memcheck", "compute-sanitizer racecheck", "bf16, batch 256, eager",
            "tf32, batch 256, reduce-overhead", "fp16, batch 256, max-autotune")]
        self.assertEqual(places, sorted(places))

    def test_minutes_may_be_broken(self):
        for minutes, mode in (("1.6", "left out: takes about 100 s"), ("1.9", "2000.0")):
            result, _ = self.measure("throughput", "--minutes", minutes)
            self.assertIn(f"fp16, batch 256, compile: {mode}", result.stdout)

    def test_the_section_is_not_written_anew_for_each_of_what_is_left_out(self):
        self.program("tar", "#!/bin/sh\n" + NOTE + ': >"$2"\n')
        result, calls = self.measure("throughput", "--minutes", "1", "--output", self.folder / "output")
        self.assertNotIn("grep:", result.stderr)
        figures = sum(line.startswith("  ") and "left out" not in line for line in result.stdout.splitlines())
        self.assertEqual(len([call for call in calls if call.startswith("tar")]), figures + 1)

    def test_gradients_of_a_precision_share_a_shape(self):
        _, calls = self.measure("numerics")
        shapes = {call.split(" --precision")[0].split("--batch-size")[1] for call in calls}
        self.assertEqual(len(calls), 8)
        self.assertEqual(len(shapes), 2, shapes)  # fp32 has fewer images

    def test_a_row_that_was_left_out_or_late_is_measured_again(self):
        lines = ("source $1/bench/limits.sh; rows=$2; declare -A seen=([a]=yes [b]=yes [c]=yes); for n in a b c d; do "
                 "is_done $n && echo $n; done")
        for name, row in (("a", "| x | pass |"), ("b", "| x | not done within 9 s |"), ("c", "| x | left out: |")):
            (self.folder / name).write_text(row)
        self.assertEqual(run("bash", "-c", lines, "bash", WORKER, self.folder).stdout.split(), ["a"])
        (self.folder / "e").write_text("| x | failed (7): no luck |")
        lines = ("source $1/bench/limits.sh; rows=$2; continuing=yes; declare -A seen=(); for n in a b c d e; do "
                 "is_done $n && echo $n; done")
        self.assertEqual(run("bash", "-c", lines, "bash", WORKER, self.folder).stdout.split(), ["a"])

    def test_the_goal_is_undecided_while_a_mode_that_is_there_has_no_figure(self):
        result, _ = self.measure("throughput", SECONDS_A_STEP="0.1")
        self.assertIn("| at most 1.280 | 1.15: met by what is known |", result.stdout)
        result, _ = self.measure("throughput", SECONDS_A_STEP="0.2")
        self.assertIn("| at most 0.640 | 1.15: missed |", result.stdout)
        result, _ = self.measure("throughput", OVERHEAD="exit 1")
        self.assertIn("| 1.15: undecided without reduce-overhead and max-autotune |", result.stdout)
        result, _ = self.measure("throughput", AUTOTUNE="""echo '{"missing": "torch.compile"}'; exit 3""")
        self.assertEqual(result.returncode, 0)
        self.assertIn("| not in this PyTorch: torch.compile | 1.280 | 1.15: met |", result.stdout)

    def test_of_a_python_that_fails_the_exception_is_shown(self):
        advice = "echo 'torch._inductor.exc.SomeError: no compiler' >&2; echo; echo 'Set A=1 for more' >&2; exit 1"
        result, _ = self.measure("throughput", AUTOTUNE=advice)
        self.assertIn("| failed (1): torch._inductor.exc.SomeError: no compiler |", result.stdout)

    def test_breakdown_is_the_programs_table(self):
        result, calls = self.measure("breakdown")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| kind of work | ms |\n|---|---|\n| all | 1 |", result.stdout)
        self.assertTrue(calls[-1].endswith("--precision fp16 --breakdown"), calls)

    def test_a_breakdown_that_fails_fails_the_run(self):
        self.program("dlperf-worker-check", '#!/bin/sh\necho "broken" >&2; exit 7\n')
        result, _ = self.measure("breakdown")
        self.assertEqual(result.returncode, 1)
        self.assertIn("\nfailed (7): broken\n", result.stdout)

    def test_memcheck_watches_a_training_whose_plans_are_there_and_racecheck_the_kernels_alone(self):
        result, _ = self.measure("checks")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertIn("| compute-sanitizer racecheck | no worker_cuda_kernels_on_gpu among the programs |", result.stdout)
        self.program("worker_cuda_kernels_on_gpu", "#!/bin/sh\n")
        result, calls = self.measure("checks")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        first = next(i for i, call in enumerate(calls) if call.startswith("compute-sanitizer"))
        memory, races = (call for call in calls if call.startswith("compute-sanitizer"))
        training = memory[memory.index("/dlperf-worker-check") + 1:]
        self.assertIn("--steps 3 --batches 2", training)
        self.assertEqual(calls[first - 1], training)
        self.assertIn("--tool memcheck --error-exitcode 9 --report-api-errors no ", memory)
        self.assertTrue(races.endswith(f"--tool racecheck --error-exitcode 9 {self.folder}/worker_cuda_kernels_on_gpu"),
                        races)
        self.assertIn("| compute-sanitizer racecheck | clean |", result.stdout)
        result, _ = self.measure("checks", SANITIZER_SAYS="9")
        self.assertEqual(result.returncode, 1)
        self.assertIn("| compute-sanitizer memcheck | failed (9)", result.stdout)

    def test_a_build_without_gloo_and_onednn_says_so_and_has_not_failed(self):
        self.program("dlperf-worker-check", GPU_CHECK + """
case "$WORLD_SIZE $*" in
  2*) echo "dlperf-worker-check: this build cannot reduce: it was configured without Gloo" >&2; exit 7 ;;
  *"--backend cpu"*) echo "dlperf-worker-check: this build: it was configured without oneDNN" >&2; exit 7 ;;
esac
""")
        result, _ = self.measure("checks")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"\| fp32, two processes \| dlperf-worker cuda \|[ |]*no Gloo \|")
        self.assertRegex(result.stdout, r"\| fp32, frozen statistics \| dlperf-worker cuda \|[ |]*no oneDNN \|")

    def test_one_gpu_has_nothing_to_scale(self):
        for variables in ({"GPUS": "1"}, {"GPUS": "8", "CUDA_VISIBLE_DEVICES": "3"}):
            result, calls = self.measure("gpus", **variables)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.count("one GPU here"), 4)
            self.assertEqual(calls, [])

    def test_several_gpus_train_over_nccl_and_their_share_is_shown(self):
        result, calls = self.measure("gpus", GPUS="4")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        for row in ("| fp16 | 256 | 1 | 2560.0 | 100.0 % |", "| fp16 | 256 | 2 | 5120.0 | 100.0 % |",
                    "| fp16 | 256 | 4 | 10240.0 | 100.0 % |"):
            self.assertIn(row, result.stdout)
        self.assertEqual(calls.count("GPUs: all"), 2)
        ranks = [call for call in calls if "--comm-timeout" in call]
        self.assertEqual(len(ranks), 2)
        for call in ranks:
            self.assertIn("--batch-size 8 ", call)
            self.assertIn("--frozen-norm --comm-timeout 60 --steps 20 --batches 4 --comm nccl", call)
        _, calls = self.measure("gpus", GPUS="4", CUDA_VISIBLE_DEVICES="2,1")
        self.assertEqual([call for call in calls if call.startswith("GPUs")], ["GPUs: 2,1"])

    def test_libraries_come_from_the_wheels_of_pytorchs_python(self):
        self.program("python", """#!/bin/sh
case "$*" in *nvidia.cudnn*) echo /wheels/cudnn ;; *nvidia.nccl*) echo /wheels/nccl ;; *cu13*) echo /wheels/cu13 ;; esac
""")
        self.program("cmake", "#!/bin/sh\n" + NOTE)
        lines = """cd "$1"; source bench/limits.sh; source bench/machine.sh
budget=1000 backend=cuda here=$1 build=$2 logs=$2
python=$2/python running=""; CUBLAS_ROOT="" CUDNN_ROOT="" NCCL_ROOT="" CUDA_VISIBLE_DEVICES=0; build_worker
LD_LIBRARY_PATH=/mine; find_libraries; echo "$LD_LIBRARY_PATH" """
        found = run("bash", "-c", lines, "bash", WORKER, self.folder, **self.variables).stdout
        configure = self.calls()[0]
        self.assertIn("-DDLPERF_WARNINGS_ARE_ERRORS=OFF", configure)
        self.assertIn("-DCMAKE_CUDA_ARCHITECTURES=90 -DCUBLAS_ROOT=/wheels/cu13 -DCUDNN_ROOT=/wheels/cudnn "
                      "-DNCCL_ROOT=/wheels/nccl", configure)
        self.assertTrue(found.endswith("/wheels/cudnn/lib:/wheels/cu13/lib:/wheels/nccl/lib:/usr/local/cuda/lib64:/mine\n"),
                        found)


    def test_a_build_that_fails_shows_its_first_errors_and_leaves_the_prebuilt_programs(self):
        broken = NOTE + 'case "$*" in *--build*) echo "a.cpp:1: error: first"; echo "last line"; exit 2 ;; esac\n'
        self.program("cmake", "#!/bin/sh\n" + broken)
        command = [SCRIPT, "--no-write", "--build", self.folder / "b", "--stages", "breakdown"]
        result = run(*command, **self.variables, GPUS="1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the build failed (2)", result.stdout)
        self.assertIn("a.cpp:1: error: first", result.stdout)
        result = run(*command, "--programs", self.folder, **self.variables, GPUS="1")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn(f"takes the programs in {self.folder}", result.stdout)
        self.assertIn("| all | 1 |", result.stdout)


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


class DryRun(unittest.TestCase):
    def test_the_real_programs(self):
        with tempfile.TemporaryDirectory() as results:
            before = (WORKER / "BENCHMARKS.md").read_bytes()
            result = run(SCRIPT, "--backend", "cpu", "--programs", programs, "--results", results)
            # oneDNN has no bf16 on CPUs without AVX-512: the script says so, measures the rest and ends with 1.
            has_bf16 = "avx512bw" in pathlib.Path("/proc/cpuinfo").read_text()
            self.assertEqual(result.returncode, 0 if has_bf16 else 1, result.stdout + result.stderr)
            self.assertEqual("bf16 needs AVX-512" in result.stdout, not has_bf16, result.stdout)
            self.assertRegex(result.stdout, r"\| fp32 \| 4 \| [0-9.]+ \|")
            for what in ("frozen statistics, 4 images, 64 px", "5 steps of 4 images, 64 px, frozen statistics"):
                self.assertRegex(result.stdout, rf"\| fp32, {what} \| dlperf-worker cpu, 2 processes against "
                                                r"dlperf-worker cpu \|.*\| pass \|")
            self.assertTrue(result.stdout.endswith("\nno GPU\n"), result.stdout)  # that knows what its time goes to
            self.assertEqual((WORKER / "BENCHMARKS.md").read_bytes(), before)


if __name__ == "__main__":
    programs = sys.argv.pop(1)
    unittest.main()
