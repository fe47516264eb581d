// SPDX-License-Identifier: Apache-2.0
#include "ui/paper/pdf.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <functional>

#include "core/base/text.h"
#include "ui/charts/paper_chart.h"
#include "ui/paper/pages.h"
#include "ui/paper/report_document.h"

namespace dlperf::ui {
namespace {

constexpr double pointsPerPx = 0.75;
constexpr int smallestChart = 100;
constexpr int largestChart = 10000;

// The bytes of what `paint` writes; empty where the writer could not begin.
QByteArray written(const QString& title, const std::function<void(QPdfWriter&)>& paint) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(paperResolution);
        writer.setTitle(title);
        writer.setCreator(QStringLiteral("DLPerf Dashboard"));
        paint(writer);
    }
    return buffer.data();
}

// Page by page; QTextDocument::print() would add margins of its own.
void printPages(QTextDocument& document, QPdfWriter& writer) {
    breakIntoPages(document, textArea(document));
    QPainter painter(&writer);
    for (int page = 0; page < document.pageCount(); ++page) {
        if (page > 0) {
            writer.newPage();
        }
        paintPage(painter, document, page);
    }
}

Result<std::string> bytesOf(const Result<void>& done, const QByteArray& pdf) {
    TRY(done);
    if (pdf.isEmpty()) {
        return fail("the PDF could not be drawn", {}, {}, ErrorKind::Work);
    }
    return pdf.toStdString();
}

constexpr QSize exportSize(900, 520);
constexpr int pixelsPerPx = 2;  // sharp on paper and on dense displays

QImage draw(const report::ChartSpec& spec) {
    QImage image(exportSize * pixelsPerPx, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    PaperChart(spec, exportSize).paint(painter, QRectF(QPointF(0, 0), image.size()));
    return image;
}

std::string png(const report::ChartSpec& spec) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    draw(spec).save(&buffer, "PNG");
    return buffer.data().toStdString();
}

}  // namespace

Result<std::string> renderChartPdf(const report::ChartSpec& spec, int width, int height) {
    if (width < smallestChart || width > largestChart || height < smallestChart || height > largestChart) {
        return fail("a chart is 100 to 10000 px wide and high",
                    std::to_string(width) + " x " + std::to_string(height));
    }
    OffscreenApplication application;
    QByteArray pdf;
    const auto done = application.run([&] {
        PaperChart chart(spec, {width, height});
        pdf = written(QString::fromStdString(spec.title), [&](QPdfWriter& writer) {
            writer.setPageSize(
                QPageSize(QSizeF(width * pointsPerPx, height * pointsPerPx), QPageSize::Point));
            writer.setPageMargins(QMarginsF());
            QPainter painter(&writer);
            chart.paint(painter, QRectF(0, 0, width, height));
        });
    });
    return bytesOf(done, pdf);
}

Result<std::string> renderReportPdf(const report::Report& report) {
    OffscreenApplication application;
    QByteArray pdf;
    Result<void> filled;
    const auto done = application.run([&] {
        QTextDocument document;
        filled = fillDocument(document, report, paperLine);
        pdf = written(QString::fromStdString(report.title), [&](QPdfWriter& writer) {
            writer.setPageLayout(paperLayout());
            printPages(document, writer);
        });
    });
    return filled ? bytesOf(done, pdf) : Failure(filled.error());
}

report::Renderers reportRenderers() {
    return {.svg = renderSvg, .pdf = renderChartPdf, .document = renderReportPdf};
}

Result<std::string> chartFile(const report::ChartSpec& spec, const std::filesystem::path& path) {
    const std::string ending = lower(path.extension().string());
    if (ending == ".svg") {
        return renderSvg(spec, exportSize.width(), exportSize.height());
    }
    if (ending == ".pdf") {
        return renderChartPdf(spec, exportSize.width(), exportSize.height());
    }
    if (ending == ".png") {
        return png(spec);
    }
    return fail("a chart cannot be written as \"" + (ending.empty() ? "no ending" : ending) + "\"",
                path.string(), "Name a file that ends in .svg, .png or .pdf.");
}

Result<std::unique_ptr<QMimeData>> chartMime(const report::ChartSpec& spec) {
    const auto svg = TRY(renderSvg(spec, exportSize.width(), exportSize.height()));
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(draw(spec));
    mime->setData(QStringLiteral("image/svg+xml"), QByteArray::fromStdString(svg));
    return mime;
}

}  // namespace dlperf::ui
