// SPDX-License-Identifier: Apache-2.0
// What is known of the hardware under a workspace's runs besides what their logs say: the baselines that
// `dlperf bench` measured, and how large the gradients are that models exchange.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cluster/compute_baseline.h"
#include "core/cluster/data_baseline.h"
#include "core/cluster/link_baseline.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::report {

// A row of resources/parameters.json, which says where its numbers are from.
struct ModelSize {
    std::string model;      // vocabulary id
    double parameters = 0;  // with as many classes as the next line says
    int classes = 0;        // 0: it tells none apart
    int ofEachClass = 0;    // parameters
};

struct HardwareBaselines {
    std::optional<cluster::LinkBaseline> links{};
    std::optional<cluster::ComputeBaseline> compute{};
    std::optional<cluster::DataBaseline> data{};
    std::vector<ModelSize> models{};
    std::vector<std::string> unreadable{};  // what was measured and cannot be read, and why
    std::string noModels{};                 // why parameters.json cannot be read

    // Of what was measured, read or not.
    [[nodiscard]] bool isEmpty() const { return !links && !compute && !data && unreadable.empty(); }
};

// What was not measured is missing; so is what cannot be read, for losses can be told without it.
[[nodiscard]] HardwareBaselines readHardwareBaselines(const store::Workspace& workspace);

// Of all gradients of one iteration: 4 bytes for each parameter in fp32 and tf32. Nothing for the other
// precisions, in which frameworks differ in what they exchange, and for models without a row.
[[nodiscard]] std::optional<double> gradientBytes(const std::vector<ModelSize>& models, const RunResult& run);

// What trained in a run: the option "backend" of its recipe says so, or leaves it to what the nodes have, of
// which a driver of GPUs tells. A recipe without that option may train on devices of another kind.
enum class TrainedOn { Unknown, Processors, Gpus };
[[nodiscard]] TrainedOn trainedOn(const RunResult& run);

}  // namespace dlperf::report
