#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Asks a node what it is, with what every Linux has (sh, sed, df, /proc, /sys); timeout bounds a driver that hangs. Each
# answer stands below a line "@@ name". Set before: work and data (folders), count_data, setup_script (for bash); home,
# cpu_quota.
# shellcheck disable=SC2154  # what is set before
exec 2>/dev/null
export LC_ALL=C
say() { printf '@@ %s\n' "$1"; }
say host; hostname || cat /proc/sys/kernel/hostname
say machine; cat /proc/sys/kernel/random/boot_id && readlink /proc/self/ns/net
say system; [ ! -r /etc/os-release ] || . /etc/os-release; echo "$PRETTY_NAME"
say kernel; uname -r
say processor; sed -n 's/^model name[^:]*: *//p;s/^Model[^:]*: *//p' /proc/cpuinfo | sed -n 1p
say cores; env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc
say cpu_quota; cpu_quota
say numa; ls -d /sys/devices/system/node/node[0-9]* | wc -l
say governor; cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
say load; cut -d' ' -f1 /proc/loadavg
say memory_kib; sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo
say shm_kib; df -Pk /dev/shm | sed -n '2s/[^ ]* *\([0-9]*\).*/\1/p'
say memlock
# shellcheck disable=SC3045  # dash has it, and bash
ulimit -l
say own_addresses; getent ahosts "$(hostname || cat /proc/sys/kernel/hostname)" | sed 's/ .*//'
say interfaces
for path in /sys/class/net/*; do
  name=${path##*/}
  kind=device; case $(readlink -f "$path") in */virtual/*) kind=virtual;; esac
  speed=$(cat "$path/speed"); state=$(cat "$path/operstate")
  where=$(ip -o addr show dev "$name" | sed -n 's/.* inet6* \([^ ]*\).*/\1/p' | tr '\n' ' ')
  printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$kind" "${speed:-0}" "${state:-unknown}" "$where"
done
say infiniband
for path in /sys/class/infiniband/*/ports/1; do
  [ -e "$path/state" ] || continue
  card=${path%/ports/1}
  echo "${card##*/}: $(cat "$path/state"), $(cat "$path/rate")"
done
say infiniband_without_driver
for card in /sys/class/infiniband/*; do
  [ -e "$card/device/driver" ] || continue
  driver=$(readlink -f "$card/device/driver"); driver=${driver##*/}; driver=${driver%_core}; driver=${driver%_ib}
  for file in /etc/libibverbs.d/"$driver".driver /usr/lib*/libibverbs/lib"$driver"-* /usr/lib/*/libibverbs/lib"$driver"-*; do
    [ -e "$file" ] && continue 2
  done
  echo "${card##*/}"
done
if command -v nvidia-smi >/dev/null; then
  ask() { timeout 20 nvidia-smi "$@"; }
  say gpus; ask --query-gpu=uuid,driver_version,memory.total,clocks.max.sm,ecc.mode.current,mig.mode.current,persistence_mode,name --format=csv,noheader
  say gpu_processes; ask --query-compute-apps=gpu_uuid,pid,process_name --format=csv,noheader
  say topology; ask topo -m
  say driver_cuda; ask | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' | sed -n 1p
fi
say nvcc
for nvcc in nvcc /usr/local/cuda/bin/nvcc; do
  command -v "$nvcc" >/dev/null && "$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p' && break
done
version() { ldconfig -p | sed -n "s|.*=> \(.*/$1\)\$|\1|p" | sed -n 1p | while read -r file; do
  readlink -f "$file" | sed 's/.*\.so\.//'; done; }
say nccl; version 'libnccl\.so\.2'
say cudnn; version 'libcudnn\.so\.[0-9]*'
work=$(home "$work"); data=$(home "$data")
say work_dir; echo "$work"
say data_dir; echo "$data"
there=$work; while [ ! -d "$there" ] && [ "$there" != / ] && [ -n "$there" ]; do there=$(dirname "$there"); done
say work_writable; [ -w "$there" ] && echo yes
say free_kib; df -Pk "$there" | sed -n '2s/[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p'
say data_missing; [ -z "$data" ] || [ -d "$data" ] || echo yes
say data_empty; [ -z "$data" ] || [ ! -r "$data" ] || [ -n "$(find -L "$data/" -mindepth 1 -maxdepth 1 | head -n 1)" ] || echo yes
# A count that is not finished in its time is none; one that met folders closed to the user is one.
count() {
  all=$(timeout 10 find -L "$data/" "$@" -printf .); code=$?
  [ "$code" -eq 0 ] || { [ "$code" -lt 124 ] && [ -n "$all" ]; } && printf '%s' "$all" | wc -c
}
if [ -n "$count_data" ] && [ -n "$data" ] && [ -d "$data" ]; then
  say data_entries; count -mindepth 1 -maxdepth 1
  say data_files; count -type f
fi
# The exit code is the setup's where that fails.
said=$(timeout 90 bash -c "$setup_script" </dev/null 2>&1) || { say setup_failed; echo yes; say setup_said; printf '%s\n' "$said" | tail -n 1; }
sent() { printf '%s\n' "$said" | sed -n "s/^@$1 *//p"; }
say commands_looked_for; printf '%s\n' "$said" | grep -qx @looked && echo yes
say missing_commands; sent missing
say python; sent python
say end
