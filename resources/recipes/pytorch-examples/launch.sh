#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pytorch/examples as DLPerf ran it. main.py has no iteration limit: the run is stopped once it is measured.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/imagenet.sh
. "$DLPERF_RECIPE_DIR/imagenet.sh"

exec "${command[@]}" "$data"
