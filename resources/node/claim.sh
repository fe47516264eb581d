#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Takes the node for a run: see claimScript().
# shellcheck disable=SC2154  # what is set before
for tool in bash setsid grep sed stat timeout sha256sum; do
  command -v "$tool" >/dev/null 2>&1 || { echo "$tool"; exit 76; }
done
mkdir -p "$work/locks" "${folder%/*}" || exit 1
taken() { echo "$1"; echo "folder $work/runs/$1/$node"; exit 75; }
# fresh FILE: changed within a minute by the clock that stamps files there; a stamp of the future says nothing.
fresh() {
  changed=$(stat -c %Y "$1" 2>/dev/null) || return 1
  age=$((now - changed))
  [ "$age" -gt -60 ] && [ "$age" -lt 60 ]
}
# A lock is stale when its run is over: the trainer is dead, no process of the run is left (one that another node's
# launcher started here has no identity file), and for a minute nothing has happened: a runner at work touches it.
busy() {
  theirs=$work/runs/$1/$node
  read -r pid start boot <"$theirs/identity" 2>/dev/null && alive "$pid" "$start" "$boot" && return 0
  [ -n "$1" ] && [ -n "$(processes "$1")" ] && return 0
  now=$(: >"$lock.now.$$" && stat -c %Y "$lock.now.$$") || now=$(date +%s)
  rm -f "$lock.now.$$"
  fresh "$lock" || fresh "$theirs/exit" || fresh "$theirs/log"
}
if ! mkdir "$lock" 2>/dev/null; then
  holder=$(cat "$lock/run" 2>/dev/null)
  if [ "$holder" != "$run" ]; then
    if [ -d "$lock" ] && busy "$holder"; then taken "$holder"; fi
    mv -T "$lock" "$lock.stale.$$" 2>/dev/null || taken "$holder"
    if [ "$(cat "$lock.stale.$$/run" 2>/dev/null)" != "$holder" ]; then  # somebody else was faster
      mv -T "$lock.stale.$$" "$lock"; taken "$holder"
    fi
    rm -rf "$lock.stale.$$"
    mkdir "$lock" 2>/dev/null || taken "$holder"
  fi
fi
echo "$run" >"$lock/run" && touch "$lock" || exit 1
# A mark that was touched within a minute is of a run at work. Two who come at once both withdraw, and try again later.
# In /tmp anybody may have made a folder of that name, or a link.
marks=${mark%/*}
(umask 022; mkdir "$marks" 2>/dev/null; [ -n "$(find "$marks" -maxdepth 0 -type d -user "$(id -u)")" ] && echo "$run" >"$mark")
if ! [ -d "$folder/started" ]; then
  now=$(date +%s)
  other=$(find /tmp/dlperf-*/ -maxdepth 1 -type f ! -user "$(id -u)" -mmin -1 2>/dev/null |
    while IFS= read -r one; do ! fresh "$one" || { printf '%s\n' "$one"; break; }; done)
  if [ -n "$other" ]; then
    rm -f "$mark"
    rm -rf "$lock"
    echo "$(head -c 200 "$other" | head -n 1) of user $(stat -c '%U, %u' "$other")"
    exit 75
  fi
fi
[ -d "$folder" ] || mkdir "$folder" || exit 1
echo "home $HOME"
echo "folder $folder"
[ -d "$folder/started" ] && echo started
gpus
exit 0
