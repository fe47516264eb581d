#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The time until 64 nodes are reached: `dlperf check --reachable` beside `pdsh -f 64` and, where it is, `clush -f 64` (Debian
# packages pdsh and clustershell) that run a word on the same nodes, in turns (A-B-A), as medians and their ratio. All read
# the same SSH configuration and log in with the same key; every node must answer all, every time. Each node is an sshd of its own on an
# own address (127.1.0.1 and on), as on 64 machines: none of them limits what the others let in at once. The
# home there is empty: what the user's shell files do at a login would count for both. With more than 64 nodes
# the first 64 are reached in the same turns too: more nodes may take no more time each.
# Usage: bench/remote/reach.sh [BUILD [ROUNDS [NODES]]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../build}
rounds=${2:-5}
nodes=${3:-64}
port=2299
most=0.5

command -v pdsh >/dev/null && pdsh -L 2>/dev/null | grep -q rcmd/ssh || { echo "missing: pdsh with ssh (apt-get install pdsh)" >&2; exit 2; }
[ -x /usr/sbin/sshd ] || { echo "missing: sshd (apt-get install openssh-server)" >&2; exit 2; }
[ -x "$build/bin/dlperf" ] || { echo "not built: $build/bin/dlperf" >&2; exit 2; }

folder=$(mktemp -d)
stop() {
  local file
  for file in "$folder"/pid.*; do kill "$(cat "$file")" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap stop EXIT

address() { echo "127.1.$((($1 - 1) / 250)).$((($1 - 1) % 250 + 1))"; }

ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
ssh-keygen -q -t ed25519 -N '' -f "$folder/login"
cat >"$folder/sshd_config" <<END
Port $port
HostKey $folder/host
AuthorizedKeysFile $folder/login.pub
StrictModes no
UsePAM no
PermitRootLogin yes
SetEnv HOME=$folder/home
END
cat >"$folder/config" <<END
Host 127.1.*
  Port $port
  IdentityFile $folder/login
  UserKnownHostsFile $folder/known_hosts
  GlobalKnownHostsFile /dev/null
Include /etc/ssh/ssh_config
END
mkdir "$folder/bin" "$folder/home"
printf '#!/bin/sh\nexec /usr/bin/ssh -F %s "$@"\n' "$folder/config" >"$folder/bin/ssh"
chmod +x "$folder/bin/ssh"
export PATH="$folder/bin:$PATH"
unset SSH_AUTH_SOCK

mkdir -p /run/sshd 2>/dev/null || true
for ((i = 1; i <= nodes; ++i)); do
  /usr/sbin/sshd -f "$folder/sshd_config" -o "ListenAddress=$(address "$i")" -o "PidFile=$folder/pid.$i" -E "$folder/log.$i"
  echo "[$(address "$i")]:$port $(cut -d' ' -f1,2 "$folder/host.pub")" >>"$folder/known_hosts"
done
all=$(for ((i = 1; i <= nodes; ++i)); do address "$i"; done | paste -sd,)
few=64
write_cluster() {
  echo '{"name": "bench", "nodes": ['
  for ((i = 1; i <= $1; ++i)); do
    printf '%s{"name": "node%d", "host": "%s"}\n' "$([ "$i" = 1 ] || echo ,)" "$i" "$(address "$i")"
  done
  echo ']}'
}
write_cluster "$nodes" >"$folder/cluster.json"
write_cluster "$few" >"$folder/few.json"
for ((i = 1; i <= nodes; ++i)); do  # until all listen
  for _ in $(seq 100); do (: >"/dev/tcp/$(address "$i")/$port") 2>/dev/null && break; sleep 0.05; done
done

# Each says how many nodes it reached on its last line.
reached_in() { "$build/bin/dlperf" check "$folder/$1.json" --reachable | grep -o '^[0-9]* of' | cut -d' ' -f1; }
dlperf() { reached_in cluster; }
few() { reached_in few; }
pdsh() { command pdsh -f "$nodes" -R ssh -w "$all" echo here 2>>"$folder/errors" | grep -c ': here$'; }

clush() { command clush -q -f "$nodes" -w "$all" echo here 2>>"$folder/errors" | grep -c ': here$'; }
peers=(pdsh)
[ "$nodes" -le "$few" ] || peers+=(few)
if command -v clush >/dev/null; then peers+=(clush); fi

# Seconds that the program takes, or the end where it missed a node.
time_of() {
  local begin=$EPOCHREALTIME reached
  reached=$("$1" || true)
  local end=$EPOCHREALTIME
  local all=$nodes
  [ "$1" != few ] || all=$few
  [ "$reached" = "$all" ] || { echo "$1 reached ${reached:-none} of $all" >&2; cat "$folder/errors" >&2; exit 1; }
  awk -v begin="$begin" -v end="$end" 'BEGIN {print end - begin}'
}

touch "$folder/errors"
for program in dlperf "${peers[@]}"; do time_of "$program" >/dev/null; done  # unmeasured: caches of files
for ((round = 0; round < rounds; ++round)); do
  for program in dlperf "${peers[@]}" dlperf; do
    time=$(time_of "$program")
    echo "$program $time" >>"$folder/times"
  done
done

# Of a program's times; empty where it did not run.
median() { grep "^$1 " "$folder/times" | cut -d' ' -f2 | sort -n | awk '{a[NR] = $1} END {if (NR) print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2}'; }
awk -v nodes="$nodes" -v rounds="$rounds" -v most="$most" -v few="$few" -v ours="$(median dlperf)" -v theirs="$(median pdsh)" \
  -v clush="$(median clush || true)" -v of_few="$(median few || true)" 'BEGIN {
  printf "%d nodes reached, median of %d (dlperf: %d)\n", nodes, rounds, rounds * 2
  printf "dlperf check --reachable %6.2f s\npdsh -f %-16d %6.2f s\n", ours, nodes, theirs
  if (clush != "") printf "clush -f %-15d %6.2f s\n", nodes, clush
  printf "ratio %.2f, at most %.2f wanted\n", ours / theirs, most
  slow = ours / theirs > most
  if (of_few != "") {
    printf "%d of them %.2f s: %.1f times as many take %.1f times as long\n", few, of_few, nodes / few, ours / of_few
    slow = slow || ours / of_few > nodes / few
  }
  exit slow
}'
