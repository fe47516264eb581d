#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stands on a node of a Slurm job, in the job's own step, and runs there what the login node asks for over the shared file
# system: see job_command.sh. A step of its own for each command would weigh on slurmctld, and end what it leaves behind.
# Arguments: the job's folder, and after how many seconds without a command the node is given back.
# NFS looks at a file anew when it is opened, but remembers for long what a folder holds: every file is there before it is
# waited for, and is written in place.
folder=$1 lease=$2
in=$folder/in.$SLURM_NODEID
cd "$HOME" || exit 1
export DLPERF_JOB_NODE=$folder.$SLURM_NODEID
ended=
trap 'ended=yes' TERM  # no more than that: the time of "read -t" ends a trap as well
answer() {
  local base=$folder/$1
  timeout -k 1 "$2" sh "$base.sh" <"$base.in" >"$base.out" 2>"$base.err"
  echo "$? ." >"$base.code"
}
exec {asked}<"$in" {never}<> <(:)
heard=$SECONDS line=
while [ -z "$ended" ] && ((SECONDS - heard < lease)); do
  : <"$in"
  while read -r -u "$asked" part; do
    heard=$SECONDS line+=$part
    read -r id seconds _ <<<"$line"
    line=
    answer "$id" "$seconds" &
  done
  line+=$part
  read -rt 0.1 -u "$never"
done
# What tracks processes by their parents loses those in a session of their own: the job's end is ours to bring to them.
trap '' TERM
for signal in TERM KILL; do
  for entry in $(grep -lzxF -- "DLPERF_JOB_NODE=$DLPERF_JOB_NODE" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${entry#/proc/}
    kill -s "$signal" "${pid%/environ}" 2>/dev/null
  done
  [ "$signal" = KILL ] || sleep 2
done
