# SPDX-License-Identifier: Apache-2.0
"""Runs a trainer that writes into its working folder, started on several nodes by one of them:

    python own_folder.py PATH/trainer.py OPTIONS…

On the first node that is the run's folder. The others have none of that name, and mpirun takes the home folder instead:
there the trainer gets a folder that goes when it ends.
"""
import os
import runpy
import sys
import tempfile

if __name__ == "__main__":
    del sys.argv[0]
    program = os.path.abspath(sys.argv[0])
    sys.path.insert(0, os.path.dirname(program))
    with tempfile.TemporaryDirectory(prefix="dlperf-") as folder:
        here = os.environ["DLPERF_RUN_DIR"]
        os.chdir(here if os.path.isdir(here) else folder)
        try:
            runpy.run_path(program, run_name="__main__")
        finally:
            os.chdir("/")
