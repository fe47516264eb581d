#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow-Benchmark's BERT of DLPerf's first report: it has no option for its control port, and
# --save_last_snapshot=False, which DLPerf gave, saves: any text is true to it.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/oneflow_bert.sh
. "$DLPERF_RECIPE_DIR/oneflow_bert.sh"

exec "${command[@]}"
