// SPDX-License-Identifier: Apache-2.0
// The renderer for the pictures of reports: Qt's in the full build, none without Qt.
#pragma once

#include "core/report/report.h"

namespace dlperf::app {

[[nodiscard]] report::ChartRenderer chartRenderer();

}  // namespace dlperf::app
