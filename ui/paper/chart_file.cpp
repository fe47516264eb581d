// SPDX-License-Identifier: Apache-2.0
#include "ui/paper/chart_file.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>

#include "core/base/text.h"
#include "ui/charts/paper_chart.h"
#include "ui/charts/svg_renderer.h"
#include "ui/paper/pdf.h"

namespace dlperf::ui {
namespace {

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
    const auto svg = renderSvg(spec, exportSize.width(), exportSize.height());
    if (!svg) {
        return Failure(svg.error());
    }
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(draw(spec));
    mime->setData(QStringLiteral("image/svg+xml"), QByteArray::fromStdString(*svg));
    return mime;
}

}  // namespace dlperf::ui
