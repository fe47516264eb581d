// SPDX-License-Identifier: Apache-2.0
// A workspace written by version 0.1: a finished campaign, a failed one, and one whose runner was killed
// during its second run of three, whose trainer ended afterwards.
#include <gmock/gmock.h>

#include <fstream>

#include "core/base/text.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

const fs::path kept = fs::path(DLPERF_SOURCE_DIR) / "tests/run/workspace-0.1";

// The journals name the home of the user who made the workspace.
void moveHome(const fs::path& folder, const std::string& home) {
    const std::string before = "/home/user";
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().filename() != "journal.jsonl") {
            continue;
        }
        std::string text = slurp(entry.path());
        for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += home.size()) {
            text.replace(at, before.size(), home);
        }
        std::ofstream(entry.path(), std::ios::binary) << text;
    }
}

class EarlierWorkspace : public testing::Test {
protected:
    EarlierWorkspace() {
        fs::copy(kept / "workspace", lab.workspace.root(),
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        fs::copy(kept / "home", lab.home, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        moveHome(lab.workspace.root(), lab.home.string());
    }

    const Turn turn{"earlier_workspace"};  // all have the same campaigns, and so the same runs
    Lab lab;
};

TEST_F(EarlierWorkspace, IsRead) {
    const auto campaigns = lab.status();
    ASSERT_EQ(campaigns.size(), 3U);
    EXPECT_EQ(campaigns[0].runs[0].outcome, Outcome::Ok);
    EXPECT_EQ(campaigns[0].runs[0].throughput, 16.0);
    EXPECT_EQ(campaigns[1].runs[0].outcome, Outcome::Failed);
    EXPECT_THAT(campaigns[1].runs[0].reason, testing::HasSubstr("cannot find the data"));
    EXPECT_TRUE(fs::exists(campaigns[1].runs[0].path / "node0.log"));
    EXPECT_EQ(campaigns[2].plan, "killed");
    EXPECT_FALSE(campaigns[2].finished());
}

// Formats without prose, whose wording may change.
TEST_F(EarlierWorkspace, IsReportedAsItWas) {
    for (const std::string name : {"report.json", "report.csv"}) {
        const fs::path file = lab.root / name;
        const Ended ended =
            lab.dlperf({"report", "--workspace", lab.workspace.root().string(), "-o", file.string()});
        EXPECT_EQ(ended.exitCode, 0) << ended.errors;
        EXPECT_EQ(slurp(file), slurp(kept / name)) << name;
    }
}

TEST_F(EarlierWorkspace, IsResumed) {
    const Ended ended = lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 3U);
    for (const auto& run : runs) {
        EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
        EXPECT_EQ(run.throughput, 16.0);
        EXPECT_EQ(iterationsOf(lab.log(run)), oneTo(8));
    }
    EXPECT_EQ(toIso8601(*runs[1].started), "2026-11-23T09:05:26.890Z") << "not started again";
}

}  // namespace
}  // namespace dlperf::run
