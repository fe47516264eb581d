// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "comm/socket.h"
#include "cuda/dnn/plan.h"

namespace dlperf::worker::cuda::dnn {

// What a measured choice of plans holds for, with CUDA's current device:
// "NVIDIA H200-cudnn-91900-driver-580.95.05, CUDA 13000", without the driver's version where it is not known.
// Throws Failure(Backend) where there is no device.
std::string thisMachine();

// Chosen plans by their graph's key.
using PlanTable = std::map<std::string, EngineChoice>;

// Chosen plans, kept on disk from one run to the next: one file a machine, which is replaced as a whole. Of
// processes that write at once the last one counts; what is lost is chosen again. Nothing about it is an
// error: what cannot be read or written costs only time.
class PlanCache {
public:
    // Reads the machine's file in the folder, if there is one.
    PlanCache(const std::filesystem::path& folder, const std::string& machine);
    ~PlanCache();

    // "dlperf-worker" in $XDG_CACHE_HOME, or else in ~/.cache, or else in the folder for temporary files.
    static std::filesystem::path defaultFolder();

    const std::filesystem::path& path() const { return path_; }

    std::optional<EngineChoice> find(const std::string& key) const;
    void remember(const std::string& key, const EngineChoice& choice);
    // Notes on the disk that the plan is about to be executed, so that where that ends the process, the next
    // one knows. False where an earlier process ended so: then it is not to be executed. No trial is under
    // way. Until the cache is destroyed, SIGTERM, SIGINT and SIGHUP take the note back before they end the
    // process, unless it handles them itself.
    bool beginTrial(const std::string& key, const EngineChoice& choice);
    void endTrial();

    // Writes what has changed since the last time. False where it could not.
    bool save();

private:
    void readTrials();

    std::filesystem::path path_;
    PlanTable plans_;
    bool isChanged_ = false;
    std::set<std::string> failed_;  // trials that ended their process: what their files say
    std::string trialPath_;
    FileDescriptor trial_;  // locked for as long as this process lives; empty but during a trial
    bool isTrying_ = false;
};

}  // namespace dlperf::worker::cuda::dnn
