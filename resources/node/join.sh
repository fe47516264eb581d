#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a file of the parts that it was brought in: see joinScript(). Set before: path, parts (how many), sum.
# shellcheck disable=SC2154  # what is set before
part=0
: >"$path.new" || exit 1
while [ "$part" -lt "$parts" ]; do
  cat "$path.part$part" >>"$path.new" || exit 1
  part=$((part + 1))
done
there=$(sha256sum <"$path.new")
if [ "${there%% *}" != "$sum" ]; then
  rm -f "$path.new" "$path".part*
  echo "arrived changed" >&2
  exit 1
fi
mv -f "$path.new" "$path" && rm -f "$path".part*
