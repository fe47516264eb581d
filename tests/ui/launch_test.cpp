// SPDX-License-Identifier: Apache-2.0
// Launch: building a plan with chips, fields and keys; what is wrong is said at once; plans are saved and
// opened again.
#include "ui/pages/launch_page.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>
#include <QtTest>

#include "core/base/file.h"
#include "core/launch/past_runs.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/pages/added_runs.h"
#include "ui/pages/node_picker.h"
#include "ui/pages/planned_runs.h"
#include "ui/pages/variable_fields.h"
#include "ui/session/background.h"
#include "ui/session/node_list.h"
#include "ui/session/plan_draft.h"
#include "ui/session/session.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {

class LaunchTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void chipsBuildThePlan();
    void anotherValueIsTyped();
    void chipsAreWalkedByArrows();
    void optionsChangeTheCase();
    void valuesOfAnOptionAreChips();
    void variablesAreSetByName();
    void namesThatNoPlanMaySetAreRefused();
    void anotherPlanBringsItsOwnVariables();
    void variablesAreSetByKeys();
    void recipesBringTheirPrecisions();
    void aChipStaysUnderThePointer();
    void whatCannotRunSaysWhy();
    void warnsOfMoreThreadsThanCores();
    void warnsOfATimeLimitBelowTheTimeout();
    void theListHasTheRunsInOrder();
    void plansAreSavedAndFoundAgain();
    void skipsCasesThatHaveTheirRuns();
    void choicesFollowNodesAndPlan();
    void aPlanMaySearch();
    void theSpaceBarStartsNothingByItself();
    void aPlanThatWasNotSavedIsThereAgain();
    void changesOutlastAPlanFromOutside();
    void noPlanStartsWhileHardwareIsMeasured();
    void nodesAreChosenAndOneIsTheMaster();
    void nodesKeepTheOrderOfTheirList();
    void recipesAreComparedByTheirTimes();
    void theTimeFollowsTheMeasuredRange();
    void aRecipeOfOnesOwnCanBeAdded();
    void aRecipeIsAddedThoughTheWindowCloses();
    void aFormatThatWasAddedIsKnown();
    void theRangeIsTheFormatsWhereThePlanSaysNone();
    void theListOfRunsIsReadWhole();

private:
    void openPage();
    void rename(const char* name) const;
    // A plan that the program brings.
    [[nodiscard]] std::filesystem::path readyFile() const {
        return session_->resources() / "plans" / "resnet50-this-machine.json";
    }
    [[nodiscard]] launch::Plan readyPlan() const { return launch::readPlan(readyFile()).value(); }
    [[nodiscard]] QToolButton* chip(const QString& name) const {
        return test::findNamed<QToolButton>(*page_, name);
    }
    [[nodiscard]] QLineEdit* field(const QString& name) const {
        return test::findNamed<QLineEdit>(*page_, name);
    }
    // Opens the field behind "Other" where it is not open, types and presses Return.
    void typeInto(const QString& name, const char* text) const {
        if (field(name) == nullptr) {
            chip(name)->click();
        }
        QTest::keyClicks(field(name), QLatin1String(text));
        QTest::keyClick(field(name), Qt::Key_Return);
    }
    void addVariable(const char* name) const { typeInto(QStringLiteral("Variable: other"), name); }
    [[nodiscard]] QPushButton* start() const { return page_->findChild<PlannedRuns*>()->startButton(); }
    [[nodiscard]] bool isSaid(const QString& words) const {
        return std::ranges::any_of(page_->findChildren<QLabel*>(), [&](const QLabel* label) {
            return !label->isHidden() && label->text().contains(words);
        });
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<LaunchPage> page_;
};

void LaunchTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    session_ = test::openSession(*folder_);
    session_->start();
    openPage();
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
}

void LaunchTest::openPage() {
    page_ = std::make_unique<LaunchPage>(*session_);
    page_->resize(1270, 850);
    page_->show();
    QTRY_VERIFY(page_->isReady());
}

void LaunchTest::rename(const char* name) const {
    QLineEdit* line = field(QStringLiteral("Name of the plan"));
    line->selectAll();
    QTest::keyClicks(line, QLatin1String(name));
}

void LaunchTest::cleanup() {
    page_.reset();
    session_.reset();
}

void LaunchTest::chipsBuildThePlan() {
    QCOMPARE(start()->text(), QStringLiteral("Start 6 runs"));
    chip(QStringLiteral("Batch size: 16"))->click();
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
    chip(QStringLiteral("Topology: 1n2g"))->click();
    QCOMPARE(start()->text(), QStringLiteral("Start 6 runs"));
    chip(QStringLiteral("Precision: bf16"))->click();
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
    page_->findChild<QSpinBox*>()->setValue(1);
    QCOMPARE(start()->text(), QStringLiteral("Start 4 runs"));
}

