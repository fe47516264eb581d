// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report_preview.h"

#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTextBrowser>
#include <QUrl>

#include "ui/charts/svg_renderer.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

// What QTextDocument understands of a style sheet, with the sizes of the window.
QString paperStyle() {
    return QStringLiteral(
        "body { color: #1A1E24; } h1 { font-size: 22px; font-weight: 600; } h2 { font-size: 16px; "
        "font-weight: 600; }"
        "h3 { font-size: 14px; font-weight: 600; } p, li, td, th { font-size: 12px; }"
        "th { font-weight: 600; text-align: left; } td, th { padding: 3px 12px 3px 0px; }"
        "pre, code, .num { font-family: 'JetBrains Mono'; font-size: 11px; } .note { color: #5F6773; }");
}

}  // namespace

void showPreview(QTextBrowser& page, const report::Report& report) {
    const double ratio = page.devicePixelRatioF();
    const int width = std::max(360, page.viewport()->width() - 92);
    page.document()->clear();
    int count = 0;
    // QTextDocument shows no SVG inside HTML: each chart becomes a picture of the same drawing.
    const auto renderer = [&](const report::ChartSpec& chart, int, int) -> Result<std::string> {
        const auto svg = renderSvg(chart, width, width * 11 / 20);
        if (!svg) {
            return Failure(svg.error());
        }
        QSvgRenderer drawing(QByteArray::fromStdString(*svg).replace("Inter, sans-serif", "Inter"));
        QImage image(QSize(width, width * 11 / 20) * ratio, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        drawing.render(&painter);
        painter.end();
        image.setDevicePixelRatio(ratio);
        const QUrl name(QStringLiteral("chart:%1").arg(++count));
        page.document()->addResource(QTextDocument::ImageResource, name, image);
        return QStringLiteral("<img src=\"chart:%1\" width=\"%2\">").arg(count).arg(width).toStdString();
    };
    const auto files = report::renderReport(report, "preview.html", renderer);
    if (!files) {
        page.setPlainText(QString::fromStdString(describe(files.error())));
        return;
    }
    QString html = QString::fromStdString(files->front().bytes);
    static const QRegularExpression style(QStringLiteral("<style>.*?</style>"),
                                          QRegularExpression::DotMatchesEverythingOption);
    html.remove(style);
    page.document()->setDocumentMargin(36);
    page.document()->setDefaultFont(textFont(size::secondary));
    page.document()->setDefaultStyleSheet(paperStyle());
    page.document()->setHtml(html);
}

}  // namespace dlperf::ui
