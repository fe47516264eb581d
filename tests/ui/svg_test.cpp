// SPDX-License-Identifier: Apache-2.0
// Charts as files, as the command line draws them: this program makes no application object of its own.
#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QGraphicsScene>
#include <QRegularExpression>
#include <QtTest>
#include <limits>
#include <thread>

#include <QXmlStreamReader>

#include "chart_specs.h"
#include "ui/charts/paper_chart.h"
#include "ui/charts/plot.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

class SvgTest : public QObject {
    Q_OBJECT

private slots:
    void showsEverySeriesAndLabel();
    void marksWhatIsMissing();
    void zeroHasNoSign();
    void escapesText();
    void warningsLeaveTheCurvesTheirRoom();
    void survivesNumbersThatNoAxisShows();
    void isTheSameEveryTime();
    void refusesBadSizes();
};

namespace {

// All text of the picture, or a test failure for XML that is not well formed.
QString textOf(const std::string& svg) {
    QXmlStreamReader reader(QString::fromStdString(svg));
    QString text;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isCharacters()) {
            text += reader.text();
        }
    }
    if (reader.hasError()) {
        QTest::qFail(qPrintable(reader.errorString()), __FILE__, __LINE__);
    }
    return text;
}

std::string rendered(const report::ChartSpec& spec) {
    const auto svg = renderSvg(spec, 720, 420);
    if (const QByteArray folder = qgetenv("DLPERF_PICTURES"); !folder.isEmpty() && svg) {
        QFile file(QString::fromLocal8Bit(folder) + QLatin1Char('/') + QString::fromStdString(spec.title) +
                   QStringLiteral(".svg"));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(svg->data(), static_cast<qint64>(svg->size()));
        }
    }
    return svg ? *svg : std::string();
}

}  // namespace

void SvgTest::showsEverySeriesAndLabel() {
    const std::string bars = rendered(test::throughputSpec());
    QVERIFY(bars.starts_with("<svg xmlns="));
    QVERIFY(!bars.empty() && bars.find("<?xml") == std::string::npos);
    const QString text = textOf(bars);
    for (const report::Series& series : test::throughputSpec().series) {
        QVERIFY2(text.contains(QString::fromStdString(series.title)), series.title.c_str());
    }
    for (const char* label : {"12,412", "398", "14,000", "4n8g", "Topology", "Throughput, images/s"}) {
        QVERIFY2(text.contains(QString::fromUtf8(label)), label);
    }
    QVERIFY(bars.find("font-family=\"Inter, sans-serif\"") != std::string::npos);
    QVERIFY(bars.find("<image") == std::string::npos);
    // The hues of OneFlow and of NGC MXNet, as the light theme has them.
    QVERIFY(bars.find("#3064d8") != std::string::npos && bars.find("#3a7454") != std::string::npos);

    const QString lines = textOf(rendered(test::speedupSpec()));
    for (const char* label : {"ideal", "31.2×", "24.9×", "32×", "16", "Number of GPUs"}) {
        QVERIFY2(lines.contains(QString::fromUtf8(label)), label);
    }
    QVERIFY(textOf(rendered(test::liveSpec(84))).contains(QStringLiteral("warmup")));
}

// A line without the figure, with and without a mark: nothing but the mark in the series' hue comes along.
void SvgTest::marksWhatIsMissing() {
    report::ChartSpec spec = test::speedupSpec();
    spec.title = "Speedup, a figure missing";
    report::Series& series = spec.series[2];  // NGC MXNet
    series.points[1] = {.x = series.points[1].x, .finding = "Missing figure: OOM", .missing = true};
    const QString marked = QString::fromStdString(rendered(spec));
    series.points.erase(series.points.begin() + 1);
    const QString unmarked = QString::fromStdString(rendered(spec));
    const QString hue = QStringLiteral("stroke=\"#3a7454\"");
    QCOMPARE(marked.count(hue), unmarked.count(hue) + 1);
    QCOMPARE(marked.count(QLatin1String("<polyline")), unmarked.count(QLatin1String("<polyline")) + 4);
    QVERIFY(!marked.contains(QLatin1String("nan")) && !marked.contains(QLatin1String("inf")));
}