void LaunchTest::anotherValueIsTyped() {
    chip(QStringLiteral("Batch size: other"))->click();
    QLineEdit* typed = field(QStringLiteral("Batch size: other"));
    QTest::keyClicks(typed, QStringLiteral("0"));
    QVERIFY(isSaid(QStringLiteral("Write a number from 1 to")));
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(!typed->isHidden());  // it stays open and says why
    typed->clear();
    QTest::keyClicks(typed, QStringLiteral("24"));
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(typed->isHidden());
    QVERIFY(chip(QStringLiteral("Batch size: 24"))->isChecked());
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
    typeInto(QStringLiteral("Topology: other"), "9n9g");
    QVERIFY(isSaid(QStringLiteral("9n9g needs 9 nodes, there are 1")));
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
}

void LaunchTest::chipsAreWalkedByArrows() {
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    QToolButton* first = chip(QStringLiteral("Batch size: 4"));
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Right);
    QVERIFY(chip(QStringLiteral("Batch size: 8"))->hasFocus());
    QTest::keyClick(chip(QStringLiteral("Batch size: 8")), Qt::Key_Right);
    QTest::keyClick(chip(QStringLiteral("Batch size: 16")), Qt::Key_Space);
    QVERIFY(chip(QStringLiteral("Batch size: 16"))->isChecked());
    QVERIFY(chip(QStringLiteral("Batch size: 16"))->hasFocus());  // also after new chips came
    QVERIFY(chip(QStringLiteral("Batch size: 32")) != nullptr);
}

void LaunchTest::optionsChangeTheCase() {
    QLineEdit* size = field(QStringLiteral("image_size"));
    QCOMPARE(size->text(), QStringLiteral("64"));
    QVERIFY(size->accessibleDescription().contains(QLatin1String("multiple of 32")));
    size->setFocus();
    size->selectAll();
    QTest::keyClicks(size, QStringLiteral("96"));
    QVERIFY(isSaid(QStringLiteral("changed")));
    const auto* environment = page_->findChild<QAbstractItemView*>();
    QVERIFY(environment != nullptr);
    QTest::keyClick(size, Qt::Key_Backspace);
    QTest::keyClick(size, Qt::Key_Backspace);  // empty: the default
    QCOMPARE(start()->text(), QStringLiteral("Start 6 runs"));
}

// Of one recipe at a default and beside it, with a variable that all share; and one of another recipe.
static std::vector<launch::PlannedRun> plannedSweep() {
    std::vector<launch::PlannedRun> runs(3);
    for (launch::PlannedRun& run : runs) {
        run.benchmarkCase.configuration.recipe = "toy";
        run.benchmarkCase.configuration.variant = {{"THREADS", "4"}};
        run.defaults = {{"size", "1"}};
    }
    runs[1].benchmarkCase.configuration.variant["size"] = "2";
    runs[2].benchmarkCase.configuration.recipe = "other";
    return runs;
}

void LaunchTest::valuesOfAnOptionAreChips() {
    test::findNamed<QToolButton>(*page_, QStringLiteral("image_size: several values"))->click();
    QVERIFY(chip(QStringLiteral("image_size: 64"))->isChecked());
    for (const char* size : {"96", "128"}) {
        typeInto(QStringLiteral("image_size: other"), size);
    }
    QCOMPARE(start()->text(), QStringLiteral("Start 18 runs"));
    QVERIFY(isSaid(QStringLiteral("image_size=128")));
    RunListModel list;
    list.setRuns(plannedSweep(), {});
    QCOMPARE(list.index(0, RunListModel::Recipe).data().toString(), QStringLiteral("toy, size=1"));
    QCOMPARE(list.index(1, RunListModel::Recipe).data().toString(), QStringLiteral("toy, size=2"));
    QCOMPARE(list.index(2, RunListModel::Recipe).data().toString(), QStringLiteral("other"));
    chip(QStringLiteral("image_size: 64"))->click();
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
}

void LaunchTest::variablesAreSetByName() {
    const auto* fields = page_->findChild<VariableFields*>();
    addVariable("NCCL_ALGO");
    QVERIFY(isSaid(QStringLiteral("no value yet")));
    QCOMPARE(start()->text(), QStringLiteral("Start 6 runs"));  // a name alone sets nothing
    for (const char* value : {"Ring", "Tree"}) {
        typeInto(QStringLiteral("NCCL_ALGO: other"), value);
    }
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
    QVERIFY(isSaid(QStringLiteral("NCCL_ALGO=Tree")));
    QVERIFY(chip(QStringLiteral("NCCL_ALGO: Ring"))->isChecked());
    typeInto(QStringLiteral("NCCL_ALGO: other"), "Tree");
    QVERIFY(isSaid(QStringLiteral("It is there already")));
    QTest::keyClick(field(QStringLiteral("NCCL_ALGO: other")), Qt::Key_Escape);

    chip(QStringLiteral("NCCL_ALGO: Ring"))->click();
    QCOMPARE(start()->text(), QStringLiteral("Start 6 runs"));
    chip(QStringLiteral("NCCL_ALGO: Tree"))->click();
    QVERIFY(isSaid(QStringLiteral("no value yet")));  // the name stays for another value
    chip(QStringLiteral("Remove NCCL_ALGO"))->click();
    QTRY_COMPARE(fields->layout()->count(), 1);  // no row is left behind
    QTRY_VERIFY(!isSaid(QStringLiteral("NCCL_ALGO")));
}

