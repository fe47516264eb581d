#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ArcFace; see arcface.sh.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/arcface.sh
. "$DLPERF_RECIPE_DIR/arcface.sh"
