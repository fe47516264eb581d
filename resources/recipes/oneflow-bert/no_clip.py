# SPDX-License-Identifier: Apache-2.0
"""Runs a trainer of OneFlow 0.2 or 0.3 without clipping gradients by their norm:

    python no_clip.py PATH/run_pretraining.py OPTIONS…

DLPerf measured with and without; without, it changed the trainer's file.
"""
import os
import runpy
import sys

import oneflow

if __name__ == "__main__":
    del sys.argv[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    oneflow.optimizer.grad_clipping.by_global_norm = lambda *arguments, **named: None
    runpy.run_path(sys.argv[0], run_name="__main__")
