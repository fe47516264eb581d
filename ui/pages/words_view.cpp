// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/words_view.h"

#include <QTextBrowser>

#include "core/report/numbers.h"
#include "ui/theme/localized.h"

namespace dlperf::ui {

QTextBrowser* makeWordsView(const QString& name) {
    auto* words = new QTextBrowser;
    words->setFrameShape(QFrame::NoFrame);
    words->setAccessibleName(name);
    words->document()->setDocumentMargin(14);
    words->setOpenLinks(false);
    return words;
}

QString paragraph(const QString& html, const QColor& color, int above) {
    return QStringLiteral("<p style=\"margin-top:%1px; margin-bottom:0; color:%2\">%3</p>")
        .arg(above)
        .arg(color.name(), html);
}

QString escaped(const std::string& text) {
    return localized(text).toHtmlEscaped();
}

QString dayOf(TimePoint time) {
    return QString::fromStdString(report::dayOf(time));
}

}  // namespace dlperf::ui
