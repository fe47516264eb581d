// SPDX-License-Identifier: Apache-2.0
// Every item model keeps Qt's rules while what it shows comes, goes, is sorted and filtered.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStringListModel>
#include <QTableView>
#include <QtTest>
#include <memory>

#include "core/report/compare_view.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/models/figure_order.h"
#include "ui/models/queue_model.h"
#include "ui/models/results_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/command_palette.h"

namespace dlperf::ui {

using Tester = QAbstractItemModelTester;

class ModelsTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void theQueueGrowsAndIsFiltered();
    void theResultsAreMadeAnewAndSorted();
    void textsAreSortedByTheirNumbers();
    void everyModelOfTheWindowIsSound();

private:
};

void ModelsTest::theQueueGrowsAndIsFiltered() {
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    run::Campaign campaign;
    campaign.id = "c";
    campaign.runnerAlive = true;
    std::vector<run::Campaign> campaigns;
    for (int i = 0; i < 40; ++i) {  // a run is added, an earlier one goes on
        run::RunState run;
        run.id = "c/" + std::to_string(i);
        run.benchmarkCase.topology = {1, 1 + i % 4};
        run.benchmarkCase.configuration.batchSize = i / 8;  // two runs of a case, never beside each other
        campaign.runs.push_back(run);
        auto& other = campaign.runs[static_cast<std::size_t>(i) / 2];
        other.phase = i % 3 == 0 ? run::RunPhase::Running : run::RunPhase::Finished;
        other.outcome = i % 5 == 0 ? Outcome::Failed : Outcome::Ok;
        model.setCampaigns({campaign});
        model.setProgress(other.id, 0.5, QStringLiteral("half"));
    }
    model.setFilter(QStringLiteral("1n2g"));
    QVERIFY(model.rowCount() > 0 && model.rowCount() < 20);
    using Show = QueueModel::Show;
    for (const Show show :
         {Show::Active, Show::Queued, Show::Finished, Show::WithoutFigure, Show::Excluded, Show::All}) {
        model.setShown(show);
        model.remarksChanged();
    }
    model.setFilter({});
    QCOMPARE(model.rowCount(), 20 + 3);
    campaign.runs.erase(campaign.runs.begin(), campaign.runs.begin() + 30);
    model.setCampaigns({campaign});
    model.setCampaigns({});
    QCOMPARE(model.rowCount(), 0);
}

void ModelsTest::theResultsAreMadeAnewAndSorted() {
    const auto made = test::MadeWindow::open({}, theme_);
    QVERIFY(made);
    const report::Comparison& whole = made->window().compare().comparison();
    QVERIFY(whole.series.size() >= 8);
    ResultsModel model;
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(ResultsModel::RawRole);
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    const Tester sortedTester(&sorted, Tester::FailureReportingMode::Fatal);
    model.setComparison(whole, {}, std::nullopt, {});
    QVERIFY(model.rowCount() > 8);
    for (int column = 0; column < model.columnCount(); ++column) {
        sorted.sort(column, Qt::AscendingOrder);
        sorted.sort(column, Qt::DescendingOrder);
    }
    std::set<std::string> hidden;
    for (const report::ComparedSeries& series : whole.series) {
        hidden.insert(series.id);
        model.setComparison(whole, hidden, whole.topologies.front(), whole.series.back().id);
    }
    QCOMPARE(model.rowCount(), 0);
    model.setComparison(whole, {}, std::nullopt, {});
}

void ModelsTest::textsAreSortedByTheirNumbers() {
    QStringListModel titles({QStringLiteral("MXNet, batch size 128"),
                             QStringLiteral("PyTorch, batch size 32"),
                             QStringLiteral("MXNet, batch size 64")});
    FigureOrder sorted;
    sorted.setSourceModel(&titles);
    sorted.sort(0);
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("MXNet, batch size 64"));
    QCOMPARE(sorted.index(1, 0).data().toString(), QStringLiteral("MXNet, batch size 128"));
    QCOMPARE(sorted.index(2, 0).data().toString(), QStringLiteral("PyTorch, batch size 32"));
}

// Also those that are added later, wherever they stand; the testers watch while the window is used.
void ModelsTest::everyModelOfTheWindowIsSound() {
    const auto made = test::MadeWindow::open({.results = 500, .runs = 60}, theme_);
    QVERIFY(made);
    made->window().showSection(Section::Cluster);
    std::vector<std::unique_ptr<Tester>> testers;
    for (auto* model : made->window().findChildren<QAbstractItemModel*>()) {
        // Qt's own are not ours to prove.
        if (QByteArrayView(model->metaObject()->className()).startsWith("dlperf::")) {
            testers.push_back(std::make_unique<Tester>(model, Tester::FailureReportingMode::Fatal));
        }
    }
    QVERIFY2(testers.size() >= 2, qPrintable(QString::number(testers.size())));
    for (int i = 0; i < sectionCount; ++i) {
        made->window().showSection(static_cast<Section>(i));
        QTest::qWait(100);
    }
    emit made->window().compare().findChild<FilterPanel*>()->sourceToggled(report::Source::ReportV1, true);
    made->window().compare().findChild<ResultsPanel*>()->findChild<QTableView*>()->sortByColumn(
        0, Qt::AscendingOrder);
    made->window().runs().findChild<QLineEdit*>()->setText(QStringLiteral("1n2g"));
    made->press(Qt::Key_K, Qt::ControlModifier);
    made->type(QStringLiteral("runs"));
    made->press(Qt::Key_Escape);
    QTest::qWait(700);  // a look at the runner's files
}

DLPERF_UI_TEST(ModelsTest);

}  // namespace dlperf::ui
#include "models_test.moc"
