#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signals a run's processes: see signalScript().
# shellcheck disable=SC2154  # what is set before
wrapper=0
if read -r pid start boot <"$folder/identity" 2>/dev/null && alive "$pid" "$start" "$boot"; then
  wrapper=$pid
  [ "$signal" != 0 ] && [ "$spare" = no ] && kill -s "$signal" -- "-$pid" 2>/dev/null
fi
for pid in $(processes "$run"); do
  [ "$spare" = yes ] && [ "$pid" = "$wrapper" ] && continue
  echo "$pid"
  [ "$signal" != 0 ] && kill -s "$signal" "$pid" 2>/dev/null
done
exit 0
