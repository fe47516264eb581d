// SPDX-License-Identifier: Apache-2.0
// "Where it goes" on Compare: from the runs' logs to the chart and to words.
#include <QAbstractButton>
#include <QSettings>
#include <QTextBrowser>
#include <QTextCursor>
#include <QtTest>

#include "tests/report/report_fixture.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/loss_panel.h"
#include "ui/shell/main_window.h"

namespace dlperf::ui {

class LossPanelTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void aLossIsSplitAndTold();
    void whatToTryOpensInLaunch();
    void aViewKeepsIt();
    void lossesAreToldInEitherUnit();
    void linksAreShownWhereTheyWereMeasured();
    void theMapShowsTheRingBesideThePairs();
    void nothingToExplainIsSaid();

private:
    void openLoss(const test::Made& made);
    [[nodiscard]] QString words() const {
        return test::findNamed<QTextBrowser>(*page_, QStringLiteral("The loss in words"))->toPlainText();
    }

    std::unique_ptr<test::MadeWindow> made_;
    ComparePage* page_ = nullptr;
    LossPanel* panel_ = nullptr;
};

void LossPanelTest::openLoss(const test::Made& made) {
    made_ = test::MadeWindow::open(made, theme_);
    QVERIFY(made_ != nullptr);
    made_->window().resize(1440, 900);
    made_->press(Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY(made_->window().findChild<ComparePage*>() != nullptr);
    page_ = made_->window().findChild<ComparePage*>();
    QTRY_VERIFY(test::findButton(*page_, QStringLiteral("Where it goes")) != nullptr);
    test::findButton(*page_, QStringLiteral("Where it goes"))->click();
    panel_ = page_->findChild<LossPanel*>();
    QTRY_VERIFY(panel_->isVisible());
}

void LossPanelTest::aLossIsSplitAndTold() {
    openLoss({.runs = 100});
    QTRY_COMPARE(panel_->chart().x.categories.size(), 5U);
    QStringList causes;
    for (const report::Series& series : panel_->chart().series) {
        causes << QString::fromStdString(series.key);
        QVERIFY(series.points.size() <= 5);
    }
    QCOMPARE(causes.mid(0, 3), (QStringList{QStringLiteral("reached"), QStringLiteral("communication"),
                                            QStringLiteral("data-loading")}));
    // Of all bars the parts are the whole.
    for (std::size_t topology = 1; topology < 5; ++topology) {
        double sum = 0;
        for (const report::Series& series : panel_->chart().series) {
            for (const report::Point& point : series.points) {
                sum += point.x == static_cast<double>(topology) ? point.y : 0;
            }
        }
        QVERIFY2(std::abs(sum - 100) < 2, qPrintable(QString::number(sum)));
    }
    QVERIFY(words().contains(QLatin1String("of the ideal are lost")));
    const QString largest = words();
    QVERIFY(words().contains(QLatin1String("Known from the times of all ranks")));
    QTRY_VERIFY(test::findButton(*panel_, QStringLiteral("1n4g")) != nullptr);
    test::findButton(*panel_, QStringLiteral("1n4g"))->click();
    QVERIFY(words() != largest);
    QVERIFY(words().contains(QLatin1String("communication")));
}

void LossPanelTest::whatToTryOpensInLaunch() {
    openLoss({.runs = 100});
    QTRY_VERIFY(words().contains(QLatin1String("What to try")));
    auto* browser = test::findNamed<QTextBrowser>(*page_, QStringLiteral("The loss in words"));
    // By keys: Tab goes to the first link, Enter follows it.
    browser->setFocus();
    QTest::keyClick(browser, Qt::Key_Tab);
    QTest::keyClick(browser, Qt::Key_Return);
    QTRY_VERIFY(made_->window().findChild<LaunchPage*>() != nullptr);
    const auto* launch = made_->window().findChild<LaunchPage*>();
    QTRY_VERIFY(launch->isVisible() && launch->draft() && launch->draft()->plan.repetitions == 5);
    const launch::Plan& plan = launch->draft()->plan;
    QCOMPARE(plan.topologies.size(), std::size_t(1));
    const QString title = QString::fromStdString(plan.name).section(QStringLiteral(", "), 0, 0);
    QVERIFY2(browser->toPlainText().contains(title), plan.name.c_str());
}

void LossPanelTest::aViewKeepsIt() {
    openLoss({.runs = 100});
    report::CompareView view = page_->view();
    QCOMPARE(view.mode, report::CompareMode::Loss);
    view.mode = report::CompareMode::Charts;
    page_->setView(view);
    QTRY_VERIFY(!panel_->isVisible());
    view.mode = report::CompareMode::Loss;
    page_->setView(view);
    QTRY_VERIFY(panel_->isVisible());
    QTRY_VERIFY(panel_->findChild<ChartView*>()->isVisible());
}

void LossPanelTest::linksAreShownWhereTheyWereMeasured() {
    openLoss({.runs = 20});
    const auto links = [this] {
        return test::findNamed<QTextBrowser>(*page_, QStringLiteral("Links between the nodes"))
            ->toPlainText();
    };
    QTRY_VERIFY(links().contains(QLatin1String("dlperf bench links")));
    cluster::LinkBaseline baseline{.nodes = {"n1", "n2", "n3"}};
    for (const auto& [from, to, seconds] :
         {std::tuple{"n1", "n2", 0.01}, std::tuple{"n1", "n3", 0.1}, std::tuple{"n2", "n3", 0.1}}) {
        baseline.pairs.push_back({from, to, {2, {{4, 1e-5}, {100'000'000, seconds}}, {}}});
    }
    const store::Workspace& workspace = made_->session().workspace();
    QVERIFY(cluster::writeLinkBaseline(workspace.linkBaseline(), baseline).has_value());
    page_->setView(page_->view());
    QTRY_VERIFY(links().contains(QLatin1String("\n10\n")));
    QVERIFY2(links().contains(QLatin1String("n1 and n3")), qPrintable(links()));
    QVERIFY2(!links().contains(QLatin1String("dlperf bench")), qPrintable(links()));
    // Measured anew while another page is shown.
    made_->press(Qt::Key_1, Qt::ControlModifier);
    baseline.pairs[0].series.points[1].seconds = 0.005;
    QVERIFY(cluster::writeLinkBaseline(workspace.linkBaseline(), baseline).has_value());
    made_->press(Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY(links().contains(QLatin1String("\n20\n")));
}

// A link of the ring stands in its own direction only, and says where it is slower than its pair.
void LossPanelTest::theMapShowsTheRingBesideThePairs() {
    openLoss({.runs = 20});
    cluster::LinkBaseline baseline = *report::test::measuredHardware().links;
    baseline.by = "nccl 2.28.9, from GPU to GPU; gloo, by way of the hosts";
    baseline.pairs[0].series.by = "nccl 2.28.9, from GPU to GPU";
    baseline.pairs[1].series.by = "gloo, by way of the hosts";
    const auto& file = made_->session().workspace().linkBaseline();
    QVERIFY(cluster::writeLinkBaseline(file, baseline).has_value());
    page_->setView(page_->view());
    auto* map = test::findNamed<QTextBrowser>(*page_, QStringLiteral("Links between the nodes"));
    // node1's row: to itself, to node2 by its GPUs, to node3; then that of node3, which is node1's in the
    // ring.
    QTRY_VERIFY(map->toPlainText().contains(QLatin1String("node1\n\n10\nring 8\n2.5\nhosts\nnode2")));
    QVERIFY2(map->toPlainText().contains(QLatin1String("node3\n2.5\nhosts, ring 1\n")),
             qPrintable(map->toPlainText()));
    QVERIFY(map->toPlainText().contains(QLatin1String("hosts: by way of the hosts")));
    QVERIFY(map->toPlainText().contains(QLatin1String("while all exchange")));
    const auto tipAt = [&](const QString& text) {
        QTextCursor at = map->document()->find(text);
        return at.charFormat().toolTip();
    };
    QVERIFY2(tipAt(QStringLiteral("hosts, ring 1"))
                 .contains(QLatin1String("node3 to node1 while all nodes exchange: 1 GB/s")),
             qPrintable(tipAt(QStringLiteral("hosts, ring 1"))));
    QVERIFY(tipAt(QStringLiteral("ring 8")).contains(QLatin1String("nccl 2.28.9, from GPU to GPU")));
    QVERIFY(tipAt(QStringLiteral("ring 2")).contains(QLatin1String("no route to host")));
    test::keepPictures(made_->window(), theme_, QStringLiteral("loss-links"));
}

void LossPanelTest::lossesAreToldInEitherUnit() {
    openLoss({.runs = 100});
    QTRY_COMPARE(panel_->chart().x.categories.size(), 5U);
    QTRY_VERIFY(words().contains(QLatin1String("% of the ideal are lost")));
    const auto reachedBy = [this](std::size_t topology) {
        return panel_->chart().series.at(0).points.at(topology).y;
    };
    const double share = reachedBy(4);
    auto* switched = test::findButton(*panel_, QStringLiteral("images/s"));
    QVERIFY(switched != nullptr);
    switched->setFocus();
    QTest::keyClick(switched, Qt::Key_Space);
    QCOMPARE(panel_->chart().unit, std::string("images/s"));
    QVERIFY(panel_->chart().y.numbers == report::NumberStyle::Plain);
    const int devices = parseTopology(panel_->chart().x.categories.at(4))->worldSize();
    QVERIFY(std::abs(reachedBy(4) - share / 100 * devices * reachedBy(0)) < 1e-6 * reachedBy(4));
    QVERIFY2(words().contains(QLatin1String("images/s of the ideal are lost")), qPrintable(words()));
    QVERIFY(page_->view().lossUnit == report::LossUnit::Throughput);
    test::keepPictures(made_->window(), theme_, QStringLiteral("loss-images"));
    // A view keeps its own, and the next window begins as this one was left.
    report::CompareView view = page_->view();
    view.lossUnit = report::LossUnit::Share;
    page_->setView(view);
    QTRY_VERIFY(words().contains(QLatin1String("% of the ideal are lost")));
    openLoss({.runs = 100});
    QTRY_COMPARE(panel_->chart().unit, std::string("images/s"));
    QSettings().remove(QStringLiteral("lossUnit"));
}

void LossPanelTest::nothingToExplainIsSaid() {
    openLoss({.runs = 1});  // which goes on
    // The published figures have no logs: all of their loss is unknown, and nothing is spread over causes.
    QTRY_VERIFY(!panel_->chart().x.categories.empty());
    for (const report::Series& series : panel_->chart().series) {
        QVERIFY(series.key == "reached" || series.key == "unknown" || series.key == "noise");
    }
}

DLPERF_UI_TEST(LossPanelTest);

}  // namespace dlperf::ui

#include "loss_panel_test.moc"
