#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cpu_quota prints how many processors the control group of this process, or one around it, may keep busy: "2.50"; nothing
# where none has a limit. In a container the groups around it are not seen, and its own one stands at the root.
# Tests set cgroups and own_groups.
# shellcheck disable=SC2154  # what is set before
cpu_quota() {
  lowest=
  while IFS=: read -r _ controllers group; do
    mount=${cgroups:-/sys/fs/cgroup}
    case ",$controllers," in ,,) ;; *,cpu,*) mount=$mount/cpu ;; *) continue ;; esac
    case $group in */..*) group= ;; esac
    group=${group%/}
    while :; do
      quota='' period=''
      if [ -r "$mount$group/cpu.max" ]; then
        read -r quota period <"$mount$group/cpu.max"
      elif [ -r "$mount$group/cpu.cfs_quota_us" ]; then
        read -r quota <"$mount$group/cpu.cfs_quota_us"
        read -r period <"$mount$group/cpu.cfs_period_us"
      fi
      case $quota,$period in
        ,*|*,|*[!0-9,]*|*,0) ;;
        *) hundredths=$((100 * quota / period))
          if [ -z "$lowest" ] || [ "$hundredths" -lt "$lowest" ]; then lowest=$hundredths; fi ;;
      esac
      [ -n "$group" ] || break
      group=${group%/*}
    done
  done <"${own_groups:-/proc/self/cgroup}"
  [ -z "$lowest" ] || printf '%d.%02d\n' $((lowest / 100)) $((lowest % 100))
}
