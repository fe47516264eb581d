#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stands beside the trainer on its node and ends it when nobody is there any more to do so: no runner has touched the
# node's lock for as long as the lease says, or the run has had its time. What ended it is in the file `ended`, as
# "lease SECONDS" or "limit SECONDS". Looks are counted, no clocks compared: a machine that slept counts for nothing.
# Arguments: the wrapper's pid, the node's lock, the mark for other users, lease and limit (seconds; 0: none).
wrapper=$1 lock=$2 mark=$3 lease=$4 limit=$5
nap=5
[ "$lease" -gt 0 ] && [ "$lease" -lt 60 ] && nap=1
exec {never}<> <(:)
pause() {  # a "sleep" would outlive us
  read -rt "$1" -u "$never" _
  [ $? -gt 128 ] || sleep "$1"
}
trainers() {
  for pid in $(processes "$DLPERF_RUN_ID"); do
    [ "$pid" = "$wrapper" ] || [ "$pid" = $$ ] || echo "$pid"
  done
}
end_trainers() {
  echo "$1" >ended
  for signal in TERM KILL KILL KILL; do
    for pid in $(trainers); do kill -s "$signal" "$pid" 2>/dev/null; done
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      kill -0 "$wrapper" 2>/dev/null || exit 0
      pause 1
    done
  done
}
seen='' silent=0 worked=0
while pause "$nap" && kill -0 "$wrapper" 2>/dev/null; do
  touch -c "$mark" 2>/dev/null
  stamp=$(stat -c %y "$lock" 2>/dev/null)
  silent=$((silent + nap)) worked=$((worked + nap))
  [ "$stamp" = "$seen" ] || { seen=$stamp silent=0; }
  if [ "$lease" -gt 0 ] && [ "$silent" -ge "$lease" ]; then end_trainers "lease $lease"; fi
  if [ "$limit" -gt 0 ] && [ "$worked" -ge "$limit" ]; then end_trainers "limit $limit"; fi
done
