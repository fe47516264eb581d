// SPDX-License-Identifier: Apache-2.0
// What "2n8g" means, for who reads it for the first time.
#pragma once

#include <QString>

#include "core/model/case.h"

namespace dlperf::ui {

// "2 nodes with 8 devices each"
[[nodiscard]] QString topologyWords(const Topology& topology);

}  // namespace dlperf::ui
