// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "cuda/dnn/plan.h"

namespace dlperf::worker::cuda::dnn {

// What a measured choice of plans holds for.
struct Machine {
    std::string gpu;     // its name
    std::string cudnn;   // "91900"
    std::string driver;  // "580.95.05, CUDA 13000", or the latter alone where the former is not known

    // One line with all of it.
    std::string text() const;
};

// Of one of CUDA's devices. Throws Failure(Backend) where there is none.
Machine machineOf(int device);

// Chosen plans by their graph's key.
using PlanTable = std::map<std::string, EngineChoice>;

// Chosen plans, kept on disk from one run to the next: one file a machine, which several processes may use at
// once. Nothing about it is an error: what cannot be read or written costs only time.
class PlanCache {
public:
    // Reads the machine's file in the folder, if there is one.
    PlanCache(const std::filesystem::path& folder, const Machine& machine);

    // "dlperf-worker" in $XDG_CACHE_HOME, or else in ~/.cache, or else in the folder for temporary files.
    static std::filesystem::path defaultFolder();

    const std::filesystem::path& path() const { return path_; }
    // Why the file that was there is not used; empty where there is nothing to say.
    const std::string& ignored() const { return ignored_; }

    std::optional<EngineChoice> find(const std::string& key) const;
    void remember(const std::string& key, const EngineChoice& choice);
    // For a plan that is no longer one: it is also taken off the file.
    void forget(const std::string& key);

    // Writes what has changed since the last time, together with what other processes wrote meanwhile. Says
    // why it could not; nothing where all went well.
    std::string save();

private:
    PlanTable merged() const;

    std::filesystem::path path_;
    std::string machine_;
    std::string ignored_;
    PlanTable plans_;
    PlanTable changed_;
    PlanTable forgotten_;
};

}  // namespace dlperf::worker::cuda::dnn
