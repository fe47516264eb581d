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
host() {
  local user nice system idle wait irq soft steal name got sent busy all rx=0 tx=0
  read -r _ user nice system idle wait irq soft steal _ </proc/stat
  busy=$((user + nice + system + irq + soft + steal)) all=$((busy + idle + wait))
  while IFS=': ' read -r name got _ _ _ _ _ _ _ sent _; do
    case $got$sent in ''|*[!0-9]*) continue ;; esac
    counts "$name" && rx=$((rx + got)) tx=$((tx + sent))
  done </proc/net/dev
  if [ -n "$all0" ] && [ "$all" -gt "$all0" ] && [ "$now" -gt "$now0" ]; then
    echo "host,$now,$((100 * (busy - busy0) / (all - all0))),$(((rx - rx0) / (now - now0))),$(((tx - tx0) / (now - now0)))"
  fi
  busy0=$busy all0=$all rx0=$rx tx0=$tx now0=$now
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
