// SPDX-License-Identifier: Apache-2.0
// The measurement range of runs is changed through the dialog: figures follow on Runs and Compare, and come
// back.
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>
#include <algorithm>
#include <filesystem>

#include "core/measure/reanalyze.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/models/queue_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/measurement_range_dialog.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/runs_page.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {

class MeasurementRangeTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void aBadRangeIsRefusedWhereItIsTyped();
    void returnTakesTheRange();
    void figuresFollowAndComeBack();
    void comparedRowsChangeTogether();
    void undoLeadsToTheChangeBefore();
    void aLaterChangeEndsAnOlderUndo();
    void theRunsPageOutlastsAnotherLanguage();
    void reportsWhatTheDiskRefuses();
    void reportsAShortLog();
    void publishedFiguresHaveNone();

private:
    // That is shown: one that was accepted lives on for a turn.
    [[nodiscard]] MeasurementRangeDialog* dialog() const {
        return test::findPart<MeasurementRangeDialog>(made_->window(),
                                                      [](const MeasurementRangeDialog&) { return true; });
    }
    [[nodiscard]] QAbstractButton* undoButton() const {
        return test::findButton(made_->window(), QStringLiteral("Undo"));
    }
    [[nodiscard]] QPushButton* accept() const {
        return dialog()->findChild<QPushButton*>(QStringLiteral("accept"));
    }
    void open();
    void ask(const MeasurementRange& window) const;
    // In the dialog: ten iterations less of this range at each end.
    void narrow(const MeasurementRange& range);
    void save(const char* name);
    [[nodiscard]] RunResult result() const;
    [[nodiscard]] std::optional<double> figureInRuns() const;

    std::unique_ptr<test::MadeWindow> made_;
    std::string id_;  // of a run that is ok
};

void MeasurementRangeTest::init() {
    made_.reset();
    made_ = test::MadeWindow::open({.results = 0, .runs = 100}, theme_);
    QVERIFY(made_);
    const auto own = made_->session().own();
    const auto isCase = [&](const RunResult& run) {
        return run.outcome == Outcome::Ok && made_->session().repetitionsOf(run.id).size() > 1;
    };
    const auto found = std::ranges::find_if(own, isCase);
    QVERIFY(found != own.end());
    id_ = found->id;
}

void MeasurementRangeTest::save(const char* name) {
    QWidget* shown = dialog() != nullptr ? static_cast<QWidget*>(dialog()) : &made_->window();
    test::keepPictures(*shown, theme_, QLatin1String(name));
}

void MeasurementRangeTest::open() {
    made_->window().showSection(Section::Runs);
    made_->window().runs().select(id_);
    made_->press(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
}

void MeasurementRangeTest::ask(const MeasurementRange& window) const {
    test::findNamed<QSpinBox>(*dialog(), QStringLiteral("Warmup"))->setValue(window.warmup);
    test::findNamed<QSpinBox>(*dialog(), QStringLiteral("Measured"))->setValue(window.train - window.warmup);
}

void MeasurementRangeTest::narrow(const MeasurementRange& range) {
    open();
    ask({range.warmup + 10, range.train - 10});
    QTRY_VERIFY(accept()->isEnabled());
    accept()->click();
}

RunResult MeasurementRangeTest::result() const {
    const auto own = made_->session().own();
    return *std::ranges::find(own, id_, &RunResult::id);
}

std::optional<double> MeasurementRangeTest::figureInRuns() const {
    for (const run::RunState& run : made_->session().campaigns().back().runs) {
        if (run.id == id_) {
            return run.throughput;
        }
    }
    return {};
}

void MeasurementRangeTest::returnTakesTheRange() {
    open();
    const MeasurementRange before = result().range;
    auto* warmup = test::findNamed<QSpinBox>(*dialog(), QStringLiteral("Warmup"));
    warmup->setFocus();
    warmup->selectAll();
    QTest::keyClicks(warmup, QString::number(before.warmup + 1));
    QCOMPARE(warmup->value(), before.warmup + 1);
    QTRY_VERIFY(accept()->isEnabled());
    QTest::keyClick(warmup, Qt::Key_Return);
    QTRY_COMPARE(result().range.warmup, before.warmup + 1);
    QCOMPARE(result().range.train, before.train);  // the log ends where it ends
}

void MeasurementRangeTest::aBadRangeIsRefusedWhereItIsTyped() {
    open();
    QVERIFY(!accept()->isEnabled());  // nothing is changed yet
    ask({30, 30});
    const auto* problem = dialog()->findChild<QLabel*>(QStringLiteral("problem"));
    QTRY_VERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(QStringLiteral("above warmup (30)")), qPrintable(problem->text()));
    QVERIFY(!accept()->isEnabled());
    save("range-refused");
    ask({30, 100});
    QVERIFY(!problem->isVisible());
    QTRY_VERIFY(accept()->isEnabled());
}

