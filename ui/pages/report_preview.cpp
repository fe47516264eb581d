// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report_preview.h"

#include <QTextBrowser>
#include <algorithm>

#include "ui/paper/report_document.h"

namespace dlperf::ui {

void showPreview(QTextBrowser& page, const report::Report& report) {
    constexpr int margin = 36;
    constexpr int narrowest = 360;
    const int width = std::max(narrowest, page.viewport()->width() - 2 * margin - 20);
    if (const auto filled = fillDocument(*page.document(), report, width); !filled) {
        page.setPlainText(QString::fromStdString(describe(filled.error())));
    }
    page.document()->setDocumentMargin(margin);
}

}  // namespace dlperf::ui
