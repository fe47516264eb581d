#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages for the system that it runs on, Debian 12 or Ubuntu 24.04, and writes them to a folder.
# Usage: packaging/build-deb.sh [FOLDER]    (default: dist)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

out=${1:-dist}
packaging/install-build-deps.sh --package
# The date in all that is packed is that of the last change; files that are not committed have none.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
folder=build-deb
cmake --preset release -B "$folder" -DDLPERF_TESTS=OFF -DDLPERF_BENCH=OFF --log-level=WARNING
cmake --build "$folder" --target all
mkdir -p "$out"
rm -rf "$folder/packages"
(cd "$folder" && cpack -B packages) >"$folder/cpack.log" || { cat "$folder/cpack.log" >&2; exit 1; }
mv "$folder"/packages/*.deb "$out/"
ls "$out"/*.deb
