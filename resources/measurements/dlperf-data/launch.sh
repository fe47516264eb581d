#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How fast each node reads its folder of data: on all nodes at the same time, each by itself.
set -euo pipefail

export RANK=0 WORLD_SIZE=1 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1  # whatever started this: it is one by itself

folder=${DLPERF_OPT_DATA:-$DLPERF_DATA_DIR}
if [ -z "$folder" ]; then
  echo "the node has no data_dir, and no folder was named"
  exit 0
fi
# A folder that one node does not have ends no other node's reading; the log says what is wrong.
"$DLPERF_BIN_DIR/dlperf-worker" --measure data "--data=$folder" --seconds "$DLPERF_OPT_SECONDS" --workers 4 \
  --batch-size 32 --classes 1048576 || true
