// SPDX-License-Identifier: Apache-2.0
// The small shell texts that act on a node. Everything that a user or a plan can name reaches them quoted.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dlperf::run {

// Exit codes of claimScript beside 0.
inline constexpr int nodeBusy = 75;
inline constexpr int toolMissing = 76;
inline constexpr int lockLost = 77;

// Takes the node's lock and makes the run's folder. Prints lines "home …", "folder …", "started" (the wrapper
// was started before), "gpu <pid>" (GPU processes that are there already). Busy: prints the run that has the
// node, and the line "folder …" of that run.
[[nodiscard]] std::string claimScript(const std::string& workDir, const std::string& runId,
                                      const std::string& node);

// Says that the run still needs the node: a lock that nobody refreshes for a minute is stale once nothing of
// its run is alive. lockLost: prints the run that has the node by now.
[[nodiscard]] std::string refreshScript(const std::string& workDir, const std::string& runId,
                                        const std::string& node);

// The file facts.sh: "key=value" lines about the machine, the named Python packages and those variables of
// the trainer's environment that change how fast it is, but for the secrets.
[[nodiscard]] std::string factsText(const std::vector<std::string>& pythonPackages,
                                    const std::vector<std::string>& secrets = {});

// The file watch.sh, which ends a trainer that no runner looks after any more.
[[nodiscard]] std::string watchText();

// Makes the folder `place` of the work folder for these files, sha256 by name, and prints lines "folder …"
// and, for each file that is there and whole, "same NAME".
[[nodiscard]] std::string filesScript(const std::string& workDir, const std::string& place,
                                      const std::map<std::string, std::string>& files);
// Makes a file of `parts` files PATH.part0, PATH.part1, …, which go, if its checksum is this one.
[[nodiscard]] std::string joinScript(const std::string& path, std::size_t parts, const std::string& sha256);

// Whether a run is to compute on GPUs: not at all, where the node has some, or in any case.
enum class CudaUse { No, WhereGpus, Must };

// Tries the worker of a run that was placed, in the run's environment: as it is, then after the node's setup,
// which may be what brings its libraries or those of its CUDA backend. Prints lines "exit …" and, if that is
// not 0, "machine …" (uname -m), "missing …" (a library, any number of times), "said …" (its words). Where it
// starts but a GPU that is to compute cannot: "no-cuda …" (why) and "missing …" (libraries of the backend).
[[nodiscard]] std::string tryWorkerScript(const std::string& folder, CudaUse cuda);

// Starts the wrapper in a session of its own and prints its identity, also that of an earlier start.
// lockLost: the node was given to another run, which is printed; nothing was started.
[[nodiscard]] std::string startScript(const std::string& workDir, const std::string& runId,
                                      const std::string& node);

// Sends the signal (a name, or "0" to ask only) to every process of the run and to the trainer's process
// group, but with spareWrapper not to the wrapper; prints the processes that were there, one pid a line.
[[nodiscard]] std::string signalScript(const std::string& folder, const std::string& runId,
                                       const std::string& signal, bool spareWrapper);

// Prints the exit code of a trainer that ended.
[[nodiscard]] std::string exitCodeScript(const std::string& folder);

// Prints lines "ended …", "exit …", "size …", "sha256 …", "free_kib …", "gpu <pid>" at the end of a run.
[[nodiscard]] std::string collectScript(const std::string& folder);
// Gives the node's lock back if this run has it.
[[nodiscard]] std::string releaseScript(const std::string& workDir, const std::string& runId,
                                        const std::string& node);
// Removes the run's folder, but for files that the trainer wrote beside its log.
[[nodiscard]] std::string removeScript(const std::string& folder);
// Prints "machine <boot> <process namespace>", for each process of any run "process <pid> <seconds> <run>
// <command>", and for each node that a run has "lock <seconds since a runner touched it> <run> <node> <work
// folder>".
[[nodiscard]] std::string listWorkScript(const std::string& workDir);
// Prints a line "run <KiB> <id>" for each run that has a folder on the node.
[[nodiscard]] std::string listRunsScript(const std::string& workDir, const std::string& node);
// Removes the folders of the runs whose ids come on standard input, a line each, with all in them; not of one
// that has the node or a living process.
[[nodiscard]] std::string removeRunsScript(const std::string& workDir, const std::string& node);

}  // namespace dlperf::run
