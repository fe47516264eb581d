// SPDX-License-Identifier: Apache-2.0
// What draws the pictures of reports: Qt's in the full build, none without Qt.
#pragma once

#include "core/report/report.h"

namespace dlperf::app {

[[nodiscard]] report::Renderers renderers();

}  // namespace dlperf::app
