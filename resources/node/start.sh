#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starts the wrapper: see startScript().
# shellcheck disable=SC2154  # what is set before
DLPERF_RUN_ID=$run; export DLPERF_RUN_ID
cd "$folder" || exit 1
if ! [ -d started ]; then
  holder=$(cat "$lock/run" 2>/dev/null)
  [ "$holder" = "$run" ] || { echo "$holder"; exit 77; }
fi
setsid bash "$folder/run.sh" "$folder" "$lock" "$mark" </dev/null >/dev/null 2>&1 &
try=0
while [ "$try" -lt 100 ]; do
  if [ -s identity ]; then cat identity; exit 0; fi
  sleep 0.05
  try=$((try + 1))
done
echo "the trainer's wrapper did not start; $(df -Pk . | sed -n '2s/[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p') KiB are free in $folder" >&2
exit 1
