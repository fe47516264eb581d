// SPDX-License-Identifier: Apache-2.0
// What the Runs page shows, without a runner: a long queue, and logs that say anything.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>

#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/models/queue_model.h"
#include "ui/pages/queue_panel.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/run_header.h"
#include "ui/pages/versions_dialog.h"
#include "ui/session/background.h"
#include "ui/session/live_run.h"
#include "ui/theme/theme_control.h"
#include "ui/theme/tips.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

QPushButton* findButton(const QWidget& host, const QString& text) {
    for (QPushButton* button : host.findChildren<QPushButton*>()) {
        if (button->text() == text) {
            return button;
        }
    }
    return nullptr;
}

// A run of the bundled worker that is at work on these nodes, with its logs in the folder.
run::RunState runningOn(const std::vector<std::string>& nodes, const QTemporaryDir& folder) {
    run::RunState status;
    status.id = "c/1";
    status.format = "dlperf-worker";
    status.range = {2, 100};
    status.benchmarkCase.topology = {static_cast<int>(nodes.size()), 1};
    status.nodes = nodes;
    status.path = folder.path().toStdString();
    status.phase = run::RunPhase::Running;
    return status;
}

// Keeps the texts that are painted on it.
class TextRecorder final : public QPaintDevice {
public:
    [[nodiscard]] const QStringList& texts() const { return engine_.texts; }
    QPaintEngine* paintEngine() const override { return &engine_; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmDepth:
                return 32;
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return 96;
            default:
                return 1;  // nobody asks how large it is
        }
    }

private:
    struct Engine final : QPaintEngine {
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPath(const QPainterPath&) override {}
        void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }
        Type type() const override { return User; }
        QStringList texts;
    };
    mutable Engine engine_;
};

}  // namespace

class RunsTest : public QObject {
    Q_OBJECT

private slots:
    void aLongQueueIsShown();
    void statesAreFiltered();
    void rowsSayWhatDiffersAndWhatIsExcluded();
    void casesOfSeveralCampaignsNameTheirs();
    void repetitionsStandInOneRow();
    void whatHasNoRunnerWaitsForResume();
    void rowsStayWhereTheyAre();
    void aRepetitionIsChosen();
    void aCaseIsNotCutForItsRepetitions();
    void whoLooksElsewhereGoesOnLooking();
    void theTimeLeftGoesByTheSameCase();
    void theHeaderMovesNothing();
    void theHeaderFitsASmallWindow();
    void aLogMaySayInfinity();
    void aLogSaysWhatWentWrong();
    void aRunThatNeverBeganSaysWhyItHasNoLog();
    void showsWhatKeepsANodeSilent();
    void aClosedWarningStaysClosed();
    void versionsAreShownSearchedAndCopied();
    void aRunWithoutVersionsSaysSo();
};

// The queue is made anew twice a second.
void RunsTest::aLongQueueIsShown() {
    run::Campaign campaign;
    campaign.id = "c";
    campaign.runnerAlive = true;
    for (int i = 0; i < 10'000; ++i) {
        run::RunState status;
        status.id = "c/" + std::to_string(i);
        status.benchmarkCase.configuration.implementation = "dlperf-worker";
        const int number = i / 5;  // of the case
        status.benchmarkCase.topology = {1 + number % 4, 1 + number / 4 % 8};
        status.benchmarkCase.configuration.batchSize = number / 32;
        status.phase = i < 5000 ? run::RunPhase::Finished : run::RunPhase::Queued;
        campaign.runs.push_back(status);
    }
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    for (std::size_t i = 5000; i < 5100; ++i) {  // the test's time limit is far below what n² would take
        campaign.runs[i].phase = run::RunPhase::Finished;
        model.setCampaigns({campaign});
    }
    QCOMPARE(model.rowCount(), 2000 + 2);
    model.setFilter(QStringLiteral("4n8g"));
    QCOMPARE(model.rowCount(), 62 + 2);
}

