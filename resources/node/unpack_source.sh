#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpacks the archive of a checkout that was brought to the node. Nodes that share the disk may do so at the same time.
# Set before: work, commit.
# shellcheck disable=SC2154  # what is set before
folder=$work/cache/source/$commit
archive=$folder.tar.gz
exec 9>"$archive.lock"
flock 9 2>/dev/null  # where that cannot be, the new folder's own name must do
if [ ! -f "$folder.complete" ]; then
  new=$(mktemp -d "$folder.XXXXXX") || exit 1
  if mkdir "$new/source" && tar -xzf "$archive" -C "$new/source"; then
    [ -f "$folder.complete" ] || rm -rf "$folder"  # what was cut short
    mv -T "$new/source" "$folder" && touch "$folder.complete"
  fi
  rm -rf "$new"
fi
[ -f "$folder.complete" ] && rm -f "$archive" "$archive".part*
