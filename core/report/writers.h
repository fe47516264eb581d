// SPDX-License-Identifier: Apache-2.0
// One writer for each ending.
#pragma once

#include "core/report/report.h"

namespace dlperf::report {

inline constexpr const char* noPictures =
    "The pictures need the full build: this dlperf was built without Qt (DLPERF_GUI=OFF).";
inline constexpr int chartWidth = 504;  // two beside each other on a page
inline constexpr int chartHeight = 340;

[[nodiscard]] Result<std::vector<ReportFile>> renderMarkdown(const Report& report,
                                                             const std::filesystem::path& path,
                                                             const ChartRenderer& renderer);
[[nodiscard]] Result<std::string> renderHtml(const Report& report, const ChartRenderer& renderer);
[[nodiscard]] Result<std::vector<ReportFile>> renderLatex(const Report& report,
                                                          const std::filesystem::path& path,
                                                          const ChartRenderer& renderer);
// Sheets: the tables of the page, then all that is known of the figures.
[[nodiscard]] Result<std::string> renderSpreadsheet(const Report& report);
// DLPerf's own layout ({"r50": {"1n1g": {"average_speed": …}}}), each case with everything else that is known
// of it.
[[nodiscard]] std::string renderJson(const Report& report);

}  // namespace dlperf::report
