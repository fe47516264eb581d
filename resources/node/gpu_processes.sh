#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpus: prints a line "gpu PID" for each process that uses a GPU.
gpus() {
  command -v nvidia-smi >/dev/null 2>&1 || return 0
  timeout 10 nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null | sed -n 's/^ *\([0-9][0-9]*\).*/gpu \1/p'
}
