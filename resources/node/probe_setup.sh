#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where a run would look: after the node's environment, which a line before this sets, and its setup. Set before:
# node_setup, node_commands (an array).
# shellcheck disable=SC2154  # what is set before
eval "$node_setup" || exit
for name in "${node_commands[@]}"; do
  command -v "${name/#\~\//$HOME/}" >/dev/null || echo "@missing $name"
done
[ "${#node_commands[@]}" -eq 0 ] || echo @looked
timeout 30 python3 - 2>/dev/null <<'EOF'
from importlib.metadata import distributions
wanted = ("torch", "torchvision", "tensorflow", "mxnet", "paddlepaddle", "paddlepaddle-gpu", "oneflow", "mindspore",
          "horovod", "nvidia-dali-cuda110", "nvidia-dali-cuda120", "nvidia-nccl-cu12", "nvidia-cudnn-cu12")
found = {d.metadata["Name"]: d.version for d in distributions() if d.metadata["Name"] in wanted}
print("\n".join(f"@python {name} {found[name]}" for name in sorted(found)))
EOF
exit 0
