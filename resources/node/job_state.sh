#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints how a Slurm job stands: "state …", "reason …", "limit …", "exit …", "begins …", its place among those that wait
# in its partition as "place N of M", and of one that runs "host NAME ADDRESS" for each node. "state GONE" once nobody knows it any
# more. Exits with 75 while slurmctld does not answer. Set before: job.
# shellcheck disable=SC2154  # what is set before
said=$(scontrol -o show job "$job" 2>&1)
case $said in
  *"Invalid job id"*)
    line=$(sacct -nXP -j "$job" -o State,ExitCode 2>/dev/null | head -n 1)  # needs slurmdbd
    line=${line%%[ |]*}
    echo "state ${line:-GONE}"
    exit 0
    ;;
  *JobState=*) ;;
  *) printf '%s\n' "$said" >&2; exit 75 ;;
esac
field() { printf '%s\n' "$said" | sed -n "s/.* $1=\([^ ]*\).*/\1/p"; }
state=$(field JobState)
echo "state $state"
echo "reason $(field Reason)"
echo "limit $(field TimeLimit)"
echo "exit $(field ExitCode)"
echo "begins $(field StartTime)"
case $state in
  PENDING)
    squeue -h -t PD -p "$(field Partition)" --sort=-p,i -o %i 2>/dev/null |
      awk -v job="$job" '$1 == job { place = NR } END { if (place) print "place " place " of " NR }'
    ;;
  RUNNING)
    nodes=$(field NodeList)
    {
      scontrol -o show node "$nodes" | sed -n 's/^NodeName=\([^ ]*\) .*NodeAddr=\([^ ]*\).*/\1 \2/p'
      scontrol show hostnames "$nodes"
    } | awk 'NF == 2 { address[$1] = $2 } NF == 1 { print "host", $1, address[$1] }'
    ;;
esac
exit 0
