#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# home PATH prints it; a leading "~" is the home of the node's user.
# shellcheck disable=SC2088  # the sign itself is meant
home() { case $1 in '~') echo "$HOME";; '~/'*) echo "$HOME/${1#??}";; *) echo "$1";; esac; }
