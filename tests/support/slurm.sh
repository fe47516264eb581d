#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real Slurm on this machine, of whoever calls it: munged, slurmctld and a slurmd for each node c1 … cN, with folders
# and ports of their own. Programs use it with SLURM_CONF=DIR/slurm.conf.
#   slurm.sh start DIR NODES    slurm.sh stop DIR    slurm.sh ctld DIR start|stop
set -euo pipefail

verb=${1:?} dir=${2:?}
export PATH=$PATH:/usr/sbin:/sbin SLURM_CONF=$dir/slurm.conf

# So many, one a line, below those that the system gives to outgoing connections (from 32768): what else runs on this
# machine would take one of those before Slurm listens.
free_ports() {
  python3 - "$1" <<'EOF'
import random, socket, sys
wanted, kept = int(sys.argv[1]), []
for port in random.sample(range(10000, 32768), 1000):
    kept.append(socket.socket())
    try:
        kept[-1].bind(("0.0.0.0", port))
        print(port)
    except OSError:
        kept.pop()
    if len(kept) == wanted:
        break
EOF
}

write_conf() {
  local nodes=$1 ports
  mapfile -t ports < <(free_ports $((nodes + 1)))
  cat >"$dir/slurm.conf" <<EOF
ClusterName=dlperf
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/ctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/ctld.log
SlurmdLogFile=$dir/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,bf_interval=2,defer_batch
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SlurmdTimeout=120
KillWait=2
OverTimeLimit=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
EOF
  for ((node = 1; node <= nodes; node++)); do
    echo "NodeName=c$node NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=${ports[$node]} CPUs=2 RealMemory=512 State=UNKNOWN"
  done >>"$dir/slurm.conf"
  cat >>"$dir/slurm.conf" <<EOF
PartitionName=main Nodes=ALL Default=YES MaxTime=60 DefaultTime=10 State=UP PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=60 State=UP PriorityTier=9 PreemptMode=OFF
EOF
}

until_true() { # in a minute
  for ((look = 0; look < 300; look++)); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  echo "slurm.sh: not true within 60 s: $*" >&2
  tail -n 5 "$dir"/*.log >&2
  return 1
}

all_idle() { [ "$(sinfo -h -o %T | sort -u)" = idle ]; }

ended() { # the process of a file; killed where it does not end
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || return 0
  for ((look = 0; look < 50; look++)); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null || true
}

start_ctld() {
  slurmctld -f "$SLURM_CONF" >/dev/null 2>&1
  until_true scontrol ping
}

case $verb in
  start)
    nodes=${3:?}
    mkdir -p "$dir"/{munge,state}
    chmod 755 "$dir" "$dir/munge"
    head -c 1024 /dev/urandom >"$dir/munge/key"
    chmod 600 "$dir/munge/key"
    write_conf "$nodes"
    munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
      --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" >/dev/null 2>&1
    start_ctld
    for ((node = 1; node <= nodes; node++)); do
      mkdir -p "$dir/spool.c$node"
      slurmd -f "$SLURM_CONF" -N "c$node" >/dev/null 2>&1
    done
    until_true all_idle
    ;;
  ctld)
    if [ "$3" = stop ]; then ended "$dir/ctld.pid"; else start_ctld; fi
    ;;
  stop)
    scancel --state=PENDING --user="$(id -un)" >/dev/null 2>&1 || true
    scancel --user="$(id -un)" >/dev/null 2>&1 || true
    for file in "$dir"/slurmd.*.pid "$dir/ctld.pid" "$dir/munge/pid"; do  # nothing of them is wanted again
      kill -9 "$(cat "$file")" 2>/dev/null || true
    done
    ;;
esac