void RunsTest::statesAreFiltered() {
    run::Campaign campaign;
    campaign.runnerAlive = true;
    const std::pair<run::RunPhase, Outcome> runs[] = {{run::RunPhase::Finished, Outcome::Ok},
                                                      {run::RunPhase::Finished, Outcome::Failed},
                                                      {run::RunPhase::Running, Outcome::NotRun},
                                                      {run::RunPhase::Queued, Outcome::NotRun},
                                                      {run::RunPhase::Queued, Outcome::NotRun}};
    for (const auto& [state, outcome] : runs) {
        run::RunState status;
        status.id = "c/" + std::to_string(campaign.runs.size());
        status.benchmarkCase.topology.devices = static_cast<int>(campaign.runs.size()) + 1;
        status.phase = state;
        status.outcome = outcome;
        campaign.runs.push_back(status);
    }
    campaign.runs[0].nodes = {"this", "a", "b", "c", "d"};
    const run::NodeAlert silence{run::NodeAlert::Kind::Silent, "a", TimePoint{}, {}, false, 0.5};
    campaign.runs[0].disturbances.push_back({silence, TimePoint{} + std::chrono::seconds(46)});
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    model.setRemarks([](const run::RunState& run) {
        return QueueModel::Remark{run.id == "c/0", run.id == "c/3", QStringLiteral("<b>why</b>"), {}};
    });
    model.setCampaigns({campaign});
    const auto result = [&](const char* id) {
        return model.indexOf(id).data(QueueModel::ResultRole).toString();
    };
    QCOMPARE(result("c/3"), QStringLiteral("will be skipped"));
    QCOMPARE(result("c/4"), QStringLiteral("next"));  // the one before it is passed by
    QVERIFY(model.indexOf("c/0")
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("on this machine, a, b and 2 more")));
    QVERIFY(model.indexOf("c/0").data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;why")));
    QVERIFY(model.indexOf("c/0")
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("node a: the node printed nothing for 46 s")));
    QVERIFY(
        model.indexOf("c/0").data(QueueModel::DetailRole).toString().endsWith(QStringLiteral(", disturbed")));
    using Show = QueueModel::Show;
    const std::pair<Show, int> rows[] = {{Show::Active, 1},        {Show::Queued, 2},   {Show::Finished, 2},
                                         {Show::WithoutFigure, 1}, {Show::Excluded, 1}, {Show::All, 5}};
    for (const auto& [show, count] : rows) {
        model.setShown(show);
        QCOMPARE(model.rowCount(), count + (show == Show::All ? 3 : 1));  // with their headings
    }
    campaign.runnerAlive = false;
    model.setCampaigns({campaign});
    QCOMPARE(result("c/4"), QStringLiteral("waits for Resume"));
    campaign.lostJournal = Error{"the journal lacks its end", "journal.jsonl", {}};
    model.setCampaigns({campaign});
    QCOMPARE(result("c/4"), QStringLiteral("cannot be resumed"));
}

// Two cases of one trainer, of three repetitions each; in words as well as by a mark.
void RunsTest::rowsSayWhatDiffersAndWhatIsExcluded() {
    run::Campaign campaign;
    for (int i = 0; i < 6; ++i) {
        run::RunState status;
        status.id = "c/" + std::to_string(i);
        status.phase = run::RunPhase::Finished;
        status.outcome = Outcome::Ok;
        status.throughput = 100 + i;
        status.benchmarkCase.configuration.variant = {{"image_size", i < 3 ? "32" : "64"}, {"workers", "1"}};
        campaign.runs.push_back(status);
    }
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    model.setRemarks([](const run::RunState& run) {  // the first case, and one of the other
        return QueueModel::Remark{run.id < "c/3" || run.id == "c/4", false, {}, {}};
    });
    model.setCampaigns({campaign});
    const auto of = [&](const char* id, int role) { return model.indexOf(id).data(role).toString(); };
    QCOMPARE(of("c/0", QueueModel::SettingsRole), QStringLiteral("image_size=32"));
    QCOMPARE(of("c/3", QueueModel::SettingsRole), QStringLiteral("image_size=64"));
    QVERIFY(of("c/0", Qt::ToolTipRole).contains(QStringLiteral("image_size=32")));
    QCOMPARE(of("c/0", QueueModel::StateRole), QStringLiteral("excluded"));
    QVERIFY(of("c/0", QueueModel::DetailRole).contains(QStringLiteral(", excluded")));
    QCOMPARE(of("c/3", QueueModel::StateRole), QStringLiteral("ok"));
    QVERIFY(of("c/3", QueueModel::DetailRole).contains(QStringLiteral(", 1 excluded")));
    QCOMPARE(model.indexOf("c/3").data(QueueModel::RepetitionsRole).toStringList().join(u' '),
             QStringLiteral("ok excluded ok"));
    model.setFilter(QStringLiteral("image_size=64"));
    QCOMPARE(model.rowCount(), 1 + 1);
    QCOMPARE(of("c/3", QueueModel::SettingsRole), QStringLiteral("image_size=64"));
}