void LaunchTest::namesThatNoPlanMaySetAreRefused() {
    for (const auto& [name, why] : {std::pair{"9x", "no digit first"},
                                    {"a-b", "letters, digits and underscores"},
                                    {"DLPERF_BATCH_SIZE", "set by the program"}}) {
        addVariable(name);
        QVERIFY2(isSaid(QLatin1String(why)), name);
        QTest::keyClick(field(QStringLiteral("Variable: other")), Qt::Key_Escape);
        QVERIFY(field(QStringLiteral("Variable: other")) == nullptr);
    }
    addVariable("OMP_NUM_THREADS");
    QTest::keyClick(field(QStringLiteral("OMP_NUM_THREADS: other")), Qt::Key_Escape);
    addVariable("OMP_NUM_THREADS");
    QVERIFY(isSaid(QStringLiteral("It is there already")));
}

void LaunchTest::anotherPlanBringsItsOwnVariables() {
    addVariable("NCCL_ALGO");
    typeInto(QStringLiteral("NCCL_ALGO: other"), "Ring");
    addVariable("HALF_TYPED");
    QVERIFY(isSaid(QStringLiteral("HALF_TYPED")));
    launch::Plan plan = readyPlan();
    plan.env = {{"OMP_NUM_THREADS", {"1", "2"}}, {"NCCL_ALGO", {"Tree"}}};
    const auto file = session_->workspace().root() / "variables.json";
    QVERIFY(savePlan(plan, file));
    QSignalSpy shown(page_.get(), &LaunchPage::planShown);
    page_->usePlan(file);
    QVERIFY(shown.wait());
    QVERIFY(chip(QStringLiteral("NCCL_ALGO: Ring")) == nullptr);
    QVERIFY(chip(QStringLiteral("NCCL_ALGO: Tree"))->isChecked());
    QVERIFY(chip(QStringLiteral("OMP_NUM_THREADS: 2"))->isChecked());
    QTRY_VERIFY(!isSaid(QStringLiteral("HALF_TYPED")));
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
}

