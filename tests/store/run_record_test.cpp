// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/store/fixture.h"

namespace dlperf::store {
namespace {

using test::someRecord;

TEST(RunRecord, ComesBackAsItWasWritten) {
    const test::Folder folder;
    RunRecord record = someRecord({2, 8}, 3);
    record.result.benchmarkCase.configuration.features = {"dali-gpu"};
    record.result.benchmarkCase.configuration.variant = {{"workers", "48"}};
    record.result.defaults = {{"workers", "4"}, {"data", ""}};
    record.result.throughput = 12411.97;
    record.facts = {{"nodes", {{{"name", "node1"}, {"driver", "535.1"}}}}};
    ASSERT_TRUE(writeRunRecord(folder.path(), record));
    const auto read = readRunRecord(folder.path());
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(toJson(*read), toJson(record));
    EXPECT_EQ(read->result.benchmarkCase, record.result.benchmarkCase);
    EXPECT_EQ(read->result.throughput, 12411.97);
    EXPECT_EQ(read->result.defaults, record.result.defaults);
    EXPECT_EQ(read->result.started, record.result.started);
}

// Before they were recorded.
TEST(RunRecord, DefaultsMayBeUnknown) {
    Json json = toJson(someRecord());
    json.erase("defaults");
    const auto read = runRecordFromJson(json, "run.json");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_TRUE(read->result.defaults.empty());
}

TEST(RunRecord, ARunWithoutAFigureHasNone) {
    const test::Folder folder;
    RunRecord record = someRecord();
    record.result.outcome = Outcome::Oom;
    record.result.throughput.reset();
    record.result.ended.reset();
    ASSERT_TRUE(writeRunRecord(folder.path(), record));
    const auto read = readRunRecord(folder.path());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->result.outcome, Outcome::Oom);
    EXPECT_FALSE(read->result.throughput);
    EXPECT_FALSE(read->result.ended);
}

TEST(RunRecord, BytesThatAreNoUtf8DoNotKeepItFromBeingWritten) {
    const test::Folder folder;
    RunRecord record = someRecord();
    record.result.reason = "died: \xff\xfe";
    ASSERT_TRUE(writeRunRecord(folder.path(), record));
    const auto read = readRunRecord(folder.path());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->result.reason, "died: \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(RunRecord, NoiseComesBackAndIsLeftOutWhereThereIsNone) {
    RunRecord record = someRecord();
    EXPECT_FALSE(toJson(record).contains("noise"));
    NodeNoise noise{.node = "node3", .inRange = true, .processors = 2};
    noise.others = 1.8;
    noise.othersMost = 1.95;
    noise.busiest = "stress-ng";
    noise.stolen = 0;
    noise.gpus = {{.index = 3, .powerCap = 0.64, .neighbour = "python3"}};
    record.result.noise = {noise, {.node = "node4", .processors = 2}};
    const Json json = toJson(record);
    EXPECT_EQ(json["noise"][1], (Json{{"node", "node4"}, {"in_range", false}, {"processors", 2}}));
    const auto read = runRecordFromJson(json, "run.json");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->result.noise, record.result.noise);
}

TEST(RunRecord, NoiseThatIsNoneIsPassedOver) {
    Json json = toJson(someRecord());
    json["noise"] = {7, {{"node", 3}}, {{"node", std::string(1000, 'n')}, {"gpus", {{{"gpu", "x"}}, 1}}}};
    const auto read = runRecordFromJson(json, "run.json");
    ASSERT_TRUE(read) << describe(read.error());
    ASSERT_EQ(read->result.noise.size(), 1U);
    EXPECT_EQ(read->result.noise[0].node, std::string(64, 'n'));
    EXPECT_TRUE(read->result.noise[0].gpus.empty());
    json["noise"] = "much";
    EXPECT_TRUE(runRecordFromJson(json, "run.json"));
}

// As runs of the runner have them, and whatever a hostile file says.
TEST(RunRecord, FindingsAreFactsAndBounded) {
    RunRecord record = someRecord();
    const Json drift{{"kind", "drift"}, {"what", "drifts"}, {"where", "line 3"}};
    record.facts = {{"findings", {drift, 7, {{"what", 1}}, nullptr}}};
    const auto read = runRecordFromJson(toJson(record), "run.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->result.findings, (std::vector<RunFinding>{{"drift", "drifts", "line 3"}}));
    record.facts["findings"] = Json(1000, Json{{"kind", "k"}, {"what", std::string(10'000, 'x')}});
    const auto bounded = runRecordFromJson(toJson(record), "run.json");
    ASSERT_TRUE(bounded);
    EXPECT_EQ(bounded->result.findings.size(), 32U);
    EXPECT_EQ(bounded->result.findings[0].what.size(), 500U);
}

TEST(RunRecord, WrongFieldsAreNamed) {
    const auto withField = [](const char* field, const Json& value) {
        Json json = toJson(someRecord());
        json[field] = value;
        return runRecordFromJson(json, "run.json");
    };
    for (const auto& [field, value] : std::vector<std::pair<const char*, Json>>{{"id", ""},
                                                                                {"topology", "2n0g"},
                                                                                {"outcome", "fine"},
                                                                                {"origin", 7},
                                                                                {"throughput", "fast"},
                                                                                {"throughput", -5},
                                                                                {"throughput", 1.7e308},
                                                                                {"batch_size", -1},
                                                                                {"variant", Json::array({1})},
                                                                                {"variant", {{"a", 1}}},
                                                                                {"started", "yesterday"},
                                                                                {"completes", "../up"},
                                                                                {"facts", Json::array()}}) {
        const auto read = withField(field, value);
        ASSERT_FALSE(read) << field;
        EXPECT_EQ(read.error().kind, ErrorKind::Input);
        EXPECT_EQ(read.error().where, "run.json");
    }
    EXPECT_FALSE(runRecordFromJson(Json::array(), "run.json"));
}

TEST(RunRecord, ATornFileIsAnErrorThatNamesIt) {
    const test::Folder folder;
    ASSERT_TRUE(writeFileAtomically(folder.path() / "run.json", "{\"id\": \"c1/1\", "));
    const auto read = readRunRecord(folder.path());
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().where.find("run.json"), std::string::npos);
    EXPECT_FALSE(readRunRecord(folder.path() / "missing"));
}

}  // namespace
}  // namespace dlperf::store
