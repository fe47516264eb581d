#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow-Benchmark's BERT of v0.3.0; v0.2.0 takes the same options.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/oneflow_bert.sh
. "$DLPERF_RECIPE_DIR/oneflow_bert.sh"

exec "${command[@]}" --ctrl_port="$DLPERF_MASTER_PORT" --save_last_snapshot=False
