#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes the folders of runs, with all in them: see removeRunsScript(). Set before: work, node.
# shellcheck disable=SC2154  # what is set before
cd "$work/runs" || exit 1
code=0
while read -r run; do
  if [ "$(cat "$work/locks/$node/run" 2>/dev/null)" = "$run" ] || [ -n "$(processes "$run")" ]; then
    echo "run $run is still at work" >&2
    code=1
    continue
  fi
  rm -rf -- "./$run/$node" || code=1
  rmdir "./$run" "./${run%/*}" 2>/dev/null
done
exit "$code"
