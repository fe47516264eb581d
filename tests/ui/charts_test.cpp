// SPDX-License-Identifier: Apache-2.0
// Charts on the screen: hover, keyboard, hiding, and replacing points while a run goes on.
#include <QGraphicsTextItem>
#include <QGraphicsView>
#include <QPainter>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>
#include <algorithm>

#include "chart_specs.h"
#include "core/report/series_points.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/axis_range.h"
#include "ui/charts/chart_tip.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/plot.h"
#include "ui/charts/series_look.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

class ChartsTest : public QObject {
    Q_OBJECT

private slots:
    void rangesAreRound();
    void labelsHaveTheDecimalsThatTheyNeed();
    void onlyWhatIsMeasuredStandsOnALogarithmicAxis();
    void arrowsWalkThePoints();
    void markersStandOnALogarithmicAxis();
    void pointerFindsABar();
    void crowdedBarsHaveNoBandOfWhiskers();
    void figuresStandOffTheBarsOfOthers();
    void allBarsOfAChartAreLabelledOrOneOfEachGroup();
    void aLineParts();
    void findingsAreMarkedAtTheFootOfTheirBar();
    void aFindingCoversNoPoint();
    void theValuesTellSeriesApart();
    void missingFiguresHaveACrossOnTheAxis();
    void livePointsAreReplaced();
    void legendHidesAndIsolates();
    void aLegendHidesNodesOfALiveChart();
};

namespace {

// Two groups of bars, the second much higher.
report::ChartSpec groups(std::size_t bars, double spread) {
    report::ChartSpec spec;
    spec.kind = report::ChartKind::Bars;
    spec.x.scale = report::AxisScale::Categories;
    spec.x.categories = {"1n1g", "1n8g"};
    for (std::size_t i = 0; i < bars; ++i) {
        report::Series series;
        series.key = series.title = std::to_string(i);
        series.framework = "oneflow";
        for (const double x : {0.0, 1.0}) {
            const double y = x == 0 ? 4500 : 9000;
            series.points.push_back({.x = x, .y = y, .low = y - spread, .high = y + spread});
        }
        spec.series.push_back(series);
    }
    return spec;
}

// Series 1 to `last` have no figure at a topology: either nothing is said of it, or there is a mark.
report::ChartSpec lacking(std::size_t last, std::ptrdiff_t topology, bool marked) {
    report::ChartSpec spec = test::speedupSpec();
    for (std::size_t series = 1; series <= last; ++series) {
        auto& points = spec.series[series].points;
        const auto point = points.begin() + topology;
        *point = {.x = point->x, .tip = "no figure", .finding = "Missing figure: OOM", .missing = true};
        if (!marked) {
            points.erase(point);
        }
    }
    return spec;
}

// Where a picture has one color and the other has not.
QRect newlyOf(const QColor& color, const QImage& with, const QImage& without) {
    QRect found;
    for (int y = 0; y < with.height(); ++y) {
        for (int x = 0; x < with.width(); ++x) {
            if (with.pixelColor(x, y) == color && without.pixelColor(x, y) != color) {
                found |= QRect(x, y, 1, 1);
            }
        }
    }
    return found;
}

QImage drawn(QGraphicsScene& scene, Plot& plot) {
    QImage image(600, 400, QImage::Format_ARGB32);
    image.fill(Qt::white);
    plot.resize(image.size());
    QPainter painter(&image);
    scene.render(&painter, image.rect(), image.rect());
    return image;
}

QImage pictureOf(const report::ChartSpec& spec, int width) {
    ChartView view;
    view.resize(width, 300);
    view.setSpec(spec);
    view.show();
    return QTest::qWaitForWindowExposed(&view) ? view.grab().toImage() : QImage();
}

}  // namespace

void ChartsTest::crowdedBarsHaveNoBandOfWhiskers() {
    // Half a per cent of spread is a pixel or two: on a wide bar a whisker, on forty narrow ones a black
    // band.
    QVERIFY(pictureOf(groups(2, 50), 600) != pictureOf(groups(2, 0), 600));
    QCOMPARE(pictureOf(groups(40, 50), 600), pictureOf(groups(40, 0), 600));
    QVERIFY(pictureOf(groups(40, 2000), 600) != pictureOf(groups(40, 0), 600));  // that says something
}

