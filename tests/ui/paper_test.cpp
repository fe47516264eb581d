// SPDX-License-Identifier: Apache-2.0
// Reports on paper: the document's charts are drawn, and PDF files have the pages that they should.
#include <QAbstractTextDocumentLayout>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

#include "tests/ui/watchdog.h"
#include "ui/paper/pages.h"
#include "ui/paper/pdf.h"
#include "ui/paper/report_document.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr int chartWidth = 500;

report::ChartSpec bars() {
    report::ChartSpec spec;
    spec.title = "Throughput";
    spec.unit = "images/s";
    spec.kind = report::ChartKind::Bars;
    spec.x = {.title = "Topology", .scale = report::AxisScale::Categories, .categories = {"1n1g", "1n2g"}};
    spec.series.push_back({.key = "a", .title = "OneFlow", .framework = "oneflow"});
    spec.series[0].points = {{.x = 0, .y = 10}, {.x = 1, .y = 20}};
    return spec;
}

report::Report reportWith(int charts) {
    report::Report report;
    report.title = "Training throughput";
    report.sections.emplace_back();
    report.sections[0].heading = "ResNet50 <b>v1.5</b>";
    report.sections[0].charts.assign(static_cast<std::size_t>(charts), bars());
    report.parts = {report::ReportPart::Charts};
    return report;
}

// A report of method sentences and a table of so many rows below them.
report::Report reportWithTable(int sentences, int rows) {
    report::Report report;
    report.title = "Pages";
    report.method.assign(static_cast<std::size_t>(sentences), "A sentence of the method.");
    report.trouble.columns = {{"Run"}, {"Topology"}, {"Repetition", true}, {"Reason"}};
    for (int i = 0; i < rows; ++i) {
        report.trouble.rows.push_back({report::textCell("2026-11-26/" + std::to_string(i)),
                                       report::textCell("1n1g"),
                                       {.text = "12,345.67", .number = 12345.67},
                                       report::textCell("out of memory")});
    }
    report.parts = {report::ReportPart::Method, report::ReportPart::Findings};
    return report;
}

// The tops of the first and the last row of the document's table, and that of the heading above it.
struct Tops {
    double heading = 0;
    double first = 0;
    double last = 0;
};

Tops topsOf(QTextDocument& document) {
    const auto top = [&](const QTextBlock& block) {
        return document.documentLayout()->blockBoundingRect(block).top();
    };
    auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().value(0));
    const QTextBlock first = table->firstCursorPosition().block();
    return {top(document.findBlock(first.position() - 2)), top(first),
            top(table->cellAt(table->rows() - 1, 0).firstCursorPosition().block())};
}

int pagesOf(const std::string& pdf) {
    static const QRegularExpression page(QStringLiteral("/Type /Page\\b"));
    return static_cast<int>(QString::fromLatin1(pdf.c_str(), static_cast<qsizetype>(pdf.size())).count(page));
}

// As a reader of PDF files copies it.
QString textOf(const std::string& pdf) {
    QProcess reader;
    reader.start(QStringLiteral("pdftotext"),
                 {QStringLiteral("-layout"), QStringLiteral("-"), QStringLiteral("-")});
    reader.write(pdf.data(), static_cast<qint64>(pdf.size()));
    reader.closeWriteChannel();
    reader.waitForFinished();
    return QString::fromUtf8(reader.readAllStandardOutput()).replace(QChar(QChar::Nbsp), QLatin1Char(' '));
}

class PaperTest final : public QObject {
    Q_OBJECT

private slots:
    void theDocumentDrawsItsCharts() {
        QTextDocument document;
        QVERIFY(fillDocument(document, reportWith(2), chartWidth));
        QVERIFY(document.toPlainText().contains(QStringLiteral("ResNet50 <b>v1.5</b>")));
        QCOMPARE(document.toPlainText().count(QChar::ObjectReplacementCharacter), 2);
        QImage page(document.size().toSize(), QImage::Format_RGB32);
        page.fill(Qt::white);
        QPainter painter(&page);
        document.drawContents(&painter);
        painter.end();
        QCOMPARE(countOf(page, QColor(QStringLiteral("#3064D8"))) > 2000, true);
    }

