// SPDX-License-Identifier: Apache-2.0
// The words of a chart in the window's language: core writes them in English, as files have them.
#pragma once

#include <QString>
#include <string>

#include "core/report/chart_spec.h"

namespace dlperf::ui {

// As it is where it is none of a chart's own words: the name of a series or of a setting.
[[nodiscard]] QString chartWord(const std::string& word);
[[nodiscard]] report::ChartSpec inWindowWords(report::ChartSpec chart);

}  // namespace dlperf::ui
