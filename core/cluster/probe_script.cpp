// SPDX-License-Identifier: Apache-2.0
// Asks with what every Linux has (sh, sed, df, /proc, /sys); a driver that hangs is bounded by timeout(1).
// Each answer stands below a line "@@ name".
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cluster/probe.h"

namespace dlperf::cluster {
namespace {

constexpr const char* machinePart = R"sh(
exec 2>/dev/null
export LC_ALL=C
say() { printf '@@ %s\n' "$1"; }
say host; hostname || cat /proc/sys/kernel/hostname
say system; . /etc/os-release && echo "$PRETTY_NAME"
say kernel; uname -r
say processor; sed -n 's/^model name[^:]*: *//p;s/^Model[^:]*: *//p' /proc/cpuinfo | sed -n 1p
say cores; nproc
say numa; ls -d /sys/devices/system/node/node[0-9]* | wc -l
say governor; cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
say load; cut -d' ' -f1 /proc/loadavg
say memory_kib; sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo
say shm_kib; df -Pk /dev/shm | awk 'NR == 2 {print $2}'
say memlock; ulimit -l
say interfaces
for path in /sys/class/net/*; do
  name=${path##*/}
  kind=device; case $(readlink -f "$path") in */virtual/*) kind=virtual;; esac
  speed=$(cat "$path/speed"); state=$(cat "$path/operstate")
  where=$(ip -o addr show dev "$name" | sed -n 's/.* inet6* \([^ ]*\).*/\1/p' | tr '\n' ' ')
  printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$kind" "${speed:-0}" "${state:-unknown}" "$where"
done
say infiniband
for path in /sys/class/infiniband/*/ports/1; do
  [ -e "$path/state" ] || continue
  card=${path%/ports/1}
  echo "${card##*/}: $(cat "$path/state"), $(cat "$path/rate")"
done
)sh";

constexpr const char* gpuPart = R"sh(
if command -v nvidia-smi >/dev/null; then
  ask() { timeout 20 nvidia-smi "$@"; }
  say gpus; ask --query-gpu=uuid,driver_version,memory.total,clocks.max.sm,ecc.mode.current,mig.mode.current,persistence_mode,name --format=csv,noheader
  say gpu_processes; ask --query-compute-apps=gpu_uuid,pid,process_name --format=csv,noheader
  say topology; ask topo -m
  say driver_cuda; ask | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' | sed -n 1p
fi
say nvcc
for nvcc in nvcc /usr/local/cuda/bin/nvcc; do
  command -v "$nvcc" >/dev/null && "$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p' && break
done
version() { ldconfig -p | sed -n "s|.*=> \(.*/$1\)\$|\1|p" | sed -n 1p | while read -r file; do
  readlink -f "$file" | sed 's/.*\.so\.//'; done; }
say nccl; version 'libnccl\.so\.2'
say cudnn; version 'libcudnn\.so\.[0-9]*'
say python
timeout 30 python3 - <<'EOF'
from importlib.metadata import distributions
wanted = ("torch", "torchvision", "tensorflow", "mxnet", "paddlepaddle", "paddlepaddle-gpu", "oneflow", "mindspore",
          "horovod", "nvidia-dali-cuda110", "nvidia-dali-cuda120", "nvidia-nccl-cu12", "nvidia-cudnn-cu12")
found = {d.metadata["Name"]: d.version for d in distributions() if d.metadata["Name"] in wanted}
print("\n".join(f"{name} {found[name]}" for name in sorted(found)))
EOF
)sh";

// {0} work folder, {1} data folder, {2} setup; each is one quoted word, with "~/" made the home's.
constexpr const char* ownPart = R"sh(
home() {{ case $1 in '~') echo "$HOME";; '~/'*) echo "$HOME/${{1#??}}";; *) echo "$1";; esac; }}
work=$(home {0}); data=$(home {1})
say work_dir; echo "$work"
there=$work; while [ ! -d "$there" ] && [ "$there" != / ] && [ -n "$there" ]; do there=$(dirname "$there"); done
say work_writable; [ -w "$there" ] && echo yes
say free_kib; df -Pk "$there" | awk 'NR == 2 {{print $4}}'
say data_missing; [ -z "$data" ] || [ -d "$data" ] || echo yes
setup={2}
if [ -n "$setup" ]; then
  said=$(printf '%s\n' "$setup" | timeout 60 bash 2>&1) || {{ say setup_failed; echo yes; say setup_said; printf '%s\n' "$said" | tail -n 1; }}
fi
say end
)sh";

}  // namespace

std::string probeScript(const Node& node) {
    return std::string(machinePart) + gpuPart +
           fmt::format(fmt::runtime(ownPart), shellQuote(node.workDir), shellQuote(node.dataDir),
                       shellQuote(node.setup));
}

}  // namespace dlperf::cluster