void RunsTest::casesOfSeveralCampaignsNameTheirs() {
    const auto campaignOf = [](const std::string& id) {
        run::Campaign campaign;
        campaign.id = id;
        for (int i = 0; i < 2; ++i) {
            run::RunState& status = campaign.runs.emplace_back();
            status.id = id + "/" + std::to_string(i);
            status.campaign = id;
            status.phase = run::RunPhase::Finished;
            status.benchmarkCase.configuration.variant = {{"image_size", "32"}};
        }
        return campaign;
    };
    run::Campaign second = campaignOf("20261122-090000-bbbb");
    second.runs[1].benchmarkCase.configuration.variant = {{"image_size", "64"}};
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    const auto of = [&](const char* id) {
        return model.indexOf(id).data(QueueModel::SettingsRole).toString();
    };
    model.setCampaigns({second});
    QCOMPARE(of("20261122-090000-bbbb/0"), QStringLiteral("image_size=32"));
    model.setCampaigns({campaignOf("20261121-081530-aaaa"), second},
                       {{"20261122-090000-bbbb", "new driver"}});
    QCOMPARE(of("20261122-090000-bbbb/0"), QStringLiteral("image_size=32 · new driver"));
    QCOMPARE(of("20261122-090000-bbbb/1"), QStringLiteral("image_size=64"));
    QVERIFY(of("20261121-081530-aaaa/0").startsWith(QStringLiteral("image_size=32 · 2026-11-21")));
}

// Five repetitions in one row: a figure each for two of them, one failed, one runs, one waits.
void RunsTest::repetitionsStandInOneRow() {
    run::Campaign campaign;
    campaign.runnerAlive = true;
    const std::pair<Outcome, double> ended[] = {
        {Outcome::Ok, 100.0}, {Outcome::Failed, 0.0}, {Outcome::Ok, 110.0}, {Outcome::Ok, 90.0}};
    for (int i = 0; i < 5; ++i) {
        run::RunState status;
        status.id = "c/" + std::to_string(i);
        status.repetition = i + 1;
        if (i < 3) {
            status.phase = run::RunPhase::Finished;
            status.outcome = ended[i].first;
            status.throughput = ended[i].second;
        }
        campaign.runs.push_back(status);
    }
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto shown = [&](int role) { return model.index(1).data(role); };
    model.setCampaigns({campaign});  // between two repetitions
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0).data().toString(), QStringLiteral("Active"));
    QCOMPARE(model.run(model.index(1))->id, std::string("c/3"));
    QCOMPARE(shown(QueueModel::ResultRole).toString(), QStringLiteral("next"));
    campaign.runs[3].phase = run::RunPhase::Running;
    model.setCampaigns({campaign});
    QCOMPARE(shown(QueueModel::RepetitionsRole).toStringList().join(u' '),
             QStringLiteral("ok fail ok running queued"));
    QCOMPARE(shown(QueueModel::ProgressRole).toDouble(), 0.0);
    for (const std::size_t i : {3U, 4U}) {
        campaign.runs[i].phase = run::RunPhase::Finished;
        campaign.runs[i].outcome = i == 3 ? Outcome::Ok : Outcome::NotRun;
        campaign.runs[i].throughput = ended[3].second;
    }
    model.setCampaigns({campaign});
    QCOMPARE(model.index(0).data(QueueModel::CountRole).toString(), QStringLiteral("1 case"));
    QCOMPARE(shown(QueueModel::ResultRole).toString(), QStringLiteral("100.00\u00a0images/s"));  // the median
    QCOMPARE(shown(QueueModel::StateRole).toString(), QStringLiteral("warn"));
    QCOMPARE(model.run(model.index(1))->id, std::string("c/1"));  // what went wrong is worth a look
    model.setShownRun("c/3");
    QCOMPARE(model.run(model.index(1))->id, std::string("c/3"));
    QCOMPARE(shown(QueueModel::ShownRole).toInt(), 3);
    QVERIFY(shown(Qt::ToolTipRole).toString().contains(QStringLiteral("Repetition 4: 90.00")));
    QVERIFY(shown(Qt::AccessibleTextRole).toString().contains(QStringLiteral("repetition 4 of 5: 90.00")));
    QVERIFY(model.repetition(model.index(1), 5) == nullptr &&
            model.repetition(model.index(1), -1) == nullptr &&
            model.repetition(model.index(0), 0) == nullptr);
}

