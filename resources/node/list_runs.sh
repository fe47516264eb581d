#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a line "run KIB ID" for each run that has a folder on this node. Set before: work, node.
# shellcheck disable=SC2154  # what is set before
[ -d "$work/runs" ] || exit 0
cd "$work/runs" || exit 1
for folder in */*/"$node"; do
  [ -d "$folder" ] || continue
  kib=$(du -sk "$folder" 2>/dev/null | cut -f 1)
  echo "run ${kib:-0} ${folder%/"$node"}"
done
exit 0
