#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command as root in a bare Debian 12 or Ubuntu 24.04, made by debootstrap for the first time and copied for each
# run; what it writes below /out there is in FOLDER afterwards. /src there has the last commit. Needs root, debootstrap.
# Usage: packaging/in-bare-system.sh bookworm|noble FOLDER COMMAND...
set -euo pipefail
suite=${1:?} out=$(readlink -f "$2")
shift 2
source=$(dirname "$(dirname "$(readlink -f "$0")")")
bare=${XDG_CACHE_HOME:-$HOME/.cache}/dlperf/bare/$suite

if [[ ! -e $bare.made ]]; then
  rm -rf "$bare"
  mkdir -p "$bare"
  case $suite in
    bookworm) debootstrap --variant=minbase bookworm "$bare" http://deb.debian.org/debian ;;
    noble) # named as a script of Ubuntu's that every debootstrap has
      debootstrap --variant=minbase --components=main,universe noble "$bare" http://archive.ubuntu.com/ubuntu gutsy ;;
    *) echo "$0: no suite $suite" >&2; exit 2 ;;
  esac >"$bare.log" 2>&1 || { tail -n 5 "$bare.log" >&2; exit 1; }
  touch "$bare.made"
fi

scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
cp -a --reflink=auto "$bare" "$scratch/system"
git clone -q "$source" "$scratch/system/src"
mkdir -p "$scratch/system/out" "$out"
cp -L /etc/resolv.conf /etc/hosts "$scratch/system/etc/"
if [[ -d /usr/local/share/ca-certificates ]]; then # of a network that has its own
  mkdir -p "$scratch/system/usr/local/share"
  cp -a /usr/local/share/ca-certificates "$scratch/system/usr/local/share/"
fi
# Its mounts and processes end with it.
# shellcheck disable=SC2016  # the inner shell expands it
unshare --mount --pid --fork --kill-child bash -c '
  system=$0 out=$1
  shift
  mount --make-rprivate /
  mount -t proc proc "$system/proc"
  mount --rbind /dev "$system/dev"
  mount --rbind /sys "$system/sys"
  mount --bind "$out" "$system/out"
  exec chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' "$scratch/system" "$out" "$@"
