#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A leading "~" of the work folder is the node's home. Set before: work.
# shellcheck disable=SC2088,SC2154  # the tilde is as the user wrote it; what is set before
case $work in '~'|'~/'*) work=$HOME${work#'~'};; esac
