#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints what runs hold of this machine now: see listWorkScript(). Set before: work.
# shellcheck disable=SC2154  # what is set before
boot=$(cat /proc/sys/kernel/random/boot_id)
echo "machine $boot $(readlink /proc/self/ns/pid)"
read -r up _ </proc/uptime
locks=
ticks=$(getconf CLK_TCK 2>/dev/null || echo 100)
for environ in $(grep -lz '^DLPERF_RUN_ID=' /proc/[0-9]*/environ 2>/dev/null); do
  process=${environ%/environ}
  run=$(tr '\0' '\n' <"$environ" | sed -n '/^DLPERF_RUN_ID=/{s///p;q;}')
  stat=$(cat "$process/stat" 2>/dev/null) && [ -n "$run" ] || continue
  # shellcheck disable=SC2086  # fields count from the last ")"
  set -- ${stat##*) }
  command=$(head -c 300 "$process/cmdline" | tr '\0\n' '  ')
  # The wrapper was told its lock, which may be in another work folder than ours.
  own=$(tr '\0' '\n' <"$process/cmdline" | sed -n '/\/run\.sh$/{n;n;p;q;}')
  [ -z "$own" ] || locks="$locks$own
"
  echo "process ${process#/proc/} $((${up%.*} - ${20} / ticks)) $run ${command:-?}"
done
for lock in "$work/locks"/*; do
  locks="$locks$lock
"
done
printf '%s' "$locks" | sort -u | while read -r lock; do
  run=$(head -n 1 "$lock/run" 2>/dev/null) && changed=$(stat -c %Y "$lock") || continue
  now=$(: >"$lock.now.$$" && stat -c %Y "$lock.now.$$") || now=$(date +%s)
  rm -f "$lock.now.$$"
  silence=$((now - changed))
  [ "$silence" -ge 0 ] || silence=$((-silence))  # a stamp of the far future is no sign of life: see claim.sh
  echo "lock $silence $run ${lock##*/} ${lock%/locks/*}"
done
exit 0
