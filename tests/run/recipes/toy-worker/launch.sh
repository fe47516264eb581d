#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
exec "$DLPERF_BIN_DIR/dlperf-worker" --train
