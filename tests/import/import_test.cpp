// SPDX-License-Identifier: Apache-2.0
#include "core/import/import_logs.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/base/file.h"
#include "core/base/temporary_folder.h"
#include "core/import/layout.h"
#include "core/store/results.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Lines as pytorch/examples prints them: 128 images a device, `seconds` an iteration.
void writeLog(const fs::path& file, int iterations, const std::string& seconds) {
    ASSERT_TRUE(makeFolders(file.parent_path()));
    std::ofstream log(file);
    for (int i = 0; i < iterations; ++i) {
        log << "Epoch: [0][" << i << "/10000]\tTime  " << seconds << " ( 0.500)\tData  0.001 ( 0.001)\t"
            << "Loss 6.9e+00 (6.9e+00)\tAcc@1   0.00 (  0.00)\tAcc@5   0.00 (  0.00)\n";
    }
}

class Import : public testing::Test {
protected:
    fs::path logs() const { return folder_.path() / "theirs"; }
    store::Workspace workspace() const { return store::Workspace::open(folder_.path() / "w").value(); }
    Result<Imported> import(const std::stop_token& stop = {}) const {
        return importLogs(logs(), workspace(), vocabulary_, stop);
    }

    TemporaryFolder folder_ = TemporaryFolder::make("import").value();
    Vocabulary vocabulary_ =
        Vocabulary::fromFile(fs::path(DLPERF_SOURCE_DIR) / "resources" / "vocabulary.json").value();
};

TEST_F(Import, LogsBecomeResultsOfTheWorkspace) {
    writeLog(logs() / "1n1g" / "r50_b128_fp32_1.log", 130, "0.400");
    writeLog(logs() / "1n1g" / "r50_b128_fp32_2.log", 130, "0.500");
    writeLog(logs() / "2n8g" / "r50_b128_fp32_1.log", 30, "0.500");
    const auto imported = import();
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->name, "theirs");
    EXPECT_EQ(imported->logs, 3U);
    EXPECT_EQ(imported->withoutFigure, 1U);
    EXPECT_THAT(imported->formats, ElementsAre("pytorch-examples"));
    fs::remove_all(logs());  // the workspace stays whole
    const auto stored = store::readResults(workspace());
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored->results.size(), 3U);
    const RunResult& first = stored->results.front();
    EXPECT_EQ(first.origin, Origin::Imported);
    EXPECT_EQ(first.campaign, "theirs");
    EXPECT_EQ(first.benchmarkCase.subject.framework, "pytorch");
    EXPECT_EQ(first.benchmarkCase.subject.implementation, "pytorch-examples");
    EXPECT_EQ(first.benchmarkCase.subject.model, "r50");
    EXPECT_EQ(first.benchmarkCase.subject.batchSize, 128);
    EXPECT_EQ(first.throughput, 320.0);
    EXPECT_EQ(stored->results[2].outcome, Outcome::Short);
    EXPECT_THAT(stored->results[2].reason, HasSubstr("the window at 120"));
    EXPECT_TRUE(fs::exists(workspace().logs() / "imported-theirs" / "2n8g" / "r50_b128_fp32_1.log"));
}

TEST_F(Import, ASecondImportTakesAnotherName) {
    writeLog(logs() / "1n1g" / "r50_b128_fp32_1.log", 130, "0.400");
    ASSERT_TRUE(import());
    const auto again = import();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->name, "theirs-2");
    EXPECT_EQ(store::readResults(workspace())->results.size(), 2U);
}

TEST_F(Import, AReplacedLogIsKeptAndExcluded) {
    writeLog(logs() / "1n1g" / "r50_b128_fp32_1_4.log", 130, "0.400");  // five fields: gives way
    writeLog(logs() / "1n1g" / "r50_b128_fp32_1.log", 130, "0.500");
    const auto imported = import();
    ASSERT_TRUE(imported);
    const auto stored = store::readResults(workspace());
    EXPECT_EQ(std::ranges::count_if(stored->results, [](const RunResult& run) { return run.excluded; }),
              imported->logs == 2 ? stored->results.size() - 1 : 0U);
}

TEST_F(Import, NothingIsLeftOfWhatWasCancelled) {
    writeLog(logs() / "1n1g" / "r50_b128_fp32_1.log", 130, "0.400");
    std::stop_source stop;
    stop.request_stop();
    const auto imported = import(stop.get_token());
    ASSERT_FALSE(imported);
    EXPECT_THAT(describe(imported.error()), HasSubstr("cancelled"));
    EXPECT_TRUE(store::readResults(workspace())->results.empty());
    EXPECT_FALSE(fs::exists(workspace().logs() / "imported-theirs"));
    for (const auto& entry : fs::directory_iterator(workspace().root())) {
        EXPECT_THAT(entry.path().string(), testing::Not(testing::EndsWith(".part")));
    }
}

TEST_F(Import, SaysWhatIsMissing) {
    ASSERT_TRUE(makeFolders(logs()));
    EXPECT_THAT(describe(import().error()), HasSubstr("no logs in DLPerf's layout"));
    ASSERT_TRUE(makeFolders(logs() / "1n1g"));
    ASSERT_TRUE(writeFileAtomically(logs() / "1n1g" / "r50_b128_fp32_1.log", "hello\n"));
    EXPECT_FALSE(import());
    EXPECT_FALSE(importLogs(folder_.path() / "nowhere", workspace(), vocabulary_));
}

TEST_F(Import, FoldersAreFoundBelowAndAbove) {
    writeLog(logs() / "pytorch" / "fp32" / "1n1g" / "r50_b128_fp32_1.log", 3, "0.400");
    writeLog(logs() / "ngc" / "4n8g" / "r50_b128_fp32_1.log", 3, "0.400");
    fs::create_directory_symlink("/", logs() / "root");  // is not followed
    EXPECT_THAT(findLogFolders(logs()).value(), ElementsAre(logs() / "ngc", logs() / "pytorch" / "fp32"));
    EXPECT_THAT(findLogFolders(logs() / "ngc" / "4n8g").value(), ElementsAre(logs() / "ngc"));
}

}  // namespace
}  // namespace dlperf::imports