// From the name to its values and on to the next name, in the order in which they stand.
void LaunchTest::variablesAreSetByKeys() {
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    chip(QStringLiteral("Variable: other"))->setFocus();
    QTest::keyClick(chip(QStringLiteral("Variable: other")), Qt::Key_Space);
    QTest::keyClicks(field(QStringLiteral("Variable: other")), QStringLiteral("B"));
    QTest::keyClick(field(QStringLiteral("Variable: other")), Qt::Key_Return);
    QVERIFY(field(QStringLiteral("B: other"))->hasFocus());  // the value is next
    QTest::keyClicks(field(QStringLiteral("B: other")), QStringLiteral("1"));
    QTest::keyClick(field(QStringLiteral("B: other")), Qt::Key_Return);
    QVERIFY(chip(QStringLiteral("B: other"))->hasFocus());
    addVariable("A");
    typeInto(QStringLiteral("A: other"), "2");
    chip(QStringLiteral("Remove A"))->setFocus();
    QStringList walked;
    for (int i = 0; i < 7; ++i) {
        walked << QApplication::focusWidget()->accessibleName();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(walked,
             QStringList({QStringLiteral("Remove A"), QStringLiteral("A: 2"), QStringLiteral("A: other"),
                          QStringLiteral("Remove B"), QStringLiteral("B: 1"), QStringLiteral("B: other"),
                          QStringLiteral("Variable: other")}));
    chip(QStringLiteral("Remove A"))->setFocus();
    QTest::keyClick(chip(QStringLiteral("Remove A")), Qt::Key_Space);
    QVERIFY(chip(QStringLiteral("Remove B"))->hasFocus());
    QTest::keyClick(chip(QStringLiteral("Remove B")), Qt::Key_Space);
    QVERIFY(chip(QStringLiteral("Variable: other"))->hasFocus());
}

void LaunchTest::recipesBringTheirPrecisions() {
    test::findNamed<QCheckBox>(*page_, QStringLiteral("paddle-resnet50"))->click();
    QVERIFY(chip(QStringLiteral("Precision: fp16")) != nullptr);
    QVERIFY(chip(QStringLiteral("Features: dali")) != nullptr);
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
    QTRY_VERIFY(field(QStringLiteral("reader_thread")) != nullptr);
}

void LaunchTest::aChipStaysUnderThePointer() {
    const auto placeOf = [this](const QString& name) { return chip(name)->mapTo(page_.get(), QPoint()); };
    const QString four = QStringLiteral("Batch size: 4");
    const QPoint place = placeOf(four);
    for (int click = 0; click < 2; ++click) {
        chip(four)->click();
        QTest::qWait(20);
        QVERIFY(chip(QStringLiteral("Batch size: 2")) == nullptr);
        QCOMPARE(placeOf(four), place);
    }
    const QString sixteen = QStringLiteral("Batch size: 16");
    const QPoint right = placeOf(sixteen);
    chip(sixteen)->click();
    QTest::qWait(20);
    QCOMPARE(placeOf(sixteen), right);
    QVERIFY(chip(QStringLiteral("Batch size: 32")) != nullptr);  // to its right
}

void LaunchTest::whatCannotRunSaysWhy() {
    chip(QStringLiteral("Precision: fp32"))->click();
    QVERIFY(!start()->isEnabled());
    QVERIFY(isSaid(QStringLiteral("precisions")));
    chip(QStringLiteral("Precision: fp32"))->click();
    QVERIFY(start()->isEnabled());
}

void LaunchTest::warnsOfMoreThreadsThanCores() {
    launch::Plan plan = readyPlan();
    const auto threads = std::to_string(QThread::idealThreadCount() + 1);
    PlanDraft draft = draftOf(plan, session_->resources(), session_->workspace().root(),
                              session_->vocabulary(), session_->nodes().cluster(), session_->formats());
    const auto isWarned = [&](const char* words) {
        return std::ranges::any_of(notesOf(draft, {}, {}, session_->nodes()), [&](const PlanNote& note) {
            return note.text.contains(QLatin1String(words));
        });
    };
    QVERIFY(session_->nodes().entries().front().facts);
    const auto& facts = *session_->nodes().entries().front().facts;
    QVERIFY(!draft.prepared.runs.empty());
    QCOMPARE(isWarned("threads compute"), facts.gpus.empty() && facts.cores < 2);
    draft.plan.options["dlperf-worker"]["threads"] = {threads};
    draft.plan.options["dlperf-worker"]["backend"] = {"cpu"};
    prepareDraft(draft, session_->vocabulary(), session_->formats());
    QVERIFY(!draft.prepared.runs.empty());
    QVERIFY(isWarned("threads compute on the"));
}

void LaunchTest::warnsOfATimeLimitBelowTheTimeout() {
    PlanDraft draft = draftOf(readyPlan(), session_->resources(), session_->workspace().root(),
                              session_->vocabulary(), session_->nodes().cluster(), session_->formats());
    draft.plan.timeoutSeconds = 30 * 60;
    const auto isWarned = [&](const char* limit) {
        draft.cluster.slurm.emplace().timeLimit = limit;
        return std::ranges::any_of(notesOf(draft, {}, {}, session_->nodes()), [](const PlanNote& note) {
            return note.text.contains(QStringLiteral("less than the 30 min"));
        });
    };
    QVERIFY(isWarned("10"));
    QVERIFY(isWarned("0:29:59"));
    QVERIFY(!isWarned("30"));
    QVERIFY(!isWarned(""));
}

void LaunchTest::theListHasTheRunsInOrder() {
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    test::findButton(*page_, QStringLiteral("List"))->click();
    const auto* list = test::findNamed<QTableView>(*page_, QStringLiteral("Runs in their order"));
    QVERIFY(list != nullptr);
    QCOMPARE(list->model()->rowCount(), 6);
    QCOMPARE(list->model()->index(3, RunListModel::TopologyColumn).data().toString(), QStringLiteral("1n2g"));
    QCOMPARE(list->model()->index(5, RunListModel::Repetition).data().toString(), QStringLiteral("3"));
}

void LaunchTest::plansAreSavedAndFoundAgain() {
    launch::Plan plan = readyPlan();
    plan.name = "mine";
    plan.batchSizes = {4};
    const auto folder = session_->workspace().root() / "plans";
    QVERIFY(makeFolders(folder));
    QVERIFY(savePlan(plan, folder / "mine.json"));
    const auto* open = page_->findChild<QPushButton*>();
    QVERIFY(open->menu() != nullptr);
    emit open->menu()->aboutToShow();
    QCOMPARE(open->menu()->actions().front()->text(), QStringLiteral("mine"));
    QSignalSpy shown(page_.get(), &LaunchPage::planShown);
    open->menu()->actions().front()->trigger();
    QVERIFY(shown.wait());
    QVERIFY(chip(QStringLiteral("Batch size: 4"))->isChecked());
    QCOMPARE(field(QStringLiteral("Name of the plan"))->text(), QStringLiteral("mine"));
}

// What ran well counts for its own case only, and not when it is excluded.
void LaunchTest::skipsCasesThatHaveTheirRuns() {
    auto draft = readDraft(readyFile(), session_->resources(), session_->workspace().root(),
                           session_->vocabulary(), session_->nodes().cluster(), session_->formats());
    QVERIFY(draft);
    RunResult ok;
    ok.benchmarkCase = draft->prepared.runs.front().benchmarkCase;
    ok.outcome = Outcome::Ok;
    ok.range = {2, 14};
    QCOMPARE(launch::doneCases(draft->prepared, std::vector<RunResult>(3, ok)), std::size_t{0});
    ok.range = draft->prepared.runs.front().range;
    std::vector<RunResult> own(3, ok);
    QCOMPARE(launch::doneCases(draft->prepared, own), std::size_t{1});
    draft->plan = launch::withoutDoneCases(draft->plan, draft->prepared, own);
    QVERIFY(draft->plan.completesEarlier);
    prepareDraft(*draft, session_->vocabulary(), session_->formats());
    QCOMPARE(draft->prepared.runs.size(), std::size_t{3});
    QCOMPARE(dlperf::toString(draft->prepared.runs.front().benchmarkCase.topology), std::string("1n2g"));
    own[0].excluded = true;
    draft->plan.only.clear();
    prepareDraft(*draft, session_->vocabulary(), session_->formats());
    QCOMPARE(launch::doneCases(draft->prepared, own), std::size_t{0});
    draft->plan = launch::withoutDoneCases(draft->plan, draft->prepared, own);  // one of three is missing
    prepareDraft(*draft, session_->vocabulary(), session_->formats());
    QCOMPARE(draft->prepared.runs.size(), std::size_t{4});
}

void LaunchTest::choicesFollowNodesAndPlan() {
    cluster::Cluster cluster{"lab", std::vector<cluster::Node>(3)};
    for (cluster::Node& node : cluster.nodes) {
        node.devices = 8;
    }
    launch::Plan plan;
    plan.topologies = {{1, 3}};
    QStringList texts;
    for (const Topology& topology : topologyChoices(plan, cluster)) {
        texts << QString::fromStdString(dlperf::toString(topology));
    }
    QCOMPARE(texts.join(QLatin1Char(' ')), QStringLiteral("1n1g 1n2g 1n3g 1n4g 1n8g 2n8g 3n8g"));
    QCOMPARE(parseFeatures(" xla + dali-cpu+xla"), (FeatureSet{"dali-cpu", "xla"}));
    QCOMPARE(toString(FeatureSet{}), std::string());
}

void LaunchTest::recipesAreComparedByTheirTimes() {
    const auto runOf = [](const char* recipe) {
        launch::PlannedRun run;
        run.recipe = recipe;
        run.benchmarkCase.configuration.recipe = recipe;
        return run;
    };
    const auto resultOf = [](const launch::PlannedRun& run, int minutes) {
        RunResult result;
        result.benchmarkCase = run.benchmarkCase;
        result.outcome = Outcome::Ok;
        result.started = TimePoint{};
        result.ended = TimePoint{} + std::chrono::minutes(minutes);
        return result;
    };
    const std::vector runs{runOf("a"), runOf("a"), runOf("b"), runOf("never run")};
    const std::vector done{resultOf(runs[0], 5), resultOf(runs[2], 30)};
    const launch::ExpectedTimes times(done);
    const Vocabulary noWords;
    RecipeTimes widget(noWords);
    widget.showRuns(runs, times);
    QVERIFY(!widget.isHidden());
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        texts << label->text();
    }
    QCOMPARE(texts.join(QLatin1Char('|')), QStringLiteral("Time by recipe|a|10 min|b|30 min"));
    widget.showRuns({runs[0]}, times);
    QVERIFY(widget.isHidden());
}