void ChartsTest::figuresStandOffTheBarsOfOthers() {
    for (const int width : {300, 420}) {  // the figure is wider than its bar, once wider than its group
        report::ChartSpec spec = groups(12, 0);
        const QImage without = pictureOf(spec, width);
        report::Point& last = spec.series.back().points.front();  // of the first group
        last.label = "a figure of 4,500";
        last.isBest = true;
        const QImage with = pictureOf(spec, width);
        QVERIFY(with != without || width == 300);
        for (int y = 0; y < with.height(); ++y) {
            for (int x = 0; x < with.width(); ++x) {
                const bool onBar = without.pixelColor(x, y) == lightTheme().series[0];
                QVERIFY(!onBar || with.pixelColor(x, y) == without.pixelColor(x, y));
            }
        }
    }
}

// A label on one bar of two says that the other has none to show.
void ChartsTest::allBarsOfAChartAreLabelledOrOneOfEachGroup() {
    const auto picturesFor = [](std::size_t series) {
        report::ChartSpec all = groups(series, 0);
        for (report::Series& one : all.series) {
            for (report::Point& point : one.points) {
                point.label = "4,500";
                point.isBest = &one == &all.series.front();
            }
        }
        report::ChartSpec best = all;
        for (report::Series& one : best.series) {
            for (report::Point& point : one.points) {
                point.label = point.isBest ? point.label : std::string();
            }
        }
        return std::pair(pictureOf(all, 600), pictureOf(best, 600));
    };
    const auto few = picturesFor(2);
    QVERIFY(few.first != few.second);
    const auto many = picturesFor(12);
    QCOMPARE(many.first, many.second);
}

// Not up and down between two topologies with one number of devices.
void ChartsTest::aLineParts() {
    report::ChartSpec spec;
    spec.kind = report::ChartKind::Lines;
    report::Series series{.key = "a", .title = "a", .framework = "oneflow"};
    series.points = {{.x = 1, .y = 1, .topology = Topology{1, 1}},
                     {.x = 2, .y = 2, .topology = Topology{1, 2}},
                     {.x = 2, .y = 1.2, .topology = Topology{2, 1}}};
    series.ways = {{0, 1}, {0, 2}};
    spec.series.push_back(series);
    QGraphicsScene scene;
    Plot plot(scene, spec, lightTheme());
    const QImage image = drawn(scene, plot);
    const auto isLineBetween = [&](std::size_t from, std::size_t to) {
        const QPoint middle =
            ((plot.positionOf(PointRef{0, from}) + plot.positionOf(PointRef{0, to})) / 2).toPoint();
        for (const QPoint& near : {QPoint(0, 0), QPoint(1, 0), QPoint(0, 1), QPoint(-1, 0), QPoint(0, -1)}) {
            if (image.pixelColor(middle + near) == lightTheme().series[0]) {
                return true;
            }
        }
        return false;
    };
    QVERIFY(isLineBetween(0, 1));
    QVERIFY(isLineBetween(0, 2));
    QVERIFY(!isLineBetween(1, 2));
    const Crosshair crosshair = crosshairAt(plot, 2);
    QCOMPARE(crosshair.rows.size(), std::size_t{2});
    QCOMPARE(crosshair.rows[1].topology, QStringLiteral("2n1g"));
}

void ChartsTest::findingsAreMarkedAtTheFootOfTheirBar() {
    report::ChartSpec spec = groups(4, 0);
    const QImage without = pictureOf(spec, 600);
    spec.series[1].points[1].finding = "Throughput falls";
    const QImage with = pictureOf(spec, 600);
    QRect marked;
    for (int y = 0; y < with.height(); ++y) {
        for (int x = 0; x < with.width(); ++x) {
            if (with.pixelColor(x, y) != without.pixelColor(x, y)) {
                marked |= QRect(x, y, 1, 1);
            }
        }
    }
    QVERIFY(!marked.isEmpty());
    QVERIFY2(marked.width() <= 10 && marked.height() <= 10, "a small disc, and nothing else changes");
    QVERIFY(marked.left() > 300);               // in the second group
    QVERIFY(marked.top() > with.height() / 2);  // at the foot, however high the bar is
    QCOMPARE(with.pixelColor(marked.center()), lightTheme().warn.text);
}

