// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report_preview.h"

#include <QPointer>
#include <QTextBrowser>
#include <QTextDocument>
#include <algorithm>

#include "ui/paper/report_document.h"

namespace dlperf::ui {

void showPreview(QTextBrowser& page, const report::Report& report) {
    constexpr int margin = 36;
    constexpr int narrowest = 360;
    const int width = std::max(narrowest, page.viewport()->width() - 2 * margin - 20);
    // Nobody shows it yet, so it is laid out once, not at every step of its making.
    auto* document = new QTextDocument(&page);
    document->setDocumentMargin(margin);
    if (const auto filled = fillDocument(*document, report, width); !filled) {
        document->setPlainText(QString::fromStdString(describe(filled.error())));
    }
    const QPointer<QTextDocument> before = page.document();
    page.setDocument(document);  // deletes the one that it was born with
    delete before;
    // A table is rounded up by some px, which its blank margin takes: nothing to scroll to.
    const bool fits = document->size().width() <= page.viewport()->width() + margin;
    page.setHorizontalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

}  // namespace dlperf::ui
