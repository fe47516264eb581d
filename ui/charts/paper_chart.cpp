// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/paper_chart.h"

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QThread>

#include "ui/charts/plot.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

// An argument beats QT_QPA_PLATFORM, so the environment need not be touched.
std::array<char, 7> programName{"dlperf"};
std::array<char, 10> platformOption{"-platform"};
std::array<char, 10> platformValue{"offscreen"};

constexpr int smallest = 100;
constexpr int largest = 10000;
constexpr int svgResolution = 72;  // dpi; one SVG unit is one px

QByteArray draw(const report::ChartSpec& spec, const QSize& size) {
    PaperChart chart(spec, size);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(svgResolution);
    generator.setTitle(QString::fromStdString(spec.title).toHtmlEscaped());
    generator.setDescription(QString::fromStdString(spec.unit).toHtmlEscaped());
    QPainter painter(&generator);
    chart.paint(painter, QRectF(QPointF(0, 0), size));
    painter.end();
    return buffer.data();
}

// Qt opens a group for each change of pen, also when nothing is drawn with it, and names fonts where no text
// is.
QString withoutEmptyGroups(QString svg) {
    static const QRegularExpression empty(QStringLiteral("<g [^>]*>\\s*</g>\\s*"));
    static const QRegularExpression font(QStringLiteral("\\s*font-family=[^>]*(>\\s*<(?!text))"));
    svg.remove(empty);
    svg.remove(QStringLiteral(" transform=\"matrix(1,0,0,1,0,0)\""));
    svg.replace(font, QStringLiteral("\\1"));
    return svg;
}

// Qt writes a file of its own with a size in mm and one font family; ours stands in a page and scales in px.
QString cleaned(QString svg, const QSize& size) {
    svg.remove(0, std::max<qsizetype>(svg.indexOf(QLatin1String("<svg")), 0));
    static const QRegularExpression opening(QStringLiteral("^<svg[^>]*>"));
    svg.replace(opening,
                QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" "
                               "viewBox=\"0 0 %1 %2\" role=\"img\">")
                    .arg(size.width())
                    .arg(size.height()));
    static const QRegularExpression family(QStringLiteral("font-family=\"[^\"]*\""));
    svg.replace(family, QStringLiteral("font-family=\"Inter, sans-serif\""));
    return withoutEmptyGroups(svg).trimmed() + QLatin1Char('\n');
}

}  // namespace

PaperChart::PaperChart(const report::ChartSpec& spec, const QSize& size) {
    const PaperFonts fonts;
    plot_ = std::make_unique<Plot>(scene_, spec, lightTheme(), PlotFrame{.title = true, .legend = true});
    plot_->resize(size);
    scene_.setSceneRect(QRectF(QPointF(0, 0), size));
}

PaperChart::~PaperChart() = default;

void PaperChart::paint(QPainter& painter, const QRectF& place) {
    const PaperFonts fonts;
    scene_.render(&painter, place, scene_.sceneRect(), Qt::IgnoreAspectRatio);
}

OffscreenApplication::OffscreenApplication()
    : argv_{programName.data(), platformOption.data(), platformValue.data(), nullptr} {
    if (QCoreApplication::instance() == nullptr) {
        // What Qt remarks about a session that is none must not stand among a command's messages.
        const QtMessageHandler before =
            qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        own_ = std::make_unique<QApplication>(argc_, argv_.data());
        qInstallMessageHandler(before);
    }
}

Result<void> OffscreenApplication::run(const std::function<void()>& work) {
    auto* application = qobject_cast<QApplication*>(QCoreApplication::instance());
    if (application == nullptr) {
        return fail("charts cannot be drawn in a program whose application object has no widgets", {},
                    "Use a QApplication.", ErrorKind::Work);
    }
    if (application->thread() == QThread::currentThread()) {
        work();
    } else {
        QMetaObject::invokeMethod(application, work, Qt::BlockingQueuedConnection);
    }
    return {};
}

Result<std::string> renderSvg(const report::ChartSpec& spec, int width, int height) {
    if (width < smallest || width > largest || height < smallest || height > largest) {
        return fail("a chart is 100 to 10000 px wide and high",
                    std::to_string(width) + " x " + std::to_string(height));
    }
    OffscreenApplication application;
    QByteArray svg;
    TRY(application.run([&] { svg = draw(spec, {width, height}); }));
    if (svg.isEmpty()) {
        return fail("the chart \"" + spec.title + "\" could not be drawn", {}, {}, ErrorKind::Work);
    }
    return cleaned(QString::fromUtf8(svg), {width, height}).toStdString();
}

}  // namespace dlperf::ui