// Of a case that became slower the point lies low, where the mark of a bar would be.
void ChartsTest::aFindingCoversNoPoint() {
    report::ChartSpec spec{.kind = report::ChartKind::Dots};
    spec.x = {.scale = report::AxisScale::Categories, .categories = {"1n1g", "1n8g"}};
    spec.series.push_back({.key = "a", .title = "a", .framework = "oneflow"});
    spec.series[0].points = {{.x = 0, .y = 9}, {.x = 1, .y = -9.5}};
    const QImage without = pictureOf(spec, 600);
    spec.series[0].points[1].finding = "slower";
    const QImage with = pictureOf(spec, 600);
    QVERIFY(!newlyOf(lightTheme().warn.text, with, without).isEmpty());
    QVERIFY(newlyOf(lightTheme().series[0], without, with).isEmpty());
}

// Long names that differ in their midst.
void ChartsTest::theValuesTellSeriesApart() {
    const auto shownFor = [](const char* second) {
        const QString name = QStringLiteral(
            "PyTorch, image_size=224, classes=1000, %1, data=/data/imagenet/of/the/lab, "
            "cudnn_benchmark=true, gradient_accumulation=2, NCCL_ALGO=Ring");
        report::ChartSpec spec = test::speedupSpec();  // the ideal line is the first
        spec.series[1].title = name.arg(QStringLiteral("workers=8")).toStdString();
        spec.series[2].title = name.arg(QLatin1String(second)).toStdString();
        spec.series.resize(3);
        QGraphicsScene scene;
        Plot plot(scene, spec, lightTheme());
        plot.resize({600, 400});
        QWidget owner;
        ValueTip tip(&owner);
        tip.showFor(plot, crosshairAt(plot, 1), {});
        return tip.grab().toImage();
    };
    QVERIFY(shownFor("workers=16") != shownFor("workers=24"));
}

void ChartsTest::missingFiguresHaveACrossOnTheAxis() {
    const QImage without = pictureOf(lacking(2, 1, false), 600);
    const QImage with = pictureOf(lacking(2, 1, true), 600);
    const QRect first = newlyOf(lightTheme().series[0], with, without);   // OneFlow
    const QRect second = newlyOf(lightTheme().series[3], with, without);  // MXNet
    for (const QRect& cross : {first, second}) {
        QVERIFY(!cross.isEmpty() && cross.width() <= 9 && cross.height() <= 9);
        QVERIFY(cross.top() > with.height() * 2 / 3);
    }
    QVERIFY2(first.right() < second.left() && second.left() - first.right() < 10, "side by side");
    for (int y = 0; y < with.height(); ++y) {
        for (int x = 0; x < with.width(); ++x) {
            const bool near = (first | second).adjusted(-4, -4, 4, 4).contains(x, y);
            QVERIFY(near || with.pixelColor(x, y) == without.pixelColor(x, y));
        }
    }
    // At the border of a small chart there is room for all.
    const QImage none = pictureOf(lacking(8, 0, false), 300);
    const QImage all = pictureOf(lacking(8, 0, true), 300);
    for (const std::size_t hue : {0, 4}) {  // OneFlow is the first, PaddlePaddle the last
        QVERIFY(newlyOf(lightTheme().series[hue], all, none).width() >= 5);
    }
    // The mark says what is missing, to the pointer and to the keyboard.
    ChartView view;
    view.resize(600, 300);
    view.setSpec(lacking(2, 1, true));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    auto* canvas = view.findChild<QGraphicsView*>();
    QTest::mouseMove(canvas->viewport(), canvas->viewport()->mapFrom(&view, second.center()));
    QTRY_VERIFY(view.shownValues().startsWith(QStringLiteral("NGC MXNet\n")));
    QVERIFY2(view.shownValues().contains(QStringLiteral("Missing figure: OOM")),
             qPrintable(view.shownValues()));
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::keyClick(&view, Qt::Key_Down);  // from nowhere to the first series, the ideal line
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY2(view.accessibleDescription().startsWith(QStringLiteral("OneFlow\n")) &&
                 view.accessibleDescription().contains(QStringLiteral("Missing figure: OOM")),
             qPrintable(view.accessibleDescription()));
}

void ChartsTest::rangesAreRound() {
    const AxisRange bars = roundRange(300, 12412, true, 7);
    QCOMPARE(bars.low, 0.0);
    QCOMPARE(bars.high, 14000.0);
    QCOMPARE(bars.step, 2000.0);
    const AxisRange small = roundRange(0, 0.8, true, 7);
    QCOMPARE(small.decimals(), 1);
    const AxisRange speedups = log2Range(1, 32);
    QCOMPARE(speedups.low, 0.88);
    QCOMPARE(speedups.high, 35.0);
    const AxisRange nothing = roundRange(0, 0, true, 7);
    QVERIFY(nothing.high > nothing.low);
}

