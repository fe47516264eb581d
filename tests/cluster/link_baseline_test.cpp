// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/link_baseline.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "core/base/file.h"
#include "core/cluster/baseline.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t mega = 1'000'000;

// A link that takes so long for nothing and brings so many GB a second.
LinkSeries link(double gigabytes, double latency = 50e-6, int ranks = 2) {
    LinkSeries series{ranks, {}, {}};
    for (const std::int64_t bytes : {std::int64_t{4}, mega, 100 * mega}) {
        series.points.push_back(
            {bytes, latency + static_cast<double>(bytes) * 2.0 * (ranks - 1) / ranks / (gigabytes * 1e9)});
    }
    return series;
}

// Of the nodes a, b, c, … with all their pairs.
LinkBaseline evenCluster(int nodes) {
    LinkBaseline baseline{.measured = *parseIso8601("2026-11-27T16:00:00.000Z"), .by = "gloo"};
    for (int i = 0; i < nodes; ++i) {
        const std::string name(1, static_cast<char>('a' + i));
        for (const std::string& before : baseline.nodes) {
            baseline.pairs.push_back({before, name, link(9)});
        }
        baseline.nodes.push_back(name);
    }
    return baseline;
}

std::vector<std::string> sentencesOf(const LinkBaseline& baseline) {
    std::vector<std::string> sentences;
    for (const SlowLink& slow : slowLinks(baseline)) {
        sentences.push_back(slow.sentence);
    }
    return sentences;
}

TEST(LinkBaseline, FiguresAreOfTheLargestAndTheSmallestSize) {
    for (const int ranks : {2, 8}) {
        EXPECT_NEAR(bandwidthOf(link(9, 0, ranks)).value(), 9, 1e-9) << "whatever the number of ranks";
    }
    EXPECT_NEAR(latencyOf(link(9, 70e-6)).value(), 70e-6, 1e-8);
    EXPECT_FALSE(bandwidthOf({2, {}, "node b was lost"}));
    EXPECT_FALSE(latencyOf({2, {}, "node b was lost"}));
}

TEST(LinkBaseline, ASlowLinkIsNamed) {
    LinkBaseline baseline = evenCluster(4);
    baseline.pairs[3].series = link(3);  // a and d
    ASSERT_EQ(baseline.pairs[3].to, "d");
    EXPECT_THAT(sentencesOf(baseline), ElementsAre("a and d: 3 GB/s, 33.4 % of the others' 8.96 GB/s"));
    EXPECT_EQ(slowLinks(baseline)[0].from, "a");
    EXPECT_EQ(slowLinks(baseline)[0].to, "d");
}

TEST(LinkBaseline, ASlowNodeIsSeenByAllItsPairs) {
    LinkBaseline baseline = evenCluster(3);
    for (PairBaseline& pair : baseline.pairs) {
        pair.series = pair.to == "c" ? link(0.0125) : pair.series;
    }
    EXPECT_THAT(sentencesOf(baseline),
                ElementsAre(HasSubstr("a and c: 0.0125 GB/s"), HasSubstr("b and c: ")));
}

// Two pairs of which each is fast alone share a switch: a way of the ring has a third of the pair's.
TEST(LinkBaseline, AWayThatOthersShareIsNamed) {
    LinkBaseline baseline = evenCluster(3);
    const auto way = [](const char* from, const char* to, double gigabytes) {
        return RingLink{from, to, {mega, static_cast<double>(mega) / (gigabytes * 1e9)}};
    };
    baseline.ring = {way("a", "b", 8), way("b", "c", 8.5), way("c", "a", 3)};
    EXPECT_THAT(
        sentencesOf(baseline),
        ElementsAre("c to a: 3 GB/s while all nodes exchange, 8.96 GB/s alone; others share its way"));
    baseline.pairs[1].series = link(4);  // a and c: slow alone as well
    EXPECT_THAT(sentencesOf(baseline), ElementsAre(HasSubstr("a and c: 3.99 GB/s")));
}

