#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Finds the folder of the bundled worker: see workerScript(). Set before: work, name; "look NAME SHA256" follows.
# shellcheck disable=SC2154  # what is set before
folder=$work/bin/$name
mkdir -p "$folder" || exit 1
echo "folder $folder"
look() {
  [ -f "$folder/$1" ] || return 0
  there=$(sha256sum <"$folder/$1") || exit 1
  [ "${there%% *}" != "$2" ] || echo "same $1"
}
