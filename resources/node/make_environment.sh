#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the virtual environment of a recipe, as the trainer of a run that only prepares. Its environment has MAKE_BASE (a
# Python), MAKE_FOLDER, MAKE_IMPORTS, and MAKE_WHEELS where wheels were brought to a node that reaches no package index;
# requirements.txt lies beside. Exit code 69: the package index is not reached.
set -euo pipefail
beside=$DLPERF_RUN_DIR/..
mkdir -p "${MAKE_FOLDER%/*}"
exec 9>"$MAKE_FOLDER.lock"  # of the folder, which nodes may share; it goes with the last of these processes
flock -n 9 || { echo "waits for another preparation of $MAKE_FOLDER"; flock 9; }
if [ -f "$MAKE_FOLDER/complete" ]; then
  echo "was prepared meanwhile"
  [ -z "$MAKE_WHEELS" ] || rm -rf "$MAKE_WHEELS"
  exit 0
fi
rm -rf "$MAKE_FOLDER"  # what one that was cut short has left
echo "makes a virtual environment with $MAKE_BASE"
"$MAKE_BASE" -m venv "$MAKE_FOLDER"
python=$MAKE_FOLDER/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_PROGRESS_BAR=off PIP_RETRIES=2 PIP_ROOT_USER_ACTION=ignore
install() { "$python" -m pip install --no-deps "$@" 2>&1 | tee "$beside/pip"; }
if [ -n "$MAKE_WHEELS" ]; then
  install --no-index "$MAKE_WHEELS"/*.whl
elif ! install --require-hashes -r "$beside/requirements.txt"; then
  if grep -qE 'ConnectTimeout|NewConnectionError|NameResolutionError|Network is unreachable|ProxyError|ReadTimeout' "$beside/pip"; then
    exit 69
  fi
  exit 1
fi
cd /
for name in $MAKE_IMPORTS; do
  echo "imports $name"
  "$python" -c "import $name"
done
[ -z "$MAKE_WHEELS" ] || rm -rf "$MAKE_WHEELS"
date -u +%Y-%m-%dT%H:%M:%SZ >"$MAKE_FOLDER/complete.new"
mv "$MAKE_FOLDER/complete.new" "$MAKE_FOLDER/complete"
