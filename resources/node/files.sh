#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a folder for files that are brought to the node: see filesScript(). Set before: work, place; "look NAME SHA256"
# follows for each file.
# shellcheck disable=SC2154  # what is set before
folder=$work/$place
mkdir -p "$folder" || exit 1
echo "folder $folder"
look() {
  [ -f "$folder/$1" ] || return 0
  there=$(sha256sum <"$folder/$1") || exit 1
  [ "${there%% *}" != "$2" ] || echo "same $1"
}
