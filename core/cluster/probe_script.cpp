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
say infiniband_without_driver
for card in /sys/class/infiniband/*; do
  [ -e "$card/device/driver" ] || continue
  driver=$(readlink -f "$card/device/driver"); driver=${driver##*/}; driver=${driver%_core}; driver=${driver%_ib}
  for file in /etc/libibverbs.d/"$driver".driver /usr/lib*/libibverbs/lib"$driver"-* /usr/lib/*/libibverbs/lib"$driver"-*; do
    [ -e "$file" ] && continue 2
  done
  echo "${card##*/}"
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
)sh";

// {0} work folder, {1} data folder; each is one quoted word, with "~/" made the home's.
constexpr const char* folderPart = R"sh(
home() {{ case $1 in '~') echo "$HOME";; '~/'*) echo "$HOME/${{1#??}}";; *) echo "$1";; esac; }}
work=$(home {0}); data=$(home {1})
say work_dir; echo "$work"
there=$work; while [ ! -d "$there" ] && [ "$there" != / ] && [ -n "$there" ]; do there=$(dirname "$there"); done
say work_writable; [ -w "$there" ] && echo yes
say free_kib; df -Pk "$there" | awk 'NR == 2 {{print $4}}'
say data_missing; [ -z "$data" ] || [ -d "$data" ] || echo yes
)sh";

// A count that is not finished in its time is none; one that met folders closed to the user is one.
constexpr const char* dataPart = R"sh(
count() {
  all=$(timeout 10 find -L "$data/" "$@" -printf .); code=$?
  [ "$code" -eq 0 ] || { [ "$code" -lt 124 ] && [ -n "$all" ]; } && printf '%s' "$all" | wc -c
}
if [ -n "$data" ] && [ -d "$data" ]; then
  say data_entries; count -mindepth 1 -maxdepth 1
  say data_files; count -type f
fi
)sh";

// For bash, where a run would look: after the node's environment and setup. {0} is the names, quoted.
constexpr const char* commandPart = R"sh(
for name in {0}; do
  command -v "${{name/#\~\//$HOME/}}" >/dev/null || echo "@missing $name"
done
echo @looked
)sh";

constexpr const char* pythonPart = R"sh(
timeout 30 python3 - 2>/dev/null <<'EOF'
from importlib.metadata import distributions
wanted = ("torch", "torchvision", "tensorflow", "mxnet", "paddlepaddle", "paddlepaddle-gpu", "oneflow", "mindspore",
          "horovod", "nvidia-dali-cuda110", "nvidia-dali-cuda120", "nvidia-nccl-cu12", "nvidia-cudnn-cu12")
found = {d.metadata["Name"]: d.version for d in distributions() if d.metadata["Name"] in wanted}
print("\n".join(f"@python {name} {found[name]}" for name in sorted(found)))
EOF
exit 0
)sh";

// {0} is the text for bash, quoted. Its exit code is the setup's where that fails.
constexpr const char* setupPart = R"sh(
said=$(timeout 90 bash -c {0} </dev/null 2>&1) || {{ say setup_failed; echo yes; say setup_said; printf '%s\n' "$said" | tail -n 1; }}
sent() {{ printf '%s\n' "$said" | sed -n "s/^@$1 *//p"; }}
say commands_looked_for; printf '%s\n' "$said" | grep -qx @looked && echo yes
say missing_commands; sent missing
say python; sent python
say end
)sh";

std::string quotedAll(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += " " + shellQuote(word);
    }
    return text;
}

// What bash is given. The environment is the node's own; a recipe's is not known here.
std::string setupText(const Node& node, const ProbeQuestions& questions) {
    std::string text = exportLines(node.env);
    if (!node.setup.empty()) {
        text += "eval " + shellQuote(node.setup) + " || exit\n";
    }
    if (!questions.commands.empty()) {
        text += fmt::format(fmt::runtime(commandPart), quotedAll(questions.commands));
    }
    return text + pythonPart;
}

}  // namespace

std::string probeScript(const Node& node, const ProbeQuestions& questions) {
    return std::string(machinePart) + gpuPart +
           fmt::format(fmt::runtime(folderPart), shellQuote(node.workDir), shellQuote(node.dataDir)) +
           (questions.countData ? dataPart : "") +
           fmt::format(fmt::runtime(setupPart), shellQuote(setupText(node, questions)));
}

}  // namespace dlperf::cluster