// Two nodes have GPUs and a fast way between them; that does not make the others slow.
TEST(LinkBaseline, LinksAreSlowBesideThoseThatGoTheSameWay) {
    LinkBaseline baseline = evenCluster(5);
    const auto isOfGpus = [](const PairBaseline& pair) { return pair.to <= "c"; };
    for (PairBaseline& pair : baseline.pairs) {
        pair.series = isOfGpus(pair) ? link(50, 5e-6) : pair.series;
        pair.series.by = isOfGpus(pair) ? "nccl 2.28.9, from GPU to GPU" : "";
    }
    EXPECT_THAT(slowLinks(baseline), IsEmpty());
    // A ring goes by way of the hosts.
    baseline.ring = {{"a", "b", {mega, static_cast<double>(mega) / 8e9}}};
    EXPECT_THAT(slowLinks(baseline), IsEmpty());
    baseline.pairs[0].series.points = link(20, 5e-6).points;
    EXPECT_THAT(sentencesOf(baseline), ElementsAre(HasSubstr("a and b: 20 GB/s")));
}

TEST(LinkBaseline, LatencyCountsAsWell) {
    LinkBaseline baseline = evenCluster(4);
    baseline.pairs[0].series = link(9, 120e-6);
    EXPECT_THAT(sentencesOf(baseline),
                ElementsAre("a and b: 0.12 ms for the smallest message, 2.4 times the others' 0.05 ms"));
}

TEST(LinkBaseline, AnEvenClusterHasNoSlowLink) {
    for (const int nodes : {1, 2, 3, 16}) {
        EXPECT_THAT(slowLinks(evenCluster(nodes)), IsEmpty()) << nodes;
    }
    LinkBaseline baseline = evenCluster(4);
    baseline.pairs[1].series = {2, {}, "cancelled"};
    baseline.pairs[2].series = link(5);  // a bit slower
    EXPECT_THAT(slowLinks(baseline), IsEmpty());
}

