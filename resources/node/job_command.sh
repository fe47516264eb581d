#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Has the agent of a Slurm job run a command on its node, from the login node: see job_agent.sh. Its input is ours. Exits
# with 237 once the job does not run any more. Set before: folder, index (of the node in the job), job, id, text (the
# command), seconds (that it has), most (bytes of its output).
# shellcheck disable=SC2154  # what is set before
over() {
  if ! state=$(squeue -h -j "$job" -o %T 2>&1); then
    case $state in *"Invalid job id"*) return 0 ;; esac  # slurmctld forgets a job minutes after its end
    return 1  # it may be away for a while
  fi
  case $state in *RUNNING* | *SUSPENDED*) return 1 ;; esac
}
not_written() {  # whoever ended the job has removed its folder
  ! over || exit 237
  exit 238
}
base=$folder/$id
# ":" would end the shell where it cannot write.
true >"$base.out" && true >"$base.err" && true >"$base.code" && printf '%s' "$text" >"$base.sh" && cat >"$base.in" || not_written
trap 'rm -f "$base".*' EXIT
printf '%s %s\n' "$id" "$seconds" >>"$folder/in.$index" || not_written
looks=0
while ! read -r code _ <"$base.code"; do
  sleep 0.05
  looks=$((looks + 1))
  if [ $((looks % 60)) -eq 0 ] && over; then exit 237; fi  # every three seconds and a bit
done
head -c "$most" "$base.out"
head -c "$most" "$base.err" >&2
exit "$code"