    void aFilledDocumentCanBeFilledAnew() {
        QTextDocument document;
        QVERIFY(fillDocument(document, reportWith(3), chartWidth));
        QVERIFY(fillDocument(document, reportWith(1), chartWidth));
        QCOMPARE(document.toPlainText().count(QChar::ObjectReplacementCharacter), 1);
    }

    void aReportBecomesPages() {
        const auto few = renderReportPdf(reportWith(1));
        const auto many = renderReportPdf(reportWith(24));
        QVERIFY(few && many);
        QVERIFY(few->starts_with("%PDF-"));
        QCOMPARE(pagesOf(*few), 1);
        QVERIFY(pagesOf(*many) >= 3);
    }

    void theTextOfAPdfIsWhatItShows() {
        report::Report report = reportWithTable(0, 2);
        report.method = {"On 24 devices (3n8g) it trains −3.2 % (p = 0.008), 7.54× of (1n1g)."};
        for (report::TableCell& cell : report.trouble.rows.front()) {
            cell.text = "−12.7 % or 1.00×";
        }
        const auto pdf = renderReportPdf(report);
        QVERIFY(pdf);
        const QString text = textOf(*pdf);
        for (const char* words : {"(3n8g)", "−3.2 % (p = 0.008), 7.54×", "(1n1g)", "−12.7 % or 1.00×"}) {
            QVERIFY2(text.contains(QString::fromUtf8(words)), qPrintable(text));
        }
    }

    void aTableStaysOnOnePageBelowItsHeading() {
        constexpr QSizeF page(650, 900);
        for (int sentences = 20; sentences < 60; ++sentences) {
            QTextDocument document;
            QVERIFY(fillDocument(document, reportWithTable(sentences, 8), 650));
            breakIntoPages(document, page);
            const Tops tops = topsOf(document);
            const auto pageOf = [&](double y) { return static_cast<int>(y / page.height()); };
            QCOMPARE(pageOf(tops.heading), pageOf(tops.last));
            QVERIFY(tops.heading < tops.first && tops.first < tops.last);
        }
    }

    void aTableLargerThanAPageGoesOnBelow() {
        QTextDocument document;
        QVERIFY(fillDocument(document, reportWithTable(10, 200), 650));
        breakIntoPages(document, {650, 900});
        QCOMPARE(static_cast<int>(topsOf(document).heading / 900), 0);  // not moved for what cannot help
        QVERIFY(document.pageCount() > 3);
    }

