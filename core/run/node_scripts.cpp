// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_scripts.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

// alive PID START BOOT: that very process runs and is no zombie. Fields of stat count from the last ")".
constexpr const char* aliveFunction = R"sh(
alive() {
  [ "$3" = "$(cat /proc/sys/kernel/random/boot_id)" ] || return 1
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- "$1" "$2" ${stat##*) }
  [ "$3" != Z ] && [ "${22}" = "$2" ]
}
)sh";

// processes ID: the pids of all processes that inherited this run id, whatever session they are in.
constexpr const char* processesFunction = R"sh(
processes() {
  for entry in $(grep -lzxF -- "DLPERF_RUN_ID=$1" /proc/[0-9]*/environ 2>/dev/null); do
    entry=${entry#/proc/}; echo "${entry%/environ}"
  done
}
)sh";

constexpr const char* gpuFunction = R"sh(
gpus() {
  command -v nvidia-smi >/dev/null 2>&1 || return 0
  timeout 10 nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null | sed -n 's/^ *\([0-9][0-9]*\).*/gpu \1/p'
}
)sh";

std::string assignment(const char* name, const std::string& value) {
    return fmt::format("{}={}\n", name, shellQuote(value));
}

// A leading "~" of the work folder is the node's home.
std::string workFolder(const std::string& workDir) {
    return assignment("work", workDir) + R"sh(case $work in '~'|'~/'*) work=$HOME${work#'~'};; esac
)sh";
}

std::string places(const std::string& workDir, const std::string& runId, const std::string& node) {
    return workFolder(workDir) + assignment("run", runId) + assignment("node", node) +
           R"sh(folder=$work/runs/$run/$node
lock=$work/locks/$node
)sh";
}

}  // namespace

std::vector<std::string> linesOf(const std::string& text, std::string_view word) {
    std::vector<std::string> found;
    for (const std::string_view line : split(text, '\n')) {
        if (line == word) {
            found.emplace_back();
        } else if (line.size() > word.size() && line.starts_with(word) && line[word.size()] == ' ') {
            found.emplace_back(trim(line.substr(word.size() + 1)));
        }
    }
    return found;
}

std::string lineOf(const std::string& text, std::string_view word) {
    const auto found = linesOf(text, word);
    return found.empty() ? std::string() : found.front();
}

std::string claimScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return places(workDir, runId, node) + aliveFunction + processesFunction + gpuFunction + R"sh(
for tool in bash setsid grep sed stat timeout sha256sum; do
  command -v "$tool" >/dev/null 2>&1 || { echo "$tool"; exit 76; }
done
mkdir -p "$work/locks" "${folder%/*}" || exit 1
taken() { echo "$1"; echo "folder $work/runs/$1/$node"; exit 75; }
# fresh FILE: changed within a minute by the clock that stamps files there; a stamp of the future says nothing.
fresh() {
  changed=$(stat -c %Y "$1" 2>/dev/null) || return 1
  age=$((now - changed))
  [ "$age" -gt -60 ] && [ "$age" -lt 60 ]
}
# A lock is stale when its run is over: the trainer is dead, no process of the run is left (one that another node's
# launcher started here has no identity file), and for a minute nothing has happened: a runner at work touches it.
busy() {
  theirs=$work/runs/$1/$node
  read -r pid start boot <"$theirs/identity" 2>/dev/null && alive "$pid" "$start" "$boot" && return 0
  [ -n "$1" ] && [ -n "$(processes "$1")" ] && return 0
  now=$(: >"$lock.now.$$" && stat -c %Y "$lock.now.$$") || now=$(date +%s)
  rm -f "$lock.now.$$"
  fresh "$lock" || fresh "$theirs/exit" || fresh "$theirs/log"
}
if ! mkdir "$lock" 2>/dev/null; then
  holder=$(cat "$lock/run" 2>/dev/null)
  if [ "$holder" != "$run" ]; then
    if [ -d "$lock" ] && busy "$holder"; then taken "$holder"; fi
    mv -T "$lock" "$lock.stale.$$" 2>/dev/null || taken "$holder"
    if [ "$(cat "$lock.stale.$$/run" 2>/dev/null)" != "$holder" ]; then  # somebody else was faster
      mv -T "$lock.stale.$$" "$lock"; taken "$holder"
    fi
    rm -rf "$lock.stale.$$"
    mkdir "$lock" 2>/dev/null || taken "$holder"
  fi
