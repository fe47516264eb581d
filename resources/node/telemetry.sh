#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the node does while the trainer runs, once a second, as lines that core/telemetry/samples.h describes. $1 is the
# wrapper: this ends by itself when that process is gone. Starts no process for a look: a sampler that costs CPU time
# would be measured too.
# life PID: sets begun to when it started; fails when it is gone or a zombie.
life() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${stat##*) }
  begun=${20}
  [ "$1" != Z ]
}
life "$1" || exit 0
supervisor=$1 since=$begun
alive() { life "$supervisor" && [ "$begun" = "$since" ]; }

counts() {  # an interface: the one that is to be used, else those that are no virtual ones
  case $1 in
    lo|docker*|veth*|virbr*|br-*|cni*|flannel*) [ "$1" = "$DLPERF_INTERFACE" ] ;;
    *) [ -z "$DLPERF_INTERFACE" ] || [ "$1" = "$DLPERF_INTERFACE" ] ;;
  esac
}
# link NAME RECEIVED SENT: bytes so far; a line once any have come or gone
declare -A received0 sent0 used
link() {
  local received=$(($2 - ${received0[$1]:-$2})) sent=$(($3 - ${sent0[$1]:-$3}))
  received0[$1]=$2 sent0[$1]=$3
  rx=$((rx + received)) tx=$((tx + sent))
  [ "$seconds" -gt 0 ] || return
  [ $((received + sent)) -eq 0 ] || used[$1]=yes
  [ -z "${used[$1]}" ] || echo "link,$now,$1,$((received / seconds)),$((sent / seconds))"
}
# What goes by RDMA passes the kernel by: only the card counts it, in words of four bytes.
rdma() {
  local port card got sent
  for port in /sys/class/infiniband/*/ports/*; do
    card=${port#/sys/class/infiniband/}
    case $DLPERF_RDMA in ''|"${card%%/*}"|"${card%%/*}":*) ;; *) continue ;; esac
    { read -r got <"$port/counters/port_rcv_data" && read -r sent <"$port/counters/port_xmit_data"; } 2>/dev/null || continue
    link "${card%%/*}:${port##*/}" $((4 * got)) $((4 * sent))
  done
}
host() {
  local user nice system idle wait irq soft steal name got sent busy all rx=0 tx=0 seconds=$((now0 ? now - now0 : 0))
  read -r _ user nice system idle wait irq soft steal _ </proc/stat
  busy=$((user + nice + system + irq + soft + steal)) all=$((busy + idle + wait))
  while IFS=': ' read -r name got _ _ _ _ _ _ _ sent _; do
    case $got$sent in ''|*[!0-9]*) continue ;; esac
    counts "$name" && link "$name" "$got" "$sent"
  done </proc/net/dev
  if [ "$seconds" -gt 0 ] && [ "$all" -gt "$all0" ]; then
    echo "host,$now,$((100 * (busy - busy0) / (all - all0))),$((rx / seconds)),$((tx / seconds))"
  fi
  rdma
  busy0=$busy all0=$all now0=$now
}

gpus=
if command -v nvidia-smi >/dev/null 2>&1; then
  reasons=clocks_event_reasons.active
  timeout 10 nvidia-smi --query-gpu=$reasons --format=csv,noheader >/dev/null 2>&1 || reasons=clocks_throttle_reasons.active
  fields=index,utilization.gpu,clocks.sm,power.draw,temperature.gpu,$reasons,memory.used,memory.total
  case $DLPERF_DEVICE_LIST in ''|*[!0-9,]*) only= ;; *) only="-i $DLPERF_DEVICE_LIST" ;; esac
  lines=; command -v stdbuf >/dev/null 2>&1 && lines='stdbuf -oL'
  # It ends by its next line once nobody reads.
  exec {gpus}< <(exec $lines nvidia-smi $only --query-gpu=$fields --format=csv,noheader,nounits -l 1 2>/dev/null)
fi
exec {never}<> <(:)
round=0 heard=
while [ "$round" -lt 1000000 ] && alive; do
  if [ -n "$gpus" ]; then
    line=
    read -rt 3 -u "$gpus" line
    code=$?
    [ "$code" -le 128 ] && [ -z "$line" ] && gpus=  # it ended
  else
    read -rt 1 -u "$never" line
    [ $? -gt 128 ] || sleep 1
    line=
  fi
  printf -v now '%(%s)T' -1
  [ -z "$line" ] || echo "gpu,$now,$line"
  [ "$now" = "$heard" ] || { heard=$now; host; }
  round=$((round + 1))
done
