#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Submits a job that holds nodes for a run or a campaign, or finds the one that was submitted before, by its comment.
# Prints lines "folder …" and "job …". Set before: work, id, nodes, lease, minutes (a time limit, or 0), partition (or
# nothing, for the default one), agent (the agent's text), arguments of sbatch as "$@".
# shellcheck disable=SC2154  # what is set before
folder=$work/jobs/$id
echo "folder $folder"
known=$(squeue -h -o '%i %k' -u "$(id -un)") || exit 75
known=$(printf '%s\n' "$known" | awk -v comment="dlperf:$id" '$2 == comment { print $1; exit }')
if [ -n "$known" ]; then
  echo "job $known"
  exit 0
fi
mkdir -p "$folder" && printf '%s' "$agent" >"$folder/agent.sh" || exit 1
index=0
while [ "$index" -lt "$nodes" ]; do
  : >"$folder/in.$index" || exit 1
  index=$((index + 1))
done
cat >"$folder/job.sh" <<'EOF' || exit 1
#!/bin/bash
# One agent a node, with all that the job has there; with a place in the world of MPI its trainers would take that for
# theirs.
exec srun --mpi=none --ntasks-per-node=1 --cpu-bind=none --wait=0 --kill-on-bad-exit=0 --output="$1/agent.%n" bash "$1/agent.sh" "$1" "$2"
EOF
if [ "$minutes" -gt 0 ]; then # a longer limit than the partition's would keep the job waiting for ever
  minutes=$(sinfo -h -o '%P %l' | awk -v minutes="$minutes" -v wanted=",$partition," '
    { isDefault = sub(/\*$/, "", $1); count = split($2, part, /[-:]/) }
    wanted == ",," ? isDefault : index(wanted, "," $1 ",") {
      most = $2 ~ /-/ ? 1440 * part[1] + 60 * part[2] + part[3] : count == 3 ? 60 * part[1] + part[2] : part[1] + 0
      if (most > 0 && most < minutes) minutes = most
    }
    END { print minutes }')
  set -- --time="$minutes" "$@"
fi
job=$(sbatch --parsable --no-requeue --job-name=dlperf --comment="dlperf:$id" --nodes="$nodes" --ntasks-per-node=1 \
  --output="$folder/job.out" "$@" "$folder/job.sh" "$folder" "$lease") || {
  rm -rf "$folder"
  exit 1
}
echo "job ${job%%;*}"
