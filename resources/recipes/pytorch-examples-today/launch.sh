#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pytorch/examples of 2025, which can make its data itself. It has no iteration limit either.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/imagenet.sh
. "$DLPERF_RECIPE_DIR/imagenet.sh"

if is_yes dummy "$DLPERF_OPT_DUMMY"; then
  if [ -n "$DLPERF_FEATURES" ]; then fail "with dummy data there are no files for DALI to read"; fi
  exec "${command[@]}" --dummy
fi
exec "${command[@]}" "$data"
