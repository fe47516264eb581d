// SPDX-License-Identifier: Apache-2.0
// The report as a page on the screen: the same HTML as the file, on white paper in light colours, its charts
// drawn for the display.
#pragma once

#include "core/report/report.h"

class QTextBrowser;

namespace dlperf::ui {

void showPreview(QTextBrowser& page, const report::Report& report);

}  // namespace dlperf::ui