// A run of 100 iterations of 1 s each, after 60 s in which it was prepared.
void LaunchTest::theTimeFollowsTheMeasuredRange() {
    launch::PlannedRun run;
    run.benchmarkCase.configuration.batchSize = 32;
    run.range = {20, 120};
    RunResult result;
    result.benchmarkCase = run.benchmarkCase;
    result.outcome = Outcome::Ok;
    result.range = run.range;
    result.throughput = 32.0;
    result.started = TimePoint{};
    result.ended = TimePoint{} + std::chrono::seconds(60 + 120);
    const launch::ExpectedTimes times(std::span(&result, 1));
    QCOMPARE(times.of(run)->count(), 180);
    run.range = {20, 1020};
    QCOMPARE(times.of(run)->count(), 60 + 1020);
    result.throughput.reset();  // nothing tells the two apart
    QCOMPARE(launch::ExpectedTimes(std::span(&result, 1)).of(run)->count(), 180 * 1020 / 120);
    run.benchmarkCase.topology = {1, 8};  // by the same configuration
    QCOMPARE(times.of(run)->count(), 60 + 1020);
    run.benchmarkCase.configuration.batchSize = 64;
    QVERIFY(!times.of(run));
}

void LaunchTest::aPlanMaySearch() {
    auto* what = test::findNamed<QComboBox>(*page_, QStringLiteral("Runs that the plan adds"));
    auto* most = page_->findChild<AddedRuns*>()->findChild<QSpinBox*>();
    auto* width = page_->findChild<QDoubleSpinBox*>();
    const auto choose = [&](const char* text) {
        what->setCurrentText(QLatin1String(text));
        emit what->activated(what->currentIndex());
    };
    QCOMPARE(what->currentText(), QStringLiteral("None"));
    QVERIFY(!most->isVisible());
    chip(QStringLiteral("Batch size: 16"))->click();  // beside 8
    choose("Find the largest batch size");
    QVERIFY(start()->isEnabled());
    QCOMPARE(start()->text(), QStringLiteral("Start 2+ runs"));  // of each topology
    QVERIFY(chip(QStringLiteral("Batch size: 8"))->isChecked());
    QVERIFY(!chip(QStringLiteral("Batch size: 16"))->isChecked());
    QVERIFY(isSaid(QStringLiteral("The plan adds runs to these")));
    QVERIFY(most->isVisible());
    most->setValue(96);
    choose("Find the largest batch size");  // once more
    QCOMPARE(most->value(), 96);
    QVERIFY(start()->isEnabled());
    most->selectAll();
    QTest::keyClicks(most, QStringLiteral("2"));  // the plan has it as it is typed
    QVERIFY(!start()->isEnabled());
    QVERIFY(isSaid(QStringLiteral("above its")));
    most->setValue(96);
    page_->findChild<QSpinBox*>()->setValue(3);
    QVERIFY(!start()->isEnabled());
    QVERIFY(isSaid(QStringLiteral("one batch size to begin with")));
    choose("Repeat until the median is known");
    QVERIFY(start()->isEnabled());
    QCOMPARE(most->value(), 20);
    width->selectAll();
    QTest::keyClicks(width, QStringLiteral("1.5"));
    QCOMPARE(width->cleanText(), QStringLiteral("1.5"));
    choose("Find how many workers are enough");
    QVERIFY(start()->isEnabled());
    QCOMPARE(most->value(), 64);
    choose("None");  // which gives back what a search began with
    QVERIFY(!most->isVisible());
    QVERIFY(chip(QStringLiteral("Batch size: 16"))->isChecked());
    QCOMPARE(start()->text(), QStringLiteral("Start 12 runs"));
    QVERIFY(isSaid(QStringLiteral("12")));
    QVERIFY(!isSaid(QStringLiteral("12+")));
    QCOMPARE(page_->draft()->plan.options, page_->draft()->original.options);
}

