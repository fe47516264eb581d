# SPDX-License-Identifier: Apache-2.0
"""Runs NVIDIA's BERT with Adam instead of LAMB, as DLPerf did by a change of its file:

    TRAINER=PATH/run_pretraining.py python adam.py OPTIONS…
"""
import os
import runpy
import sys

import apex.optimizers


def adam(parameters, lr):
    return apex.optimizers.FusedAdam(parameters, lr=lr, bias_correction=False)


if __name__ == "__main__":
    sys.argv[0] = os.environ["TRAINER"]
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    apex.optimizers.FusedLAMB = adam
    runpy.run_path(sys.argv[0], run_name="__main__")
