// SPDX-License-Identifier: Apache-2.0
// What a run was made of, as rows to show: nodes that have the same stand in one row.
#pragma once

#include <QString>
#include <vector>

#include "core/run/versions.h"

namespace dlperf::ui {

struct VersionRow {
    QString part;
    QString version;
    QString nodes;  // "node1, node2"
};

// First the machine, its image and the checkouts, then the Python packages by name.
[[nodiscard]] std::vector<VersionRow> versionRows(const run::NodeVersions& versions);

// The changes of all checkouts that were not as committed, as git prints them, each set once under a line
// that says where; empty where there are none.
[[nodiscard]] QString changesText(const run::NodeVersions& versions);

}  // namespace dlperf::ui
