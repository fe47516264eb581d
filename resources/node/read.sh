#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a part of a file. Set before: path, first (byte, from 1), most (bytes), missing (the exit code where there is no
# such file, apart from those of the tools and of a container program).
# shellcheck disable=SC2154  # what is set before
test -e "$path" || exit "$missing"
tail -c +"$first" "$path" | head -c "$most"
