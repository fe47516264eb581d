#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the tar of a folder in a system that has nothing else: unpacks it, runs the bundled plan, writes reports and
# pictures, opens the window without a screen.
# As root, in a system that can be thrown away: packaging/in-bare-system.sh noble dist /src/packaging/test-tar.sh /out
set -euo pipefail
folder=$(readlink -f "${1:?}")
fail() { echo "test-tar: $*" >&2; exit 1; }

apt-get update -qq
apt-get install -qq -y --no-install-recommends xz-utils fontconfig fonts-dejavu-core xvfb xauth xdotool openssh-client >/dev/null
mkdir -p /opt
tar -xf "$folder"/dlperf-dashboard-*.tar.xz -C /opt
programs=$(echo /opt/dlperf-dashboard-*/bin)
missing=$(find /opt -type f \( -name '*.so*' -o -perm -u+x \) ! -name '*_cuda.so' -print0 |
  LD_LIBRARY_PATH=$(dirname "$programs")/lib xargs -0 ldd 2>/dev/null | grep 'not found' | sort -u || true)
[[ -z $missing ]] || fail "libraries are missing: $missing"
"$programs/dlperf" --version
"$programs/dlperf" run /opt/dlperf-dashboard-*/share/dlperf-dashboard/plans/resnet50-this-machine.json --workspace /tmp/workspace
"$programs/dlperf" report --workspace /tmp/workspace -o /tmp/report.pdf
[[ $(head -c 4 /tmp/report.pdf) = %PDF ]] || fail "no PDF"
"$programs/dlperf-dashboard" --workspace /tmp/workspace --screenshots /tmp/pictures
[[ $(find /tmp/pictures -name '*.png' | wc -l) -ge 5 ]] || fail "no pictures"
# shellcheck disable=SC2016  # the inner shell expands it
xvfb-run -a bash -c '
  "$0/dlperf-dashboard" --workspace /tmp/workspace & window=$!
  for ((look = 0; look < 100; look++)); do
    if xdotool search --onlyvisible --pid "$window" >/dev/null 2>&1; then kill "$window"; exit 0; fi
    sleep 0.2
  done
  kill "$window"; exit 1' "$programs" || fail "no window"
echo "the tar runs: plan, report, pictures and window"
