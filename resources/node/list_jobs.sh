#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a line "job NUMBER STATE RUN" for each Slurm job that holds nodes for a run or campaign of this user, and where
# the jobs' folders are as "folder …". Set before: work.
# shellcheck disable=SC2154  # what is set before
jobs=$(squeue -h -u "$(id -un)" -o '%i %T %k') || exit 75
printf '%s\n' "$jobs" | sed -n 's/^\([^ ]* [^ ]*\) dlperf:/job \1 /p'
echo "folder $work/jobs"
