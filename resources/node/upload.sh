#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes its input to $path by rename. A connection that is lost ends the input as well: only what came whole gets the
# name. Set before: path, part (a name beside it), bytes, mode.
# shellcheck disable=SC2154  # what is set before
(umask 077; cat >"$part") && [ "$(wc -c <"$part")" -eq "$bytes" ] && chmod "$mode" "$part" && mv -f "$part" "$path" ||
  { rm -f "$part"; exit 1; }
