// SPDX-License-Identifier: Apache-2.0
// What `dlperf bench` measured of a cluster's hardware, as tables and sentences: for reports, the window and
// the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/report/hardware_baselines.h"
#include "core/report/table.h"

namespace dlperf::report {

struct MissingPart {
    std::string what;  // "between a and b", "node c"
    std::string reason;
};

// One of the three. Sentences are without their full stops.
struct HardwarePart {
    std::string title{};  // "Links between the nodes"
    TimePoint measured{};
    std::string method{};  // how it was measured
    Table table{};
    std::vector<std::string> notes{};
    std::string slowHeading{};        // "Slow nodes:", or that none is; empty: there are no others
    std::vector<std::string> slow{};  // a sentence of each
    std::vector<MissingPart> missing{};
};

// A row a pair, and of what was measured together. Of very many pairs the slowest alone, as a note says.
[[nodiscard]] HardwarePart hardwarePart(const cluster::LinkBaseline& baseline);
// A row a node.
[[nodiscard]] HardwarePart hardwarePart(const cluster::ComputeBaseline& baseline);
[[nodiscard]] HardwarePart hardwarePart(const cluster::DataBaseline& baseline);
// Of all that was measured.
[[nodiscard]] std::vector<HardwarePart> hardwareParts(const HardwareBaselines& baselines);

// "between a and b: node b: …", of very many the first ones and how many more there are.
[[nodiscard]] std::vector<std::string> missingTexts(const std::vector<MissingPart>& missing);

// "links", "compute" and "data", each as its own file has it, and "problems".
[[nodiscard]] Json toJson(const HardwareBaselines& baselines);

// Three digits, or that it is missing and why.
[[nodiscard]] TableCell shortCell(const std::optional<double>& figure, const std::string& reason);

}  // namespace dlperf::report
