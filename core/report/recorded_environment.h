// SPDX-License-Identifier: Apache-2.0
// What runs were made of and on, as far as their records say it.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::report {

// A line "key=value" that a node answered; texts are as the node wrote them, at most 300 bytes together.
struct NodeFact {
    std::string node;
    std::string key;
    std::string value;  // empty where the line has none
    friend auto operator<=>(const NodeFact&, const NodeFact&) = default;
};

// Of the facts that run.json holds, in their order, without those that say nothing.
[[nodiscard]] std::vector<NodeFact> nodeFacts(const Json& facts);

// "cpu" -> "AMD EPYC 7763, 128 cores"; where nodes differ "a (n1, n2), b (n3)".
using RecordedTexts = std::map<std::string, std::string>;

// Of one run's facts: its nodes, their processors, GPUs and systems, and the trainer's variables that are
// recorded, each as "variable NAME". Versions are passed over, for RunResult::versions holds them. Texts are
// valid UTF-8, and as long as many nodes make them. Empty where nothing was recorded.
[[nodiscard]] RecordedTexts machinesOf(const Json& facts);

// The same of all runs that have a record in the workspace, by the run's id.
[[nodiscard]] std::map<std::string, RecordedTexts> readMachines(const store::Workspace& workspace,
                                                                const std::vector<RunResult>& results);

}  // namespace dlperf::report
