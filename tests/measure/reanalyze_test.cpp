// SPDX-License-Identifier: Apache-2.0
// A window that is changed after the runs: figures computed by hand, what every reader of the workspace then
// says, and the way back.
#include "core/measure/reanalyze.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "core/base/file.h"
#include "core/report/report.h"
#include "core/store/results.h"
#include "tests/report/fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::measure {
namespace {

namespace fs = std::filesystem;
using report::test::vocabulary;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr MeasurementRange asRun{20, 120};
constexpr MeasurementRange changed{10, 110};

// Iterations 1 to 20 take `slow` seconds each, the others half a second.
std::string workerLog(int iterations, const char* slow) {
    std::string log = "# dlperf-worker 0.1.0\n# batch_size: 8\n# world_size: 1\n# precision: fp32\n";
    for (int i = 1; i <= iterations; ++i) {
        log += fmt::format(
            "iteration {} epoch 0 loss 6.9 time {} s data 0.0 s comm 0.0 s throughput 8.00 images/s\n", i,
            i <= 20 ? slow : "0.500000");
    }
    return log;
}

class ChangedWindowTest : public testing::Test {
protected:
    // As the runner leaves a run: 100 iterations of 8 images in 50 seconds.
    void SetUp() override {
        addRun(1, workerLog(120, "1.000000"));
        addRun(2, workerLog(120, "2.000000"));
        addRun(3, workerLog(115, "1.500000"));
    }
    void addRun(int repetition, const std::string& log) {
        store::RunRecord record = store::test::someRecord({1, 1}, repetition, 16.0);
        record.result.format = "dlperf-worker";
        record.result.benchmarkCase.configuration.batchSize = 8;
        std::ofstream(store::test::putRun(workspace_, record) / "node0.log") << log;
    }
    std::vector<RunResult> results() const { return store::readResults(workspace_).value().results; }
    std::vector<store::ChangedRange> measured(const MeasurementRange& window) const {
        return reanalyze(workspace_, {}, results(), window).value();
    }
    void change(const MeasurementRange& window) {
        const auto runs = results();
        const auto figures = measured(window);
        store::RangeChanges changes;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            changes[runs[i].id] = figures[i];
        }
        ASSERT_TRUE(store::changeRanges(workspace_, changes));
    }
    void restore() {
        store::RangeChanges changes;
        for (const RunResult& run : results()) {
            changes[run.id] = std::nullopt;
        }
        ASSERT_TRUE(store::changeRanges(workspace_, changes));
    }

    store::test::Folder folder_;
    store::Workspace workspace_ = store::Workspace::open(folder_.path()).value();
};

TEST_F(ChangedWindowTest, FiguresAreThoseOfTheLogs) {
    // 10 slow iterations and 90 of half a second: 800 images in 55 s, 65 s and 60 s.
    const auto figures = measured(changed);
    ASSERT_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[0].range, changed);
    EXPECT_EQ(figures[0].outcome, Outcome::Ok);
    EXPECT_EQ(figures[0].figure, 14.55);
    EXPECT_EQ(figures[1].figure, 12.31);
    EXPECT_EQ(figures[2].figure, 13.33);
    EXPECT_EQ(measured(asRun)[0].figure, 16.0);
}

TEST_F(ChangedWindowTest, TellsOfEachRunWhyItHasNoFigure) {
    fs::remove(workspace_.root() / results()[1].folder / "node0.log");
    const auto figures = measured({20, 118});
    EXPECT_EQ(figures[0].outcome, Outcome::Ok);
    EXPECT_EQ(figures[1].outcome, Outcome::Failed);
    EXPECT_THAT(figures[1].reason, HasSubstr("its log is missing: logs/pytorch-examples/"));
    EXPECT_EQ(figures[2].outcome, Outcome::Short);
    EXPECT_EQ(figures[2].figure, std::nullopt);
    EXPECT_EQ(figures[2].reason, "the log ends at iteration 115, the measurement range at 118");
}

TEST_F(ChangedWindowTest, AnUnknownFormatIsNamed) {
    auto runs = results();
    runs[0].format = "of my own";
    const auto figures = reanalyze(workspace_, {}, runs, changed).value();
    EXPECT_EQ(figures[0].outcome, Outcome::Failed);
    EXPECT_EQ(figures[0].reason, "the log format \"of my own\" is not known here");
    EXPECT_EQ(figures[1].outcome, Outcome::Ok);
}

TEST_F(ChangedWindowTest, WindowsThatNoRuleCanUseAreRefused) {
    EXPECT_TRUE(checkRange({}, results(), changed));
    EXPECT_THAT(checkRange({}, results(), {120, 120}).error().what, HasSubstr("above warmup (120)"));
    auto runs = results();
    runs[2].format = "tensorflow2-resnet50";
    EXPECT_EQ(checkRange({}, runs, changed).error().what,
              "warmup must be a multiple of 100 for tensorflow2-resnet50");
}

TEST_F(ChangedWindowTest, StopsWhenAsked) {
    std::stop_source stop;
    std::uint64_t of = 0;
    const auto figures =
        reanalyze(workspace_, {}, results(), changed, stop.get_token(), [&](const Progress& progress) {
            of = progress.of;
            stop.request_stop();
        });
    ASSERT_FALSE(figures);
    EXPECT_EQ(figures.error().kind, ErrorKind::Work);
    EXPECT_EQ(of, workerLog(120, "1.000000").size() + workerLog(120, "2.000000").size() +
                      workerLog(115, "1.500000").size());
}