void RunsTest::whatHasNoRunnerWaitsForResume() {
    run::Campaign campaign;
    for (int i = 0; i < 4; ++i) {
        run::RunState status;
        status.id = "c/" + std::to_string(i);
        status.benchmarkCase.topology.devices = 1 + i / 2;
        status.phase = i == 0 ? run::RunPhase::Running : run::RunPhase::Queued;
        campaign.runs.push_back(status);
    }
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    QueueModel model(vocabulary, formats);
    model.setCampaigns({campaign});
    QCOMPARE(model.index(0).data().toString(), QStringLiteral("Interrupted"));
    QCOMPARE(model.index(1).data(QueueModel::RepetitionsRole).toStringList().join(u' '),
             QStringLiteral("warn queued"));  // it may run on
    QCOMPARE(model.index(1).data(QueueModel::ResultRole).toString(), QStringLiteral("not watched"));
    QCOMPARE(model.index(3).data(QueueModel::StateRole).toString(), QStringLiteral("queued"));
    QCOMPARE(model.index(3).data(QueueModel::ResultRole).toString(), QStringLiteral("waits for Resume"));
    campaign.runnerAlive = true;
    model.setCampaigns({campaign});
    QCOMPARE(model.index(0).data().toString(), QStringLiteral("Active"));
}

// The panel alone, in a window of its own.
struct ShownQueue {
    explicit ShownQueue(const run::Campaign& campaign) {
        panel.model().setCampaigns({campaign});
        panel.resize(320, 400);
        panel.show();
    }

    Vocabulary vocabulary;
    analysis::FormatBook formats;
    QueuePanel panel{vocabulary, formats};
};

// A case that begins or ends makes the rows anew.
void RunsTest::whoLooksElsewhereGoesOnLooking() {
    run::Campaign campaign;
    for (int i = 0; i < 40; ++i) {
        run::RunState& status = campaign.runs.emplace_back();
        status.id = "c/" + std::to_string(i);
        status.benchmarkCase.topology.devices = 1 + i;
    }
    ShownQueue queue(campaign);
    QueuePanel& panel = queue.panel;
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    panel.select("c/0");
    auto* list = panel.findChild<QListView*>();
    const auto finishNext = [&] {
        const auto next = std::ranges::find(campaign.runs, run::RunPhase::Queued, &run::RunState::phase);
        next->phase = run::RunPhase::Finished;
        panel.model().setCampaigns({campaign});
        panel.select(std::next(next)->id);
        QTest::qWait(0);
    };
    finishNext();
    const QModelIndex shown = panel.model().indexOf("c/1");
    QVERIFY(list->viewport()->rect().intersects(list->visualRect(shown)));
    list->verticalScrollBar()->setValue(900);
    finishNext();
    QCOMPARE(list->verticalScrollBar()->value(), 900);
    QCOMPARE(list->currentIndex(), panel.model().indexOf("c/2"));
    panel.select("c/3");  // as somebody asks for it
    QVERIFY(list->viewport()->rect().intersects(list->visualRect(panel.model().indexOf("c/3"))));
}

