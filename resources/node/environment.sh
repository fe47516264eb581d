#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks for what a recipe needs on this node: see environmentScript(). Prints "word value" lines.
# shellcheck disable=SC2088,SC2154  # a tilde as the user wrote it; what is set before
home() { case $1 in '~') echo "$HOME" ;; '~/'*) echo "$HOME/${1#??}" ;; *) printf '%s\n' "$1" ;; esac; }
import_seconds=300  # the first import of a large framework, from a slow disk
last_line() { tail -n 1 | cut -c 1-300; }
has_gpu() { timeout 20 nvidia-smi -L 2>/dev/null | grep -q '^GPU '; }
work=$(home "$work")

case $backend in
  cpu | cuda) kind=$backend ;;
  *) kind=cpu; ! has_gpu || kind=cuda ;;
esac
echo "kind $kind"
[ -z "$need_gpus" ] && [ "$backend" != cuda ] || has_gpu || echo no_gpu

candidates() {
  if [ -n "$python_option" ]; then
    home "$python_option"
  else
    printf '%s\n' python3 python3.1{4,3,2,1,0} python3.{9,8,7} /usr/bin/python3 "$HOME"/.pyenv/versions/*/bin/python3
  fi
}
# fits PYTHON: prints "TAG VERSION EXECUTABLE" if its version is one that the recipe takes.
fits() {
  timeout 20 "$1" - "$versions" 2>/dev/null <<'PYTHON'
import re, sys
for bound in filter(None, sys.argv[1].split(",")):
    sign, limit = re.match("(<=|>=|==|<|>)([0-9.]+)$", bound).groups()
    limit = tuple(int(part) for part in limit.split("."))
    have = sys.version_info[:len(limit)]
    holds = {"<": have < limit, "<=": have <= limit, ">": have > limit, ">=": have >= limit, "==": have == limit}
    if not holds[sign]:
        sys.exit(1)
print("cp%d%d" % sys.version_info[:2], "%d.%d.%d" % sys.version_info[:3], sys.executable)
PYTHON
}
# missing PYTHON: those of the imports that it does not find, without importing them.
missing() {
  timeout 30 "$1" - "${imports[@]}" 2>/dev/null <<'PYTHON' || echo "${imports[@]}"
import importlib.util, sys
def found(name):
    try:
        return importlib.util.find_spec(name) is not None
    except Exception:
        return False
print(*[name for name in sys.argv[1:] if not found(name)])
PYTHON
}
environment_of() { echo "$work/cache/python/$sum-$1-$(uname -m)"; }

# The environment that was prepared for these requirements, or where it is to be made, and by which Python.
prepared_python() {
  local base='' folder='' tag _ executable candidate
  while read -r candidate; do
    read -r tag _ executable < <(fits "$candidate") || continue
    local at; at=$(environment_of "$tag")
    [ -n "$base" ] || base=$executable folder=$at
    if [ -f "$at/complete" ] && "$at/bin/python" -c '' 2>/dev/null; then
      echo "base $executable"
      python=$at/bin/python
      return
    fi
  done < <(candidates)
  [ -n "$base" ] || { echo no_python; return; }
  printf 'base %s\nprepare %s\n' "$base" "$folder"
  "$base" -c 'import ensurepip, venv' 2>/dev/null || echo no_venv
}
# A Python that is there and finds all of the imports; else what the first one lacks.
own_python() {
  local lacks='' first='' executable candidate absent
  while read -r candidate; do
    read -r _ _ executable < <(fits "$candidate") || continue
    absent=$(missing "$candidate")
    if [ -z "$absent" ]; then
      python=$executable
      return
    fi
    [ -n "$first" ] || first=$executable lacks=$absent
  done < <(candidates)
  if [ -n "$first" ]; then printf 'base %s\nmissing %s\n' "$first" "$lacks"; else echo no_python; fi
}

python=
if [ -n "$need_python" ]; then
  sum=sum_$kind
  sum=${!sum}
  if [ -z "$python_option" ] && [ -n "$sum" ]; then prepared_python; else own_python; fi
fi
if [ -n "$python" ]; then
  echo "python $python"
  if [ -n "$sum_cpu$sum_cuda" ]; then  # a bundled trainer's: CUDA's libraries that pip installed, as in training.sh
    for folder in "${python%/bin/*}"/lib/python3*/site-packages/nvidia/*/lib; do
      [ ! -d "$folder" ] || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
    done
  fi
  if [ -n "$deep" ]; then
    for name in "${imports[@]}"; do
      said=$(cd / && timeout "$import_seconds" "$python" -c "import $name" 2>&1)
      case $? in
        0) ;;
        124) echo "broken $name it did not import within $import_seconds s"; break ;;
        *) echo "broken $name $(last_line <<<"$said")"; break ;;
      esac
    done
    for name in "${backends[@]}"; do
      timeout 120 "$python" -c 'import sys, torch.distributed as d; sys.exit(not getattr(d, "is_%s_available" % sys.argv[1])())' \
        "$name" 2>/dev/null || echo "no_backend $name"
    done
  fi
fi

if [ -n "$source" ]; then
  source=$(home "$source")
  copied=$work/cache/source/$source_commit
  if [ ! -d "$source" ] && [ -f "$copied.complete" ]; then
    echo "source $copied"
  elif [ ! -d "$source" ]; then
    echo "no_source $source"
  else
    echo "source $source"
    commit=$(git -C "$source" rev-parse HEAD 2>/dev/null) || commit=
    if [ -z "$source_commit" ] || [ "$commit" = "$source_commit" ]; then
      :
    elif [ -z "$commit" ] && { [ -e "$source/.git" ] || ! command -v git >/dev/null; }; then
      echo "git_says $(git -C "$source" rev-parse HEAD 2>&1 | last_line)"
    elif [ -e "$source/.git" ]; then
      echo "other_commit $commit"
    else  # the commit is of a checkout around it, if any
      echo "other_commit none"
    fi
    for file in "${source_files[@]}"; do
      [ -e "$source/$file" ] || echo "no_file $file"
    done
  fi
fi
if [ -n "$need_data" ]; then
  data=$(home "$data")
  if [ -z "$data" ] || [ ! -e "$data" ]; then
    echo "no_data $data"
  elif [ -d "$data" ] && [ -r "$data" ] && [ -z "$(find "$data/" -mindepth 1 -print -quit 2>/dev/null)" ]; then
    echo "empty_data $data"
  fi
fi
exit 0