TEST_F(ChangedWindowTest, ImportedLogsHaveTheirNameOnly) {
    const RunResult run = results()[0];
    const fs::path folder = workspace_.root() / run.folder;
    fs::rename(folder / "node0.log", folder.string() + ".log");
    EXPECT_EQ(logOf(workspace_, run), fs::path(folder.string() + ".log"));
    EXPECT_EQ(measured(changed)[0].figure, 14.55);
}

TEST_F(ChangedWindowTest, ResultsFollowAndComeBack) {
    const std::string record = readFile(workspace_.root() / results()[0].folder / "run.json").value();
    change(changed);
    const auto runs = results();
    EXPECT_EQ(runs[0].throughput, 14.55);
    EXPECT_EQ(runs[0].range, changed);
    EXPECT_EQ(runs[0].originalRange, asRun);
    change({20, 118});  // once more: the window that it was run with stays known
    EXPECT_EQ(results()[0].originalRange, asRun);
    EXPECT_EQ(results()[2].outcome, Outcome::Short);
    EXPECT_FALSE(results()[2].throughput);
    EXPECT_EQ(readFile(workspace_.root() / runs[0].folder / "run.json").value(), record);
    restore();
    EXPECT_EQ(results()[0].throughput, 16.0);
    EXPECT_FALSE(results()[0].originalRange);
    EXPECT_EQ(results()[2].outcome, Outcome::Ok);
}

TEST_F(ChangedWindowTest, ComparisonsAndReportsSayIt) {
    change({20, 118});
    const auto comparison = report::compare(results(), vocabulary());
    const report::Cell& cell = comparison.series.at(0).cells.at(0);
    EXPECT_THAT(cell.repetitions, ElementsAre(16.0, 16.0));
    EXPECT_EQ(cell.failed, 1);
    EXPECT_EQ(cell.changedRange, "20:120 -> 20:118, changed afterwards (3 runs)");
    const report::Report whole = report::buildReport(results(), vocabulary());
    EXPECT_THAT(whole.findings,
                testing::Contains(
                    HasSubstr("Measurement range changed: 20:120 -> 20:118, changed afterwards (3 runs)")));
    EXPECT_EQ(
        whole.method.back(),
        "The user changed measurement ranges after the runs: 20:120 -> 20:118, changed afterwards (3 runs).");
    const auto json = report::renderReport(whole, "r.json", {}).value().front().bytes;
    EXPECT_THAT(json, HasSubstr("\"changed_from\""));
    EXPECT_THAT(json, HasSubstr("window-changed"));
    restore();
    EXPECT_EQ(report::compare(results(), vocabulary()).series[0].cells[0].changedRange, "");
}

// Those of the other window are none of this one; what was noticed of the run itself stays.
TEST_F(ChangedWindowTest, FindingsAreThoseOfTheNewWindow) {
    auto runs = results();
    runs[0].findings = {{"data-share", "of the old window", ""},
                        {"odd-name", "of its name", ""},
                        {"cpu-quota", "of its node", "node a"}};
    const auto figures = reanalyze(workspace_, {}, runs, {2, 42}).value();
    ASSERT_EQ(figures[0].findings.size(), 3U);
    EXPECT_EQ(figures[0].findings[0].what, "of its name");
    EXPECT_EQ(figures[0].findings[1].what, "of its node");
    EXPECT_EQ(figures[0].findings[2].kind, "drift");
    store::RangeChanges changes{{runs[0].id, figures[0]}};
    ASSERT_TRUE(store::changeRanges(workspace_, changes));
    EXPECT_EQ(results()[0].findings, figures[0].findings);
    restore();
    EXPECT_TRUE(results()[0].findings.empty());
}

TEST_F(ChangedWindowTest, AFailedRunStaysFailed) {
    store::RunRecord record = store::test::someRecord({1, 1}, 4, 16.0);
    record.result.outcome = Outcome::Failed;
    record.result.throughput.reset();
    store::test::putRun(workspace_, record);
    ASSERT_TRUE(store::changeRanges(
        workspace_, {{record.result.id, store::ChangedRange{changed, Outcome::Ok, 99.0, ""}}}));
    EXPECT_EQ(results()[3].outcome, Outcome::Failed);
    EXPECT_FALSE(results()[3].originalRange);
}

TEST_F(ChangedWindowTest, ADamagedFileIsNamedAndNotWrittenOver) {
    change(changed);
    std::ofstream(workspace_.ranges()) << R"({"c1/1n1g-1": {"warmup": 1, "train": 2, "outcome": "ok"}})";
    const auto stored = store::readResults(workspace_).value();
    ASSERT_EQ(stored.problems.size(), 1U);
    EXPECT_THAT(stored.problems[0].where, HasSubstr("windows.json"));
    EXPECT_EQ(stored.results[0].throughput, 16.0);
    EXPECT_FALSE(store::changeRanges(workspace_, {{"c1/1n1g-1", std::nullopt}}));
}

}  // namespace
}  // namespace dlperf::measure
