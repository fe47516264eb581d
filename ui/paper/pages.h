// SPDX-License-Identifier: Apache-2.0
// Pages of a document: page i is what lies between i and i + 1 times the height of a page. Reports are A4
// with margins, in px of 1/96 inch, on paper as on the screen.
#pragma once

#include <QPageLayout>
#include <QSizeF>

class QPainter;
class QTextDocument;

namespace dlperf::ui {

// Of this size in px, without a margin. A heading stays with what it stands above, and a table that one page
// can hold stays on one.
void breakIntoPages(QTextDocument& document, const QSizeF& page);

// A4 with the margins of a report.
[[nodiscard]] QPageLayout paperLayout();
inline constexpr int paperResolution = 96;  // dpi: sizes are px, positions may be fractions of them
inline constexpr int paperLine = 650;       // px that the text may fill of the 657 between the margins

// The text's part of a report's page: below it stands the page's number.
[[nodiscard]] QSizeF textArea(const QTextDocument& document);
// Text and number of a page, with the margins' corner at (0, 0). The document is broken by textArea().
void paintPage(QPainter& painter, QTextDocument& document, int page);

}  // namespace dlperf::ui