// As they stand on a chart, where Qt writes them by the locale.
void ChartsTest::labelsHaveTheDecimalsThatTheyNeed() {
    const auto labelsWith = [](double factor) {
        report::ChartSpec spec = test::speedupSpec();
        for (report::Series& series : spec.series) {
            for (report::Point& point : series.points) {
                point.y *= factor;
            }
        }
        ChartView view;
        view.resize(600, 400);
        view.setSpec(spec);
        view.show();
        QSet<QString> labels;
        for (const QGraphicsItem* item : view.findChild<QGraphicsView*>()->scene()->items()) {
            if (const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item)) {
                labels.insert(text->toPlainText());
            }
        }
        return labels;
    };
    for (const char* label : {"1", "16", "1×", "8×", "32×"}) {
        QVERIFY2(labelsWith(1).contains(QString::fromUtf8(label)), label);
    }
    for (const char* label : {"1", "16", "0.125×", "0.5×", "2×"}) {
        QVERIFY2(labelsWith(1.0 / 16).contains(QString::fromUtf8(label)), label);
    }
}

// Whoever zooms in on eight devices sees no fractions of them, and batch size 24 has its label.
void ChartsTest::onlyWhatIsMeasuredStandsOnALogarithmicAxis() {
    report::ChartSpec spec = test::speedupSpec();
    QGraphicsScene scene;
    Plot plot(scene, spec, lightTheme());
    plot.resize({600, 400});
    plot.setView({.x = AxisSpan{2.6, 3.2}, .y = {}});
    for (const QGraphicsItem* item : scene.items()) {
        if (const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item)) {
            QVERIFY2(text->toPlainText().endsWith(QChar(0x00d7)) ||
                         !text->toPlainText().contains(QLatin1Char('.')),
                     qPrintable(text->toPlainText()));
        }
    }
    const auto pictured = [&](double devices) {
        for (report::Series& series : spec.series) {
            series.points[1].x = devices;
        }
        QGraphicsScene other;
        Plot changed(other, spec, lightTheme());
        const QImage image = drawn(other, changed);
        const auto labels = static_cast<int>(changed.chart().plotArea().bottom()) + 2;
        return image.copy(0, labels, 600, 18);
    };
    QVERIFY(pictured(11) != pictured(8));   // 11 has a label that 8, a doubling, did not need
    QVERIFY(pictured(8.2) == pictured(8));  // no room for one more
}

void ChartsTest::arrowsWalkThePoints() {
    ChartView view;
    view.resize(600, 400);
    view.setSpec(test::speedupSpec());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QSignalSpy hovered(&view, &ChartView::seriesHovered);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);  // from the ideal line to OneFlow
    QCOMPARE(hovered.last().at(0).toString(), QStringLiteral("OneFlow"));
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(hovered.last().at(0).toString(), QStringLiteral("NGC MXNet"));
    QVERIFY(view.accessibleDescription().contains(QStringLiteral("NGC MXNet")));
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(hovered.last().at(0).toString(), QString());
}

// As bars stand, a column for each series; a missing figure lies on the axis, not at minus infinity.
void ChartsTest::markersStandOnALogarithmicAxis() {
    report::ChartSpec spec = groups(3, 100);
    spec.series[1].points[0] = {.x = 0, .y = 180};
    spec.series[2].points[1] = {.x = 1, .missing = true};
    report::useLogFigures(spec);
    QCOMPARE(spec.y.lowest, 128.0);
    QGraphicsScene scene;
    Plot plot(scene, spec, lightTheme());
    plot.resize({600, 400});
    const QRectF area = plot.chart().plotArea();
    const auto heightOf = [&](double value) { return area.bottom() - plot.positionOf(0, value).y(); };
    QVERIFY(std::abs(heightOf(512) - heightOf(256) - (heightOf(1024) - heightOf(512))) < 0.01);
    QVERIFY(std::abs(heightOf(128)) < 0.01);
    for (std::size_t series = 0; series < 3; ++series) {
        for (std::size_t point = 0; point < 2; ++point) {
            const QPointF at = plot.positionOf(PointRef{series, point});
            if (!spec.series[series].points[point].missing) {
                QVERIFY(area.contains(at));
                QCOMPARE(plot.pointAt(at), (PointRef{series, point}));
            }
            QVERIFY(plot.barOf({series, point}).height() >= 0 && plot.barOf({series, point}).height() < 400);
        }
        QVERIFY(series == 0 ||
                plot.positionOf(PointRef{series, 0}).x() > plot.positionOf(PointRef{series - 1, 0}).x());
    }
    const auto crosshair = crosshairAt(plot, 0);
    QCOMPARE(crosshair.rows[1].value, QStringLiteral("180.00"));  // the figure, not a range of offsets
}

