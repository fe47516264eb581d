#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wrong numbers must not pass worker/check/distances.py. Standard library only."""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).parents[2] / "worker" / "check"
sys.path.append(str(CHECK))
import compare  # noqa: E402
import distances  # noqa: E402

NAMES = ["conv1.weight", "bn1.weight", "fc.bias"]


def tensors(noise=0.0, seed=2):
    values, noises = random.Random(1), random.Random(seed)
    return [[values.gauss(0, 1) * (1 + noises.gauss(0, noise)) for _ in range(n)] for n in (300, 40, 10)]


def summary_of(ours, loss=2.0):
    return distances.gradient_summary(NAMES, ours, tensors(), loss, 2.0)


def failures(ours, loss=2.0, theirs=None, frozen=True, goal=1e-4):
    return distances.failures(summary_of(ours, loss), distances.limits(goal, theirs, frozen))


class Gradients(unittest.TestCase):
    def test_the_same_and_nearly_the_same_pass(self):
        self.assertEqual(failures(tensors()), [])
        self.assertEqual(failures(tensors(1e-5)), [])

    def test_one_wrong_value_in_one_tensor_fails_and_the_tensor_is_named(self):
        wrong = tensors()
        wrong[1][7] += 0.01
        self.assertIn("worst", failures(wrong))
        self.assertEqual(summary_of(wrong)["worst_tensors"][0][0], "bn1.weight")

    def test_a_wrong_loss_fails(self):
        self.assertEqual(failures(tensors(), loss=2.001), ["loss"])

    def test_swapped_signs_zeros_and_a_wrong_factor_fail(self):
        for change in (lambda v: -v, lambda v: 0.0, lambda v: 2 * v):
            wrong = tensors()
            wrong[2] = [change(v) for v in wrong[2]]
            self.assertIn("scale", failures(wrong))

    def test_what_is_not_a_number_fails(self):
        for value in (math.nan, math.inf):
            wrong = tensors()
            wrong[0][0] = value
            self.assertIn("worst", failures(wrong))
            self.assertEqual(failures(tensors(), loss=value), ["loss"])

    def test_pytorchs_own_distance_widens_the_limit_twofold_and_no_more(self):
        theirs = summary_of(tensors(1e-2))
        self.assertEqual(failures(tensors(1e-2, seed=3), theirs=theirs), [])
        self.assertIn("median", failures(tensors(3e-2, seed=3), theirs=theirs))

    def test_a_pytorch_that_fails_itself_excuses_nothing(self):
        wrong = tensors(1e-2)
        wrong[0][0] = math.nan
        self.assertIn("worst", failures(tensors(1e-2), theirs=summary_of(wrong)))

    def test_a_factor_shows_where_the_precision_is_low(self):
        theirs = summary_of(tensors(0.1))
        wrong = [[1.2 * v for v in tensor] for tensor in tensors(0.1, seed=3)]
        self.assertIn("scale", failures(wrong, theirs=theirs, goal=1e-2))

    def test_batch_statistics_allow_single_tensors_percents_but_not_most(self):
        flipped = tensors()
        flipped[0][0] += 0.05
        self.assertEqual(failures(flipped, frozen=False), [])
        self.assertIn("worst", failures(flipped))
        self.assertIn("median", failures(tensors(1e-2), frozen=False))


class Curves(unittest.TestCase):
    reference = [2.3 * 0.98**n for n in range(100)]

    def verdict(self, losses):
        exact = distances.curve_summary(self.reference, self.reference)
        return distances.curve_failures(distances.curve_summary(losses, self.reference), exact, 1e-4)

    def test_a_curve_that_wobbles_around_it_follows(self):
        wobbling = [v * (1 + (0 if n < 3 else 0.05 * (-1)**n)) for n, v in enumerate(self.reference)]
        self.assertEqual(self.verdict(wobbling), [])

    def test_another_learning_rate_does_not(self):
        self.assertEqual(self.verdict([2.3 * 0.99**n for n in range(100)]), ["start", "course"])

    def test_what_diverges_late_does_not(self):
        self.assertEqual(self.verdict(self.reference[:80] + [2.3] * 20), ["course"])
        self.assertEqual(self.verdict(self.reference[:80] + [math.nan] * 20), ["course"])


class Program(unittest.TestCase):
    def write(self, folder, name, values, **others):
        facts = {"backend": "cpu", "precision": "fp32", "ranks": 1, "batch_size": 8, "image_size": 64, "classes": 10,
                 "label_smoothing": 0.1, "frozen_norm": True, "steps": 0, "losses": [2.0],
                 "tensors": [{"name": n, "shape": [len(v)]} for n, v in zip(NAMES, values)], **others}
        path = pathlib.Path(folder) / name
        path.write_text(json.dumps(facts))
        raw = compare.array.array("f", [v for tensor in values for v in tensor])
        pathlib.Path(f"{path}.f32").write_bytes(raw.tobytes())
        return str(path)

    def compare(self, *arguments):
        command = [sys.executable, str(CHECK / "compare.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def test_files_that_agree_differ_or_are_cut(self):
        with tempfile.TemporaryDirectory() as folder:
            right, same = (self.write(folder, name, tensors()) for name in ("right", "same"))
            mutated = tensors()
            mutated[1][3] *= 1.1
            wrong = self.write(folder, "wrong", mutated)
            self.assertEqual(self.compare("files", same, right).returncode, 0)
            result = self.compare("files", wrong, right)
            self.assertEqual(result.returncode, 1)
            self.assertIn("furthest bn1.weight", result.stdout)
            pathlib.Path(wrong + ".f32").write_bytes(b"1234")
            self.assertEqual(self.compare("files", wrong, right).returncode, 2)
            self.assertEqual(self.compare("files", folder + "/none", right).returncode, 2)

    def test_losses_of_files_are_compared_and_only_of_the_same_training(self):
        losses = [2 - n / 100 for n in range(40)]
        training = {"steps": 40, "batches": 4, "learning_rate": 0.01, "momentum": 0.9, "weight_decay": 1e-4}
        with tempfile.TemporaryDirectory() as folder:
            right = self.write(folder, "right", [], **training, losses=losses)
            near = self.write(folder, "near", [], **training, losses=[1.0001 * v for v in losses], ranks=2)
            far = self.write(folder, "far", [], **training, losses=[2.0] * 40)
            other = self.write(folder, "other", [], **{**training, "momentum": 0.0}, losses=losses)
            result = self.compare("files", near, right)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("| dlperf-worker cpu, 2 processes against dlperf-worker cpu |", result.stdout)
            result = self.compare("files", far, right)
            self.assertEqual(result.returncode, 1)
            self.assertIn("FAIL: start, course |", result.stdout)
            result = self.compare("files", other, right)
            self.assertEqual(result.returncode, 2)
            self.assertIn("of different problems: momentum", result.stderr)


if __name__ == "__main__":
    unittest.main()
