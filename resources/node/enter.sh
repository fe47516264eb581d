#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs its arguments in the container of a node that names an image, below container.sh. The container is started where
# it does not run, with what training needs: GPUs, the host's network, its shared memory and processes' memory locks,
# InfiniBand, the work and data folders at their own places. It ends by itself, and is removed, once nothing has run in it
# for half a minute: so it outlives no killed runner for long, and a trainer's own lease ends that (watch.sh).
# shellcheck disable=SC2154  # what is set before; home() is home.sh's
refuse() { echo "dlperf-image: $*" >&2; exit 76; }
work=$(home "$work") data=$(home "$data")
mkdir -p "$work" || refuse "the work folder $work cannot be made"
gpus() { command -v nvidia-smi >/dev/null 2>&1; }
case ${runtime##*/} in
  none) refuse "there is no podman, docker, apptainer or singularity here" ;;
  apptainer | singularity)  # no daemon, no container that stays
    set -- "$image" "$@"
    [ -z "$data" ] || set -- --bind "$data" "$@"
    gpus && set -- --nv "$@"
    eval "exec \"\$runtime\" exec --bind \"\$work\" $image_options \"\$@\"" ;;
esac
runs() { [ "$("$runtime" inspect --type container --format '{{.State.Running}}' "$name" 2>/dev/null)" = true ]; }
# Its first process, which takes up what others leave and counts the seconds in which there is no other and nobody was
# about to enter ($0 is there).
keeper='trap "exit 0" TERM INT; idle=0 most=${DLPERF_IDLE:-30} step=$(((${DLPERF_IDLE:-30} + 5) / 6))
while [ "$idle" -lt "$most" ] || rm "$0" 2>/dev/null; do
  sleep "$step" & wait "$!"; idle=$((idle + step))
  ! rm "$0" 2>/dev/null || idle=0
  for path in /proc/[0-9]*; do
    case ${path#/proc/} in 1) ;; *) [ ! -e "$path/exe" ] || idle=0 ;; esac  # the dead have none
  done
done'
start() (
  set -- --entrypoint /bin/sh "$image" -c "$keeper" "$entering"
  [ -z "$data" ] || [ ! -d "$data" ] || set -- --volume "$data:$data" "$@"
  [ ! -e /dev/infiniband ] || set -- --device /dev/infiniband "$@"
  # shellcheck disable=SC3045  # dash has it, and bash
  [ "$(ulimit -H -l)" != unlimited ] || set -- --ulimit memlock=-1 "$@"
  case ${runtime##*/} in
    docker) [ "$(id -u)" = 0 ] || set -- --user "$(id -u):$(id -g)" "$@"; gpus && set -- --gpus all "$@" ;;
    *) gpus && set -- --device nvidia.com/gpu=all "$@" ;;
  esac
  eval "exec \"\$runtime\" run --detach --rm --name \"\$name\" --network host --ipc host --env HOME=\"\$HOME\" \\
    --volume \"\$work:\$work\" $image_options \"\$@\"" </dev/null 2>&1 >/dev/null
)
# An image that is fetched takes its time: who asks again waits for it.
fetch() {
  "$runtime" image inspect "$image" >/dev/null 2>&1 && return
  place=$work/images/$key.fetched
  if [ -f "$place/failed" ]; then
    said=$(tail -n 1 "$place/said"); rm -rf "$place"
    refuse "$image cannot be fetched: $said"
  fi
  if [ -s "$place/pid" ] && ! kill -0 "$(cat "$place/pid")" 2>/dev/null; then rm -rf "$place"; fi  # it was killed
  if mkdir "$place" 2>/dev/null; then
    # shellcheck disable=SC2016  # for the inner shell
    setsid sh -c 'echo $$ >"$3/pid"; "$1" pull "$2" >"$3/said" 2>&1 </dev/null && rm -rf "$3" || : >"$3/failed"' \
      pull "$runtime" "$image" "$place" >/dev/null 2>&1 </dev/null &
  fi
  echo "dlperf-image: $image is being fetched" >&2
  exit 75
}
entering=$work/images/$key.entering
mkdir -p "$work/images" && true >"$entering"
until runs; do
  fetch
  said=$(start) && break
  case $said in
    *" in use"*) "$runtime" rm "$name" >/dev/null 2>&1 ;;  # by one that ended with its machine, ends or has just begun
    *) runs || refuse "the container of $image does not start: $(printf '%s\n' "$said" | tail -n 1)" ;;
  esac
  sleep 0.2 || sleep 1
done
exec "$runtime" exec -i "$name" "$@"
