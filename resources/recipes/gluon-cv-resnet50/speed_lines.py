# SPDX-License-Identifier: Apache-2.0
"""Runs gluon-cv's train_horovod.py and has it log its speed each iteration, which it does only once an epoch:

    SPEED_OF=samples an iteration  SPEED_LINES=most of them  python speed_lines.py PATH/train_horovod.py OPTIONS…

The trainer logs a loss each iteration, on the first process only: that line becomes one with the speed since the line
before, under the name that DLPerf's extractor looks for. There it must find exactly as many as it takes.
"""
import logging
import os
import re
import runpy
import sys
import time


class Speed(logging.Filter):
    def __init__(self, samples, most):
        super().__init__()
        self.samples, self.most = samples, most
        self.last = time.perf_counter()
        self.lines = 0

    def filter(self, record):
        line = re.match(r"Epoch\[(\d+)\] Batch\[(\d+)\] Loss\[(.*)\]", record.getMessage())
        if not line:
            return True
        now = time.perf_counter()
        seconds, self.last = now - self.last, now
        self.lines += 1
        record.msg = "Epoch[%s] Batch[%s]\tSpeed: %.2f samples/sec\tloss=%s"
        record.args = (line[1], line[2], self.samples / seconds, line[3])
        return self.lines <= self.most


if __name__ == "__main__":
    del sys.argv[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    logging.getLogger().addFilter(Speed(int(os.environ["SPEED_OF"]), int(os.environ["SPEED_LINES"])))
    runpy.run_path(sys.argv[0], run_name="__main__")
