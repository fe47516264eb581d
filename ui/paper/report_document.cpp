// SPDX-License-Identifier: Apache-2.0
#include "ui/paper/report_document.h"

#include <fmt/format.h>

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextObjectInterface>
#include <QTextTable>
#include <algorithm>
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
    using QObject::QObject;

    // What stands for the chart in HTML. It is drawn at a size of its own, on its place in the line.
    std::string add(const report::ChartSpec& spec, const QSize& size, const QSize& place) {
        charts_.push_back({spec, size, nullptr});
        return fmt::format("<img src=\"{}{}\" width=\"{}\" height=\"{}\">", chartName.toStdString(),
                           charts_.size() - 1, place.width(), place.height());
    }

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override {
        return {format.toImageFormat().width(), format.toImageFormat().height()};
    }

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
        QSize size;
        std::unique_ptr<PaperChart> drawn;
    };

    static PaperChart& drawn(Chart& chart) {
        if (!chart.drawn) {
            const PaperFonts fonts;
            chart.drawn = std::make_unique<PaperChart>(chart.spec, chart.size);
        }
        return *chart.drawn;
    }

    std::vector<Chart> charts_;
};

// Bars of many columns, or a legend of many entries, are not read on half a line.
bool needsWholeLine(const report::ChartSpec& chart) {
    constexpr std::size_t mostSeries = 9;
    constexpr std::size_t mostColumns = 32;
    const bool columns = chart.kind != report::ChartKind::Lines;
    return chart.series.size() > mostSeries ||
           (columns && chart.series.size() * chart.x.categories.size() > mostColumns);
}

// A chart's place in a line of this width: two stand beside each other where there is room.
QSize placeOf(const report::ChartSpec& chart, int lineWidth) {
    constexpr int narrowestHalf = 260;
    constexpr int between = 6;  // px, with the blank that parts two pictures in HTML
    const int half = lineWidth / 2 - between;
    const int width = half < narrowestHalf || needsWholeLine(chart) ? lineWidth : half;
    return width == half ? QSize(width, width * 17 / 25) : QSize(width, width * 11 / 20);
}

// On half a line it is drawn larger and shown smaller, so that its words have room.
QSize drawnSize(const QSize& place, int lineWidth) {
    constexpr double larger = 1.3;
    return place.width() == lineWidth ? place : (QSizeF(place) * larger).toSize();
}

// Long words, which would make their column wider than the page, may be broken every so many letters.
void makeBreakable(const QTextBlock& block) {
    static const QRegularExpression piece(QStringLiteral("[^\\s\u200B]{14}(?=[^\\s\u200B]{6})"));
    QList<int> ends;
    for (auto found = piece.globalMatch(block.text()); found.hasNext();) {
        ends.prepend(block.position() + static_cast<int>(found.next().capturedEnd()));
    }
    QTextCursor cursor(block);
    for (const int end : ends) {
        cursor.setPosition(end);
        cursor.insertText(QString(QChar(0x200B)));
    }
}

// px that a cell cannot do without: all of a figure, the longest word of another text.
double leastWidth(const QTextBlock& block, bool figure, const QFontMetricsF& letters) {
    static const QRegularExpression end(QStringLiteral("[ \u200B]"));
    double width = 0;
    for (const QString& word : figure ? QStringList{block.text()} : block.text().split(end)) {
        width = std::max(width, letters.horizontalAdvance(word));
    }
    return width;
}

// Readies a column for the page; px that it cannot do without.
double prepareColumn(const QTextTable& table, int column, const QFontMetricsF& letters) {
    double width = 0;
    for (int row = 0; row < table.rows(); ++row) {
        QTextCursor cell = table.cellAt(row, column).firstCursorPosition();
        const bool figure = row > 0 && cell.blockFormat().alignment().testFlag(Qt::AlignRight);
        if (figure) {
            QTextBlockFormat whole;
            whole.setNonBreakableLines(true);
            cell.mergeBlockFormat(whole);
        } else if (row > 0) {
            makeBreakable(cell.block());
        }
        width = std::max(width, leastWidth(cell.block(), figure, letters));
    }
    return width;
}

// Words and figures stay whole: a table that is too wide for the line is set in smaller type.
void fitTable(QTextTable& table, int lineWidth) {
    constexpr int usual = 11;  // px, as the style sheet says
    constexpr int smallest = 7;
    constexpr double aroundText = 10;  // px of a column
    constexpr int columnsOfAWholeLine = 5;
    const QFontMetricsF letters(textFont(usual, QFont::DemiBold));
    double width = 0;
    for (int column = 0; column < table.columns(); ++column) {
        width += prepareColumn(table, column, letters);
    }
    if (table.columns() >= columnsOfAWholeLine) {
        QTextTableFormat format = table.format();
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        table.setFormat(format);
    }
    const double room = lineWidth - aroundText * table.columns();
    if (width > room) {
        QTextCharFormat smaller;
        smaller.setProperty(QTextFormat::FontPixelSize,
                            std::max(smallest, static_cast<int>(usual * room / width)));
        QTextCursor all = table.firstCursorPosition();
        all.setPosition(table.lastPosition(), QTextCursor::KeepAnchor);
        all.mergeCharFormat(smaller);
    }
}

void fitTables(const QTextDocument& document, int lineWidth) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            fitTable(*table, lineWidth);
        }
    }
}

}  // namespace

Result<void> fillDocument(QTextDocument& document, const report::Report& report, int lineWidth) {
    auto filled = fillWords(document, report, lineWidth);
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

Result<void> fillWords(QTextDocument& document, const report::Report& report, int lineWidth) {
    const PaperFonts fonts;
    qDeleteAll(document.findChildren<Charts*>(Qt::FindDirectChildrenOnly));  // of an earlier report
    auto* charts = new Charts(&document);
    const auto renderer = [&](const report::ChartSpec& chart, int, int) -> Result<std::string> {
        const QSize place = placeOf(chart, lineWidth);
        return charts->add(chart, drawnSize(place, lineWidth), place);
    };
    const auto files = TRY(report::renderReport(report, "paper.html", {.svg = renderer}));
    QString html = QString::fromStdString(files.front().bytes);
    static const QRegularExpression style(QStringLiteral("<style>.*?</style>"),
                                          QRegularExpression::DotMatchesEverythingOption);
    html.remove(style);
    document.clear();
    QTextOption wholeWords;
    wholeWords.setWrapMode(QTextOption::WordWrap);
    document.setDefaultTextOption(wholeWords);
    document.setDefaultFont(textFont(size::secondary));
    document.setDefaultStyleSheet(paperStyle());
    document.setHtml(html);
    fitTables(document, lineWidth);
    return {};
}

}  // namespace dlperf::ui

#include "report_document.moc"
