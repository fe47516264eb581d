#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Functions that find a run's processes.
# alive PID START BOOT: that very process runs and is no zombie. Fields of stat count from the last ")".
alive() {
  [ "$3" = "$(cat /proc/sys/kernel/random/boot_id)" ] || return 1
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- "$1" "$2" ${stat##*) }
  [ "$3" != Z ] && [ "${22}" = "$2" ]
}
# processes ID: the pids of all processes that inherited this run id, whatever session they are in.
processes() {
  for entry in $(grep -lzxF -- "DLPERF_RUN_ID=$1" /proc/[0-9]*/environ 2>/dev/null); do
    entry=${entry#/proc/}; echo "${entry%/environ}"
  done
}