// When the first iteration of a run is known, and when it is read no more.
void RunsTest::rowsStayWhereTheyAre() {
    run::Campaign campaign;
    campaign.runnerAlive = true;
    for (int i = 0; i < 4; ++i) {
        run::RunState& status = campaign.runs.emplace_back();
        status.id = "c/" + std::to_string(i);
        status.benchmarkCase.topology.devices = 1 + i;
    }
    campaign.runs[0].phase = run::RunPhase::Preparing;
    ShownQueue queue(campaign);
    QueuePanel& panel = queue.panel;
    auto* list = panel.findChild<QListView*>();
    const auto last = [&] { return list->visualRect(panel.model().indexOf("c/3")).bottom(); };
    const int before = last();
    campaign.runs[0].phase = run::RunPhase::Running;
    panel.model().setCampaigns({campaign});
    panel.model().setProgress("c/0", 0.5, QStringLiteral("50 of 100"));
    QTest::qWait(0);
    QCOMPARE(panel.model().indexOf("c/0").data(QueueModel::ProgressRole).toDouble(), 0.5);
    QCOMPARE(last(), before);
}

// By a click on its icon, and by Left and Right; each tells the page once.
void RunsTest::aRepetitionIsChosen() {
    run::Campaign campaign;
    for (int i = 0; i < 6; ++i) {
        run::RunState status;
        status.id = "c/" + std::to_string(i);
        status.repetition = i % 3 + 1;
        status.benchmarkCase.topology.devices = 1 + i / 3;
        status.phase = run::RunPhase::Finished;
        status.outcome = Outcome::Ok;
        status.throughput = 100.0 + i;
        campaign.runs.push_back(status);
    }
    ShownQueue queue(campaign);
    QueuePanel& panel = queue.panel;
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QStringList chosen;
    connect(&panel, &QueuePanel::chosen, this,
            [&](const std::string& id) { chosen << QString::fromStdString(id); });
    panel.select("c/4");
    QCOMPARE(chosen.join(u' '), QStringLiteral("c/4"));
    auto* list = panel.findChild<QListView*>();
    list->setFocus();
    for (const Qt::Key key :
         {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left, Qt::Key_Down, Qt::Key_Up, Qt::Key_End, Qt::Key_Home}) {
        QTest::keyClick(list, key);
    }
    QCOMPARE(chosen.join(u' '), QStringLiteral("c/4 c/5 c/4 c/0 c/4 c/0 c/4"));
    chosen.clear();
    const QRect row = list->visualRect(panel.model().indexOf("c/4"));
    for (int x = row.left(); x < row.center().x(); x += 8) {
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {x, row.bottom() - 15});
    }
    chosen.removeDuplicates();
    QCOMPARE(chosen.join(u' '), QStringLiteral("c/3 c/4 c/5"));
}

// Seven repetitions and a long figure leave little room beside them.
void RunsTest::aCaseIsNotCutForItsRepetitions() {
    run::Campaign campaign;
    for (int i = 0; i < 7; ++i) {
        run::RunState status;
        status.id = "c/" + std::to_string(i);
        status.repetition = i + 1;
        status.benchmarkCase.configuration.batchSize = 128;
        status.benchmarkCase.configuration.precision = "fp32";
        status.phase = run::RunPhase::Finished;
        status.outcome = Outcome::Ok;
        status.throughput = 19'067.84;
        campaign.runs.push_back(status);
    }
    ShownQueue queue(campaign);
    const auto painted = [&] {
        const auto* list = queue.panel.findChild<QListView*>();
        TextRecorder recorder;
        QPainter painter(&recorder);
        QStyleOptionViewItem option;
        option.initFrom(list);
        option.rect = list->visualRect(queue.panel.model().index(1));
        list->itemDelegate()->paint(&painter, option, queue.panel.model().index(1));
        painter.end();
        return recorder.texts();
    };
    QVERIFY(painted().contains(QStringLiteral("19,067.84\u00a0images/s")));
    QVERIFY2(painted().contains(QStringLiteral("b128 fp32")), qPrintable(painted().join(u'|')));
    queue.panel.model().setRemarks([](const run::RunState& run) {
        QueueModel::Remark remark;
        remark.excluded = run.id == "c/1";
        return remark;
    });
    queue.panel.model().remarksChanged();
    QVERIFY2(painted().filter(QStringLiteral("b128 fp32")).size() == 1, qPrintable(painted().join(u'|')));
}

