// SPDX-License-Identifier: Apache-2.0
// Charts on the screen: hover, keyboard, hiding, and replacing points while a run goes on.
#include <QGraphicsView>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "chart_specs.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/axis_range.h"
#include "ui/charts/chart_tip.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"

namespace dlperf::ui {

class ChartsTest : public QObject {
    Q_OBJECT

private slots:
    void rangesAreRound();
    void arrowsWalkThePoints();
    void pointerFindsABar();
    void livePointsAreReplaced();
    void legendHidesAndIsolates();
};

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

}  // namespace dlperf::ui

DLPERF_WATCHED_MAIN(dlperf::ui::ChartsTest)
#include "charts_test.moc"