// Who comes here by a key and types on starts nothing.
void LaunchTest::theSpaceBarStartsNothingByItself() {
    QTRY_VERIFY(start()->isEnabled());
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    QSignalSpy started(page_.get(), &LaunchPage::started);
    page_->enter();
    QVERIFY(page_->focusWidget() != nullptr);
    QTest::keyClick(page_->focusWidget(), Qt::Key_Space);
    QCOMPARE(started.size(), 0);
}

void LaunchTest::aPlanThatWasNotSavedIsThereAgain() {
    rename("mine");
    openPage();
    QCOMPARE(page_->draft()->plan.name, std::string("mine"));
    QVERIFY(page_->draft()->changed);
    openPage();  // and was not touched in between
    QCOMPARE(page_->draft()->plan.name, std::string("mine"));
    // Another plan that is asked for at once takes its place, and it can be had back.
    page_ = std::make_unique<LaunchPage>(*session_);
    launch::Plan other = readyPlan();
    other.name = "other";
    page_->usePlan(other);
    page_->show();
    QTRY_VERIFY(page_->isReady() && page_->draft()->plan.name == "other");
    QVERIFY(isSaid(QStringLiteral("had changes that were not saved")));
    test::findButton(*page_, QStringLiteral("Take it back"))->click();
    QCOMPARE(page_->draft()->plan.name, std::string("mine"));
}