void RunsTest::theTimeLeftGoesByTheSameCase() {
    using namespace std::chrono_literals;
    const TimePoint begin{};
    run::Campaign campaign;
    const auto add = [&](int devices, run::RunPhase state, std::optional<std::chrono::seconds> took) {
        run::RunState status;
        status.benchmarkCase.topology = {1, devices};
        status.phase = state;
        status.outcome = Outcome::Ok;
        if (took) {
            status.started = begin;
            status.ended = begin + *took;
        }
        campaign.runs.push_back(status);
        return &campaign.runs.back();
    };
    add(1, run::RunPhase::Queued, {});
    QVERIFY(!timeLeft(campaign, begin));
    add(1, run::RunPhase::Finished, 100s);
    add(2, run::RunPhase::Finished, 300s)->outcome = Outcome::Failed;  // says nothing
    add(2, run::RunPhase::Finished, 40s);
    QCOMPARE(timeLeft(campaign, begin)->count(), 100);
    add(4, run::RunPhase::Queued, {});  // as any
    QCOMPARE(timeLeft(campaign, begin)->count(), 170);
    add(2, run::RunPhase::Running, {})->started = begin;
    QCOMPARE(timeLeft(campaign, begin + 30s)->count(), 180);
    QCOMPARE(timeLeft(campaign, begin + 90s)->count(), 170);  // later than expected: never less than nothing
}

// Whatever becomes known of a run: its header stays as high, and its figures stay where they are.
void RunsTest::theHeaderMovesNothing() {
    const Vocabulary vocabulary;
    RunHeader header(vocabulary);
    const QTemporaryDir folder;
    run::RunState status = runningOn({"n1"}, folder);
    status.phase = run::RunPhase::Queued;
    for (const int width : {700, 920}) {
        header.resize(width, 200);
        header.show();
        header.showRun(status, nullptr);
        QVERIFY(QTest::qWaitForWindowExposed(&header));
        const auto layOut = [&] {
            QTest::qWait(20);
            std::vector<int> places{header.sizeHint().height()};
            for (const QLabel* label : header.findChildren<QLabel*>()) {
                if (label->property("kind") == QStringLiteral("keyfigure")) {
                    places.push_back(label->mapTo(&header, QPoint()).x());
                }
            }
            return places;
        };
        const auto before = layOut();
        QVERIFY(before.size() >= 5);
        run::RunState running = status;
        running.phase = run::RunPhase::Running;
        running.started = now();
        running.range.train = 120;
        LiveUpdate live;
        live.iteration = 120;
        live.median = 12411.97;
        live.secondsLeft = 59;
        header.showRun(running, &live);
        QCOMPARE(findButton(header, QStringLiteral("Cancel run"))->isVisible(), true);
        QCOMPARE(layOut(), before);
        const auto shows = [&header](const QString& text) {
            return std::ranges::count(header.findChildren<QLabel*>(), text, &QLabel::text) == 1;
        };
        QVERIFY(shows(QStringLiteral("120 / 120")));
        live.iteration = 124;  // a log may go on behind what is measured
        header.showRun(running, &live);
        QVERIFY(shows(QStringLiteral("124")));
        header.showRun(running, &live, false);
        for (const QLabel* label : header.findChildren<QLabel*>()) {  // no clock runs on without its runner
            QVERIFY(!label->isVisible() ||
                    (label->text() != QStringLiteral("0:00") && label->text() != QStringLiteral("0:59")));
        }
        QCOMPARE(layOut(), before);
    }
}

