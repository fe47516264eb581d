# SPDX-License-Identifier: Apache-2.0
"""Runs a trainer whose padding asks for an argument that the installed gluonnlp may not know:

    python padding.py PATH/run_pretraining.py OPTIONS…

DLPerf took round_to out of the trainer's file. Sequences have one length here, so that nothing is rounded anyway.
"""
import inspect
import os
import runpy
import sys


def forgive_round_to():
    from gluonnlp.data import batchify

    usual = batchify.Pad.__init__
    if "round_to" in inspect.signature(usual).parameters:
        return

    def init(self, *arguments, round_to=None, **others):
        del round_to
        usual(self, *arguments, **others)

    batchify.Pad.__init__ = init


if __name__ == "__main__":
    del sys.argv[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    forgive_round_to()
    runpy.run_path(sys.argv[0], run_name="__main__")
