// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/data_baseline.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/base/mapped.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

NodeReading readingOf(const std::string& node, std::int64_t megabytes) {
    return {.node = node,
            .folder = "/data",
            .files = 10 * megabytes,
            .bytes = 1'000'000 * megabytes,
            .seconds = 10};
}

DataBaseline evenReaders(int nodes) {
    DataBaseline baseline{.measured = *parseIso8601("2026-11-27T18:00:00.000Z"), .by = "dlperf-worker"};
    for (int i = 0; i < nodes; ++i) {
        baseline.nodes.push_back(readingOf("node" + std::to_string(i), 3000 + i));
    }
    return baseline;
}

std::vector<std::string> slowReadersIn(const DataBaseline& baseline) {
    return mapped(slowReaders(baseline), &SlowNode::sentence);
}

TEST(DataBaseline, SpeedsAreOfWhatWasRead) {
    const NodeReading reading = readingOf("a", 3000);
    EXPECT_DOUBLE_EQ(readingSpeedOf(reading).value(), 300);
    EXPECT_DOUBLE_EQ(fileRateOf(reading).value(), 3000);
    EXPECT_FALSE(readingSpeedOf({.node = "a", .missing = "no folder"}));
    EXPECT_FALSE(fileRateOf({.node = "a"}));
}

TEST(DataBaseline, ANodeThatReadsLessThanHalfIsNamed) {
    DataBaseline baseline = evenReaders(4);
    baseline.nodes[1] = readingOf("node1", 1200);
    EXPECT_THAT(slowReadersIn(baseline), ElementsAre("node1 reads 120 MB/s, 40 % of the others' 300 MB/s"));
    baseline.nodes[1] = readingOf("node1", 1600);
    EXPECT_THAT(slowReadersIn(baseline), IsEmpty()) << "somewhat slower";
    for (NodeReading& node : baseline.nodes) {
        node.imagesPerSecond = node.node == "node3" ? 90 : 400;
    }
    EXPECT_THAT(slowReadersIn(baseline),
                ElementsAre("node3 prepares 90 images/s, 22.5 % of the others' 400 images/s"));
    EXPECT_THAT(slowReadersIn(evenReaders(1)), IsEmpty());
    EXPECT_THAT(slowReadersIn({}), IsEmpty());
}

TEST(DataBaseline, TheWorkersLogIsRead) {
    const std::string read =
        "read files 812 bytes 93112322 seconds 5.000000 speed 18.622 MB/s cached 3 unknown 2 unreadable 1 of "
        "900\n";
    const auto log = parseDataLog(
        "# measure: data\nnoise\n" + read + "images 1200 seconds 5.0 speed 240.000 images/s\r\n", {});
    ASSERT_TRUE(log) << describe(log.error());
    EXPECT_EQ(log->files, 812);
    EXPECT_EQ(log->bytes, 93'112'322);
    EXPECT_DOUBLE_EQ(log->seconds, 5);
    EXPECT_EQ(log->cached, 3);
    EXPECT_EQ(log->unknown, 2);
    EXPECT_TRUE(log->mayBeCached());
    EXPECT_EQ(log->imagesPerSecond, 240);
    EXPECT_FALSE(parseDataLog(read, {})->imagesPerSecond);
    EXPECT_FALSE(parseDataLog("", {}));
    EXPECT_FALSE(parseDataLog("read files 8 bytes 0 seconds 5 speed 0 MB/s cached 0 unknown 0\n", {}));
    EXPECT_FALSE(parseDataLog("read files 8 bytes 9 seconds nan speed 0 MB/s cached 0 unknown 0\n", {}));
    EXPECT_FALSE(parseDataLog(read + "images 1 seconds 5.0 speed inf images/s\n", {}));
}

TEST(DataBaseline, WhyNothingWasReadIsTheLogsLastLine) {
    const auto log = parseDataLog(
        "# measure: data\ndlperf-worker: cannot read the folder /x: No such file or directory\n\n", {});
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().what, "cannot read the folder /x: No such file or directory");
}

TEST(DataBaseline, WhatIsWrittenIsRead) {
    DataBaseline baseline = evenReaders(3);
    baseline.nodes[0].imagesPerSecond = 240.5;
    baseline.nodes[0].cached = 7;
    baseline.nodes[1] = {.node = "b \"x\"", .folder = "/a\nb", .missing = "cannot read the folder"};
    const auto folder = TemporaryFolder::make("data");
    const auto file = folder->path() / "data.json";
    ASSERT_TRUE(writeBaseline(file, toJson(baseline)));
    const auto again = readDataBaseline(file);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(toJson(*again), toJson(baseline));
    EXPECT_EQ(again->nodes[0].imagesPerSecond, 240.5);
    EXPECT_EQ(again->nodes[1].missing, "cannot read the folder");
    EXPECT_EQ(toJson(*again)["nodes"][0]["mb_s"], 300.0);
}

TEST(DataBaseline, ABrokenFileIsRefusedWithItsPlace) {
    EXPECT_FALSE(readDataBaseline("/nowhere/data.json"));
    const Json good = toJson(evenReaders(2));
    ASSERT_TRUE(dataBaselineFromJson(good, "data.json"));
    const auto refusal = [&](const std::string& pointer, const Json& value) {
        Json json = good;
        json[Json::json_pointer(pointer)] = value;
        const auto read = dataBaselineFromJson(json, "data.json");
        return read ? "taken" : describe(read.error());
    };
    EXPECT_THAT(refusal("/measured", 3), HasSubstr("\"measured\""));
    EXPECT_THAT(refusal("/nodes", "x"), HasSubstr("\"nodes\" must be a list"));
    EXPECT_THAT(refusal("/nodes/1/node", ""), HasSubstr("\"node\" is missing"));
    EXPECT_THAT(refusal("/nodes/0/files", -1), HasSubstr("\"files\" must be a whole number"));
    EXPECT_THAT(refusal("/nodes/0/bytes", 1.5), HasSubstr("\"bytes\" must be a whole number"));
    EXPECT_THAT(refusal("/nodes/0/seconds", 0), HasSubstr("must be above zero"));
    EXPECT_THAT(refusal("/nodes/0/seconds", "x"), HasSubstr("\"seconds\""));
    EXPECT_THAT(refusal("/nodes/0/images_s", -3), HasSubstr("must be above zero"));
    EXPECT_THAT(refusal("/nodes/0/spped", 3), HasSubstr("\"spped\" is not a known field"));
    EXPECT_FALSE(dataBaselineFromJson(Json::array(), "data.json"));
}

}  // namespace
}  // namespace dlperf::cluster
