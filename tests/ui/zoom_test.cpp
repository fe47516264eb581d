// SPDX-License-Identifier: Apache-2.0
// Looking at a part of a chart: wheel, rectangle, drag and keys, the crosshair with its values, and what new
// points do to it. What is in sight is told by the crosshair, as a user would find out.
#include <QClipboard>
#include <QGraphicsView>
#include <QPushButton>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include "chart_specs.h"
#include "core/report/live_chart.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/axis_range.h"
#include "ui/charts/chart_view.h"

namespace dlperf::ui {

class ZoomTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void spansStayWithinTheWhole();
    void categoriesAreShownWhole();
    void theWheelZoomsAtThePointer();
    void aRectangleZoomsToWhatItCovers();
    void dragsPan();
    void keysZoomPanAndReset();
    void barsZoomByGroups();
    void theNewestIsFollowedWhileInSight();
    void tipsStayWhileARunGoesOn();
    void hidingASeriesKeepsThePart();
    void anotherChartIsShownWhole();
    void theCrosshairHasAllValues();
    void valuesAreReachedAndCopiedByKeys();
    void aValueNotAboveZeroHidesNoSeries();
    void theWheelIsThePagesWhenAllIsShown();

private:
    void show(const report::ChartSpec& spec);
    QString valuesAt(double share) const;  // of the chart's width, at half its height
    double iterationAt(double share) const;
    QPoint at(double shareX, double shareY = 0.5) const;
    void point(const QPoint& where) const;
    void wheel(const QPoint& where, int notches) const;
    void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button,
              Qt::KeyboardModifiers modifiers = {}) const;

    std::unique_ptr<ChartView> view_;
    QWidget* canvas_ = nullptr;
};

namespace {

constexpr int manyIterations = 100'000;

report::ChartSpec manySamples(int count) {
    report::LiveChart live({"node1", "node2"}, {20, 0}, "images/s");
    for (std::size_t node = 0; node < 2; ++node) {
        for (int i = 1; i <= count; ++i) {
            analysis::Iteration iteration;
            iteration.number = i;
            iteration.throughput = 2500 + i % 7;
            live.add(node, iteration);
        }
    }
    live.update();
    return live.chart();
}

}  // namespace

void ZoomTest::init() {
    view_ = std::make_unique<ChartView>();
    view_->resize(900, 400);
    canvas_ = view_->findChild<QGraphicsView*>()->viewport();
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
}

void ZoomTest::show(const report::ChartSpec& spec) {
    view_->setSpec(spec);
    QCoreApplication::processEvents();
}

QPoint ZoomTest::at(double shareX, double shareY) const {
    return {static_cast<int>(canvas_->width() * shareX), static_cast<int>(canvas_->height() * shareY)};
}

QString ZoomTest::valuesAt(double share) const {
    point(at(share));
    return view_->shownValues();
}

double ZoomTest::iterationAt(double share) const {
    const QString first = valuesAt(share).section(QLatin1Char('\n'), 0, 0);
    return first.section(QLatin1Char(' '), 1).remove(QLatin1Char(',')).toDouble();
}

