// SPDX-License-Identifier: Apache-2.0
// What others see of a workspace while it changes.
#include "core/run/status.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/run/retry.h"
#include "tests/run/bench.h"

namespace dlperf::run {
namespace {

using testing::HasSubstr;

TEST(Status, FollowsTheFilesFromLookToLook) {
    Bench bench(1, {{"repetitions", 2}});
    StatusReader reader(bench.workspace);
    EXPECT_TRUE(reader.read().campaigns.empty());
    const Campaign campaign = bench.create();
    EXPECT_EQ(reader.read().campaigns.at(0).runs.at(1).phase, RunPhase::Queued);
    auto journal = Journal::open(campaignFolder(bench.workspace, campaign.id) / "journal.jsonl");
    ASSERT_TRUE(journal);
    for (const auto phase : {RunPhase::Preparing, RunPhase::Running, RunPhase::Stopping}) {
        ASSERT_TRUE(journal->write({event::PhaseReached{phase}, 1}));
        EXPECT_EQ(reader.read().campaigns.at(0).runs.at(1).phase, phase);
        EXPECT_EQ(reader.read().campaigns.at(0).runs.at(1).phase, phase) << "unchanged";
    }
    ASSERT_TRUE(bench.run(campaign));
    const auto after = reader.read();
    EXPECT_TRUE(after.campaigns.at(0).finished());
    EXPECT_EQ(after.campaigns.at(0).runs.at(1).throughput, 16.0);
    std::filesystem::remove_all(campaignFolder(bench.workspace, campaign.id));
    EXPECT_TRUE(reader.read().campaigns.empty());
}

TEST(Status, AWindowThatIsChangedAfterwardsIsSeenAtTheNextLook) {
    Bench bench;
    StatusReader reader(bench.workspace);
    const Campaign campaign = bench.create();
    ASSERT_TRUE(bench.run(campaign));
    const auto look = [&] { return reader.read().campaigns.at(0).runs.at(0); };
    const RunState before = look();
    ASSERT_EQ(before.outcome, Outcome::Ok);
    const store::ChangedRange changed{{1, 9999}, Outcome::Short, std::nullopt, "too short"};
    ASSERT_TRUE(store::changeRanges(bench.workspace, {{before.id, changed}}));
    EXPECT_EQ(look().outcome, Outcome::Short);
    EXPECT_EQ(look().reason, "too short");
    EXPECT_FALSE(look().throughput);
    EXPECT_EQ(look().range, changed.range);
    EXPECT_EQ(look().originalRange, before.range);
    EXPECT_FALSE(isWorthRetrying(look()));  // it would end as it did
    ASSERT_TRUE(store::changeRanges(bench.workspace, {{before.id, std::nullopt}}));
    EXPECT_EQ(look().throughput, before.throughput);
    EXPECT_FALSE(look().originalRange);
}

TEST(Status, SaysWhyARunnerEndedBeforeItsRuns) {
    Bench bench;
    StatusReader reader(bench.workspace);
    const Campaign campaign = bench.create();
    EXPECT_EQ(reader.read().campaigns.at(0).lastWords, "");
    const auto log = campaignFolder(bench.workspace, campaign.id) / "runner.log";
    std::ofstream(log) << std::string(5'000, 'x')
                       << "\nwarmup\ndlperf: journal.jsonl: No space left on device\n";
    EXPECT_EQ(reader.read().campaigns.at(0).lastWords, "journal.jsonl: No space left on device");
    std::ofstream(log, std::ios::app) << "and more\n";
    EXPECT_EQ(reader.read().campaigns.at(0).lastWords, "");
    std::ofstream(log, std::ios::trunc) << "dlperf: x";
    EXPECT_EQ(reader.read().campaigns.at(0).lastWords, "x");
    ASSERT_TRUE(bench.run(campaign));
    EXPECT_EQ(reader.read().campaigns.at(0).lastWords, "") << "it ended its runs";
}

TEST(Status, SaysThatACampaignWithoutItsJournalCannotBeResumed) {
    Bench bench;
    StatusReader reader(bench.workspace);
    const Campaign campaign = bench.create();
    EXPECT_FALSE(reader.read().campaigns.at(0).lostJournal) << "it has not begun";
    ASSERT_TRUE(bench.run(campaign));
    EXPECT_FALSE(reader.read().campaigns.at(0).lostJournal);
    const auto journal = journalFile(bench.workspace, campaign.id);
    const auto kept = bench.workspace.root() / "kept.jsonl";
    std::filesystem::rename(journal, kept);
    for (int look = 0; look < 2; ++look) {
        const auto lost = reader.read().campaigns.at(0).lostJournal;
        ASSERT_TRUE(lost);
        EXPECT_EQ(lost->where, journal.string());
        EXPECT_THAT(lost->remedy, HasSubstr("`dlperf delete " + campaign.id + "`"));
    }
    std::filesystem::rename(kept, journal);
    EXPECT_FALSE(reader.read().campaigns.at(0).lostJournal);
}

TEST(Status, ReadsOnlyWhatChanged) {
    Bench bench;
    StatusReader reader(bench.workspace);
    const Campaign campaign = bench.create();
    const auto file = campaignFolder(bench.workspace, campaign.id) / "campaign.json";
    ASSERT_EQ(reader.read().campaigns.at(0).plan, "bench");
    const auto modified = std::filesystem::last_write_time(file);
    std::fstream(file) << "x";  // the same size and, below, the same time: it is not read again
    std::filesystem::last_write_time(file, modified);
    EXPECT_TRUE(reader.read().problems.empty());
    EXPECT_EQ(StatusReader(bench.workspace).read().problems.size(), 1U);
}

TEST(Status, ADamagedJournalIsNamed) {
    Bench bench;
    const Campaign campaign = bench.create();
    std::ofstream(journalFile(bench.workspace, campaign.id)) << "{\"a\n";
    const WorkspaceStatus status = readStatus(bench.workspace);
    EXPECT_TRUE(status.campaigns.empty());
    ASSERT_EQ(status.problems.size(), 1U);
    EXPECT_EQ(status.problems[0].what, "line 1 of the journal is damaged");
}

TEST(Status, ACampaignThatCannotBeReadTakesNothingFromTheOthers) {
    Bench bench;
    const Campaign first = bench.create();
    const Campaign second = bench.create();
    const std::string broken = std::min(first.id, second.id);
    std::ofstream(campaignFolder(bench.workspace, broken) / "campaign.json") << "{ torn";
    StatusReader reader(bench.workspace);
    for (int looks = 0; looks < 2; ++looks) {
        const WorkspaceStatus status = reader.read();
        ASSERT_EQ(status.campaigns.size(), 1U);
        EXPECT_EQ(status.campaigns[0].id, std::max(first.id, second.id));
        ASSERT_EQ(status.problems.size(), 1U);
        EXPECT_THAT(status.problems[0].where, HasSubstr(broken));
    }
}

}  // namespace
}  // namespace dlperf::run
