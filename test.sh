#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds everything, and runs all tests. Arguments go to ctest: ./test.sh -R analysis
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

packaging/install-build-deps.sh --test
cmake --preset release -DDLPERF_COMPLETE=ON --log-level=WARNING >/dev/null
cmake --build --preset release
ctest --preset release "$@"
