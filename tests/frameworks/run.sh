#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains bundled recipes for real, as a user would: prepare, run, report; then holds every figure against a computation
# from the log, looks whether losses fall and whether all ranks end with the same weights, and that nothing is left.
#   tests/frameworks/run.sh [--nodes] [--launcher NAME] [--cancel] [--cancel-prepare] [--bin DIR] [--keep DIR] RECIPE...
# --nodes: on two machines made of network namespaces, over SSH, without a way to any package index (needs root).
# --launcher: the recipes' option of that name; the machines let each other in, as mpirun needs it.
# --cancel: cancels runs instead, as Ctrl-C does, at each moment of theirs, and looks what they leave: see cancel.py.
# --cancel-prepare: so it does with preparations, in an empty work folder, of recipes that have packages of their own.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

bin=build/bin keep="" nodes=false launcher="" cancel=() recipes=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --nodes) nodes=true ;;
    --launcher) launcher=$2; shift ;;
    --cancel) cancel+=(run) ;;
    --cancel-prepare) cancel+=(prepare) ;;
    --bin) bin=$2; shift ;;
    --keep) keep=$2; shift ;;
    -*) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
    *) recipes+=("$1") ;;
  esac
  shift
done
[[ ${#recipes[@]} -gt 0 ]] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }

scratch=$(mktemp -d)
machines=("dlpf0-$$" "dlpf1-$$") bridge=dlpf-$$ subnet=10.213.$(($$ % 256))  # others may test here too
# Their keys are new each time.
forget_machines() {
  local i
  for i in "${!machines[@]}"; do ssh-keygen -R "[$subnet.$((i + 1))]:2222" >/dev/null 2>&1 || true; done
}
clean() {
  if $nodes; then
    for pid in "$scratch"/*/sshd.pid; do [[ ! -f $pid ]] || kill "$(cat "$pid")" 2>/dev/null || true; done
    for machine in "${machines[@]}"; do
      ip netns pids "$machine" 2>/dev/null | xargs -r kill 2>/dev/null || true  # sessions outlive the service
      ip netns del "$machine" 2>/dev/null || true
    done
    ip link del "$bridge" 2>/dev/null || true
    forget_machines
  fi
  [[ -n $keep ]] || rm -rf "$scratch/workspace"
  rm -rf "$scratch"
}
trap clean EXIT
workspace=${keep:-$scratch/workspace}

# Two machines that reach each other and this one, and nothing else.
make_machines() {
  forget_machines
  ssh-keygen -q -t ed25519 -N '' -f "$scratch/key"
  mkdir "$scratch/bin"
  printf '#!/bin/sh\nexec /usr/bin/ssh -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "$@"\n' \
    "$scratch/key" >"$scratch/bin/ssh"
  chmod +x "$scratch/bin/ssh"
  ip link add "$bridge" type bridge
  ip addr add "$subnet.254/24" dev "$bridge"
  ip link set "$bridge" up
  local list="" i=0 machine folder environment=""
  if [[ ${#cancel[@]} -gt 0 ]]; then environment=", \"env\": {\"PYTHONPATH\": \"$scratch/slow\"}"; fi  # see cancel.py
  for machine in "${machines[@]}"; do
    folder=$scratch/$machine work=$scratch/$machine/dlperf
    if [[ -n $launcher ]]; then work=$scratch/dlperf; fi  # at one place on all nodes
    mkdir -p "$folder"
    ip netns add "$machine"
    ip link add "$machine" type veth peer name eth0 netns "$machine"
    ip link set "$machine" master "$bridge" up
    ip -n "$machine" addr add "$subnet.$((i + 1))/24" dev eth0
    ip -n "$machine" link set eth0 up
    ip -n "$machine" link set lo up
    ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
    mkdir -p /run/sshd
    ip netns exec "$machine" /usr/sbin/sshd -f /dev/null -h "$folder/host" -o "PidFile=$folder/sshd.pid" -p 2222 \
      -o "AuthorizedKeysFile=$scratch/key.pub" -o StrictModes=no -o PermitRootLogin=yes -o UsePAM=no \
      -o 'Subsystem=sftp internal-sftp' -E "$folder/sshd.log"
    list+="${list:+,}{\"name\": \"node$i\", \"host\": \"$subnet.$((i + 1))\", \"port\": 2222, \"user\": \"root\", \"devices\": 1,
      \"identity_file\": \"$scratch/key\", \"work_dir\": \"$work\", \"interface\": \"eth0\",
      \"setup\": \"export PATH=$scratch/bin:\$PATH\"$environment}"
    i=$((i + 1))
  done
  printf '{"name": "two machines", "nodes": [%s]}\n' "$list" >"$scratch/cluster.json"
}

topologies='["1n1g", "1n2g"]' where=()
if $nodes; then
  make_machines
  topologies='["1n1g", "2n1g"]' where=(--cluster "$scratch/cluster.json" --accept-new)
fi

quoted=$(printf '"%s", ' "${recipes[@]}")
options=$(printf '"%s": {"image_size": "64", "classes": "100", "backend": "cpu"'"${launcher:+, \"launcher\": \"$launcher\"}"'}, ' \
  "${recipes[@]}")
cat >"$scratch/plan.json" <<PLAN
{"name": "frameworks", "recipes": [${quoted%, }], "topologies": $topologies, "batch_sizes": [4], "warmup": 2, "train": 10,
 "timeout_s": 600, "options": {${options%, }}}
PLAN
export FRAMEWORKS_TEST=$scratch  # by which processes.py knows what is started from here on
nothing_is_left() { python3 tests/frameworks/processes.py "$scratch" || { echo "processes are left" >&2; return 1; }; }

failed=0
for what in "${cancel[@]}"; do
  if [[ $what = run ]]; then "$bin/dlperf" prepare "$scratch/plan.json" "${where[@]}"; fi
  python3 tests/frameworks/cancel.py "$what" "$bin/dlperf" "$scratch" "${where[@]}" || failed=1
done
if [[ ${#cancel[@]} -gt 0 ]]; then nothing_is_left; exit "$failed"; fi

"$bin/dlperf" prepare "$scratch/plan.json" "${where[@]}"
"$bin/dlperf" run "$scratch/plan.json" --workspace "$workspace" "${where[@]}"
"$bin/dlperf" report --workspace "$workspace" -o "$scratch/report.json"
python3 tests/frameworks/check.py "$workspace" "$scratch/report.json" 2 10
nothing_is_left
