// SPDX-License-Identifier: Apache-2.0
#include "ui/paper/report_document.h"

#include <fmt/format.h>

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QRegularExpression>
#include <QTextDocument>
#include <QTextObjectInterface>
#include <memory>
#include <vector>

#include "ui/charts/paper_chart.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

const QString chartName = QStringLiteral("chart:");  // and the chart's number: what stands for it in the HTML

// What QTextDocument understands of a style sheet, with the sizes of the window.
QString paperStyle() {
    return QStringLiteral(
        "body { color: #1A1E24; } h1 { font-size: 22px; font-weight: 600; } h2 { font-size: 16px; "
        "font-weight: 600; }"
        "h3 { font-size: 14px; font-weight: 600; } p, li { font-size: 12px; }"
        "th { font-weight: 600; text-align: left; } td, th { font-size: 11px; padding: 3px 8px 3px 0px; } "
        ".figure { "
        "text-align: right; }"
        "pre, code, .num { font-family: 'JetBrains Mono'; font-size: 11px; } .note { color: #5F6773; }");
}

// QTextDocument asks this object to draw the charts. A chart is made when it is first seen.
class Charts : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    Charts(const QSize& size, QObject* parent) : QObject(parent), size_(size) {}

    std::size_t add(const report::ChartSpec& spec) {
        charts_.push_back({spec, nullptr});
        return charts_.size() - 1;
    }

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat&) override { return size_; }

    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int,
                    const QTextFormat& format) override {
        const auto index = format.toImageFormat().name().mid(chartName.size()).toUInt();
        // A paragraph is drawn as a whole, on each of its pages; a scene does not mind the page's clip.
        if (index < charts_.size() &&
            (!painter->hasClipping() || painter->clipBoundingRect().intersects(place))) {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            drawn(charts_[index]).paint(*painter, place);
            painter->restore();
        }
    }

private:
    struct Chart {
        report::ChartSpec spec;
        std::unique_ptr<PaperChart> drawn;
    };

    PaperChart& drawn(Chart& chart) const {
        if (!chart.drawn) {
            const FullSizeFonts fonts;
            chart.drawn = std::make_unique<PaperChart>(chart.spec, size_);
        }
        return *chart.drawn;
    }

    std::vector<Chart> charts_;
    QSize size_;
};

}  // namespace

Result<void> fillDocument(QTextDocument& document, const report::Report& report, int chartWidth) {
    auto filled = fillWords(document, report, chartWidth);
    addCharts(document);
    return filled;
}

void addCharts(QTextDocument& document) {
    for (Charts* charts : document.findChildren<Charts*>()) {
        document.documentLayout()->registerHandler(QTextFormat::ImageObject, charts);
    }
    document.markContentsDirty(0,
                               document.characterCount());  // the layout is born before it knows the charts
}

Result<void> fillWords(QTextDocument& document, const report::Report& report, int chartWidth) {
    const FullSizeFonts fonts;
    const QSize size(chartWidth, chartWidth * 11 / 20);
    qDeleteAll(document.findChildren<Charts*>(Qt::FindDirectChildrenOnly));  // of an earlier report
    auto* charts = new Charts(size, &document);
    const auto renderer = [&](const report::ChartSpec& chart, int, int) -> Result<std::string> {
        return fmt::format("<img src=\"{}{}\" width=\"{}\" height=\"{}\">", chartName.toStdString(),
                           charts->add(chart), size.width(), size.height());
    };
    const auto files = TRY(report::renderReport(report, "paper.html", {.svg = renderer}));
    QString html = QString::fromStdString(files.front().bytes);
    static const QRegularExpression style(QStringLiteral("<style>.*?</style>"),
                                          QRegularExpression::DotMatchesEverythingOption);
    html.remove(style);
    document.clear();
    document.setDefaultFont(textFont(size::secondary));
    document.setDefaultStyleSheet(paperStyle());
    document.setHtml(html);
    return {};
}

}  // namespace dlperf::ui

#include "report_document.moc"
