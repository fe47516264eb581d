#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds, and opens the dashboard with the plan "ResNet50 on this machine" ready to start. Without a display,
# or with --headless, runs that plan here and ends with the table and the reports.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

usage() {
  cat <<'EOT'
Usage: ./run.sh [--headless] [--workspace FOLDER] [--plan FILE]

  --headless          run the plan in the terminal and write the reports, even with a display
  --workspace FOLDER  where runs and reports are kept (default: ~/dlperf-workspace)
  --plan FILE         the plan to run (default: resources/plans/resnet50-this-machine.json)
EOT
}

headless=false
workspace="$HOME/dlperf-workspace"
plan="resources/plans/resnet50-this-machine.json"
here=${OLDPWD:-$PWD}
absolute() { case "$1" in /*) printf '%s' "$1" ;; *) printf '%s/%s' "$here" "$1" ;; esac; }
while [[ $# -gt 0 ]]; do
  case "$1" in
    --headless) headless=true ;;
    --workspace | --plan)
      [[ $# -ge 2 ]] || { echo "run.sh: $1 needs a value" >&2; exit 2; }
      if [[ $1 == --plan ]]; then plan=$(absolute "$2"); else workspace=$(absolute "$2"); fi
      shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
if [[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]]; then
  headless=true
fi

packaging/install-build-deps.sh
echo "Building (a few minutes the first time) ..."
cmake --preset release --log-level=WARNING >/dev/null
cmake --build --preset release --target dlperf dlperf-dashboard dlperf-worker

if ! $headless; then
  exec build/bin/dlperf-dashboard --workspace "$workspace" --plan "$plan"
fi
build/bin/dlperf run "$plan" --workspace "$workspace"
build/bin/dlperf report --workspace "$workspace" -o "$workspace/report.md"
build/bin/dlperf report --workspace "$workspace" -o "$workspace/report.html"
echo
echo "Report: $workspace/report.md"
echo "        $workspace/report.html"