fi
echo "$run" >"$lock/run" && touch "$lock" || exit 1
[ -d "$folder" ] || mkdir "$folder" || exit 1
echo "home $HOME"
echo "folder $folder"
[ -d "$folder/started" ] && echo started
gpus
exit 0
)sh";
}

std::string refreshScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return places(workDir, runId, node) + R"sh(
holder=$(cat "$lock/run" 2>/dev/null)
if [ "$holder" != "$run" ]; then  # a lock that somebody removed by hand is taken again
  { [ -z "$holder" ] && mkdir "$lock" 2>/dev/null && echo "$run" >"$lock/run"; } || { echo "$holder"; exit 77; }
fi
touch -c "$lock"
)sh";
}

const std::string& wrapperText() {
    static const std::string text = R"sh(#!/usr/bin/env bash
# Runs the trainer of one run on one node, detached from whoever started it.
cd "$1" || exit 1
mkdir started 2>/dev/null || exit 0
trap : TERM INT HUP  # the exit code is written whatever happens; children get the default again
printf '%63s\n' '' >exit.new  # room for the exit code, should the disk be full by then
stat=$(cat "/proc/$$/stat")
set -- ${stat##*) }
echo "$$ ${20} $(cat /proc/sys/kernel/random/boot_id)" >identity.new && mv -f identity.new identity
set --
( . ./node.env; exec bash ./telemetry.sh "$$" ) </dev/null >telemetry.csv 2>/dev/null &
sampler=$!
(
  . ./node.env
  if [ -f secret.env ]; then
    . ./secret.env
    rm -f secret.env
  fi
  if [ -f setup.sh ]; then
    . ./setup.sh || exit
    cd "$DLPERF_RUN_DIR" || exit 1
  fi
  timeout 20 bash ./facts.sh >facts 2>/dev/null
  [ ! -f versions.sh ] || timeout 30 bash ./versions.sh >versions 2>/dev/null
  exec bash ./launch.sh
) </dev/null >log 2>&1
code=$?
kill "$sampler" 2>/dev/null
echo "$code " 1<>exit.new
mv -f exit.new exit
)sh";
    return text;
}

std::string factsText(const std::vector<std::string>& pythonModules,
                      const std::vector<std::string>& secrets) {
    std::string text = R"sh(# What the trainer meets, one "key=value" a line.
echo "system=$(uname -srm)"
echo "distribution=$(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME")"
echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
if command -v nvidia-smi >/dev/null; then
  timeout 10 nvidia-smi --query-gpu=index,name,driver_version --format=csv,noheader | sed 's/^/gpu=/'
