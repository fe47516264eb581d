#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keeps the node that a run has: see refreshScript().
# shellcheck disable=SC2154  # what is set before
holder=$(cat "$lock/run" 2>/dev/null)
if [ "$holder" != "$run" ]; then  # a lock that somebody removed by hand is taken again
  { [ -z "$holder" ] && mkdir "$lock" 2>/dev/null && echo "$run" >"$lock/run"; } || { echo "$holder"; exit 77; }
fi
touch -c "$lock" "$mark"
