// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report_preview.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextDocument>
#include <QThread>
#include <algorithm>

#include "ui/paper/report_document.h"

namespace dlperf::ui {
namespace {

constexpr int pageMargin = 36;

// A page is laid out piece by piece while it is shown, so its size comes late.
void followSize(QTextBrowser& page, const QTextDocument& document, int place) {
    const auto follow = [&page, place, at = page.verticalScrollBar()](const QSizeF& size) mutable {
        // A table is rounded up by some px, which its blank margin takes: nothing to scroll to.
        const bool fits = size.width() <= page.viewport()->width() + pageMargin;
        page.setHorizontalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
        if (place > 0 && at->maximum() >= place) {
            at->setValue(place);
            place = 0;
        }
    };
    QObject::connect(document.documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, &page,
                     follow, Qt::QueuedConnection);
}

}  // namespace

Preview makePreview(const report::Report& report, int width) {
    constexpr int narrowest = 360;
    // Deleted by its thread, whoever lets go of it last.
    Preview document(new QTextDocument, [](QTextDocument* done) { done->deleteLater(); });
    document->setDocumentMargin(pageMargin);
    document->setPageSize(QSizeF(width, -1));  // as the page will ask, so that it is laid out once
    const int chartWidth = std::max(narrowest, width - 2 * pageMargin - 20);
    if (const auto filled = fillWords(*document, report, chartWidth); !filled) {
        document->setPlainText(QString::fromStdString(describe(filled.error())));
    }
    document->moveToThread(QCoreApplication::instance()->thread());
    return document;
}

void showPreview(QTextBrowser& page, const Preview& preview) {
    const int place = page.verticalScrollBar()->value();
    addCharts(*preview);
    page.setDocument(preview.get());
    followSize(page, *preview, place);
}

}  // namespace dlperf::ui