fi
for variable in ${!DLPERF_OPT_@}; do  # checkouts that options name
  case ${!variable} in
    /*) commit=$(git -C "${!variable}" rev-parse HEAD 2>/dev/null) && echo "commit=$variable $commit" ;;
  esac
done
)sh" + assignment("secrets", " " + join(secrets, " ") + " ") +
                       R"sh(
for variable in CUDA_VISIBLE_DEVICES ${!OMP_@} ${!NCCL_@} ${!KMP_@} ${!MKL_@}; do
  case $secrets in *" $variable "*) continue ;; esac
  [ -n "${!variable+set}" ] && echo "env=$variable=${!variable//$'\n'/ }"
done
)sh";
    for (const std::string& module : pythonModules) {
        text += fmt::format(
            "echo \"python_{0}=$(python3 -c 'import importlib.metadata as m; print(m.version(\"{0}\"))' "
            "2>/dev/null)\"\n",
            module);
    }
    return text;
}

std::string workerScript(const std::string& workDir, const std::map<std::string, std::string>& files) {
    constexpr std::size_t enough = 16;  // digits of a sum
    std::string folder;
    std::string looks;
    for (const auto& [name, sha256] : files) {
        folder += (folder.empty() ? "" : "-") + sha256.substr(0, enough);
        looks += fmt::format("look {} {}\n", shellQuote(name), shellQuote(sha256));
    }
    return workFolder(workDir) + assignment("name", folder) + R"sh(
folder=$work/bin/$name
mkdir -p "$folder" || exit 1
echo "folder $folder"
look() {
  [ -f "$folder/$1" ] || return 0
  there=$(sha256sum <"$folder/$1") || exit 1
  [ "${there%% *}" != "$2" ] || echo "same $1"
}
)sh" + looks;
}

std::string tryWorkerScript(const std::string& folder, CudaUse cuda) {
    return assignment("folder", folder) + assignment("must", cuda == CudaUse::Must ? "yes" : "") +
           assignment("cuda", cuda == CudaUse::No ? "" : "yes") + R"sh(
cd "$folder" || exit 1
if [ -n "$cuda" ] && [ -z "$must" ]; then
  timeout 10 nvidia-smi -L 2>/dev/null | grep -q '^GPU ' || cuda=
fi
# The worker's word on its CUDA backend; none where it is as it should be. One that was built without is no defect.
no_cuda() {
  [ -n "$cuda" ] || return 0
  [ -n "$must" ] && none='^$' || none='^CUDA backend: there is no CUDA backend here'
  printf '%s\n' "$said" | sed -n "/^CUDA backend: yes\$/d; /$none/d; s/^CUDA backend: /no-cuda /p"
}
missing() { sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/missing \1/p'; }
# attempt SETUP COMMAND...: in a shell of its own, as the wrapper starts the trainer.
attempt() {
  bash -c '. ./node.env; setup=$1; shift; [ -z "$setup" ] || . "$setup"; exec "$@" "$DLPERF_BIN_DIR/dlperf-worker" --version' \
    dlperf "$@" </dev/null 2>&1
}
for setup in '' ./setup.sh; do
  [ -z "$setup" ] || [ -f "$setup" ] || continue
  said=$(attempt "$setup" timeout 60)
  code=$?
  if [ "$code" = 0 ]; then
    [ -n "$(no_cuda)" ] || break
    # The worker's path comes as $0.
    missing=$(attempt "$setup" timeout 20 sh -c 'ldd "${DLPERF_WORKER_CUDA:-${0%/*}/libdlperf_worker_cuda.so}"' | missing)
  else
    missing=$(attempt "$setup" timeout 20 env LD_TRACE_LOADED_OBJECTS=1 | missing)
  fi
done
echo "exit $code"
if [ "$code" = 0 ]; then
  [ -z "$(no_cuda)" ] || printf '%s\n%s\n' "$missing" "$(no_cuda | cut -c 1-500)"
  exit 0
fi
echo "machine $(uname -m)"
printf '%s\n%s\n' "$missing" "$(printf '%s\n' "$said" | head -n 20 | cut -c 1-500 | sed 's/^/said /')"
)sh";
}

std::string startScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return places(workDir, runId, node) + R"sh(DLPERF_RUN_ID=$run; export DLPERF_RUN_ID
cd "$folder" || exit 1
if ! [ -d started ]; then
  holder=$(cat "$lock/run" 2>/dev/null)
  [ "$holder" = "$run" ] || { echo "$holder"; exit 77; }
fi
setsid bash "$folder/run.sh" "$folder" </dev/null >/dev/null 2>&1 &
try=0
while [ "$try" -lt 100 ]; do
  if [ -s identity ]; then cat identity; exit 0; fi
  sleep 0.05
  try=$((try + 1))
done
echo "the trainer's wrapper did not start; $(df -Pk . | awk 'NR == 2 {print $4}') KiB are free in $folder" >&2
exit 1
)sh";
}

std::string signalScript(const std::string& folder, const std::string& runId, const std::string& signal,
                         bool spareWrapper) {
    return assignment("folder", folder) + assignment("run", runId) + assignment("signal", signal) +
           assignment("spare", spareWrapper ? "yes" : "no") + aliveFunction + processesFunction + R"sh(
wrapper=0
if read -r pid start boot <"$folder/identity" 2>/dev/null && alive "$pid" "$start" "$boot"; then
  wrapper=$pid
  [ "$signal" != 0 ] && [ "$spare" = no ] && kill -s "$signal" -- "-$pid" 2>/dev/null
fi
for pid in $(processes "$run"); do
  [ "$spare" = yes ] && [ "$pid" = "$wrapper" ] && continue
  echo "$pid"
  [ "$signal" != 0 ] && kill -s "$signal" "$pid" 2>/dev/null
done
exit 0
)sh";
}

std::string collectScript(const std::string& folder) {
    return assignment("folder", folder) + gpuFunction + R"sh(
cd "$folder" || exit 1
[ -f exit ] && echo "exit $(head -n 1 exit)"
if [ -f log ]; then
  echo "size $(wc -c <log)"
  echo "sha256 $(sha256sum <log)"
fi
echo "free_kib $(df -Pk . | awk 'NR == 2 {print $4}')"
gpus
exit 0
)sh";
}

std::string releaseScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return places(workDir, runId, node) + R"sh(
rm -f "$folder/secret.env"
[ "$(cat "$lock/run" 2>/dev/null)" = "$run" ] && rm -rf "$lock"
exit 0
)sh";
}

}  // namespace dlperf::run
