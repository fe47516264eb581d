#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What this run is made of, one "key=value" a line. It takes half a second of Python and more, so a runner has it run on
# each node once a recipe; the runs that follow keep what it said.
say() { [ -z "$2" ] || printf '%s=%s\n' "$1" "$(printf %s "$2" | head -n 1 | cut -c 1-300)"; }
say taken "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
say kernel "$(uname -sr)"
say libc "$(getconf GNU_LIBC_VERSION 2>/dev/null)"
if command -v nvidia-smi >/dev/null; then
  say driver "$(timeout 10 nvidia-smi --query-gpu=driver_version --format=csv,noheader)"
fi
say cuda "$(command -v nvcc >/dev/null && nvcc --version | sed -n 's/.*release \([^,]*\),.*/\1/p')"
say nccl "$(ldconfig -p 2>/dev/null | sed -n 's/^\t*libnccl\.so\.[0-9]* .* => //p' | head -n 1 | xargs -r readlink -f)"
say mpi "$(command -v mpirun >/dev/null && timeout 5 mpirun --version 2>/dev/null)"
for variable in ${!DLPERF_OPT_@}; do  # checkouts that options name
  path=${!variable}
  case $path in /*) ;; *) continue ;; esac
  commit=$(git -C "$path" rev-parse HEAD 2>/dev/null) || continue
  say repository "$variable"
  say path "$path"
  say commit "$commit"
  changes=$(timeout 10 git -C "$path" status --porcelain 2>/dev/null | head -n 200)
  say dirty "$([ -n "$changes" ] && echo yes || echo no)"
  [ -z "$changes" ] || say changes "$(timeout 10 git -C "$path" --no-pager diff --no-color --no-ext-diff HEAD 2>/dev/null | git hash-object --stdin)"
  timeout 10 git -C "$path" --no-pager diff --no-color --no-ext-diff HEAD 2>/dev/null | head -c 65536 | sed 's/^/diff=/'
done
python=${DLPERF_PYTHON:-python3}  # the recipe's own
command -v "$python" >/dev/null || exit 0
say python "$("$python" --version 2>&1)"
say python_path "$python"
# As `pip freeze` says it, which takes seconds and needs pip.
timeout 20 "$python" -c '
import importlib.metadata, json
def line(package):
    try:
        origin = json.loads(package.read_text("direct_url.json") or "{}")
    except ValueError:
        origin = {}
    commit = origin.get("vcs_info", {}).get("commit_id", "")
    name = package.metadata["Name"]
    if origin.get("url"):
        return "%s @ %s%s" % (name, origin["url"], "@" + commit if commit else "")
    return "%s==%s" % (name, package.version)
print("\n".join(sorted({line(package) for package in importlib.metadata.distributions()}, key=str.lower)))
' 2>/dev/null | head -n 1000 | cut -c 1-200 | sed 's#://[^/@ ]*@#://***@#; s/^/package=/'
exit 0
