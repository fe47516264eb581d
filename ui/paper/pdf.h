// SPDX-License-Identifier: Apache-2.0
// PDF files: one chart on a page of its size, and a whole report on A4. Threads and displays as renderSvg().
#pragma once

#include "core/report/report.h"

namespace dlperf::ui {

// A vector drawing of width x height px (96 to the inch) in light colours. An Input error for a size that is
// not 100 to 10000.
[[nodiscard]] Result<std::string> renderChartPdf(const report::ChartSpec& spec, int width, int height);

[[nodiscard]] Result<std::string> renderReportPdf(const report::Report& report);

// All that core needs Qt for.
[[nodiscard]] report::Renderers reportRenderers();

}  // namespace dlperf::ui
