#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091  # what lies beside it on the node
# Runs the trainer of one run on one node, detached from whoever started it: its output goes to `log`, its exit code to
# `exit`, its identity to `identity`, what it meets to `facts` and, where versions.sh is there, `versions`, what the
# node does meanwhile to `telemetry.csv`, how many processes its kernel kills for want of memory to `oom_kills`. The
# trainer works in a folder of its own, so that no file of ours is in its way; lines that it writes to a file there,
# named by `log_file`, are put into the log. A second start does nothing.
# Arguments: the run's folder, the node's lock, the mark for other users (see claim.sh).
cd "$1" || exit 1
lock=$2 mark=$3
mkdir started 2>/dev/null || exit 0
trap : TERM INT HUP  # the exit code is written whatever happens; children get the default again
printf '%63s\n' '' >exit.new  # room for the exit code, should the disk be full by then
uname -n >host
stat=$(cat "/proc/$$/stat")
set -- ${stat##*) }
echo "$$ ${20} $(cat /proc/sys/kernel/random/boot_id)" >identity.new && mv -f identity.new identity
set --
( . ./node.env; exec bash ./telemetry.sh "$$" ) </dev/null >telemetry.csv 2>/dev/null &
sampler=$!
read -r lease limit <lease
bash ./watch.sh "$$" "$lock" "$mark" "$lease" "$limit" </dev/null >/dev/null 2>&1 &
watcher=$!
mkdir -p trainer
oom_kills() { sed -n 's/^oom_kill //p' /proc/vmstat 2>/dev/null; }  # by the kernel, for want of memory, since it booted
killed0=$(oom_kills)
(
  . ./node.env
  if [ -f secret.env ]; then
    . ./secret.env
    rm -f secret.env
  fi
  if [ -f setup.sh ]; then
    . ./setup.sh || exit
    cd "$DLPERF_RUN_DIR/.." || exit 1
  fi
  timeout 20 bash ./facts.sh >facts 2>/dev/null
  [ ! -f versions.sh ] || timeout 30 bash ./versions.sh >versions 2>/dev/null
  if [ -f log_file ]; then
    tail -n +1 -s 0.2 --pid="$BASHPID" -F "trainer/$(cat log_file)" 2>/dev/null &
    echo $! >tail.pid
  fi
  cd trainer || exit 1
  exec bash ../launch.sh
) </dev/null >log 2>&1
code=$?
killed=$(oom_kills)  # either is empty where a signal to the run met it
[ -z "$killed" ] || [ "$killed" -le "${killed0:-$killed}" ] || echo $((killed - killed0)) >oom_kills
kill "$sampler" "$watcher" 2>/dev/null
if [ -f tail.pid ]; then  # it ends by itself once it has read the rest
  for ((try = 0; try < 50; try++)); do kill -0 "$(cat tail.pid)" 2>/dev/null || break; sleep 0.1; done
fi
echo "$code " 1<>exit.new
mv -f exit.new exit
