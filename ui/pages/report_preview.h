// SPDX-License-Identifier: Apache-2.0
// The report as a page on the screen: the same HTML as the file, on white paper in light colours, its charts
// drawn for the display.
#pragma once

#include <memory>

#include "core/report/report.h"

class QTextBrowser;
class QTextDocument;

namespace dlperf::ui {

using Preview = std::shared_ptr<QTextDocument>;

// The report's words for a page of this width in px, on any thread: many tables take their time. The document
// belongs to the application's thread then.
[[nodiscard]] Preview makePreview(const report::Report& report, int width);

// Keeps the place to which the page was scrolled.
void showPreview(QTextBrowser& page, const Preview& preview);

}  // namespace dlperf::ui
