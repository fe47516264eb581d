#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For trainers whose framework starts no processes itself: they are started in the background and added to `jobs`. However
# launch.sh ends, all of them end with it.
set -m # each leads a group: processes that decode images end with their trainer
jobs=()
end_signal=${end_signal:-TERM}
end_jobs() {
  for job in "${jobs[@]}"; do kill -s "$end_signal" -- "-$job" 2>/dev/null || true; done
  wait 2>/dev/null
}
trap end_jobs EXIT
trap 'exit 143' TERM INT

# Returns once all have ended well; the first that fails ends this script with its exit code.
wait_for_jobs() {
  local running=("${jobs[@]}") index
  while [ "${#running[@]}" -gt 0 ]; do
    sleep 0.2
    for index in "${!running[@]}"; do
      kill -0 "${running[index]}" 2>/dev/null && continue
      wait "${running[index]}" || exit
      unset "running[index]"
    done
  done
}

# The number behind a host's name.
address() {
  "$DLPERF_PYTHON" -c 'import socket, sys; print(socket.gethostbyname(sys.argv[1]))' "$1"
}
