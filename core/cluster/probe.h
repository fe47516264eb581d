// SPDX-License-Identifier: Apache-2.0
// What a node is: one shell script that asks it, and what it answered as values. The script changes nothing
// on the node, needs no rights and leaves out what is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/cluster.h"
#include "core/cluster/topology_matrix.h"

namespace dlperf::cluster {

// A node's clock lies within `doubt` of what is said: half the time that asking took. Seconds.
struct Clock {
    double ahead = 0;  // negative: behind
    double doubt = 0;
};

struct GpuFacts {
    std::string name;         // "Tesla V100-SXM2-16GB"
    std::string memory;       // as the driver prints: "16160 MiB"
    std::string clock;        // highest of the multiprocessors: "1530 MHz"
    std::string ecc;          // "Enabled", "Disabled", "[N/A]"
    std::string mig;          // the same words
    std::string persistence;  // the same words
    std::string uuid;
};

struct GpuProcess {
    std::string uuid;  // of its GPU
    std::string pid;
    std::string name;
};

struct InterfaceFacts {
    std::string name;       // "enp5s0"
    std::string addresses;  // between blanks: "10.11.0.2/24 fe80::1/64"
    int speed = 0;          // Mbit/s; 0 where the kernel does not say
    bool up = false;
    bool isVirtual = false;  // no hardware behind it: lo, veth, docker0, virbr0
};

// Whether the time of so many cores is felt as less than all. A twentieth, which some leave to the system, is
// not.
[[nodiscard]] constexpr bool holdsBack(double cpuQuota, int cores) {
    return cpuQuota < 0.95 * cores;
}

struct NodeFacts {
    std::string host;
    std::string machine;  // its boot and its network, which another node on the same machine has too
    std::string system;   // "Debian GNU/Linux 12 (bookworm)"
    std::string kernel;   // "6.1.0-18-amd64"
    std::string processor;
    int cores = 0;
    std::optional<double> cpuQuota;  // cores whose time its control group may use; nothing: no limit
    int numaNodes = 0;
    std::string governor;  // "performance", "powersave"; empty where there is none
    double load = 0;       // processes that ran, average of the last minute
    std::int64_t memoryBytes = 0;
    std::optional<std::int64_t> sharedMemoryBytes;  // size of /dev/shm; nothing where it could not be asked
    std::string lockedMemory;                       // "unlimited" or KiB
    std::string workDir;                            // with the home expanded
    bool workDirWritable = false;
    std::string dataDir;
    std::optional<std::int64_t> freeBytes;  // where the work folder is or would be
    bool dataDirExists = true;              // also where none is named
    bool dataDirEmpty = false;
    // What the data folder holds: entries of the folder itself, and all files below it. Nothing where they
    // were not counted, or not to the end within 10 s.
    std::optional<std::int64_t> dataEntries;
    std::optional<std::int64_t> dataFiles;
    bool setupFailed = false;  // the node's "setup" ended with an error
    std::string setupSaid;     // its last line then
    // Of those that were asked for; nothing where that cannot be said because the setup failed.
    std::optional<std::vector<std::string>> missingCommands;
    std::optional<Clock> clock;  // set by whoever asked, who knows when
    Route route;                 // and how
    std::vector<GpuFacts> gpus;
    std::vector<GpuProcess> gpuProcesses;
    std::string driver;
    std::string cuda;  // of the toolkit, else what the driver supports
    std::string nccl;
    std::string cudnn;
    std::vector<std::string> pythonPackages;  // "torch 2.1.0"
    std::vector<InterfaceFacts> interfaces;
    std::vector<std::string> ownAddresses;  // to which the node's own name leads, as Gloo and MPI ask
    std::vector<std::string> infiniband;    // "mlx5_0: 4: ACTIVE, 100 Gb/sec (4X EDR)"
    std::vector<std::string> infinibandWithoutDriver;  // cards that no user-space driver is installed for
    std::optional<TopologyMatrix> topology;
    std::vector<std::string> changes;  // since the last check, set by who remembers it: "driver 2, was 1"

    // What 1nNg can use: the GPUs, without GPUs 2 CPU processes; what the node says itself has the last word.
    [[nodiscard]] int devices(const Node& node) const;
};

struct ProbeQuestions {
    std::vector<std::string> commands{};  // looked for as a run would: after the node's setup
    bool countData = false;               // takes up to 20 s on large data sets
};

// The text for a POSIX shell. What the node says itself (folders, setup) is quoted.
[[nodiscard]] std::string probeScript(const Node& node, const ProbeQuestions& questions = {});

// Never fails: what is not understood is left out. Texts are cleaned and bounded.
[[nodiscard]] NodeFacts parseProbe(std::string_view printed);

// The command that prints a node's time.
inline constexpr const char* clockScript = "date +%s.%N";

// What it printed, when it was asked and when the answer was there: seconds since 1970 by this machine's
// clock. Nothing for what is no time; a date(1) without fractions is good for a second.
[[nodiscard]] std::optional<Clock> clockOf(std::string_view printed, double asked, double answered);

}  // namespace dlperf::cluster
