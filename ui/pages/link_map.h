// SPDX-License-Identifier: Apache-2.0
// What was measured of the links between nodes, as a map: a row and a column for each node.
#pragma once

#include <QString>
#include <vector>

#include "core/cluster/link_baseline.h"

namespace dlperf::ui {

// HTML. Each cell has GB/s of a pair alone; below it, of a link of the ring, what the row's node sends to the
// column's while all exchange. The slow ones, slowLinks(), stand out by their colour; tips say it all in
// words.
[[nodiscard]] QString linkMap(const cluster::LinkBaseline& links, const std::vector<cluster::SlowLink>& slow);

}  // namespace dlperf::ui