TEST(LinkBaseline, TimesOfOtherSizesLieOnTheLine) {
    const LinkSeries series{2, {{1000, 1e-3}, {2000, 2e-3}, {10'000, 4e-3}}, {}};
    EXPECT_DOUBLE_EQ(*expectedSeconds(series, 1), 1e-3) << "no less than the smallest";
    EXPECT_DOUBLE_EQ(*expectedSeconds(series, 1000), 1e-3);
    EXPECT_DOUBLE_EQ(*expectedSeconds(series, 1500), 1.5e-3);
    EXPECT_DOUBLE_EQ(*expectedSeconds(series, 6000), 3e-3);
    EXPECT_DOUBLE_EQ(*expectedSeconds(series, 10'000), 4e-3);
    EXPECT_DOUBLE_EQ(*expectedSeconds(series, 30'000), 12e-3);
    EXPECT_FALSE(expectedSeconds({}, 1000));
}

TEST(LinkBaseline, TheWorkersLogIsRead) {
    const auto log = parseLinkLog(
        "# dlperf-worker 0.2.0\n# comm: gloo, by way of the hosts\nnoise\nall-reduce bytes\n"
        "all-reduce bytes 4 repetitions 900 median 0.000031000 s bandwidth 0.000129 GB/s\n"
        "all-reduce bytes 1024 repetitions 900 median 0.000040000 s bandwidth 0.025600 GB/s\r\n"
        "ring from 0 to 1 bytes 1024 median 0.000020000 s bandwidth 0.051200 GB/s\n"
        "ring from 1 to 2 bytes 1024 median nan s bandwidth 0 GB/s\n"
        "ring from b to c bytes 1024 median 1 s bandwidth 0 GB/s\n"
        "links latency 0.000031000 s bandwidth 0.025600 GB/s at 1024 bytes\n",
        "log");
    ASSERT_TRUE(log) << describe(log.error());
    EXPECT_EQ(log->by, "gloo, by way of the hosts");
    ASSERT_EQ(log->points.size(), 2U);
    EXPECT_EQ(log->points[1].bytes, 1024);
    EXPECT_DOUBLE_EQ(log->points[1].seconds, 40e-6);
    ASSERT_EQ(log->ring.size(), 1U);
    EXPECT_EQ(log->ring[0].to, "1");
    EXPECT_DOUBLE_EQ(log->ring[0].point.seconds, 20e-6);
    EXPECT_FALSE(parseLinkLog("iteration 1\n", "log"));
    EXPECT_FALSE(parseLinkLog("", "log"));
    const std::string twice = "all-reduce bytes 4 repetitions 9 median 0.1 s bandwidth 1 GB/s\n";
    EXPECT_FALSE(parseLinkLog(twice + twice, "log"));
    EXPECT_FALSE(parseLinkLog("all-reduce bytes 4 repetitions 9 median nan s bandwidth 1 GB/s\n", "log"));
    EXPECT_FALSE(parseLinkLog("all-reduce bytes 4 repetitions 9 median 0 s bandwidth 1 GB/s\n", "log"));
}

// Lines of both kinds that its versions print: with and without a root.
TEST(LinkBaseline, NcclTestsBehindItAreReadInPlace) {
    const std::string own = "all-reduce bytes 4 repetitions 9 median 0.1 s bandwidth 1 GB/s\n";
    const auto log = parseLinkLog(
        own +
            "# nccl-tests: /usr/bin/all_reduce_perf\n"
            "# nThread 1 nGpus 8 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20\n"
            "#  Rank  0 Group  0 Pid  28307 on      gpu59 device  0 [0x16] NVIDIA GeForce RTX 4090\n"
            "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   "
            "algbw   busbw #wrong\n"
            "           8             2     float     sum      -1    42.56    0.00    0.00      0    40.25   "
            " "
            "0.00    0.00      0\n"
            "   134217728      33554432     float     sum    5210.0   25.76   45.08  N/A   5.2e+03   25.81   "
            "45.17    N/A\n"
            "# Avg bus bandwidth    : 22.5\n",
        "log");
    ASSERT_TRUE(log) << describe(log.error());
    EXPECT_EQ(log->points.size(), 1U);
    ASSERT_EQ(log->ncclTests.size(), 2U);
    EXPECT_EQ(log->ncclTests[0].bytes, 8);
    EXPECT_DOUBLE_EQ(log->ncclTests[0].seconds, 40.25e-6);
    EXPECT_EQ(log->ncclTests[1].bytes, 134'217'728);
    EXPECT_DOUBLE_EQ(log->ncclTests[1].seconds, 5.2e-3);
    const auto broken = parseLinkLog(own + "8 2 float sum -1 42.56 0.00 0.00 0 0.00 0.00 0.00 0\n", "log");
    ASSERT_TRUE(broken) << "our own figures stand";
    EXPECT_THAT(broken->ncclTests, IsEmpty());
}

TEST(LinkBaseline, WhatIsWrittenIsRead) {
    LinkBaseline baseline = evenCluster(3);
    baseline.pairs[2].series = {2, {}, "node c was not reached"};
    baseline.all = link(8, 90e-6, 3);
    baseline.ring = {{"a", "b", {4096, 0.5}}};
    baseline.within = {{"a", link(20, 10e-6, 4), link(21, 9e-6, 4)}, {"b", {4, {}, "cancelled"}}};
    baseline.within[0].ncclTests->by = "nccl-tests";
    const auto folder = TemporaryFolder::make("links");
    const auto file = folder->path() / "links.json";
    ASSERT_TRUE(writeLinkBaseline(file, baseline));
    const auto again = readLinkBaseline(file);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(toJson(*again), toJson(baseline));
    EXPECT_EQ(again->measured, baseline.measured);
    EXPECT_EQ(again->pairs[2].series.missing, "node c was not reached");
    EXPECT_EQ(again->all->ranks, 3);
    ASSERT_TRUE(again->within[0].ncclTests);
    EXPECT_EQ(again->within[0].ncclTests->by, "nccl-tests");
    EXPECT_EQ(again->within[0].ncclTests->points.size(), 3U);
    EXPECT_FALSE(again->within[1].ncclTests);
    EXPECT_EQ(toJson(*again)["pairs"][0]["bandwidth_gb_s"], *bandwidthOf(baseline.pairs[0].series));
}

TEST(LinkBaseline, WhatExchangedIsKeptWhereItIsNotTheSame) {
    LinkBaseline baseline = evenCluster(3);
    EXPECT_FALSE(toJson(baseline)["pairs"][0].contains("by"));
    baseline.pairs[1].series.by = baseline.by;
    baseline.pairs[2].series.by = "nccl 2.28.9, from GPU to GPU";
    baseline.all = LinkSeries{3, {}, "cancelled"};
    const Json json = toJson(baseline);
    EXPECT_FALSE(json["pairs"][1].contains("by"));
    const auto again = linkBaselineFromJson(json, "links.json");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(toJson(*again), json);
    EXPECT_EQ(exchangedBy(*again, again->pairs[1].series), "gloo");
    EXPECT_EQ(exchangedBy(*again, again->pairs[2].series), "nccl 2.28.9, from GPU to GPU");
    EXPECT_FALSE(isFromGpuToGpu(*again, again->pairs[1].series));
    EXPECT_TRUE(isFromGpuToGpu(*again, again->pairs[2].series));
    EXPECT_EQ(measuredSeries(*again).size(), 3U);
    Json old = json;
    old.erase("by");
    EXPECT_FALSE(isFromGpuToGpu(*linkBaselineFromJson(old, "links.json"), again->pairs[1].series));
}

TEST(LinkBaseline, ABrokenFileIsRefusedWithItsPlace) {
    EXPECT_FALSE(readLinkBaseline("/nowhere/links.json"));
    const Json good = toJson(evenCluster(2));
    ASSERT_TRUE(linkBaselineFromJson(good, "links.json"));
    const auto refusal = [&](const std::string& pointer, const Json& value) {
        Json json = good;
        json[Json::json_pointer(pointer)] = value;
        const auto read = linkBaselineFromJson(json, "links.json");
        return read ? "taken" : describe(read.error());
    };
    EXPECT_THAT(refusal("/measured", "yesterday"), HasSubstr("\"measured\" is no time"));
    EXPECT_THAT(refusal("/nodes", 3), HasSubstr("\"nodes\" must be a list of texts"));
    EXPECT_THAT(refusal("/pairs", 3), HasSubstr("\"pairs\" must be a list"));
    EXPECT_THAT(refusal("/ring", {{{"from", "a"}, {"to", "b"}, {"bytes", 4}, {"seconds", -1}}}),
                HasSubstr("must be above zero"));
    EXPECT_THAT(refusal("/pairs/0", Json()), HasSubstr("is not a JSON object"));
    EXPECT_THAT(refusal("/pairs/0/from", ""), HasSubstr("\"from\" is missing"));
    EXPECT_THAT(refusal("/pairs/0/ranks", 1), HasSubstr("\"ranks\" must be"));
    EXPECT_THAT(refusal("/pairs/0/sizes", "x"), HasSubstr("\"sizes\" must be"));
    EXPECT_THAT(refusal("/pairs/0/sizes/0", 3), HasSubstr("\"sizes\" must be"));
    EXPECT_THAT(refusal("/pairs/0/sizes/0/bytes", 1e9), HasSubstr("\"sizes\" must be"));
    EXPECT_THAT(refusal("/pairs/0/sizes/0/bytes", 2 * mega), HasSubstr("\"sizes\" do not rise"));
    EXPECT_THAT(refusal("/pairs/0/sizes/0/seconds", 0), HasSubstr("above zero"));
    EXPECT_THAT(refusal("/pairs/0/sizes/0/seconds", "x"), HasSubstr("\"sizes\" must be"));
    EXPECT_THAT(refusal("/all", 3), HasSubstr("links.json, all: is not a JSON object"));
    EXPECT_THAT(refusal("/within", Json::object()), HasSubstr("\"within\" must be a list"));
    EXPECT_THAT(refusal("/within", {{{"node", "a"}, {"nccl_tests", {{"ranks", 1}}}}}),
                HasSubstr("\"ranks\" must be"));
    EXPECT_THAT(refusal("/pars", 3), HasSubstr("\"pars\" is not a known field"));
    EXPECT_FALSE(linkBaselineFromJson(Json(3), "links.json"));
}

// Of three nodes the slow one has two of the three pairs: it is found all the same.
TEST(LinkBaseline, ASlowNodeOfThreeIsFound) {
    LinkBaseline baseline{.nodes = {"a", "b", "c"}};
    for (const auto& [from, to, slow] :
         {std::tuple{"a", "b", 4.0}, std::tuple{"a", "c", 4.0}, std::tuple{"b", "c", 1.0}}) {
        baseline.pairs.push_back({from, to, {2, {{4, 1e-4 * slow}, {100'000'000, 0.01 * slow}}, {}}});
    }
    const auto slow = slowLinks(baseline);
    ASSERT_EQ(slow.size(), 4U) << "both pairs, by bandwidth and by latency";
    for (const SlowLink& link : slow) {
        EXPECT_EQ(link.from, "a");
    }
}

// As mediansOfOthers() is defined.
double plainMedian(std::vector<std::optional<double>> values, std::size_t left, bool moreIsBetter) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(left));
    std::erase(values, std::nullopt);
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.empty() ? 0 : *values[values.size() % 2 == 1 || moreIsBetter ? half : half - 1];
}

TEST(LinkBaseline, MediansOfOthersAreThoseOfAllButOne) {
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::optional<double>> values(random() % 9);
        for (auto& value : values) {
            const auto drawn = static_cast<int>(random() % 5);  // often the same
            value = drawn == 0 ? std::nullopt : std::optional<double>(drawn);
        }
        for (const bool moreIsBetter : {true, false}) {
            const auto medians = mediansOfOthers(values, moreIsBetter);
            ASSERT_EQ(medians.size(), values.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                ASSERT_EQ(medians[i], plainMedian(values, i, moreIsBetter)) << "in round " << round;
            }
        }
    }
}

// What slowLinks() tells, by its definition: "a b 1.99 GB/s", of the others', and "c a shared".
std::vector<std::string> plainlySlow(const LinkBaseline& baseline) {
    std::vector<std::string> slow;
    const auto figures = [&](bool gpus, std::optional<double> (*of)(const LinkSeries&)) {
        std::vector<std::optional<double>> found;
        for (const PairBaseline& pair : baseline.pairs) {
            found.push_back(isFromGpuToGpu(baseline, pair.series) == gpus ? of(pair.series) : std::nullopt);
        }
        return found;
    };
    for (const bool gpus : {true, false}) {
        const auto bandwidths = figures(gpus, bandwidthOf);
        const auto latencies = figures(gpus, latencyMsOf);
        for (std::size_t i = 0; i < baseline.pairs.size(); ++i) {
            const std::string nodes = baseline.pairs[i].from + " " + baseline.pairs[i].to + " ";
            const double others = plainMedian(bandwidths, i, true);
            if (bandwidths[i] && *bandwidths[i] < 0.5 * others) {
                slow.push_back(nodes + shortFigure(others) + " GB/s");
            }
            const double quick = plainMedian(latencies, i, false);
            if (latencies[i] && quick > 0 && *latencies[i] > 2 * quick) {
                slow.push_back(nodes + shortFigure(quick) + " ms");
            }
        }
    }
    for (const RingLink& way : baseline.ring) {
        for (const PairBaseline& pair : baseline.pairs) {
            if ((pair.from == way.from && pair.to == way.to) ||
                (pair.from == way.to && pair.to == way.from)) {
                const auto alone = bandwidthOf(pair.series);
                if (alone && !isFromGpuToGpu(baseline, pair.series) && bandwidthOf(way) < 0.5 * *alone) {
                    slow.push_back(way.from + " " + way.to + " shared");
                }
                break;  // a pair that stands there twice counts as it stands first
            }
        }
    }
    return slow;
}

std::string plainWords(const SlowLink& slow) {
    const std::string nodes = slow.from + " " + slow.to + " ";
    const std::string& sentence = slow.sentence;
    constexpr std::string_view others = "the others' ";
    const std::size_t at = sentence.find(others);
    return nodes + (slow.isShared ? "shared" : sentence.substr(at + others.size()));
}

LinkBaseline anyBaseline(std::mt19937& random) {
    const std::vector<std::string> nodes{"a", "b", "c", "d", "e"};
    const auto any = [&](const auto& values) { return values[random() % values.size()]; };
    const std::vector<double> bandwidths{1, 2, 4, 4.5, 9, 30};
    const std::vector<double> latencies{20e-6, 50e-6, 50e-6, 120e-6};
    LinkBaseline baseline{.by = random() % 9 == 0 ? "nccl 2.28.9" : "gloo", .nodes = nodes};
    for (std::size_t count = random() % 12; count > 0; --count) {
        LinkSeries series = random() % 5 == 0 ? LinkSeries{} : link(any(bandwidths), any(latencies));
        series.by = random() % 3 == 0 ? "nccl 2.28.9" : "";
        baseline.pairs.push_back({any(nodes), any(nodes), std::move(series)});
    }
    for (std::size_t count = random() % 6; count > 0; --count) {
        const double seconds = static_cast<double>(mega) / (any(bandwidths) * 1e9);
        baseline.ring.push_back({any(nodes), any(nodes), {mega, seconds}});
    }
    return baseline;
}

TEST(LinkBaseline, SlowLinksAreThoseOfTheDefinition) {
    std::mt19937 random(4);
    std::size_t slow = 0;
    for (int round = 0; round < 3000; ++round) {
        const LinkBaseline baseline = anyBaseline(random);
        std::vector<std::string> words;
        std::ranges::transform(slowLinks(baseline), std::back_inserter(words), plainWords);
        ASSERT_EQ(words, plainlySlow(baseline)) << "in round " << round;
        slow += words.size();
    }
    EXPECT_GT(slow, 3000U);
}

}  // namespace
}  // namespace dlperf::cluster