// QTest::mouseMove() moves the cursor: where it rests already, nothing comes of it.
void ZoomTest::point(const QPoint& where) const {
    QMouseEvent move(QEvent::MouseMove, where, canvas_->mapToGlobal(where), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(canvas_, &move);
}

void ZoomTest::wheel(const QPoint& where, int notches) const {
    QWheelEvent event(where, canvas_->mapToGlobal(where), {}, QPoint(0, 120 * notches), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas_, &event);
}

void ZoomTest::drag(const QPoint& from, const QPoint& to, Qt::MouseButton button,
                    Qt::KeyboardModifiers modifiers) const {
    QTest::mousePress(canvas_, button, modifiers, from);
    QMouseEvent move(QEvent::MouseMove, to, canvas_->mapToGlobal(to), Qt::NoButton, button, modifiers);
    QCoreApplication::sendEvent(canvas_, &move);
    QTest::mouseRelease(canvas_, button, modifiers, to);
}

void ZoomTest::spansStayWithinTheWhole() {
    const AxisSpan whole{0, 100};
    QCOMPARE(zoomed(whole, whole, 0.25, 0.5), (AxisSpan{12.5, 62.5}));
    QCOMPARE(zoomed({10, 20}, whole, 0.5, 100), whole);
    QCOMPARE(moved({10, 20}, whole, -50), (AxisSpan{0, 10}));
    QCOMPARE(moved({10, 20}, whole, 500), (AxisSpan{90, 100}));
    QVERIFY(zoomed({50, 50.0001}, whole, 0.5, 1e-9).width() > 0);
    QCOMPARE(stepOf(8, report::AxisScale::Log2), 3.0);
    QCOMPARE(valueOf(3, report::AxisScale::Log2), 8.0);
}

void ZoomTest::categoriesAreShownWhole() {
    const AxisSpan whole{-0.5, 3.5};
    QCOMPARE(wholeCategories({0.3, 2.1}, whole), (AxisSpan{0.5, 2.5}));
    QCOMPARE(zoomedCategories(whole, whole, 1, true), (AxisSpan{1.5, 3.5}));
    QCOMPARE(zoomedCategories({1.5, 3.5}, whole, 1, true), (AxisSpan{2.5, 3.5}));
    QCOMPARE(zoomedCategories({2.5, 3.5}, whole, 0.5, true), (AxisSpan{2.5, 3.5}));  // one is the least
    QVERIFY(zoomedCategories({2.5, 3.5}, whole, 0.5, false).width() > 1);
    QCOMPARE(zoomedCategories({-0.5, 2.5}, whole, 0.5, false), whole);
}

void ZoomTest::theWheelZoomsAtThePointer() {
    show(manySamples(manyIterations));
    const double before = iterationAt(0.6);
    const double leftBefore = iterationAt(0.3);
    QVERIFY(before > 50'000 && before < 70'000);
    wheel(at(0.6), 10);
    QVERIFY(view_->isZoomed());
    QVERIFY(std::abs(iterationAt(0.6) - before) < 200);  // a pixel was 120
    QVERIFY(iterationAt(0.3) > leftBefore + 10'000);
    wheel(at(0.6), -20);
    QVERIFY(!view_->isZoomed());
    QCOMPARE(iterationAt(0.6), before);
}

void ZoomTest::aRectangleZoomsToWhatItCovers() {
    show(manySamples(manyIterations));
    const double from = iterationAt(0.4);
    const double to = iterationAt(0.5);
    drag(at(0.4), at(0.5, 0.8), Qt::LeftButton);
    QVERIFY(view_->isZoomed());
    const double middle = iterationAt(0.5);
    QVERIFY2(middle > from && middle < to, qPrintable(QString::number(middle)));
    QVERIFY(iterationAt(0.2) > from && iterationAt(0.9) < to);
    auto* reset = view_->findChild<QPushButton*>();
    QVERIFY(reset->isVisible());
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(!view_->isZoomed() && !reset->isVisible());
    drag(at(0.4), at(0.4) + QPoint(2, 2), Qt::LeftButton);  // a click
    QVERIFY(!view_->isZoomed());

    show(test::speedupSpec());  // both axes, logarithmic
    drag(at(0.5, 0.1), at(0.9, 0.5), Qt::LeftButton);
    QVERIFY(view_->isZoomed());
    QTest::mouseDClick(canvas_, Qt::LeftButton, {}, at(0.5));
    QVERIFY(!view_->isZoomed());
}

void ZoomTest::dragsPan() {
    show(manySamples(manyIterations));
    wheel(at(0.5), 10);
    const double before = iterationAt(0.5);
    drag(at(0.5), at(0.7), Qt::MiddleButton);
    QVERIFY(std::abs(iterationAt(0.7) - before) < 50);  // it went along with the pointer
    drag(at(0.7), at(0.4), Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(std::abs(iterationAt(0.4) - before) < 50);
    view_->setFocus();
    QTest::keyPress(view_.get(), Qt::Key_Space);
    drag(at(0.4), at(0.6), Qt::LeftButton);
    QTest::keyRelease(view_.get(), Qt::Key_Space);
    QVERIFY(std::abs(iterationAt(0.6) - before) < 50);
    drag(at(0.1), at(0.9), Qt::LeftButton);  // without Space it selects again
    QVERIFY(std::abs(iterationAt(0.6) - before) > 50 || view_->isZoomed());
}

void ZoomTest::keysZoomPanAndReset() {
    show(manySamples(manyIterations));
    const double before = iterationAt(0.9);
    QTest::keyClick(view_.get(), Qt::Key_Plus);
    QVERIFY(view_->isZoomed());
    const double zoomed = iterationAt(0.9);
    QVERIFY(zoomed < before - 1000);
    QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(iterationAt(0.9) > zoomed + 1000);
    QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(std::abs(iterationAt(0.9) - zoomed) < 200);
    QTest::keyClick(view_.get(), Qt::Key_0);
    QVERIFY(!view_->isZoomed());
    QTest::keyClick(view_.get(), Qt::Key_Plus);
    QTest::keyClick(view_.get(), Qt::Key_Minus);
    QVERIFY(!view_->isZoomed());
}

void ZoomTest::barsZoomByGroups() {
    show(test::throughputSpec());
    wheel(at(0.2), 1);
    wheel(at(0.2), 1);
    wheel(at(0.2), 1);
    QVERIFY(view_->isZoomed());
    point(at(0.9, 0.08));  // above the bars
    QVERIFY2(view_->shownValues().startsWith(QStringLiteral("1n1g\n")), qPrintable(view_->shownValues()));
    QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ShiftModifier);
    point(at(0.88, 0.08));
    QVERIFY2(view_->shownValues().startsWith(QStringLiteral("1n8g\n")), qPrintable(view_->shownValues()));
}

void ZoomTest::theNewestIsFollowedWhileInSight() {
    show(manySamples(manyIterations));
    wheel(at(0.97), 12);
    const double before = iterationAt(0.9);
    show(manySamples(manyIterations + 3000));
    QVERIFY(view_->isZoomed());
    QVERIFY2(std::abs(iterationAt(0.9) - before - 3000) < 100, qPrintable(QString::number(iterationAt(0.9))));
    QTest::keyClick(view_.get(), Qt::Key_0);
    wheel(at(0.4), 12);
    const double earlier = iterationAt(0.4);
    show(manySamples(manyIterations + 6000));
    QCOMPARE(iterationAt(0.4), earlier);  // the end is not in sight: nothing moves under the pointer
}

void ZoomTest::tipsStayWhileARunGoesOn() {
    show(manySamples(1000));
    QVERIFY(iterationAt(0.5) > 0);
    show(manySamples(1010));
    QVERIFY(view_->shownValues().contains(QStringLiteral("node1\t2,50")));  // the pointer has not moved
    point(QPoint(1, 1));
    QVERIFY(view_->shownValues().isEmpty());
    QTest::keyClick(view_.get(), Qt::Key_Right);
    QTest::keyClick(view_.get(), Qt::Key_Right);
    const QString marked = view_->shownValues();
    QVERIFY2(marked.startsWith(QStringLiteral("Iteration 2\n")), qPrintable(marked));
    show(manySamples(1020));
    QCOMPARE(view_->shownValues(), marked);
}

void ZoomTest::hidingASeriesKeepsThePart() {
    report::ChartSpec spec = manySamples(manyIterations);
    show(spec);
    wheel(at(0.5), 8);
    const double before = iterationAt(0.5);
    spec.series.erase(spec.series.begin() + 1);
    show(spec);
    QVERIFY(view_->isZoomed());
    QCOMPARE(iterationAt(0.5), before);
    QVERIFY(!valuesAt(0.5).contains(QStringLiteral("node2")));
}

void ZoomTest::anotherChartIsShownWhole() {
    show(test::throughputSpec());
    wheel(at(0.5), 1);
    QVERIFY(view_->isZoomed());
    report::ChartSpec other = test::throughputSpec();
    other.title = "Throughput per device";
    show(other);
    QVERIFY(!view_->isZoomed());
}

void ZoomTest::theCrosshairHasAllValues() {
    show(test::throughputSpec());
    point(at(0.97, 0.08));
    const QStringList lines = view_->shownValues().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 1 + 8);
    QCOMPARE(lines[0], QStringLiteral("4n8g"));
    QCOMPARE(lines[1], QStringLiteral("OneFlow\t12,411.97"));
    QCOMPARE(lines[8], QStringLiteral("PaddlePaddle\t9,348.17"));
    show(test::speedupSpec());
    point(at(0.9, 0.8));
    QVERIFY2(view_->shownValues().contains(QStringLiteral("OneFlow\t31.21×")),
             qPrintable(view_->shownValues()));
    QVERIFY(!view_->shownValues().contains(QStringLiteral("ideal")));
    point(QPoint(2, 2));  // outside the plot
    QVERIFY(view_->shownValues().isEmpty());
}

void ZoomTest::valuesAreReachedAndCopiedByKeys() {
    show(test::throughputSpec());
    QTest::keyClick(view_.get(), Qt::Key_Right);
    QVERIFY(view_->shownValues().startsWith(QStringLiteral("OneFlow")));  // about the point
    QTest::keyClick(view_.get(), Qt::Key_Return);
    QVERIFY(view_->shownValues().startsWith(QStringLiteral("1n1g\nOneFlow\t397.64\n")));
    QVERIFY(view_->accessibleDescription().contains(QStringLiteral("397.64")));
    QTest::keyClick(view_.get(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), view_->shownValues());
    QTest::keyClick(view_.get(), Qt::Key_Escape);
    QVERIFY(view_->shownValues().isEmpty());
    QSignalSpy full(view_.get(), &ChartView::fullScreenRequested);
    QTest::keyClick(view_.get(), Qt::Key_F11);
    QCOMPARE(full.count(), 1);
}

void ZoomTest::aValueNotAboveZeroHidesNoSeries() {
    report::ChartSpec spec = test::speedupSpec();
    report::Series& oneFlow = spec.series[1];
    oneFlow.points[1].y = 0;
    oneFlow.points[2].y = -4;
    oneFlow.points[3].low = -1;
    oneFlow.points[3].high = 33;
    oneFlow.points[3].singles = {0, -2, 31};
    show(spec);
    const QColor hue(0x30, 0x64, 0xD8);
    const QImage image = view_->grab().toImage();
    int hits = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            hits += image.pixelColor(x, y) == hue ? 1 : 0;
        }
    }
    QVERIFY2(hits > 100, qPrintable(QString::number(hits)));  // a marker alone has less than 50
    point(at(0.9, 0.8));
    QVERIFY(view_->shownValues().contains(QStringLiteral("OneFlow\t31.21×")));
}

void ZoomTest::theWheelIsThePagesWhenAllIsShown() {
    show(test::speedupSpec());
    const QPoint where = at(0.5);
    QWheelEvent out(where, canvas_->mapToGlobal(where), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
    out.setAccepted(true);
    QCoreApplication::sendEvent(canvas_, &out);
    QVERIFY(!out.isAccepted());
}

DLPERF_UI_TEST(ZoomTest);

}  // namespace dlperf::ui
#include "zoom_test.moc"
