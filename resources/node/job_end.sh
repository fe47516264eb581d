#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ends a Slurm job and waits until it is gone. Exits with 75 where it is not. Set before: job, folder (the job's, or
# nothing).
# shellcheck disable=SC2154  # what is set before
scancel "$job" 2>/dev/null
look=0
while [ -n "$(squeue -h -j "$job" -o %i 2>/dev/null)" ]; do
  look=$((look + 1))
  [ "$look" -lt 100 ] || exit 75
  sleep 0.2
done
[ -z "$folder" ] || { rm -rf "$folder"; rmdir "${folder%/*}" "${folder%/jobs/*}/jobs" 2>/dev/null; }
exit 0
