#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where a run and its node's lock are. Set before: work, run, node.
# shellcheck disable=SC2034,SC2154  # what is set before and used after
folder=$work/runs/$run/$node
lock=$work/locks/$node
# For other users of this machine, whose locks are in homes of their own.
mark=/tmp/dlperf-$(id -u)/$(printf %s "$run/$node" | tr / _)
