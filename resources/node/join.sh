#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a file of the parts that it was brought in: see joinScript(). Nodes that share the disk may do so at the same
# time. Set before: path, parts (how many), sum.
# shellcheck disable=SC2154  # what is set before
is_whole() { there=$(sha256sum 2>/dev/null <"$1") && [ "${there%% *}" = "$sum" ]; }
exec 9>"$path.lock"
flock 9 2>/dev/null  # where that cannot be, the new file's own name must do
if [ -f "$path" ] && is_whole "$path"; then
  rm -f "$path".part*
  exit 0
fi
new=$(mktemp "$path.new.XXXXXX") && chmod 644 "$new" || exit 1
part=0
while [ "$part" -lt "$parts" ] && cat "$path.part$part" >>"$new"; do
  part=$((part + 1))
done
if is_whole "$new"; then
  mv -f "$new" "$path" && rm -f "$path".part*
  exit
fi
rm -f "$new"
[ ! -f "$path" ] || ! is_whole "$path" || exit 0
if [ "$part" -eq "$parts" ]; then
  rm -f "$path".part*
  echo "arrived changed" >&2
fi
exit 1
