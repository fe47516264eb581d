// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cuda/dnn/engine_choice.h"

namespace dlperf::worker::cuda::dnn {

// Chosen plans by their graph's key.
using PlanTable = std::map<std::string, EngineChoice>;

// What was read. Where `ignored` says why the file's contents are of no use, the table is empty; a file that
// does not exist is merely empty.
struct PlanFile {
    PlanTable plans;
    std::string ignored;
};

// `machine` is what the file has to be of.
PlanFile readPlans(const std::filesystem::path& path, const std::string& machine);

// Replaces the file at once: whoever reads it sees the old or the new one. Says why it could not; nothing
// where all went well.
std::string writePlans(const std::filesystem::path& path, const std::string& machine, const PlanTable& plans);

}  // namespace dlperf::worker::cuda::dnn