void ChartsTest::pointerFindsABar() {
    ChartView view;
    view.resize(800, 500);
    view.setSpec(test::throughputSpec());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QSignalSpy hovered(&view, &ChartView::seriesHovered);
    auto* canvas = view.findChild<QGraphicsView*>();
    // Sweep low over the last group: every series is met, from the best to the last one.
    QStringList met;
    for (int x = 600; x < 800; ++x) {
        QTest::mouseMove(canvas->viewport(), QPoint(x, 400));
        if (!hovered.isEmpty() && !hovered.last().at(0).toString().isEmpty()) {
            const QString key = hovered.last().at(0).toString();
            if (met.isEmpty() || met.last() != key) {
                met << key;
            }
        }
    }
    QCOMPARE(met.size(), 8);
    QCOMPARE(met.first(), QStringLiteral("OneFlow"));
    QCOMPARE(met.last(), QStringLiteral("PaddlePaddle"));
    const auto* tip = view.findChild<ChartTip*>();
    QVERIFY(tip != nullptr);
    QTest::mouseMove(canvas->viewport(), QPoint(700, 400));
    QTRY_VERIFY(!view.shownValues().isEmpty());
    view.hide();  // another page is shown
    QVERIFY(view.shownValues().isEmpty());
    QVERIFY(!tip->isVisible());
}

void ChartsTest::livePointsAreReplaced() {
    ChartView view;
    view.resize(800, 300);
    view.setSpec(test::liveSpec(3));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QImage early = view.grab().toImage();
    for (int i = 4; i < 80; ++i) {
        view.setSpec(test::liveSpec(i));
    }
    QVERIFY(view.grab().toImage() != early);
    view.setSpec(report::ChartSpec{});  // a run without figures yet
    QVERIFY(!view.grab().isNull());
}

void ChartsTest::aLegendHidesNodesOfALiveChart() {
    ChartView view;
    LegendBar legend;
    legend.follow(view);
    legend.show();
    const auto colorOf = [](const report::ChartSpec& spec, const std::string& key) {
        const auto found = std::ranges::find(spec.series, key, &report::Series::key);
        return seriesLooks(currentTheme(), spec.series)
            .at(static_cast<std::size_t>(found - spec.series.begin()))
            .color;
    };
    view.setSpec(test::liveSpec(30));
    const QColor color = colorOf(view.spec(), "node2");
    const auto buttons = legend.findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 4);  // with the running median
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QCOMPARE(view.spec().series.size(), std::size_t{3});
    QCOMPARE(view.spec().series.front().key, std::string("node2"));
    QCOMPARE(colorOf(view.spec(), "node2"), color);
    view.setSpec(test::liveSpec(31));
    QCOMPARE(view.spec().series.size(), std::size_t{3});  // it stays hidden
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QCOMPARE(view.spec().series.size(), std::size_t{4});
}

void ChartsTest::legendHidesAndIsolates() {
    LegendBar legend;
    legend.setSeries(test::speedupSpec().series);
    legend.resize(900, 40);
    legend.show();
    const auto buttons = legend.findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 8);  // the ideal line has no entry
    QSignalSpy changed(&legend, &LegendBar::hiddenChanged);
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QCOMPARE(legend.hidden(), std::set<std::string>{"NGC MXNet"});
    QTest::mouseClick(buttons[2], Qt::LeftButton, Qt::ControlModifier);
    QCOMPARE(legend.hidden().size(), std::size_t{7});
    QVERIFY(!legend.hidden().contains("NGC PyTorch"));
    QTest::keyClick(buttons[2], Qt::Key_Space);  // hiding the last one shows all
    QVERIFY(legend.hidden().empty());
    QCOMPARE(changed.count(), 3);
}

DLPERF_UI_TEST(ChartsTest);

}  // namespace dlperf::ui
#include "charts_test.moc"
