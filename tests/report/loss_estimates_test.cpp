// SPDX-License-Identifier: Apache-2.0
#include "core/report/loss_estimates.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/store/results.h"
#include "tests/report/fixture.h"
#include "tests/report/loss_series.h"
#include "tests/store/fixture.h"

namespace dlperf::report {
namespace {

using test::shareOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double gradientsOfR50 = 102'228'128;  // bytes: 4 x 25,557,032

// Of a trainer whose logs tell of no times, on processors. Batch size 10: at 10 images/s an iteration takes
// a second.
RunResult silentRun() {
    RunResult run;
    Configuration& configuration = run.benchmarkCase.configuration;
    configuration.implementation = "pytorch-examples";
    configuration.model = "r50";
    configuration.precision = "fp32";
    configuration.variant = {{"backend", "cpu"}};
    return run;
}

// On node1 alone 10 images/s; on two nodes, node1 and node2, as many as `throughput` says.
test::LossSeries twoNodes(double throughput, RunResult like = silentRun()) {
    test::LossSeries series(std::move(like));
    series.addFigure({1, 1}, 10, {.nodes = {"node1"}});
    series.addFigure({2, 1}, throughput, {.nodes = {"node1", "node2"}});
    return series;
}

cluster::ComputeBaseline computing(const std::vector<std::vector<double>>& throughputs,
                                   const std::string& backend = "cpu") {
    cluster::ComputeBaseline baseline{.measured = *parseIso8601("2026-11-21T09:15:02.123Z")};
    for (const std::vector<double>& ofNode : throughputs) {
        baseline.nodes.push_back({.node = "node" + std::to_string(baseline.nodes.size() + 1),
                                  .backend = backend,
                                  .batchSize = 4,
                                  .imageSize = 64,
                                  .throughputs = ofNode});
    }
    return baseline;
}

// node2 takes 400 / 320 - 1 = 25 % and 400 / 300 - 1 = 33.3 % longer than the others in two repetitions. In
// the middle that is 400 x (1 / 320 + 1 / 300) / 2 - 1 = 29.17 %.
cluster::ComputeBaseline slowSecond(const std::string& backend = "cpu") {
    return computing({{400, 400}, {320, 300}, {400, 400}}, backend);
}

cluster::LinkSeries allReduce(int ranks, double seconds) {
    return {ranks, {{4, 1e-5}, {static_cast<std::int64_t>(gradientsOfR50), seconds}}, {}};
}

cluster::LinkBaseline linked(double seconds) {
    return {.measured = *parseIso8601("2026-11-22T23:59:59.000Z"),
            .by = "gloo, by way of the hosts",
            .nodes = {"node1", "node2"},
            .pairs = {{"node1", "node2", allReduce(2, seconds)}}};
}

HardwareBaselines withLinks(cluster::LinkBaseline links) {
    return {.links = std::move(links), .models = {{"r50", 25'557'032, 1000, 2049}}};
}

cluster::DataBaseline preparing(double imagesPerSecond) {
    return {.by = "dlperf-worker, by four threads",
            .nodes = {{.node = "node1", .folder = "/data", .imagesPerSecond = 500},
                      {.node = "node2", .folder = "/data", .imagesPerSecond = imagesPerSecond}}};
}

std::string unknownWords(const Loss& loss) {
    return loss.parts.empty() ? std::string() : loss.parts.back().words;
}

void expectWhole(const Loss& loss) {
    EXPECT_NEAR(test::sumOf(loss), loss.lost(), 1e-12);
    EXPECT_EQ(loss.parts.back().cause, Cause::Unknown);
}

// Together an iteration takes 2 x 10 / 10 = 2 s, a second longer than alone. The slow node takes 29.17 % of a
// second longer, 14.58 % of 2 s; 12.5 % to 16.67 % by the repetitions.
TEST(LossEstimates, ANodeThatComputesSlowerAloneIsWaitedFor) {
    const Loss loss = twoNodes(10).loss({.compute = slowSecond()});
    const LossPart* slow = test::find(loss, Cause::SlowRank);
    ASSERT_NE(slow, nullptr);
    EXPECT_NEAR(slow->share, 0.145833, 1e-6);
    EXPECT_NEAR(slow->seconds, 0.291667, 1e-6);
    ASSERT_TRUE(slow->range);
    EXPECT_NEAR(slow->range->low, 0.125, 1e-9);
    EXPECT_NEAR(slow->range->high, 1.0 / 6, 1e-9);
    EXPECT_EQ(slow->where, "node2");
    EXPECT_EQ(slow->words, "node2 computes 29.2\u00A0% slower than the others");
    EXPECT_EQ(slow->evidence, "what each node computes alone, measured 2026-11-21");
    EXPECT_NEAR(shareOf(loss, Cause::Unknown), 0.5 - 0.145833, 1e-6);
    expectWhole(loss);
}

TEST(LossEstimates, NoNodeIsBlamedThatIsNotKnownToBeSlowerThanTheIdeal) {
    const HardwareBaselines baselines{.compute = slowSecond()};
    const auto isBlamed = [](const test::LossSeries& series, const HardwareBaselines& by) {
        return test::has(series.loss(by), Cause::SlowRank);
    };
    ASSERT_TRUE(isBlamed(twoNodes(10), baselines));
    const auto series = [](const std::vector<std::string>& alone, const std::vector<std::string>& together,
                           const RunResult& like = silentRun()) {
        test::LossSeries runs(like);
        runs.addFigure({1, 1}, 10, {.nodes = alone});
        runs.addFigure({2, 1}, 10, {.nodes = together});
        return runs;
    };
    EXPECT_FALSE(isBlamed(series({"node2"}, {"node1", "node2"}), baselines)) << "the ideal is its own";
    EXPECT_FALSE(isBlamed(series({}, {"node1", "node2"}), baselines)) << "the ideal may be its own";
    EXPECT_FALSE(isBlamed(series({"node9"}, {"node1", "node2"}), baselines)) << "nobody measured node9";
    EXPECT_FALSE(isBlamed(series({"node1"}, {"node1", "node3"}), baselines)) << "it takes no part";
    EXPECT_FALSE(isBlamed(series({"node1"}, {}), baselines)) << "it may take no part";
    EXPECT_FALSE(isBlamed(twoNodes(10), {.compute = slowSecond("cuda")})) << "its GPU is slow";
    RunResult unknown = silentRun();
    unknown.benchmarkCase.configuration.variant.clear();
    EXPECT_FALSE(isBlamed(series({"node1"}, {"node1", "node2"}, unknown), baselines));
    unknown.versions = {{"driver", "535.161.08"}};
    EXPECT_TRUE(isBlamed(series({"node1"}, {"node1", "node2"}, unknown), {.compute = slowSecond("cuda")}));
    test::LossSeries changing = twoNodes(10);  // in its other repetition it takes no part
    changing.addFigure({2, 1}, 10, {.nodes = {"node1", "node3"}});
    EXPECT_FALSE(isBlamed(changing, baselines));
}

// 10, 10 and 8 images/s: the ideal is 10, and node2 alone takes 10 / 8 = 1.25 s, a quarter of a second
// longer. Of an iteration of 2 s that is 12.5 %; of one repetition there is no range.
TEST(LossEstimates, RunsOnOneDeviceOfSeveralNodesTellBetterThanTheBaseline) {
    test::LossSeries series(silentRun());
    series.addFigure({1, 1}, 10, {.nodes = {"node1"}});
    series.addFigure({1, 1}, 8, {.nodes = {"node2"}});
    series.addFigure({1, 1}, 10, {.nodes = {"node3"}});
    series.addFigure({2, 1}, 10, {.nodes = {"node2", "node3"}});
    const Loss loss = series.loss({.compute = slowSecond()});
    const LossPart* slow = test::find(loss, Cause::SlowRank);
    ASSERT_NE(slow, nullptr);
    EXPECT_NEAR(slow->share, 0.125, 1e-9);
    EXPECT_FALSE(slow->range);
    EXPECT_EQ(slow->words, "node2 computes 25.0\u00A0% slower than the others");
    EXPECT_EQ(slow->evidence, "the runs on 1n1g, which were on several nodes");
    expectWhole(loss);
}

// An iteration takes 20 / 16 = 1.25 s, a quarter of a second longer than alone. Of an exchange of 0.9 s
// computing hides two thirds of a second, so 0.2333 s are left, 18.67 %; the whole quarter at most, 20 %.
TEST(LossEstimates, AnExchangeThatComputingCannotHideIsCommunication) {
    const Loss loss = twoNodes(16).loss(withLinks(linked(0.9)));
    const LossPart* communication = test::find(loss, Cause::Communication);
    ASSERT_NE(communication, nullptr);
    EXPECT_NEAR(communication->share, (0.9 - 2.0 / 3) / 1.25, 1e-9);
    ASSERT_TRUE(communication->range);
    EXPECT_NEAR(communication->range->low, communication->share, 1e-9);
    EXPECT_NEAR(communication->range->high, 0.2, 1e-9);
    EXPECT_EQ(communication->words,
              "Exchanging 102 MB of gradients takes 900.0\u00A0ms over these links, of which computing can "
              "hide up to 666.7\u00A0ms");
    EXPECT_EQ(communication->evidence,
              "how long all-reduces take over the links, measured 2026-11-22 (gloo, by way of the hosts)");
    expectWhole(loss);
}

TEST(LossEstimates, AnExchangeThatMayBeHiddenIsNamedAndHasNoPart) {
    const Loss little = twoNodes(16).loss(withLinks(linked(0.1)));
    EXPECT_EQ(little.parts.size(), 1U);
    EXPECT_EQ(unknownWords(little),
              "The logs do not tell where the time of each rank goes; the exchange of gradients could be up "
              "to 100.0\u00A0ms of it");
    // More than is lost it cannot be.
    EXPECT_THAT(unknownWords(twoNodes(16).loss(withLinks(linked(0.5)))),
                HasSubstr("up to 250.0\u00A0ms of it"));
}

// In iterations of 1.25 s, so of 102 MB: as much as in fp32, of which nothing else is known here.
TEST(LossEstimates, WhatNodesSentTellsHowMuchIsExchanged) {
    RunResult mixed = silentRun();
    mixed.benchmarkCase.configuration.precision = "amp";
    test::LossSeries series = twoNodes(16, mixed);
    ASSERT_FALSE(test::has(series.loss(withLinks(linked(0.9))), Cause::Communication));
    series.last().noise = {{.node = "node1", .inRange = true, .sent = 1e6},
                           {.node = "node2", .inRange = true, .sent = 25'557'032.0 * 4 / 1.25}};
    const Loss loss = series.loss(withLinks(linked(0.9)));
    const LossPart* communication = test::find(loss, Cause::Communication);
    ASSERT_NE(communication, nullptr);
    EXPECT_NEAR(communication->share, (0.9 - 2.0 / 3) / 1.25, 1e-6);
    EXPECT_THAT(communication->words, HasSubstr("Exchanging 102 MB of gradients takes 900.0"));
    EXPECT_THAT(communication->evidence, HasSubstr("what node2 sent in the measured iterations"));
    series.last().noise.front().sent = 1;
    series.last().noise.back().sent = 900'000 / 1.25;
    EXPECT_EQ(unknownWords(series.loss(withLinks(linked(0.9)))),
              "The logs do not tell where the time of each rank goes")
        << "they exchange by another way";
    series.last().noise.back() = {.node = "node2", .sent = 25'557'032.0 * 4 / 1.25};  // of the start as well
    EXPECT_EQ(unknownWords(series.loss(withLinks(linked(0.9)))),
              "The logs do not tell where the time of each rank goes");
    expectWhole(loss);
}

TEST(LossEstimates, WhetherGpusWaitIsToldByTheirUse) {
    test::LossSeries series = twoNodes(16);
    const auto words = [&](double alone, const std::vector<double>& together) {
        series.first().noise = {{.node = "node1", .inRange = true, .gpuUse = alone}};
        series.last().noise.clear();
        for (const double use : together) {
            series.last().noise.push_back({.node = "node", .inRange = true, .gpuUse = use});
        }
        return unknownWords(series.loss({}));
    };
    EXPECT_THAT(words(0.98, {0.6, 0.8}),
                HasSubstr("GPUs work 70.0\u00A0% of the time and 98.0\u00A0% on 1n1g, so they wait"));
    EXPECT_THAT(words(0.98, {0.96, 0.96}), HasSubstr("so they do not wait longer for data"));
    series.last().noise.back().inRange = false;  // of the start as well
    EXPECT_THAT(unknownWords(series.loss({})), Not(HasSubstr("GPUs")));
}

TEST(LossEstimates, NoPartIsMoreThanIsLost) {
    const Loss loss = twoNodes(16).loss(withLinks(linked(5)));
    EXPECT_NEAR(shareOf(loss, Cause::Communication), 0.2, 1e-9);
    EXPECT_NEAR(shareOf(loss, Cause::Unknown), 0, 1e-9);
    HardwareBaselines both = withLinks(linked(5));
    both.compute = slowSecond();
    const Loss second = twoNodes(16).loss(both);  // the slow node explains it all, 0.29 s of 0.25
    EXPECT_NEAR(shareOf(second, Cause::SlowRank), 0.2, 1e-9);
    EXPECT_FALSE(test::has(second, Cause::Communication));
    expectWhole(second);
    EXPECT_EQ(twoNodes(21).loss(both).parts.size(), 1U) << "nothing is lost";
}

// The slow node takes 0.2917 s longer, so two thirds of 1.2917 s hide the exchange: of 0.9 s 38.9 ms are
// left.
TEST(LossEstimates, TheSlowNodesBackwardPassHidesTheExchange) {
    HardwareBaselines both = withLinks(linked(0.9));
    both.compute = slowSecond();
    const Loss loss = twoNodes(10).loss(both);
    EXPECT_NEAR(shareOf(loss, Cause::SlowRank), 0.145833, 1e-6);
    EXPECT_NEAR(shareOf(loss, Cause::Communication) * 2, 0.9 - 1.291667 * 2 / 3, 1e-6);
    EXPECT_EQ(loss.parts.front().cause, Cause::Communication) << "in the order of charts";
    EXPECT_THAT(evidenceOf(loss),
                ElementsAre(HasSubstr("all-reduces"), HasSubstr("what each node computes")));
    expectWhole(loss);
}

TEST(LossEstimates, LinksCountForWhatExchangesOverThemOnly) {
    const auto isSplit = [](RunResult like, cluster::LinkBaseline links) {
        return test::has(twoNodes(16, std::move(like)).loss(withLinks(std::move(links))),
                         Cause::Communication);
    };
    ASSERT_TRUE(isSplit(silentRun(), linked(0.9)));
    RunResult onGpus = silentRun();
    onGpus.benchmarkCase.configuration.variant["backend"] = "cuda";
    EXPECT_FALSE(isSplit(onGpus, linked(0.9))) << "they exchange by NCCL, not by Gloo";
    RunResult unknown = silentRun();
    unknown.benchmarkCase.configuration.variant.clear();
    EXPECT_FALSE(isSplit(unknown, linked(0.9)));
    RunResult mixed = silentRun();
    mixed.benchmarkCase.configuration.precision = "amp";
    EXPECT_FALSE(isSplit(mixed, linked(0.9))) << "some exchange two bytes, some four";
    RunResult other = silentRun();
    other.benchmarkCase.configuration.model = "bert-base";
    EXPECT_FALSE(isSplit(other, linked(0.9)));
    cluster::LinkBaseline elsewhere = linked(0.9);
    elsewhere.pairs.front().to = "node3";
    EXPECT_FALSE(isSplit(silentRun(), elsewhere));
    cluster::LinkBaseline missing = linked(0.9);
    missing.pairs.front().series.points.clear();
    EXPECT_FALSE(isSplit(silentRun(), missing));
    cluster::LinkBaseline byNccl = linked(0.9);
    byNccl.by = "nccl";
    EXPECT_FALSE(isSplit(silentRun(), byNccl));
    EXPECT_TRUE(isSplit(onGpus, byNccl));
}

// Some nodes have no GPU: those links were measured by way of the hosts.
TEST(LossEstimates, LinksThatGoTheRunsWayAreTaken) {
    cluster::LinkBaseline links = linked(0.9);
    links.by = "gloo, by way of the hosts; nccl 2.28.9, from GPU to GPU";
    links.pairs.front().series.by = "nccl 2.28.9, from GPU to GPU";
    const auto lossOf = [&](const std::string& backend) {
        RunResult run = silentRun();
        run.benchmarkCase.configuration.variant["backend"] = backend;
        return twoNodes(16, std::move(run)).loss(withLinks(links));
    };
    const Loss onGpus = lossOf("cuda");
    const LossPart* part = test::find(onGpus, Cause::Communication);
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(part->evidence,
              "how long all-reduces take over the links, measured 2026-11-22 (nccl 2.28.9, from GPU to GPU)");
    EXPECT_FALSE(test::has(lossOf("cpu"), Cause::Communication));
    links.pairs.front().series.by = "gloo, by way of the hosts";
    EXPECT_FALSE(test::has(lossOf("cuda"), Cause::Communication));
    EXPECT_TRUE(test::has(lossOf("cpu"), Cause::Communication));
}

// Seconds of an exchange, as the words have it; empty where there are none.
std::string takes(const Topology& topology, const std::vector<std::string>& nodes,
                  const cluster::LinkBaseline& links) {
    test::LossSeries series(silentRun());
    series.addFigure({1, 1}, 10, {.nodes = {nodes.front()}});
    series.addFigure(topology, 5, {.nodes = nodes});  // so much is lost that nothing is cut off
    const Loss loss = series.loss(withLinks(links));
    const LossPart* part = test::find(loss, Cause::Communication);
    const std::string words = part == nullptr ? std::string() : part->words;
    const std::size_t from = words.find("takes ");
    return from == std::string::npos ? words : words.substr(from, words.find(" over") - from);
}

TEST(LossEstimates, AnExchangeTakesWhatTheLinksOfItsNodesDo) {
    cluster::LinkBaseline links = linked(0.9);
    links.nodes = {"node1", "node2", "node3"};
    links.pairs.push_back({"node1", "node3", allReduce(2, 0.7)});
    links.pairs.push_back({"node2", "node3", allReduce(2, 0.8)});
    links.all = allReduce(3, 1.5);
    links.within = {{"node1", allReduce(4, 1.2)}};
    EXPECT_EQ(takes({2, 1}, {"node1", "node3"}, links), "takes 700.0\u00A0ms");
    EXPECT_EQ(takes({2, 2}, {"node3", "node1"}, links), "takes at least 700.0\u00A0ms");
    EXPECT_EQ(takes({3, 1}, {"node2", "node1", "node3"}, links), "takes 1,500.0\u00A0ms");
    EXPECT_EQ(takes({3, 8}, {"node2", "node1", "node3"}, links), "takes at least 1,500.0\u00A0ms");
    EXPECT_EQ(takes({1, 4}, {"node1"}, links), "takes 1,200.0\u00A0ms");
    EXPECT_EQ(takes({1, 2}, {"node1"}, links), "") << "four devices were measured";
    EXPECT_EQ(takes({1, 4}, {"node2"}, links), "");
    // Where not all were measured together: node2's fastest link takes 0.8 s, those of the others 0.7 s.
    links.all.reset();
    EXPECT_EQ(takes({3, 1}, {"node1", "node2", "node3"}, links), "takes at least 800.0\u00A0ms");
    links.pairs.pop_back();
    EXPECT_EQ(takes({3, 1}, {"node1", "node2", "node3"}, links), "") << "a pair was not measured";
}

TEST(LossEstimates, GradientsAreAsLargeAsTheClassesMakeThem) {
    const std::vector<ModelSize> models{{"r50", 25'557'032, 1000, 2049}};
    RunResult run = silentRun();
    EXPECT_EQ(gradientBytes(models, run), gradientsOfR50);
    run.defaults = {{"classes", "1000"}};
    EXPECT_EQ(gradientBytes(models, run), gradientsOfR50);
    run.benchmarkCase.configuration.variant["classes"] = "10";  // 990 x 2049 parameters fewer
    EXPECT_EQ(gradientBytes(models, run), gradientsOfR50 - 4.0 * 990 * 2049);
    run.benchmarkCase.configuration.variant["classes"] = "many";
    EXPECT_FALSE(gradientBytes(models, run));
}

TEST(LossEstimates, WhatTrainedIsKnownByTheBackendAndTheDriver) {
    RunResult run;
    EXPECT_EQ(trainedOn(run), TrainedOn::Unknown);
    run.versions = {{"kernel", "Linux 6.1"}};
    EXPECT_EQ(trainedOn(run), TrainedOn::Unknown) << "it may have another maker's accelerators";
    run.defaults = {{"backend", "auto"}};
    EXPECT_EQ(trainedOn(run), TrainedOn::Processors);
    run.versions["driver"] = "535.161.08";
    EXPECT_EQ(trainedOn(run), TrainedOn::Gpus);
    run.benchmarkCase.configuration.variant = {{"backend", "cpu"}};
    EXPECT_EQ(trainedOn(run), TrainedOn::Processors);
    run.versions.clear();
    run.benchmarkCase.configuration.variant.clear();
    EXPECT_EQ(trainedOn(run), TrainedOn::Unknown) << "nobody recorded what auto chose";
}

TEST(LossEstimates, ReadingIsNamedAndHasNoPart) {
    const std::string said =
        "if the runs read /data, waiting for data could be a part: node2 prepared 8.00 images/s of it "
        "(dlperf-worker, by four threads), and at the ideal its devices take 10.0";
    const Loss loss = twoNodes(16).loss({.data = preparing(8)});
    EXPECT_EQ(loss.parts.size(), 1U);
    EXPECT_THAT(unknownWords(loss), HasSubstr(said));
    const auto isNamed = [](const test::LossSeries& series, double imagesPerSecond) {
        return unknownWords(series.loss({.data = preparing(imagesPerSecond)})).find("the runs read") !=
               std::string::npos;
    };
    EXPECT_TRUE(isNamed(twoNodes(16), 9));
    EXPECT_FALSE(isNamed(twoNodes(16), 11));
    RunResult synthetic = silentRun();
    synthetic.benchmarkCase.configuration.features = {"synthetic-data"};
    EXPECT_FALSE(isNamed(twoNodes(16, synthetic), 8));
    test::LossSeries told(silentRun());
    told.addFigure({1, 1}, 10, {.data = 0.1, .nodes = {"node1"}});
    told.addFigure({2, 1}, 16, {.data = 0.1, .nodes = {"node1", "node2"}});
    EXPECT_FALSE(isNamed(told, 8)) << "the log's own column tells it";
}

// Alone 1 s, 0.1 s of which is waiting for data: computing takes 0.9 s, so the slow node adds 29.17 % of
// that.
TEST(LossEstimates, TheLogsOwnColumnGoesFirst) {
    test::LossSeries series(silentRun());
    series.addFigure({1, 1}, 10, {.data = 0.1, .nodes = {"node1"}});
    series.addFigure({2, 1}, 10, {.data = 0.3, .nodes = {"node1", "node2"}});
    const Loss loss = series.loss({.compute = slowSecond()});
    EXPECT_NEAR(shareOf(loss, Cause::DataLoading), 0.1, 1e-9);
    EXPECT_NEAR(shareOf(loss, Cause::SlowRank) * 2, 0.9 * 0.291667, 1e-6);
    expectWhole(loss);
}

TEST(LossEstimates, TimesOfRanksTellAll) {
    test::LossSeries series(silentRun());
    series.add({1, 1}, {{0.8, 0.2, 0}}, 0, {"node1"});
    series.add({2, 1}, {{1.1, 0.3, 0.6}, {1.1, 0.2, 0.7}}, 0.5, {"node1", "node2"});
    HardwareBaselines baselines = withLinks(linked(0.9));
    baselines.compute = slowSecond();
    baselines.data = preparing(1);
    baselines.unreadable = {"one"};
    EXPECT_EQ(toJson(series.loss(baselines)), toJson(series.loss()));
}

// From the files of a workspace to the words.
TEST(LossEstimates, AWorkspacesBaselinesAreRead) {
    const store::test::Folder folder;
    const auto workspace = test::orThrow(store::Workspace::open(folder.path()));
    const auto put = [&](const Topology& topology, double throughput, const std::vector<std::string>& nodes) {
        store::RunRecord record = store::test::someRecord(topology, 1, throughput);
        record.result.benchmarkCase.configuration = silentRun().benchmarkCase.configuration;
        record.result.benchmarkCase.configuration.batchSize = 10;
        for (const std::string& node : nodes) {
            record.facts["nodes"].push_back({{"name", node}});
        }
        store::test::putRun(workspace, record);
    };
    put({1, 1}, 10, {"node1"});
    put({2, 1}, 16, {"node1", "node2"});
    const auto results = test::orThrow(store::readResults(workspace)).results;
    const analysis::FormatBook formats;
    const Comparison comparison = compare(results, test::vocabulary(), formats);
    const auto loss = [&] {
        return lossesIn(workspace, readHardwareBaselines(workspace), formats, comparison.series.at(0),
                        results)
            .losses.at(0);
    };
    EXPECT_EQ(loss().parts.size(), 1U);
    EXPECT_THAT(loss().remarks, IsEmpty());
    auto disturbed = results;
    disturbed.back().findings = {{"stolen-time", "a hypervisor took 10 % of the time", "node2"}};
    EXPECT_THAT(lossesIn(workspace, {}, formats, comparison.series.at(0), disturbed).losses.at(0).remarks,
                ElementsAre(HasSubstr("1 of 2 runs were disturbed")));
    ASSERT_TRUE(cluster::writeLinkBaseline(workspace.linkBaseline(), linked(0.9)));
    EXPECT_NEAR(shareOf(loss(), Cause::Communication), (0.9 - 2.0 / 3) / 1.25, 1e-6);
    std::ofstream(workspace.linkBaseline()) << "{\"measured\": ";
    EXPECT_EQ(loss().parts.size(), 1U);
    EXPECT_THAT(loss().remarks, ElementsAre(HasSubstr("links.json")));
    EXPECT_THAT(unknownWords(loss()), Not(HasSubstr("exchange")));
}

}  // namespace
}  // namespace dlperf::report
