#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A trainer that lies beside this script and writes its lines to a file.
exec "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/train.py"
