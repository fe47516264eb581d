// SPDX-License-Identifier: Apache-2.0
// The report as a text document in light colours: the page on the screen and the PDF.
#pragma once

#include "core/report/report.h"

class QTextDocument;

namespace dlperf::ui {

// Fills the document for lines of this width in px: two charts beside each other where they are read there,
// tables in as small a type as they need. Call it from the main thread.
[[nodiscard]] Result<void> fillDocument(QTextDocument& document, const report::Report& report, int lineWidth);

// The words on any thread, then the charts on the thread that shows the document.
[[nodiscard]] Result<void> fillWords(QTextDocument& document, const report::Report& report, int lineWidth);
void addCharts(QTextDocument& document);

}  // namespace dlperf::ui
