#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpacks the archive of a checkout that was brought to the node. Set before: work, commit.
# shellcheck disable=SC2154  # what is set before
folder=$work/cache/source/$commit
[ ! -f "$folder.complete" ] || exit 0
new=$folder.$$
rm -rf "$new"
mkdir -p "$new" && tar -xzf "$folder.tar.gz" -C "$new" || exit 1
rm -rf "$folder"
mv -T "$new" "$folder" && touch "$folder.complete" && rm -f "$folder.tar.gz"