void MeasurementRangeTest::figuresFollowAndComeBack() {
    const RunResult before = result();
    const MeasurementRange window{before.range.warmup + 10, before.range.train - 10};
    const auto runs = made_->session().repetitionsOf(id_);
    const auto expected = measure::reanalyze(made_->session().workspace(), {}, runs, window);
    open();
    ask(window);
    QTRY_VERIFY(accept()->isEnabled());
    save("range-dialog");
    const auto* rows = dialog()->findChild<QTableView*>();
    QCOMPARE(rows->model()->rowCount(), static_cast<int>(runs.size()) + 1);  // and their median
    accept()->click();
    QTRY_VERIFY(result().originalRange.has_value());
    for (std::size_t i = 0; i < runs.size(); ++i) {  // all repetitions of the case
        const auto now = made_->session().repetitionsOf(id_);
        QVERIFY(now[i].throughput == (*expected)[i].figure);
        QVERIFY(now[i].range == window);
    }
    QTRY_VERIFY(figureInRuns() == result().throughput);
    QVERIFY(result().throughput != before.throughput);
    save("runs-range-changed");
    QVERIFY(store::readRanges(made_->session().workspace())->contains(id_));  // for the next start
    QTRY_VERIFY(undoButton() != nullptr);
    made_->window().activateWindow();  // as a desktop does when a dialog ends
    QTRY_VERIFY(QApplication::focusWidget() != nullptr);
    QVERIFY(made_->window().runs().isAncestorOf(QApplication::focusWidget()));
    made_->press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(result().throughput == before.throughput);
    QTRY_VERIFY(figureInRuns() == before.throughput);
    QVERIFY(!result().originalRange);
}

void MeasurementRangeTest::comparedRowsChangeTogether() {
    made_->window().showSection(Section::Compare);
    ComparePage& page = made_->window().compare();
    auto* panel = page.findChild<ResultsPanel*>();
    const auto holdsRun = [&](const report::ComparedSeries& series) {
        return report::holds(series, result());
    };
    const auto shown = [&] { return std::ranges::find_if(page.comparison().series, holdsRun); };
    report::CompareView view = page.view();
    const Configuration configuration = result().benchmarkCase.configuration;
    view.filter.model = configuration.model;
    view.filter.precisions = {configuration.precision};
    view.filter.batchSizes = {configuration.batchSize};
    view.filter.sources = {report::Source::Own};
    page.setView(view);
    QTRY_VERIFY(shown() != page.comparison().series.end());
    const Topology topology = result().benchmarkCase.topology;
    const auto select = [&] {
        auto* segments = panel->findChild<Segments*>();
        segments->setCurrent(0);  // all topologies
        emit segments->changed(0);
        auto* table = panel->findChild<QTableView*>();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            // Not selectRow(): it heeds Ctrl, which stays pressed after a test's Ctrl+Shift+W.
            table->selectionModel()->setCurrentIndex(
                table->model()->index(row, 0),
                QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            const auto cases = panel->selectedCases();
            if (cases.size() == 1 && cases[0].first == shown()->id && cases[0].second == topology) {
                return true;
            }
        }
        return false;
    };
    QTRY_VERIFY(select());
    const auto cell = [&] { return *report::findCell(*shown(), topology); };
    const auto before = cell().fold.median;
    page.changeMeasurementRange();
    QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
    ask({result().range.warmup + 10, result().range.train - 10});
    QTRY_VERIFY(accept()->isEnabled());
    accept()->click();
    QTRY_VERIFY(shown() != page.comparison().series.end() && !cell().changedRange.empty());
    QVERIFY(cell().fold.median != before);
    save("compare-range-changed");
    QTRY_VERIFY(select());
    QMenu menu;
    emit panel->menuAsked(menu);
    QVERIFY(menu.actions().size() > 2);  // what the series can do besides
    QVERIFY(menu.actions().at(1)->isVisible());
    menu.actions().at(1)->trigger();
    QTRY_VERIFY(shown() != page.comparison().series.end() && cell().changedRange.empty());
    QVERIFY(cell().fold.median == before);
}

