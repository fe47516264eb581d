#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Asks Slurm whether it would take a job, and says what it answers. Exits with 75 while slurmctld does not answer. Set
# before: nodes, arguments of sbatch as "$@".
# shellcheck disable=SC2154  # what is set before
scontrol ping | grep -q UP || exit 75
exec sbatch --test-only --nodes="$nodes" --ntasks-per-node=1 "$@" --wrap true
