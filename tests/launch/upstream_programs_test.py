#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs that recipes put between Python and others' trainers, with small stand-ins for the trainer and for
what it imports.

    python3 upstream_programs_test.py --resources resources [unittest's own arguments]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
SHOW = "import sys; print(sys.argv[1:])\n"


class Programs(unittest.TestCase):
    def run_own(self, program, files, arguments, **variables):
        """What the program prints. `files` are made below {root}, where modules are looked for as well."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(textwrap.dedent(text))
            arguments = [argument.replace("{root}", folder) for argument in arguments]
            variables = {name: value.replace("{root}", folder) for name, value in variables.items()}
            done = subprocess.run(
                [sys.executable, RESOURCES / "recipes" / program, *arguments], cwd=folder, capture_output=True,
                text=True, env={**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1", **variables},
                timeout=60, check=False)
            self.assertEqual(0, done.returncode, done.stderr)
            return done.stdout + done.stderr

    def test_speed_lines_turn_losses_into_speeds(self):
        trainer = r"""
            import logging, time
            logging.basicConfig(level=logging.INFO)
            logging.info('net')
            for n in (1, 2, 3):
                time.sleep(0.02)
                logging.info('Epoch[%d] Batch[%d] Loss[%.3f]', 0, n, 7)
                logging.info('Epoch[%d] Rank[%d] Batch[%d]\taccuracy', 0, 0, n)
            """
        printed = self.run_own("gluon-cv-resnet50/speed_lines.py", {"t/train.py": trainer}, ["{root}/t/train.py"],
                               SPEED_OF="100", SPEED_LINES="2")
        lines = re.findall(r"INFO:root:Epoch\[0\] Batch\[(\d)\]\tSpeed: ([\d.]+) samples/sec\tloss=7.000", printed)
        self.assertEqual(["1", "2"], [number for number, _ in lines], printed)
        self.assertLess(float(lines[1][1]), 100 / 0.02)
        self.assertEqual(3, printed.count("Rank[0]"))
        self.assertIn("INFO:root:net", printed)

    def test_padding_forgives_what_is_not_known(self):
        pad = """
            class Pad:
                def __init__(self, axis=0, pad_val=None):
                    self.pad_val = pad_val
            """
        trainer = "from gluonnlp.data.batchify import Pad\nprint(Pad(pad_val=3, round_to=8).pad_val)\n"
        files = {"gluonnlp/__init__.py": "", "gluonnlp/data/__init__.py": "", "t/train.py": trainer}
        for text in (pad, pad.replace("pad_val=None)", "pad_val=None, round_to=None)")):
            printed = self.run_own("gluon-nlp-bert/padding.py", {**files, "gluonnlp/data/batchify.py": text},
                                   ["{root}/t/train.py"])
            self.assertEqual("3", printed.strip())

    def test_dali_names_keeps_old_ones(self):
        ops = "ImageDecoder = 'new'\nImageDecoderRandomCrop = 'crop'\nHostDecoder = 'own'\n"
        files = {"nvidia/__init__.py": "", "nvidia/dali/__init__.py": "", "nvidia/dali/ops.py": ops,
                 "t/train.py": "from nvidia.dali import ops\nprint(ops.nvJPEGDecoder, ops.HostDecoder)\n" + SHOW}
        program, arguments = "ngc-mxnet-resnet50/dali_names.py", ["{root}/t/train.py", "--a"]
        self.assertEqual("new own\n['--a']\n", self.run_own(program, files, arguments))
        self.assertEqual("['--a']\n", self.run_own(program, {"t/train.py": SHOW}, arguments), "without DALI")

    def test_adam_takes_the_place_of_lamb(self):
        files = {"apex/__init__.py": "", "apex/optimizers.py": "def FusedAdam(p, **named): return p, named\n",
                 "t/run.py": "from apex.optimizers import FusedLAMB\nprint(FusedLAMB([1], lr=2))\n" + SHOW}
        printed = self.run_own("ngc-pytorch-bert/adam.py", files, ["--local_rank=0", "--b"], TRAINER="{root}/t/run.py")
        self.assertEqual("([1], {'lr': 2, 'bias_correction': False})\n['--local_rank=0', '--b']\n", printed)

    def test_no_clip_makes_no_clipping(self):
        files = {"oneflow.py": """
                     class optimizer:
                         class grad_clipping:
                             by_global_norm = float
                     """,
                 "t/run.py": "import oneflow as o\nprint(o.optimizer.grad_clipping.by_global_norm(1.0))\n" + SHOW}
        printed = self.run_own("oneflow-bert/no_clip.py", files, ["{root}/t/run.py", "--b"])
        self.assertEqual("None\n['--b']\n", printed)

    def test_strategy_makes_the_options_hold(self):
        files = {"absl/__init__.py": "", "absl/app.py": "def run(main): main([])\n",
                 "absl/flags.py": """
                     class FLAGS:
                         enable_xla, worker_hosts, task_index, all_reduce_alg = True, 'a,b', 1, 'nccl'
                     """,
                 "official/nlp/bert/run_pretraining.py": """
                     from official.utils.misc import distribution_utils
                     def main(_):
                         print(distribution_utils.get_distribution_strategy(num_gpus=2))
                     """,
                 "official/utils/misc/distribution_utils.py": """
                     def get_distribution_strategy(**named):
                         return sorted(named.items())
                     def configure_cluster(hosts, index):
                         print(hosts, index)
                     """,
                 "official/utils/misc/keras_utils.py": "def set_session_config(enable_xla): print(enable_xla)\n"}
        printed = self.run_own("tensorflow2-bert/strategy.py", files, [])
        self.assertEqual("True\na,b 1\n[('all_reduce_alg', 'nccl'), ('num_gpus', 2)]\n", printed)

    def test_face_gives_values_before_and_after(self):
        files = {"t/sample.py": """
                     class config: max_steps = 0
                     class default: frequent = 20
                     def generate_config(network):
                         config.max_steps, config.path = 7, network
                     """,
                 "t/train.py": """
                     import os, sys
                     from config import config, default, generate_config
                     print(config.max_steps)
                     generate_config('r100')
                     print(config.max_steps, config.path, default.frequent, config.__module__)
                     print(os.path.isdir(sys.argv[2]), sys.argv[1])
                     """}
        printed = self.run_own("shared/face.py", files,
                               ["{root}/t/train.py", "config=sample", "config.max_steps=120", "config.path=/a=b",
                                "default.frequent=1", "--", "--root", "{scratch}"])
        self.assertEqual("120\n120 /a=b 1 sample\nTrue --root\n", printed)

    def test_own_folder_is_the_runs_where_there_is_one(self):
        trainer = "import os\nopen('written', 'w').close()\nprint(os.getcwd(), os.environ['DLPERF_RUN_DIR'])\n" + SHOW
        for folder, same in (("{root}/run", True), ("{root}/elsewhere", False)):
            printed = self.run_own("shared/own_folder.py", {"t/train.py": trainer, "run/env": ""},
                                   ["{root}/t/train.py", "--a"], DLPERF_RUN_DIR=folder)
            where, run = printed.splitlines()[0].split()
            self.assertEqual(same, where == run, printed)
            self.assertIn("['--a']", printed)
            self.assertFalse(os.path.exists(where))

    def test_dali_loads_in_every_process(self):
        """main.py starts its processes anew, each of which has to replace the loader again."""
        files = {"t/main.py": """
                     import multiprocessing, sys, torch
                     class Train: root = '/data/train'
                     class Val: root = '/data/val'
                     def work(n):
                         load = torch.utils.data.DataLoader
                         train = load(Train(), batch_size=4, shuffle=False, num_workers=2, sampler=None)
                         images = [image for image, label in train]
                         print(n, len(train), images, load(Val(), batch_size=4, sampler=None))
                     def main():
                         print(sys.argv[1:])
                         process = multiprocessing.get_context('spawn').Process(target=work, args=(5,))
                         process.start()
                         process.join()
                         sys.exit(process.exitcode)
                     """,
                 "torch.py": """
                     class cuda: current_device = staticmethod(lambda: 0)
                     class distributed: is_available = staticmethod(lambda: False)
                     class utils:
                         class data: DataLoader = staticmethod(lambda data, **named: 'usual')
                     """,
                 "nvidia/__init__.py": "", "nvidia/dali/plugin/__init__.py": "",
                 "nvidia/dali/types.py": "INTERP_LINEAR = NCHW = RGB = FLOAT = 0\n",
                 "nvidia/dali/pipeline.py": """
                     class Pipeline:
                         def __init__(self, batch, threads, device, seed): print('threads', threads)
                         def build(self): self.define_graph()
                         def epoch_size(self, name): return 10
                     """,
                 "nvidia/dali/plugin/pytorch.py": """
                     class Label: reshape = cuda = long = lambda self, *a: self
                     class DALIClassificationIterator:
                         def __init__(self, pipeline, size): self.size = size
                         def __iter__(self): return iter([[{'data': 'images', 'label': Label()}]] * 2)
                         def reset(self): pass
                     """}
        operator = textwrap.dedent("""
            class Anything:
                def __init__(self, *a, **named): pass
                def __call__(self, *a, **named): return self
                def __getattr__(self, name): return Anything()
                def __iter__(self): return iter((self, self))
            """)
        old = operator + "def __getattr__(name): return Anything\n"
        new = operator + "readers = decoders = random = Anything()\n" \
            "RandomResizedCrop = CropMirrorNormalize = Anything\n"
        for version, ops in (("0.19.0", old), ("1.26.0", new)):
            own = {"nvidia/dali/__init__.py": f"__version__ = '{version}'\n", "nvidia/dali/ops.py": ops}
            printed = self.run_own("pytorch-examples/dali.py", {**files, **own},
                                   ["cpu", "{root}/t/main.py", "--arch", "resnet50"])
            self.assertIn("['--arch', 'resnet50']", printed)
            self.assertIn("threads 2\n5 2 ['images', 'images'] usual", printed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--resources", type=Path, default=RESOURCES)
    own_options, others = parser.parse_known_args()
    RESOURCES = own_options.resources.resolve()
    unittest.main(argv=[sys.argv[0], *others])