void SvgTest::zeroHasNoSign() {
    report::ChartSpec spec;
    spec.kind = report::ChartKind::Dots;
    spec.y.numbers = report::NumberStyle::Percent;
    spec.x.scale = report::AxisScale::Categories;
    spec.x.categories = {"1n1g"};
    report::Series series;
    series.key = series.title = series.framework = "oneflow";
    series.points.push_back({.x = 0, .y = 0, .low = -0.65, .high = 0.58, .singles = {-0.65, 0, 0.58}});
    spec.series.push_back(series);
    const QString text = textOf(rendered(spec));
    QVERIFY2(text.contains(QStringLiteral("0.0")) && !text.contains(QStringLiteral("-0.0")),
             qPrintable(text));
    for (const char* end : {"-0.8", "0.6"}) {  // and none is lost at an end
        QVERIFY2(text.contains(QLatin1String(end)), qPrintable(text));
    }
}

void SvgTest::escapesText() {
    report::ChartSpec spec = test::throughputSpec();
    spec.title = "<b>\"Quoted\" & 'odd'</b>";
    spec.unit = "</svg><script>alert(1)</script>";
    spec.series[0].title = "<script>alert(1)</script>";
    spec.warnings = {"a <i>warning</i> & more"};
    spec.x.categories[0] = "<text>";
    const std::string svg = rendered(spec);
    QVERIFY(svg.find("<script") == std::string::npos);
    QVERIFY(svg.find("<b>") == std::string::npos);
    QVERIFY(textOf(svg).contains(QStringLiteral("<script>alert(1)</script>")));
    QVERIFY(textOf(svg).contains(QStringLiteral("a <i>warning</i> & more")));
}

void SvgTest::warningsLeaveTheCurvesTheirRoom() {
    report::ChartSpec spec = test::speedupSpec();
    for (const char* number : {"first", "second", "third"}) {
        std::string warning = std::string("the ") + number + " of them";
        for (int i = 0; i < 60; ++i) {
            warning += ", and on it goes";
        }
        spec.warnings.push_back(warning);
    }
    constexpr int height = 300;
    double ofCurves = 0;
    OffscreenApplication application;
    QVERIFY(application.run([&] {
        QGraphicsScene scene;
        Plot plot(scene, spec, lightTheme(), PlotFrame{.title = true, .legend = true});
        plot.resize({640, height});
        ofCurves = plot.chart().plotArea().height();
    }));
    QVERIFY2(ofCurves > height / 3.0, qPrintable(QString::number(ofCurves)));
    const QString text = textOf(rendered(spec));
    QVERIFY(text.contains(QStringLiteral("the first of them")) && text.contains(QStringLiteral("more")));
    QVERIFY(!text.contains(QStringLiteral("the third of them")));
}

void SvgTest::survivesNumbersThatNoAxisShows() {
    report::ChartSpec spec = test::speedupSpec();
    spec.series[1].points[0].y = 0;
    spec.series[1].points[1].y = -3;
    spec.series[2].points[1].y = std::numeric_limits<double>::quiet_NaN();
    spec.series[3].points[1].y = std::numeric_limits<double>::infinity();
    const std::string svg = rendered(spec);
    const QRegularExpression noNumber(QStringLiteral("[\" ,](nan|inf|-nan|-inf)[\" ,]"));
    QVERIFY(!QString::fromStdString(svg).contains(noNumber));
    // The series keeps the points that can be shown: a line of OneFlow's hue is still there.
    QVERIFY(svg.find("#3064d8") != std::string::npos);
    QVERIFY(textOf(svg).contains(QStringLiteral("31.2×")));

    report::ChartSpec bars = test::throughputSpec();
    bars.series[0].points[3].y = std::numeric_limits<double>::quiet_NaN();
    bars.series[1].points.clear();
    QVERIFY(!QString::fromStdString(rendered(bars)).contains(noNumber));
    QVERIFY(!rendered(report::ChartSpec{}).empty());
}

void SvgTest::isTheSameEveryTime() {
    const std::string first = rendered(test::throughputSpec());
    QCOMPARE(rendered(test::throughputSpec()), first);
    QVERIFY(QCoreApplication::instance() == nullptr);
}

void SvgTest::refusesBadSizes() {
    QVERIFY(!renderSvg(test::throughputSpec(), 0, 400));
    QVERIFY(!renderSvg(test::throughputSpec(), 400, 1000000));
}

}  // namespace dlperf::ui

int main(int argc, char** argv) {
    // A platform that does not exist: whoever asks for the environment's platform ends the program.
    qputenv("QT_QPA_PLATFORM", "none-such");
    dlperf::ui::SvgTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "svg_test.moc"