// In a window of 1024 px there are 620 beside the queue and a scroll bar.
void RunsTest::theHeaderFitsASmallWindow() {
    const Vocabulary vocabulary;
    RunHeader header(vocabulary);
    header.resize(620, 200);
    header.show();
    run::RunState status;
    status.id = "c/1";
    status.phase = run::RunPhase::Finished;
    status.outcome = Outcome::Ok;
    status.throughput = 12'411.97;
    status.unit = "images/s";
    header.showNote(status.id, {.excluded = true});
    header.showRun(status, nullptr);
    QVERIFY(findButton(header, QStringLiteral("Include again"))->isVisible());
    QVERIFY2(header.minimumSizeHint().width() <= 620,
             qPrintable(QString::number(header.minimumSizeHint().width())));
}

void RunsTest::aLogMaySayInfinity() {
    const QTemporaryDir folder;
    run::RunState status = runningOn({"node1"}, folder);
    status.unit = "images/s";
    status.benchmarkCase.configuration.batchSize = 8;
    std::ofstream log(status.path / "node0.log");
    const auto iteration = [&log](int number, const char* time) {
        log << "iteration " << number << " epoch 0 loss 6.9 time " << time
            << " s data 0.0 s comm 0.0 s throughput 16.00 images/s\n";
    };
    log << "# dlperf-worker 0.1.0\n# batch_size: 8\n# world_size: 1\n";
    iteration(1, "inf");
    iteration(2, "nan");
    iteration(3, "1e308");
    iteration(4, "1e308");
    log.close();
    LiveRun live(status);
    QVERIFY(live.read());
    QVERIFY(!live.read());  // nothing new
    LiveUpdate update = live.update();
    QVERIFY(!update.secondsLeft || std::isfinite(*update.secondsLeft));
    const Vocabulary vocabulary;
    RunHeader header(vocabulary);
    update.secondsLeft = 1e300;
    header.showRun(status, &update);
}

void RunsTest::aLogSaysWhatWentWrong() {
    const QTemporaryDir folder;
    const run::RunState status = runningOn({"a", "b"}, folder);
    std::ofstream(status.path / "node0.log") << "# dlperf-worker 0.1.0\n";
    std::ofstream(status.path / "node1.log") << "one\nbind: Address already in use\n";
    LiveRun live(status, *diagnosis::readRules());
    QVERIFY(live.read());
    const LiveUpdate update = live.update();
    QCOMPARE(update.hints.size(), std::size_t{1});
    QCOMPARE(update.hints[0].node, std::string("b"));
    RunHints hints;
    QSignalSpy asked(&hints, &RunHints::lineRequested);
    hints.showHints("c/1", update.hints);
    QVERIFY(!hints.isHidden());
    auto* show = findButton(hints, QStringLiteral("Show line 2"));
    QVERIFY(show != nullptr);
    show->click();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].value<std::string>(), std::string("b"));
    QCOMPARE(asked[0][1].toLongLong(), 2);
    hints.showHints("c/2", {});
    QVERIFY(hints.isHidden());
}

// Words of a node are text, whatever they look like.
void RunsTest::aRunThatNeverBeganSaysWhyItHasNoLog() {
    run::RunState status;
    QCOMPARE(noLogText(status), QStringLiteral("Nothing is logged yet"));
    status.phase = run::RunPhase::Finished;
    status.outcome = Outcome::Cancelled;
    QVERIFY(noLogText(status).contains(QStringLiteral("cancelled before it began")));
    status.outcome = Outcome::NotRun;
    QVERIFY(noLogText(status).contains(QStringLiteral("it did not begin")));
    status.alreadyThere = true;
    QVERIFY(noLogText(status).contains(QStringLiteral("had its figure already")));
    status.started = now();
    QCOMPARE(noLogText(status), QStringLiteral("It ended and logged nothing"));
}

