#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a TCP port that nothing listens on or is bound to: outside the ephemeral range if there is one, else inside;
# nothing if there is none at all. Set before: seed, and ephemeral, used, used6 (files of /proc).
# shellcheck disable=SC2154  # what is set before
low=32768 high=60999
read -r low high <"$ephemeral" 2>/dev/null
taken=" $(sed -n 's/^ *[0-9]*: [0-9A-Fa-f]*:\([0-9A-Fa-f]*\) .*/\1/p' "$used" "$used6" 2>/dev/null | tr '\n' ' ')"
# search FIRST LAST: prints a free port of these and ends, from a place that differs from run to run.
search() {
  count=$(($2 - $1 + 1)) try=0
  while [ "$try" -lt "$count" ] && [ "$try" -lt 2000 ]; do
    port=$(($1 + (seed + try) % count))
    case $taken in
      *" $(printf %04X "$port") "*) try=$((try + 1)) ;;
      *) echo "$port"; exit 0 ;;
    esac
  done
}
search 10000 $((low <= 29999 ? low - 1 : 29999))
search $((high >= 10000 ? high + 1 : 10000)) 29999
search 1024 $((low - 1))
search $((high + 1)) 65535
search 1024 65535
exit 0
