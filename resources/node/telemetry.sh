#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the node does while the trainer runs, once a second, as lines that core/telemetry/samples.h describes, and every
# few seconds what others do there meanwhile. $1 is the wrapper: this ends by itself when that process is gone. Starts no
# process for a look: a sampler that costs CPU time would be measured too.
LC_ALL=C
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
    # A bond counts what its interfaces do, and they what the networks (eth0.7) on them do.
    *) [ "$1" = "$DLPERF_INTERFACE" ] ||
      { [ -z "$DLPERF_INTERFACE" ] && [ "$1" = "${1%.*}" ] && [ ! -e "/sys/class/net/$1/bonding" ]; } ;;
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

# plain NAME: sets name to it, without what could be taken for anything but a name
plain() {
  name=${1:0:32}
  name=${name//[!A-Za-z0-9._+:@ -]/?}
}
# number HOW FILE...: sets number to the sum, mean or most of what the files hold; to nothing where none holds a number
number() {
  local how=$1 file one count=0
  number=
  shift
  for file; do
    one=
    { read -r one <"$file"; } 2>/dev/null
    case $one in ''|*[!0-9]*) continue ;; esac
    count=$((count + 1))
    if [ "$how" != most ]; then number=$((number + one)); elif [ "$one" -gt "${number:--1}" ]; then number=$one; fi
  done
  [ "$how" != mean ] || [ "$count" -eq 0 ] || number=$((number / count))
}
# ours PID: it inherited the run's id; sets told to yes where there is an environment to tell by
ours() {
  local variable
  told=
  {
    while IFS= read -rd '' variable; do
      told=yes
      [ "$variable" != "DLPERF_RUN_ID=$DLPERF_RUN_ID" ] || return 0
    done <"/proc/$1/environ"
  } 2>/dev/null
  return 1
}
# Of all processes: own, the user time of the run's, with their children that ended; largest, the pages in memory of its
# largest; calls, the system time of others since the last look, and took, all their time, by name. The kernel's threads
# are nobody's: they work for the run, too.
declare -A start0 name0 member ticks0 calls0 took  # by pid, but for took
count_processes() {
  local pid stat ticks name told
  own=0 largest=0 calls=0 took=()
  if [ "${#start0[@]}" -gt 50000 ]; then start0=() name0=() member=() ticks0=() calls0=() all0s=""; fi  # most of them are gone
  for pid in /proc/[0-9]*; do
    pid=${pid#/proc/} stat=
    { IFS= read -rd '' stat <"/proc/$pid/stat"; } 2>/dev/null
    name=${stat#*(} name=${name%)*}
    set -- ${stat##*) }
    [ $# -gt 21 ] && [ $(($7 & 0x200000)) -eq 0 ] || continue  # the flag of the kernel's threads
    if [ "${start0[$pid]}" != "${20}" ]; then
      start0[$pid]=${20} name0[$pid]='' member[$pid]=no ticks0[$pid]=0 calls0[$pid]=0
    fi
    # Before its exec a process of the run looks like what started it, and during it has no environment: so each is asked
    # twice.
    if [ "${member[$pid]}" = no ] && [ "${name0[$pid]}" != ".$name" ]; then
      if [ "${member[$2]}" = yes ] || ours "$pid"; then
        member[$pid]=yes
      elif [ "${name0[$pid]}" = "?$name" ]; then
        name0[$pid]=.$name
      else
        name0[$pid]="?$name"
        [ -n "$told" ] || { ticks0[$pid]=$((${12} + ${13})) calls0[$pid]=${13}; continue; }
      fi
    fi
    if [ "${member[$pid]}" = yes ]; then
      own=$((own + ${12} + ${14}))
      [ "${22}" -le "$largest" ] || largest=${22}
      [ "$pid" != $$ ] || spent=$((${12} + ${13}))
      continue
    fi
    ticks=$((${12} + ${13} - ticks0[$pid]))
    [ "$ticks" -gt 0 ] || continue
    plain "$name"
    took[.$name]=$((${took[.$name]:-0} + ticks)) calls=$((calls + ${13} - calls0[$pid]))
    ticks0[$pid]=$((${12} + ${13})) calls0[$pid]=${13}
  done
}
# cores TICKS: sets cores to how many processors were busy with them since the last look
cores() {
  local hundredths=$(($1 > 0 ? 100 * $1 * processors / ticks : 0))
  printf -v cores '%d.%02d' $((hundredths / 100)) $((hundredths % 100))
}
# User time that /proc/stat has and no process of the run is that of others, also where those are not seen: in a container.
others() {
  local user nice system idle wait irq soft steal all code own largest calls throttles ticks name busiest='' most=0 number cores line
  read -r _ user nice system idle wait irq soft steal _ </proc/stat
  count_processes
  number sum "${throttle_counts[@]}"
  all=$((user + nice + system + idle + wait + irq + soft + steal)) code=$((user + nice - own)) throttles=$number
  if [ -n "$all0s" ] && [ "$all" -gt "$all0s" ]; then
    for name in "${!took[@]}"; do
      [ "${took[$name]}" -le "$most" ] || most=${took[$name]} busiest=${name#.}
    done
    ticks=$((all - all0s))
    cores $((code - code0 + calls)); line=cpu,$now,$processors,$cores
    cores $((steal - steal0)); line=$line,$cores
    number mean "${clocks[@]}"; line=$line,${number:+$((number / 1000))}
    number most "${heats[@]}"; line=$line,${number:+$((number / 1000))},${throttles:+$((throttles - throttles0))}
    cores "$most"; echo "$line,$cores,$busiest"
    [ "$largest" -eq 0 ] || echo "memory,$now,$((largest * page / 1048576))"
  fi
  all0s=$all code0=$code steal0=$steal throttles0=$throttles
}
# Where the kernel tells clocks, temperatures and throttling: of eight processors at most, for an old one takes its time.
processors=0 clocks=() heats=() spent=0 page=$(getconf PAGE_SIZE 2>/dev/null)
case $page in ''|*[!0-9]*) page=4096 ;; esac
while read -r name _; do case $name in cpu[0-9]*) processors=$((processors + 1)) ;; cpu) ;; *) break ;; esac; done </proc/stat
files=(/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq)
for ((i = 0; i < ${#files[@]}; i += (${#files[@]} + 7) / 8)); do clocks+=("${files[i]}"); done
for sensor in /sys/class/hwmon/hwmon*; do
  { read -r name <"$sensor/name"; } 2>/dev/null || continue
  case $name in coretemp|k10temp|zenpower|cpu_thermal) heats+=("$sensor/temp1_input") ;; esac
done
throttle_counts=(/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count)

exec {never}<> <(:)
gpus='' apps=''
if command -v nvidia-smi >/dev/null 2>&1; then
  reasons=clocks_event_reasons.active
  timeout 10 nvidia-smi --query-gpu=$reasons --format=csv,noheader >/dev/null 2>&1 || reasons=clocks_throttle_reasons.active
  fields=index,utilization.gpu,clocks.sm,power.draw,temperature.gpu,$reasons,memory.used,memory.total
  case $DLPERF_DEVICE_LIST in ''|*[!0-9,]*) only= ;; *) only="-i $DLPERF_DEVICE_LIST" ;; esac
  lines=; command -v stdbuf >/dev/null 2>&1 && lines='stdbuf -oL'
  # It ends by its next line once nobody reads.
  exec {gpus}< <(exec $lines nvidia-smi $only --query-gpu=$fields --format=csv,noheader,nounits -l 1 2>/dev/null)
  # Left running it would print nothing, and not end, as long as nobody uses a GPU. It tells pids of the whole machine.
  read -r name </proc/2/comm
  [ "$name" != kthreadd ] || exec {apps}< <(
    timeout 10 nvidia-smi $only --query-gpu=index,uuid --format=csv,noheader
    while alive; do
      timeout 10 nvidia-smi $only --query-compute-apps=gpu_uuid,pid --format=csv,noheader
      for ((nap = 0; nap < 30; nap++)); do alive || exit; read -rt 1 -u "$never" _; done
    done
  ) 2>/dev/null
fi
# Processes on a GPU that are not of the run; what lets several share one is nobody's.
declare -A index_of  # GPUs by UUID
neighbours() {
  local one other name
  while [ -n "$apps" ] && read -t 0 -u "$apps"; do
    IFS=', ' read -rt 1 -u "$apps" one other || { apps=; return; }
    case $one,$other in  # "0, GPU-3f2a" or "GPU-3f2a, 4711"
      *,*[!A-Za-z0-9-]*|*[!A-Za-z0-9-]*,*|,*|*,) continue ;;
      [0-9]*,[A-Z]*) index_of[$other]=$one; continue ;;
    esac
    [ -n "${index_of[$one]}" ] && [ "${member[$other]}" != yes ] && { read -r name <"/proc/$other/comm"; } 2>/dev/null || continue
    ours "$other" && continue
    plain "$name"
    case $name in nvidia-cuda-mps*) ;; *) echo "app,$now,${index_of[$one]},$name" ;; esac
  done
}
# Where there are thousands of processes this takes no more than a percent of a processor, a tick a second.
look_around() {
  others
  [ "$began" -gt 0 ] || began=$((now - spent))
  look_at=$((began + spent))
  [ "$look_at" -gt $((now + 1)) ] || look_at=$((now + 2))
  [ "$look_at" -lt $((now + 30)) ] || look_at=$((now + 30))
}
heard='' look_at=0 began=0 SECONDS=0
while [ "$SECONDS" -lt 1000000 ] && alive; do  # a round is a line of one GPU: they count nothing
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
  [ "$now" = "$heard" ] || { heard=$now; host; neighbours; }
  [ "$now" -lt "$look_at" ] || look_around
done
