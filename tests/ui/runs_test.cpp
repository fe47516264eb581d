// SPDX-License-Identifier: Apache-2.0
// What the Runs page shows, without a runner: a long queue, and logs that say anything.
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "tests/ui/watchdog.h"
#include "ui/models/queue_model.h"
#include "ui/models/queue_time.h"
#include "ui/pages/run_header.h"
#include "ui/session/live_run.h"

namespace dlperf::ui {

class RunsTest : public QObject {
    Q_OBJECT

private slots:
    void aLongQueueIsShown();
    void statesAreFiltered();
    void theTimeLeftGoesByTheSameCase();
    void aLogMaySayInfinity();
};

// The queue is made anew twice a second.
void RunsTest::aLongQueueIsShown() {
    run::CampaignStatus campaign;
    campaign.id = "c";
    campaign.runnerAlive = true;
    for (int i = 0; i < 10'000; ++i) {
        run::RunStatus status;
        status.id = "c/" + std::to_string(i);
        status.benchmarkCase.subject.implementation = "dlperf-worker";
        status.benchmarkCase.topology = {1 + i % 4, 1 + i / 4 % 8};
        status.state = i < 5000 ? run::RunState::Finished : run::RunState::Queued;
        campaign.runs.push_back(status);
    }
    const Vocabulary vocabulary;
    QueueModel model(vocabulary);
    for (std::size_t i = 5000; i < 5100; ++i) {  // the test's time limit is far below what n² would take
        campaign.runs[i].state = run::RunState::Finished;
        model.setCampaigns({campaign});
    }
    QCOMPARE(model.rowCount(), 10'000 + 2);
    model.setFilter(QStringLiteral("4n8g"));
    QVERIFY(model.rowCount() > 100 && model.rowCount() < 1000);
}

void RunsTest::statesAreFiltered() {
    run::CampaignStatus campaign;
    campaign.runnerAlive = true;
    const std::pair<run::RunState, Outcome> runs[] = {{run::RunState::Finished, Outcome::Ok},
                                                      {run::RunState::Finished, Outcome::Failed},
                                                      {run::RunState::Running, Outcome::NotRun},
                                                      {run::RunState::Queued, Outcome::NotRun},
                                                      {run::RunState::Queued, Outcome::NotRun}};
    for (const auto& [state, outcome] : runs) {
        run::RunStatus status;
        status.id = "c/" + std::to_string(campaign.runs.size());
        status.state = state;
        status.outcome = outcome;
        campaign.runs.push_back(status);
    }
    const Vocabulary vocabulary;
    QueueModel model(vocabulary);
    model.setRemarks([](const run::RunStatus& run) {
        return QueueModel::Remark{run.id == "c/0", run.id == "c/3", QStringLiteral("<b>why</b>"), {}};
    });
    model.setCampaigns({campaign});
    const auto result = [&](const char* id) {
        return model.indexOf(id).data(QueueModel::ResultRole).toString();
    };
    QCOMPARE(result("c/3"), QStringLiteral("left out"));
    QCOMPARE(result("c/4"), QStringLiteral("next"));  // the one before it is passed by
    QVERIFY(model.indexOf("c/0").data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;why")));
    using Show = QueueModel::Show;
    const std::pair<Show, int> rows[] = {{Show::Active, 1},        {Show::Queued, 2},   {Show::Finished, 2},
                                         {Show::WithoutFigure, 1}, {Show::Excluded, 1}, {Show::All, 5}};
    for (const auto& [show, count] : rows) {
        model.setShown(show);
        QCOMPARE(model.rowCount(), count + (show == Show::All ? 3 : 1));  // with their headings
    }
}

void RunsTest::theTimeLeftGoesByTheSameCase() {
    using namespace std::chrono_literals;
    const TimePoint begin{};
    run::CampaignStatus campaign;
    const auto add = [&](int devices, run::RunState state, std::optional<std::chrono::seconds> took) {
        run::RunStatus status;
        status.benchmarkCase.topology = {1, devices};
        status.state = state;
        status.outcome = Outcome::Ok;
        if (took) {
            status.started = begin;
            status.ended = begin + *took;
        }
        campaign.runs.push_back(status);
        return &campaign.runs.back();
    };
    add(1, run::RunState::Queued, {});
    QVERIFY(!timeLeft(campaign, begin));
    add(1, run::RunState::Finished, 100s);
    add(2, run::RunState::Finished, 300s)->outcome = Outcome::Failed;  // says nothing
    add(2, run::RunState::Finished, 40s);
    QCOMPARE(timeLeft(campaign, begin)->count(), 100);
    add(4, run::RunState::Queued, {});  // as any
    QCOMPARE(timeLeft(campaign, begin)->count(), 170);
    add(2, run::RunState::Running, {})->started = begin;
    QCOMPARE(timeLeft(campaign, begin + 30s)->count(), 180);
    QCOMPARE(timeLeft(campaign, begin + 90s)->count(), 170);  // later than expected: never less than nothing
}

void RunsTest::aLogMaySayInfinity() {
    const QTemporaryDir folder;
    run::RunStatus status;
    status.id = "c/1";
    status.format = "dlperf-worker";
    status.unit = "images/s";
    status.window = {2, 100};
    status.benchmarkCase.topology = {1, 1};
    status.benchmarkCase.subject.batchSize = 8;
    status.nodes = {"node1"};
    status.folder = folder.path().toStdString();
    status.state = run::RunState::Running;
    std::ofstream log(status.folder / "node0.log");
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

}  // namespace dlperf::ui

DLPERF_WATCHED_MAIN(dlperf::ui::RunsTest)
#include "runs_test.moc"
