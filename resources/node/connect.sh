#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reach INDEX ADDRESS PORT SSH_PORT prints lines "link", "way" and "ssh", each in one piece, for many run at once. The
# calls stand behind.
exec 2>/dev/null
export LC_ALL=C
# bash reads ~/.bashrc where sshd started it and it is no deeper than this, and what that prints is not the word.
export SHLVL=2
one_line() { printf %s "$1" | tail -c 300 | tr '\n\r' '  '; }
way() {
  case $2 in *[!0-9.]*) address=$(getent ahosts "$2" | sed -n '1s/ .*//p');; *) address=$2;; esac
  device=$(ip -o route get "${address:-$2}" | sed -n '1s/.* dev \([^ ]*\).*/\1/p')
  [ -z "$device" ] || printf 'way %s %s\n' "$1" "$device"
}
connect() {
  said=$(timeout 10 bash -c 'exec 3<>"/dev/tcp/$1/$2" && read -r word <&3 && printf "%s\n" "$word"' link "$2" "$3" 2>&1)
  printf 'link %s %s %s\n' "$1" "$?" "$(one_line "$said")"
}
try_ssh() {
  # As a launcher would, after the node's setup (set before): it may name another ssh.
  said=$(timeout 15 bash -c 'eval "$node_setup" >/dev/null 2>&1; exec ssh -o BatchMode=yes -o ConnectTimeout=5 -p "$1" -- "$2" true' \
    ssh "$3" "$2" </dev/null 2>&1)
  printf 'ssh %s %s %s\n' "$1" "$?" "$(one_line "$said")"
}
reach() {
  way "$1" "$2"
  [ "$3" = 0 ] || connect "$1" "$2" "$3"
  [ "$4" = 0 ] || try_ssh "$1" "$2" "$4"
}
