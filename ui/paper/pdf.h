// SPDX-License-Identifier: Apache-2.0
// PDF files: one chart on a page of its size, and a whole report on A4. Threads and displays as renderSvg().
#pragma once

#include <QMimeData>
#include <filesystem>
#include <memory>

#include "core/base/error.h"
#include "core/report/chart_spec.h"
#include "core/report/report.h"

namespace dlperf::ui {

// A vector drawing in px of 1/96 inch. An Input error for a size that is not 100 to 10000.
[[nodiscard]] Result<std::string> renderChartPdf(const report::ChartSpec& spec, int width, int height);

[[nodiscard]] Result<std::string> renderReportPdf(const report::Report& report);

[[nodiscard]] report::Renderers reportRenderers();

// The file's bytes by its ending: .svg .png .pdf; another ending is an Input error that names these.
[[nodiscard]] Result<std::string> chartFile(const report::ChartSpec& spec, const std::filesystem::path& path);

// A picture for whoever pastes pixels, SVG for whoever takes it.
[[nodiscard]] Result<std::unique_ptr<QMimeData>> chartMime(const report::ChartSpec& spec);

}  // namespace dlperf::ui