void LaunchTest::changesOutlastAPlanFromOutside() {
    const auto write = [this](const QString& name) {
        const auto file = folder_->filePath(name).toStdString();
        return writeFileAtomically(file, R"({"name": ")" + name.toStdString() +
                                             R"(", "recipes": ["dlperf-worker"], "topologies": ["1n1g"],
                                                "batch_sizes": [3]})") &&
               (page_->openPlan(file), true);
    };
    const auto shows = [this](const char* name) { return page_->draft()->plan.name == name; };
    rename("mine");
    QVERIFY(write(QStringLiteral("theirs")));
    QTRY_VERIFY(shows("theirs"));
    // Told before it is used; and nothing else comes under the pointer that used it.
    QVERIFY(isSaid(QStringLiteral("had changes that were not saved")));
    const auto* use = test::findButton(*page_, QStringLiteral("Use this plan"));
    const QPoint there = use->mapTo(page_.get(), use->rect().center());
    QTest::mouseClick(page_->childAt(there), Qt::LeftButton);
    QVERIFY(page_->isReady());
    QTest::qWait(50);  // laid out anew
    QTest::mouseClick(page_->childAt(there), Qt::LeftButton);
    QVERIFY(shows("theirs"));
    QVERIFY(isSaid(QStringLiteral("had changes that were not saved")));
    QVERIFY(write(QStringLiteral("others")));
    QTRY_VERIFY(shows("others"));
    test::findButton(*page_, QStringLiteral("Use this plan"))->click();
    test::findButton(*page_, QStringLiteral("Take it back"))->click();
    QVERIFY(shows("mine"));
    QVERIFY(page_->draft()->changed);
    // One that nobody agreed to does not come back by that button, whatever was changed in it.
    QVERIFY(write(QStringLiteral("foreign")));
    QTRY_VERIFY(shows("foreign"));
    rename("changed");
    page_->usePlan(readyFile());
    QTRY_VERIFY(!shows("changed"));
    test::findButton(*page_, QStringLiteral("Take it back"))->click();
    QVERIFY(shows("mine"));
}

