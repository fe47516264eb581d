#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes the folders of runs, with all in them. Set before: work, node, runs (ids, each between spaces).
# shellcheck disable=SC2154  # what is set before
cd "$work/runs" || exit 1
code=0
for run in $runs; do
  rm -rf -- "./$run/$node" || code=1
  rmdir "./$run" "./${run%/*}" 2>/dev/null
done
exit "$code"
