// SPDX-License-Identifier: Apache-2.0
// The published collection is readable whole, and says what its sources say.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "core/store/results.h"
#include "tests/store/fixture.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

const fs::path collection = fs::path(DLPERF_SOURCE_DIR) / "resources" / "published" / "dlperf.json";

// Without words of a vocabulary every spelling is its own id, in lower case.
std::vector<RunResult> published(const Vocabulary& vocabulary = {}) {
    auto results = readPublished(collection, vocabulary);
    if (!results) {
        throw std::runtime_error(describe(results.error()));
    }
    return *std::move(results);
}

TEST(Published, IsReadWhole) {
    const auto results = published();
    std::map<std::string, int> counts;
    std::set<std::string> ids;
    std::set<std::string> sources;
    for (const RunResult& result : results) {
        EXPECT_EQ(result.origin, Origin::Published);
        EXPECT_EQ(result.throughput.has_value(), result.outcome == Outcome::Ok);
        ids.insert(result.id);
        sources.insert(result.campaign);
        ++counts[result.repetition == 0 ? "quoted" : "repetition"];
        ++counts[toString(result.outcome)];
        counts["excluded"] += result.excluded ? 1 : 0;
        counts["unknown precision"] += result.benchmarkCase.configuration.precision.empty() ? 1 : 0;
        counts[result.unit] += 1;
    }
    // 1140 rows of tables, 52 of the summary, 104 folds; 798 repetitions; 127 times.
    EXPECT_EQ(results.size(), 2221U);
    EXPECT_EQ(ids.size(), results.size());
    EXPECT_EQ(counts["quoted"], 1140 + 52 + 104 + 127);
    EXPECT_EQ(counts["repetition"], 798);
    EXPECT_EQ(counts["ok"], 2221 - 36 - 9);
    EXPECT_EQ(counts["not-run"], 36);
    EXPECT_EQ(counts["oom"], 1 + 8);
    EXPECT_EQ(counts["excluded"], 11 + 2);
    EXPECT_EQ(counts["unknown precision"], 0);
    EXPECT_EQ(counts["images/s"], 1088);
    EXPECT_EQ(counts["sentences/s"], 952);
    EXPECT_EQ(counts["samples/s"], 54);
    EXPECT_EQ(counts["ms/iteration"], 127);
}

// HugeCTR's readme, line 97: one device, 512 samples.
TEST(Published, TimesComeWithWhatTheyCostInMemory) {
    const auto results = published();
    const auto found = std::find_if(results.begin(), results.end(), [](const RunResult& result) {
        return result.id == "HugeCTR/wdl/README.md:97";
    });
    ASSERT_NE(found, results.end());
    EXPECT_EQ(found->throughput, 2.421);
    EXPECT_EQ(found->unit, "ms/iteration");
    EXPECT_EQ(found->memoryMb, 1968);
    EXPECT_EQ(found->benchmarkCase.configuration.variant,
              (Variant{{"hidden", "2"}, {"vector", "16"}, {"vocab", "2359296"}}));
    EXPECT_EQ(found->benchmarkCase.configuration.batchSize, 512);
}

TEST(Published, NothingSaysTwoThingsOfOneRepetition) {
    std::map<std::tuple<std::string, Case, int>, double> said;
    for (const RunResult& result : published()) {
        if (result.outcome == Outcome::Ok && !result.excluded) {
            const auto key = std::make_tuple(result.campaign, result.benchmarkCase, result.repetition);
            const auto [entry, isNew] = said.emplace(key, *result.throughput);
            EXPECT_EQ(entry->second, *result.throughput) << result.id;
        }
    }
}

TEST(Published, LogsOfDifferentDaysAreCampaignsOfTheirOwn) {
    std::map<std::string, int> campaigns;
    for (const RunResult& result : published()) {
        ++campaigns[result.campaign];
    }
    EXPECT_TRUE(
        campaigns.contains("OneFlow/LanguageModeling/BERT/reports/bert_base_fp32_report_0822.md, 0822 logs"));
    // The printout with the fold keeps the source's name; the older one of other logs steps aside.
    EXPECT_TRUE(
        campaigns.contains("MxNet/InsightFace/PartailFC/README.md, "
                           "logs-20201216-sample-ratio-1.0/mxnet/partial_fc/bz64"));
}

TEST(Published, WorkersAreAVariantAndRepetitionsCountFromOne) {
    bool found = false;
    for (const RunResult& result : published()) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        if (result.campaign == "PyTorch/resnet50v1.5/README.md" && result.repetition == 1) {
            found = found || configuration.variant == Variant{{"workers", "8"}};
        }
        EXPECT_GE(result.repetition, 0);
    }
    EXPECT_TRUE(found);
}

TEST(Published, NamesGoThroughTheVocabulary) {
    const test::Folder folder;
    std::ofstream(folder.path() / "vocabulary.json") << R"({
        "frameworks": [{"id": "pytorch", "title": "PyTorch"}],
        "implementations": [{"id": "pytorch-examples", "title": "PyTorch", "spellings": ["PyTorch examples"]}],
        "models": [{"id": "r50", "title": "ResNet50 v1.5"}],
        "features": [{"id": "dali", "title": "DALI"}]})";
    const auto vocabulary = Vocabulary::fromFile(folder.path() / "vocabulary.json");
    ASSERT_TRUE(vocabulary);
    const Configuration expected{.recipe = "",
                                 .framework = "pytorch",
                                 .implementation = "pytorch-examples",
                                 .model = "r50",
                                 .precision = "fp32",
                                 .features = {"dali"},
                                 .variant = {{"workers", "8"}},
                                 .batchSize = 128};
    const auto results = published(*vocabulary);
    const auto has = [&](const RunResult& result) { return result.benchmarkCase.configuration == expected; };
    EXPECT_GT(std::count_if(results.begin(), results.end(), has), 30);
}

TEST(Published, AFileThatIsNoCollectionIsAnError) {
    const test::Folder folder;
    const Vocabulary none;
    EXPECT_FALSE(readPublished(folder.path() / "missing.json", none));
    for (const char* text :
         {"{}", "[1]", "[{\"kind\":\"table\"}]",
          R"([{"kind":"table","source":"s","framework":"f","implementation":"i","model":"m",
                                "throughput":"fast"}])"}) {
        std::ofstream(folder.path() / "p.json") << text;
        const auto results = readPublished(folder.path() / "p.json", none);
        ASSERT_FALSE(results) << text;
        EXPECT_EQ(results.error().kind, ErrorKind::Input);
    }
}

}  // namespace
}  // namespace dlperf::store
