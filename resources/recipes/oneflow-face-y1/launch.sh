#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow's InsightFace; see oneflow_face.sh.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/oneflow_face.sh
. "$DLPERF_RECIPE_DIR/oneflow_face.sh"
