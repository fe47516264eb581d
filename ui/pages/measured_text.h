// SPDX-License-Identifier: Apache-2.0
// What was measured of one node, in words.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/report/hardware.h"

namespace dlperf::ui {

// What a workspace has, and what of it is slow, which takes its time to find.
struct MeasuredHardware {
    report::HardwareBaselines hardware{};
    std::vector<cluster::SlowNode> computing{};
    std::vector<cluster::SlowNode> reading{};
    std::vector<cluster::SlowLink> links{};
};

// Reads files: not for the GUI thread.
[[nodiscard]] MeasuredHardware readMeasured(const store::Workspace& workspace);

// As HTML, in the colours of the theme: what the node computes and reads and its links to the others, each
// with its date, or with the command that measures it. The same lines for every node.
[[nodiscard]] QString measuredText(const MeasuredHardware& measured, const std::string& node,
                                   const store::Workspace& workspace);

}  // namespace dlperf::ui