void MeasurementRangeTest::undoLeadsToTheChangeBefore() {
    const MeasurementRange original = result().range;
    store::ChangedRange first{{original.warmup + 5, original.train - 5},
                              Outcome::Ok,
                              4711.0,
                              {},
                              {{"drift", "The iterations grow slower.", "line 17"}}};
    made_->session().changeRanges({{id_, first}});
    QTRY_VERIFY(result().throughput == first.figure);
    narrow(original);
    QTRY_VERIFY(result().range.warmup == original.warmup + 10);
    QVERIFY(result().throughput != first.figure);
    QTRY_VERIFY(undoButton() != nullptr);
    undoButton()->click();
    QTRY_VERIFY(result().throughput == first.figure);
    QVERIFY(result().range == first.range);
    QVERIFY(result().findings == first.findings);
    QVERIFY(result().originalRange == original);
}

void MeasurementRangeTest::aLaterChangeEndsAnOlderUndo() {
    const MeasurementRange original = result().range;
    narrow(original);
    QTRY_VERIFY(undoButton() != nullptr);
    const store::ChangedRange later{{original.warmup + 5, original.train - 5}, Outcome::Ok, 4711.0, {}, {}};
    made_->session().changeRanges({{id_, later}});  // as the other page does
    QTRY_VERIFY(undoButton() == nullptr);
    made_->window().runs().setFocus();
    made_->press(Qt::Key_Z, Qt::ControlModifier);
    bool written = false;  // behind all that was to be written
    made_->session().changeRanges({}, [&] { written = true; });
    QTRY_VERIFY(written);
    QVERIFY(store::readRanges(made_->session().workspace())->at(id_) == later);
}

void MeasurementRangeTest::theRunsPageOutlastsAnotherLanguage() {
    const MeasurementRange original = result().range;
    narrow(original);
    QTRY_VERIFY(undoButton() != nullptr);
    const auto filter = [this] {
        return test::findNamed<QLineEdit>(made_->window().runs(), QStringLiteral("Filter runs"));
    };
    filter()->setText(QStringLiteral("1n"));
    made_->replaceWindow(theme_);
    QCOMPARE(filter()->text(), QStringLiteral("1n"));
    const auto* model = made_->window().runs().findChild<QueueModel*>();
    QCOMPARE(made_->window().runs().findChild<QListView*>()->currentIndex(), model->indexOf(id_));
    QTRY_VERIFY(undoButton() != nullptr);
    undoButton()->click();
    QTRY_VERIFY(result().range == original);
}

void MeasurementRangeTest::reportsWhatTheDiskRefuses() {
    const RunResult before = result();
    open();
    ask({before.range.warmup + 10, before.range.train - 10});
    QTRY_VERIFY(accept()->isEnabled());
    QVERIFY(std::filesystem::create_directory(made_->session().workspace().ranges()));  // in its way
    const QSignalSpy problems(&made_->session(), &Session::problemFound);
    accept()->click();
    QTRY_VERIFY(!problems.isEmpty());
    QVERIFY(undoButton() == nullptr);
    QVERIFY(result().range == before.range);
}

void MeasurementRangeTest::reportsAShortLog() {
    const RunResult before = result();
    open();
    ask({before.range.warmup, before.range.train + 1});
    const auto* problem = dialog()->findChild<QLabel*>(QStringLiteral("problem"));
    QTRY_COMPARE(problem->text(), QStringLiteral("No run has a figure in this range."));
    QVERIFY(!accept()->isEnabled());
    const QAbstractItemModel& rows = *dialog()->findChild<QTableView*>()->model();
    const QString remark = rows.index(0, rows.columnCount() - 1).data().toString();
    QVERIFY2(remark.startsWith(QStringLiteral("the log ends at iteration ")), qPrintable(remark));
    save("range-short");
}

void MeasurementRangeTest::publishedFiguresHaveNone() {
    made_->window().showSection(Section::Compare);
    ComparePage& page = made_->window().compare();
    report::CompareView view = page.view();
    view.filter.model = "r50";
    view.filter.precisions = {"fp32"};
    view.filter.batchSizes = {128};
    view.filter.sources = {report::Source::ReportV1};
    page.setView(view);
    QTRY_VERIFY(!page.comparison().series.empty());
    page.findChild<ResultsPanel*>()->focusTable();
    QMenu menu;
    emit page.findChild<ResultsPanel*>()->menuAsked(menu);
    QVERIFY(!menu.actions().at(0)->isEnabled());
    page.changeMeasurementRange();
    QVERIFY(dialog() == nullptr);
}

DLPERF_UI_TEST(MeasurementRangeTest);

}  // namespace dlperf::ui
#include "measurement_range_test.moc"