void RunsTest::showsWhatKeepsANodeSilent() {
    const QTemporaryDir folder;
    const run::RunState status = runningOn({"a"}, folder);
    LiveRun live(status, *diagnosis::readRules());
    (void)live.read();
    run::NodeAlert trouble;
    trouble.node = "a";
    trouble.since = now() - std::chrono::minutes(5);
    trouble.why = "<img src=x> %1 & gone";
    QVERIFY(live.read({trouble}));
    QVERIFY(!live.read({trouble}));  // the words are the same
    const LiveUpdate update = live.update();
    QCOMPARE(update.hints.size(), std::size_t{1});
    RunHints hints;
    hints.showHints("c/1", update.hints);
    const auto labels = hints.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->text().contains(QStringLiteral("a has not been reached for 5 min.")) &&
               label->text().contains(QStringLiteral("&lt;img src=x&gt; %1 &amp; gone"));
    }));
    QVERIFY(live.read({}));
    QVERIFY(live.update().hints.empty());
}

void RunsTest::aClosedWarningStaysClosed() {
    diagnosis::Hint warning;
    warning.rule = "w";
    warning.severity = diagnosis::Severity::Warn;
    warning.what = "It is slow.";
    RunHints hints;
    hints.showHints("c/1", {warning});
    auto* banner = hints.findChild<Banner*>();
    QVERIFY(!banner->isHidden());
    banner->hide();
    emit banner->closed();
    diagnosis::Hint again = warning;
    again.why = "And slower.";
    hints.showHints("c/1", {again});
    QVERIFY(hints.isHidden());
    hints.showHints("c/2", {again});
    QVERIFY(!hints.isHidden());
}

void RunsTest::versionsAreShownSearchedAndCopied() {
    ThemeControl theme(*qApp);
    theme.start(ThemeChoice::Light);
    const QTemporaryDir folder;
    const auto node = [](const char* driver) {
        return run::versionsToJson(std::string("taken=2026-11-21T09:15:02Z\nkernel=Linux 6.1\ndriver=") +
                                   driver +
                                   "\npackage=torch==2.1.0\npackage=<b>x</b> @ file:///a\n"
                                   "repository=DLPERF_OPT_SOURCE_DIR\npath=/src\ncommit=0123456789ab\n"
                                   "dirty=yes\ndiff=-one\ndiff=+two\n");
    };
    QVERIFY(
        run::writeVersions(folder.path().toStdString(), {{"node1", node("535")}, {"node2", node("550")}}));
    Background files;
    VersionsDialog dialog(files, QStringLiteral("PyTorch, 2n8g, repetition 1"), folder.path().toStdString(),
                          nullptr);
    dialog.show();
    auto* table = dialog.findChild<QTableView*>();
    QTRY_COMPARE(table->model()->rowCount(), 6);
    QVERIFY(!table->isColumnHidden(2));
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QModelIndex part = table->model()->index(row, 0);
        QCOMPARE(part.data(Qt::ToolTipRole).toString(), plainTip(part.data().toString()));
    }
    QCOMPARE(dialog.findChild<QPlainTextEdit*>()->toPlainText(), QStringLiteral("# /src\n-one\n+two\n"));
    test::keepPictures(dialog, theme, QStringLiteral("versions"));
    dialog.findChild<QLineEdit*>()->setText(QStringLiteral("driv"));
    QCOMPARE(table->model()->rowCount(), 2);
    findButton(dialog, QStringLiteral("Copy table"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QStringLiteral("| Part | Version | Nodes |\n| --- | --- | --- |\n| Driver | 535 | node1 |\n"
                            "| Driver | 550 | node2 |\n"));
}

void RunsTest::aRunWithoutVersionsSaysSo() {
    const QTemporaryDir folder;
    Background files;
    VersionsDialog dialog(files, {}, folder.path().toStdString(), nullptr);
    dialog.show();
    const auto says = [&] {
        const auto labels = dialog.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().startsWith(QStringLiteral("Nothing is known"));
        });
    };
    QTRY_VERIFY(says());
    QVERIFY(!dialog.findChild<QPlainTextEdit*>()->isVisible());
}

DLPERF_UI_TEST(RunsTest);

}  // namespace dlperf::ui
#include "runs_test.moc"
