// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cuda/dnn/engine_choice.h"
#include "cuda/dnn/machine.h"
#include "cuda/dnn/plan_file.h"

namespace dlperf::worker::cuda::dnn {

// Chosen plans, kept on disk from one run to the next: one file a machine, which several processes may use
// at once. Nothing about it is an error: what cannot be read or written costs only time.
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