void LaunchTest::noPlanStartsWhileHardwareIsMeasured() {
    QTRY_VERIFY(start()->isEnabled());
    QVERIFY(session_->measure(Measurement::Kind::Links));
    QVERIFY(!start()->isEnabled());
    QVERIFY(start()->toolTip().contains(QStringLiteral("being measured")));
    session_->measurement().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(start()->isEnabled(), 60'000);
}

void LaunchTest::nodesAreChosenAndOneIsTheMaster() {
    auto* picker = page_->findChild<NodePicker*>();
    QVERIFY(picker->isHidden());  // this machine alone is no choice
    cluster::Cluster cluster;
    for (const char* name : {"a", "b", "c"}) {
        cluster::Node node;
        node.name = name;
        node.local = true;
        cluster.nodes.push_back(node);
    }
    session_->nodes().use(cluster);
    QTRY_VERIFY(!picker->isHidden() && session_->nodes().isChecked());
    auto* table = picker->findChild<QTableView*>();
    const QAbstractItemModelTester tester(table->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto ranks = [table] {
        QStringList texts;
        for (int row = 0; row < 3; ++row) {
            texts << table->model()->index(row, NodePicker::Rank).data().toString();
        }
        return texts.join(u' ');
    };
    QCOMPARE(ranks(), QStringLiteral("0, master 1 2"));
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(ranks(), QStringLiteral("– 0, master 1"));
    QVERIFY(isSaid(QStringLiteral("2 of 3")));
    QVERIFY(chip(QStringLiteral("Topology: 3n2g")) == nullptr);
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Down);
    table->actions().first()->trigger();  // the master
    QCOMPARE(ranks(), QStringLiteral("– 1 0, master"));
    for (const Qt::Key key : {Qt::Key_Space, Qt::Key_Up, Qt::Key_Space, Qt::Key_Space}) {
        QTest::keyClick(table, key);
    }
    QCOMPARE(ranks(), QStringLiteral("– 0, master –"));  // the last one stays
    emit picker->chosen({});
    QCOMPARE(ranks(), QStringLiteral("0, master 1 2"));
}

void LaunchTest::nodesKeepTheOrderOfTheirList() {
    const NodeNames all{"a", "b", "c", "d"};
    QCOMPARE(withNode({}, all, "b", false), (NodeNames{"a", "c", "d"}));
    QCOMPARE(withNode({"a", "c", "d"}, all, "b", true), NodeNames{});  // all again
    QCOMPARE(withNode({"d", "a"}, all, "c", true), (NodeNames{"c", "d", "a"}));
    QCOMPARE(withNode({"a"}, all, "a", false), NodeNames{"a"});
    QCOMPARE(withNode({"gone", "a"}, all, "gone", false), NodeNames{"a"});
    QCOMPARE(withFirst({}, all, "c"), (NodeNames{"c", "a", "b", "d"}));
    QCOMPARE(withFirst({"b", "a", "c", "d"}, all, "a"), NodeNames{});
}

void LaunchTest::aRecipeOfOnesOwnCanBeAdded() {
    QVERIFY(page_->draft()->recipes.find("toy") == nullptr);
    page_->addRecipe("/nowhere");
    QTRY_VERIFY(isSaid(QStringLiteral("this folder is no recipe")));
    page_->addRecipe(DLPERF_SOURCE_DIR "/tests/ui/recipes/toy");
    QTRY_VERIFY(page_->draft()->recipes.find("toy") != nullptr);
    auto* box = test::findNamed<QCheckBox>(*page_, QStringLiteral("toy"));
    QVERIFY(box != nullptr);
    QVERIFY(!box->isChecked());
    box->click();
    QVERIFY(page_->draft()->plan.recipes.back() == "toy");
    QVERIFY(!page_->draft()->problem);
    // Another plan of this workspace knows it as well.
    page_->usePlan(readyFile());
    QTRY_VERIFY(page_->draft()->plan.recipes.size() == 1);
    QVERIFY(page_->draft()->recipes.find("toy") != nullptr);
}

void LaunchTest::aRecipeIsAddedThoughTheWindowCloses() {
    session_->background().ask(
        page_.get(),
        [] {
            QThread::msleep(200);  // the recipe waits behind this
            return true;
        },
        [](bool) {});
    page_->addRecipe(DLPERF_SOURCE_DIR "/tests/ui/recipes/toy");
    page_.reset();
    session_.reset();
    QVERIFY(QFile::exists(folder_->filePath(QStringLiteral("w/recipes/toy/recipe.json"))));
}

// One run of it.
static launch::Plan planOf(const char* recipe) {
    launch::Plan plan;
    plan.name = recipe;
    plan.recipes = {recipe};
    plan.topologies = {{1, 1}};
    plan.batchSizes = {8};
    return plan;
}

void LaunchTest::aFormatThatWasAddedIsKnown() {
    const std::filesystem::path toy = DLPERF_SOURCE_DIR "/tests/ui/recipes/toy";
    const std::filesystem::path own = session_->workspace().root() / "recipes" / "toy";
    std::filesystem::create_directories(own.parent_path());
    std::filesystem::copy(toy, own, std::filesystem::copy_options::recursive);
    auto recipe = *readJsonFile(own / "recipe.json");
    recipe["format"] = "mine";
    QVERIFY(writeFileAtomically(own / "recipe.json", recipe.dump()));
    page_->usePlan(planOf("toy"));
    QTRY_VERIFY(isSaid(QStringLiteral("the log format \"mine\", which is not known")));
    QVERIFY(writeFileAtomically(session_->workspace().root() / "formats.json",
                                R"([{"name": "mine", "unit": "images/s", "window": {"warmup": 1, "train": 3},
             "lines": {"contain": ["V="]}, "value": {"after": "V=", "is": "speed"},
             "rule": "mean-of-speeds", "fold": {"average": "numpy:0"}}])"));
    session_->reload();
    QTRY_VERIFY(!page_->draft()->problem);
    QCOMPARE(page_->draft()->prepared.runs.size(), std::size_t{1});
    QVERIFY(!isSaid(QStringLiteral("which is not known")));
}

void LaunchTest::theRangeIsTheFormatsWhereThePlanSaysNone() {
    page_->usePlan(planOf("gluon-nlp-bert"));
    QTRY_COMPARE(page_->draft()->plan.name, std::string("gluon-nlp-bert"));
    QVERIFY(!page_->draft()->prepared.runs.empty());
    auto* warmup = test::findNamed<QSpinBox>(*page_, QStringLiteral("Warmup"));
    auto* measured = test::findNamed<QSpinBox>(*page_, QStringLiteral("Measured"));
    QCOMPARE(warmup->value(), 100);
    QCOMPARE(measured->value(), 100);
    QVERIFY(!page_->draft()->changed);
    warmup->setValue(120);
    QCOMPARE(page_->draft()->plan.train, std::optional(220));
}

void LaunchTest::theListOfRunsIsReadWhole() {
    test::findButton(*page_, QStringLiteral("List"))->click();
    auto* list = test::findNamed<QTableView>(*page_, QStringLiteral("Runs in their order"));
    QTRY_VERIFY(list->isVisible());
    const auto* header = dynamic_cast<const TableHeader*>(list->horizontalHeader());
    QVERIFY(header != nullptr);
    for (int column = 0; column < list->model()->columnCount(); ++column) {
        QVERIFY2(list->columnWidth(column) >= header->widthFor(column), qPrintable(QString::number(column)));
    }
    QCOMPARE(list->horizontalScrollBar()->maximum(), 0);
}

DLPERF_UI_TEST(LaunchTest);

}  // namespace dlperf::ui
#include "launch_test.moc"
