#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheels of a recipe's requirements on this machine, for nodes that reach no package index. Its environment has
# MAKE_BASE (a Python of the nodes' version) and MAKE_FOLDER; requirements.txt lies beside.
set -euo pipefail
mkdir -p "${MAKE_FOLDER%/*}"
exec 9>"$MAKE_FOLDER.lock"
flock -n 9 || { echo "waits for another preparation of $MAKE_FOLDER"; flock 9; }
if [ -f "$MAKE_FOLDER/complete" ]; then
  exit 0
fi
rm -rf "$MAKE_FOLDER" "$MAKE_FOLDER.python"
"$MAKE_BASE" -m venv "$MAKE_FOLDER.python"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_PROGRESS_BAR=off PIP_RETRIES=2
# Not "pip download": what comes as source is built here, where an index is.
"$MAKE_FOLDER.python/bin/python" -m pip wheel --no-deps --require-hashes -r "$DLPERF_RUN_DIR/../requirements.txt" -w "$MAKE_FOLDER"
rm -rf "$MAKE_FOLDER.python"
touch "$MAKE_FOLDER/complete"