    void rowsOfALongTableAreNotSplit() {
        constexpr QSizeF page(650, 900);
        report::Report report = reportWithTable(10, 90);
        for (std::size_t i = 0; i < report.trouble.rows.size(); ++i) {  // of one to five lines
            std::string words;
            for (std::size_t word = 0; word < 20 * (i % 5); ++word) {
                words += "word ";
            }
            report.trouble.rows[i].back() = report::textCell(words + "end");
        }
        QTextDocument document;
        QVERIFY(fillDocument(document, report, 650));
        breakIntoPages(document, page);
        QVERIFY(document.pageCount() > 3);
        const auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().value(0));
        const auto pageOf = [&](double y) { return static_cast<int>(y / page.height()); };
        for (int row = 0; row < table->rows(); ++row) {
            double top = 1e9;
            double bottom = 0;
            for (int column = 0; column < table->columns(); ++column) {
                const QTextBlock block = table->cellAt(row, column).firstCursorPosition().block();
                const QRectF place = document.documentLayout()->blockBoundingRect(block);
                const QTextLine last = block.layout()->lineAt(block.layout()->lineCount() - 1);
                top = std::min(top, place.top());
                bottom = std::max(bottom, place.top() + last.y() + last.height());
            }
            QVERIFY2(pageOf(top) == pageOf(bottom - 1),
                     qPrintable(QStringLiteral("row %1: %2 to %3").arg(row).arg(top).arg(bottom)));
        }
    }

    void wordsAndFiguresOfATableStayWhole() {
        report::Report report = reportWithTable(1, 3);
        for (int i = 0; i < 9; ++i) {  // too many for the usual type
            report.trouble.columns.push_back({"Efficiency", true});
            for (auto& row : report.trouble.rows) {
                row.push_back({.text = "105,282.34"});
            }
        }
        report.trouble.rows[0][0] = report::textCell(std::string(60, 'x'));  // a word that no column holds
        QTextDocument document;
        QVERIFY(fillDocument(document, report, 650));
        breakIntoPages(document, {650, 900});
        auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().value(0));
        for (int row = 0; row < table->rows(); ++row) {
            for (int column = 1; column < table->columns(); ++column) {
                QTextBlock block = table->cellAt(row, column).firstCursorPosition().block();
                if (block.text() != QStringLiteral("out of memory")) {
                    QCOMPARE(block.layout()->lineCount(), 1);
                }
            }
        }
        QVERIFY(document.documentLayout()->frameBoundingRect(table).right() < 670);
    }

    void chartsStandBesideEachOther() {
        QTextDocument document;
        QVERIFY(fillDocument(document, reportWith(4), 650));
        breakIntoPages(document, {650, 900});
        QVERIFY(document.size().height() < 650);  // two rows of less than 250
        report::Report many = reportWith(2);
        for (report::ChartSpec& chart : many.sections[0].charts) {
            chart.series.resize(12, chart.series[0]);
        }
        QTextDocument below;
        QVERIFY(fillDocument(below, many, 650));
        breakIntoPages(below, {650, 900});
        QVERIFY(below.size().height() > 750);
    }

    void aChartIsOnePageOfItsSize() {
        const auto pdf = renderChartPdf(bars(), 400, 200);
        QVERIFY(pdf);
        QCOMPARE(pagesOf(*pdf), 1);
        QVERIFY(pdf->find("/MediaBox [0 0 300.000000 150.000000]") != std::string::npos);
    }

    void aChartIsAFileOfEachKind() {
        const auto svg = chartFile(bars(), "a.svg");
        const auto png = chartFile(bars(), "a.PNG");
        const auto pdf = chartFile(bars(), "a.pdf");
        QVERIFY(svg && png && pdf);
        QVERIFY(svg->starts_with("<svg"));
        QVERIFY(pdf->starts_with("%PDF-"));
        const QImage image = QImage::fromData(QByteArray::fromStdString(*png));
        QCOMPARE(image.size(), QSize(1800, 1040));
        QVERIFY(countOf(image, QColor(QStringLiteral("#3064D8"))) > 10'000);
        const auto other = chartFile(bars(), "a.gif");
        QVERIFY(!other);
        QVERIFY(other.error().remedy.find(".svg") != std::string::npos);
    }

    void theClipboardHasPixelsAndLines() {
        const auto mime = chartMime(bars());
        QVERIFY(mime);
        QVERIFY((*mime)->hasImage());
        QVERIFY((*mime)->data(QStringLiteral("image/svg+xml")).startsWith("<svg"));
    }

    void aSizeThatIsNoneIsRefused() {
        QVERIFY(!renderChartPdf(bars(), 400, 20));
        QVERIFY(!renderChartPdf(bars(), 20000, 200));
    }

private:
    static int countOf(const QImage& image, const QColor& color) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                count += image.pixelColor(x, y) == color ? 1 : 0;
            }
        }
        return count;
    }
};

}  // namespace
DLPERF_UI_TEST(PaperTest);

}  // namespace dlperf::ui
#include "paper_test.moc"
