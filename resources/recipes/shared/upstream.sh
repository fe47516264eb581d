#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the recipes of others' trainers share: where the data is, small questions.
set -euo pipefail
# shellcheck source=resources/recipes/shared/variables.sh
. "$DLPERF_RECIPE_DIR/variables.sh"

# shellcheck disable=SC2034  # used by who sources this
data=${DLPERF_OPT_DATA:-$DLPERF_DATA_DIR}
# shellcheck disable=SC2034
node_batch=$((DLPERF_BATCH_SIZE * DLPERF_DEVICES))
# shellcheck disable=SC2034
world_batch=$((DLPERF_BATCH_SIZE * DLPERF_WORLD_SIZE))

fail() {
  echo "$*" >&2
  exit 2
}
has() { case ,$DLPERF_FEATURES, in *,"$1",*) ;; *) return 1 ;; esac; }  # has FEATURE
is_yes() {  # is_yes OPTION VALUE
  case $2 in yes) ;; no) return 1 ;; *) fail "$1 is \"$2\": yes or no" ;; esac
}
unknown() { fail "$1 is \"$2\", which this recipe does not know"; }  # unknown OPTION VALUE
with_port() {  # with_port ADDRESSES PORT: each address with that port
  local address list=''
  for address in ${1//,/ }; do list+=${list:+,}$address:$2; done
  echo "$list"
}

# Trainers write into their working folder. Its "log" is the run's own log: none of them may be told to write there.
cd "$DLPERF_RUN_DIR"
