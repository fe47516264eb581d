// SPDX-License-Identifier: Apache-2.0
// Chart descriptions for the tests: DLPerf's published ResNet50 figures (report v1, fp32, batch size 128).
#pragma once

#include "core/report/chart_spec.h"

namespace dlperf::ui::test {

[[nodiscard]] report::ChartSpec throughputSpec();
[[nodiscard]] report::ChartSpec speedupSpec();
[[nodiscard]] report::ChartSpec liveSpec(int iterations);

}  // namespace dlperf::ui::test
