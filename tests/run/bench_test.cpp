// SPDX-License-Identifier: Apache-2.0
// `dlperf bench` on nodes of this machine: what is measured, what is missing, what it leaves behind.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "core/cluster/compute_baseline.h"
#include "core/cluster/data_baseline.h"
#include "core/cluster/link_baseline.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class HardwareBench : public testing::Test {
protected:
    explicit HardwareBench(std::string what) : what_(std::move(what)) {}
    void SetUp() override {
        if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
            GTEST_SKIP() << "this build has no worker";
        }
    }
    std::vector<std::string> wordsOf(const std::vector<std::string>& more) const {
        std::vector<std::string> words{"bench", what_, "--workspace", lab.workspace.root().string()};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    Ended bench(const std::vector<std::string>& more) { return lab.dlperf(wordsOf(more)); }
    // Cancelled while it works.
    Ended benchCancelled(const std::vector<std::string>& more) {
        const pid_t bench = lab.start(wordsOf(more));
        EXPECT_TRUE(eventually([&] { return !lab.trainers().empty(); }));
        ::kill(bench, SIGINT);
        return lab.wait(bench);
    }
    // Nodes of one device each; before its work the last one does what `setup` says.
    std::filesystem::path clusterWithAnOddNode(int nodes, const std::string& setup) {
        const auto file = lab.cluster(nodes, {{"devices", 1}});
        Json json = Json::parse(slurp(file));
        json["nodes"].back()["setup"] = setup;
        std::ofstream(file) << json.dump();
        return file;
    }
    std::filesystem::path clusterWithABrokenNode(int nodes) { return clusterWithAnOddNode(nodes, "exit 3"); }

    Lab lab;

private:
    std::string what_;
};

class BenchLinks : public HardwareBench {
protected:
    BenchLinks() : HardwareBench("links") {}
    // The folder of nccl-tests and of what lists GPUs.
    std::filesystem::path programsOfGpus() {
        const auto folder = lab.root / "programs";
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "nvidia-smi") << "#!/bin/sh\necho 'GPU 0: pretended'\n";
        std::ofstream(folder / "all_reduce_perf")
            << "#!/bin/sh\necho \"$@\" >>'" << folder.string() << "/asked'\n"
            << "echo '        8       2   float   sum   -1  42.56 0.00 0.00 0   40.25 0.00 0.00 0'\n"
            << "echo '134217728 33554432 float   sum   -1  110000 1.22 1.22 0  100000 1.34 1.34 0'\nexit 1\n";
        for (const char* program : {"nvidia-smi", "all_reduce_perf"}) {
            std::filesystem::permissions(folder / program, std::filesystem::perms::owner_all);
        }
        return folder;
    }
};

class BenchCompute : public HardwareBench {
protected:
    BenchCompute() : HardwareBench("compute") {}
    cluster::ComputeBaseline baseline() const {
        auto read = cluster::readComputeBaseline(lab.workspace.computeBaseline());
        EXPECT_TRUE(read) << describe(read.error());
        return read.value_or(cluster::ComputeBaseline());
    }
};

class BenchData : public HardwareBench {
protected:
    BenchData() : HardwareBench("data") {}
    cluster::DataBaseline baseline() const {
        auto read = cluster::readDataBaseline(lab.workspace.dataBaseline());
        EXPECT_TRUE(read) << describe(read.error());
        return read.value_or(cluster::DataBaseline());
    }
};

TEST_F(BenchLinks, OneNodeIsMeasuredWithin) {
    const Ended ended = bench({lab.cluster(1).string(), "--json", "-"});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("[1/1] the 2 devices of a: ok, "));
    EXPECT_EQ(ended.output, slurp(lab.workspace.linkBaseline())) << "nothing else is printed";
    const auto baseline = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_THAT(baseline->pairs, IsEmpty());
    EXPECT_FALSE(baseline->all);
    ASSERT_EQ(baseline->within.size(), 1U);
    EXPECT_EQ(baseline->within[0].series.ranks, 2);
    EXPECT_EQ(baseline->within[0].series.points.size(), 9U);
    EXPECT_EQ(baseline->by, "gloo, by way of the hosts");
    EXPECT_THAT(lab.runs(), IsEmpty()) << "its runs are no results";
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

#ifdef DLPERF_PRETENDED_GPUS
// What is measured within a node goes from GPU to GPU, what goes to the node without any by way of the hosts.
TEST_F(BenchLinks, GpusAreMeasuredByTheirOwnWayAndItIsSaidOfEach) {
    const auto file = lab.cluster(2);
    Json json = Json::parse(slurp(file));
    const auto programs = programsOfGpus();
    json["nodes"][0]["setup"] = "export DLPERF_FAKE_GPUS=2 DLPERF_WORKER_CUDA=" DLPERF_PRETENDED_GPUS
                                " PATH=\"" +
                                programs.string() + ":$PATH\"";
    json["nodes"][1]["devices"] = 1;
    std::ofstream(file) << json.dump();
    const Ended ended = bench({file.string()});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.output,
                AllOf(HasSubstr("All-reduces from GPU to GPU, by NCCL; 1 of 2 by way of the hosts"),
                      HasSubstr("The 2 devices of a: 0.99 GB/s, 1 ms\n"),
                      HasSubstr("By nccl-tests, the 2 devices of a: 1.34 GB/s, 0.0403 ms\n")));
    const auto baseline = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_EQ(baseline->by, "gloo, by way of the hosts; nccl 2.0.0, from GPU to GPU");
    EXPECT_EQ(baseline->pairs.at(0).series.by, "gloo, by way of the hosts");
    EXPECT_EQ(baseline->within.at(0).series.by, "nccl 2.0.0, from GPU to GPU");
    ASSERT_TRUE(baseline->within.at(0).ncclTests);
    EXPECT_EQ(baseline->within.at(0).ncclTests->by, "nccl-tests, all_reduce_perf in place");
    EXPECT_EQ(slurp(programs / "asked"), "-b 8 -e 128M -f 2 -g 2\n");

    ASSERT_EQ(bench({file.string(), "--backend", "cpu"}).exitCode, 0);
    const auto byHosts = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    EXPECT_EQ(byHosts->by, "gloo, by way of the hosts");
    EXPECT_FALSE(byHosts->within.at(0).ncclTests);
}
#endif

// Two nodes are a pair, and not measured once more as all.
TEST_F(BenchLinks, WhatFailsIsMissingWithItsReason) {
    const Ended ended = bench({clusterWithABrokenNode(3).string()});
    EXPECT_EQ(ended.exitCode, 1) << ended.errors;
    EXPECT_THAT(ended.output,
                AllOf(HasSubstr("GB/s between two nodes"), HasSubstr("missing"),
                      HasSubstr("All 3 nodes together: missing"), Not(HasSubstr("throughput"))));
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("dlperf bench: between a and c: missing, node c: "),
                                    HasSubstr("dlperf bench: all nodes together: missing, node c: "),
                                    Not(HasSubstr("between a and b: missing"))));
    const auto baseline = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_FALSE(baseline->pairs.at(0).series.points.empty());
    EXPECT_TRUE(baseline->pairs.at(1).series.points.empty());
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

TEST_F(BenchLinks, NothingMeasuredLeavesTheLastBaselineAlone) {
    std::ofstream(lab.workspace.linkBaseline()) << "the last one";
    const Ended ended = bench({clusterWithABrokenNode(2).string()});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("no link could be measured: node b: "));
    EXPECT_EQ(slurp(lab.workspace.linkBaseline()), "the last one");
    const Ended alone = bench({lab.cluster(1, {{"devices", 1}}).string()});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_THAT(alone.errors, HasSubstr("there is no link to measure"));
}

TEST_F(BenchLinks, CancelledItKeepsNothing) {
    const Ended ended = benchCancelled({lab.cluster(2).string()});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("was cancelled: nothing is kept"));
    EXPECT_FALSE(std::filesystem::exists(lab.workspace.linkBaseline()));
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

// A worker that gets four times as many pixels takes its time, whatever the machine.
TEST_F(BenchCompute, EveryNodeHasItsFiguresAndTheSlowOneIsNamed) {
    const std::filesystem::path folder = lab.root / "slow 'worker'";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "dlperf-worker")
        << "#!/bin/bash\nargs=(\"$@\")\n[[ $1 != --batch-size ]] || args+=(--image-size 128)\n"
           "\"" DLPERF_BINARY_DIR
           "/bin/dlperf-worker\" \"${args[@]}\" | sed 's/image_size: 128/image_size: 64/'\n";
    std::filesystem::permissions(folder / "dlperf-worker", std::filesystem::perms::owner_all);
    const auto cluster = clusterWithAnOddNode(3, "export DLPERF_BIN_DIR=\"" + folder.string() + "\"");
    const Ended ended = bench({cluster.string(), "--repetitions", "1"});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("[1/1] 3 nodes, each by itself: ok, "));
    EXPECT_THAT(ended.output, AllOf(HasSubstr("4 × 64 px, cpu"), HasSubstr("Slow nodes:"),
                                    HasSubstr("c computes "), Not(HasSubstr("throughput"))));
    const cluster::ComputeBaseline measured = baseline();
    ASSERT_EQ(measured.nodes.size(), 3U);
    std::set<std::vector<double>> different;
    for (const cluster::NodeCompute& node : measured.nodes) {
        EXPECT_EQ(node.throughputs.size(), 1U) << node.node;
        EXPECT_EQ(node.missing, "");
        different.insert(node.throughputs);
    }
    EXPECT_EQ(different.size(), 3U) << "each has its own log";
    const auto slow = cluster::slowNodes(measured);
    EXPECT_THAT(slow, testing::Contains(testing::Field(&cluster::SlowNode::node, "c")));
    EXPECT_THAT(lab.runs(), IsEmpty()) << "its runs are no results";
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

TEST_F(BenchCompute, ItRepeats) {
    const Ended ended = bench({lab.cluster(1).string(), "--repetitions", "2"});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("[1/2] one node"), HasSubstr("[2/2] one node: ok, ")));
    EXPECT_THAT(ended.output, Not(HasSubstr("low node"))) << "there are no others";
    EXPECT_EQ(baseline().nodes.at(0).throughputs.size(), 2U);
}

TEST_F(BenchCompute, ABrokenNodeIsLeftOutAndTheOthersAreMeasured) {
    const Ended ended = bench({clusterWithABrokenNode(2).string(), "--repetitions", "1", "--json", "-"});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("dlperf bench: node b: missing, node b: "));
    EXPECT_EQ(ended.output, slurp(lab.workspace.computeBaseline())) << "nothing else is printed";
    const cluster::ComputeBaseline measured = baseline();
    ASSERT_EQ(measured.nodes.size(), 2U);
    EXPECT_EQ(measured.nodes[0].throughputs.size(), 1U);
    EXPECT_EQ(measured.nodes[0].batchSize, 4);
    EXPECT_EQ(measured.nodes[0].imageSize, 64);
    EXPECT_FALSE(measured.nodes[1].isMeasured());
}

TEST_F(BenchCompute, NothingMeasuredLeavesTheLastBaselineAlone) {
    std::ofstream(lab.workspace.computeBaseline()) << "the last one";
    const Ended ended = bench({clusterWithABrokenNode(1).string()});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("no node could be measured: node a: "));
    const Ended cancelled = benchCancelled({lab.cluster(2).string()});
    EXPECT_EQ(cancelled.exitCode, 1);
    EXPECT_THAT(cancelled.errors, HasSubstr("was cancelled: nothing is kept"));
    EXPECT_EQ(slurp(lab.workspace.computeBaseline()), "the last one");
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

// Ten files of 100 KiB.
std::filesystem::path someFiles(const Lab& lab, const std::string& name) {
    const std::filesystem::path folder = lab.root / name;
    std::filesystem::create_directories(folder / "deep");
    for (int i = 0; i < 10; ++i) {
        std::ofstream(folder / (i % 2 == 0 ? "deep" : "") / std::to_string(i)) << std::string(102'400, 'x');
    }
    return folder;
}

TEST_F(BenchData, EveryNodeReadsItsOwnFolder) {
    const auto file = lab.cluster(2, {{"data_dir", someFiles(lab, "it's $HOME \"data\"").string()}});
    Json json = Json::parse(slurp(file));
    json["nodes"][1]["data_dir"] = someFiles(lab, "other").string();
    std::filesystem::remove(lab.root / "other/1");
    std::ofstream(file) << json.dump();
    const Ended ended = bench({file.string(), "--seconds", "60"});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("2 nodes, each by itself: ok, "));
    EXPECT_THAT(ended.output, AllOf(HasSubstr("MB/s"), HasSubstr("it's $HOME \"data\"")));
    const cluster::DataBaseline measured = baseline();
    ASSERT_EQ(measured.nodes.size(), 2U);
    EXPECT_EQ(measured.nodes[0].files, 10);
    EXPECT_EQ(measured.nodes[0].bytes, 1'024'000);
    EXPECT_EQ(measured.nodes[1].files, 9);
    EXPECT_EQ(measured.nodes[1].folder, (lab.root / "other").string());
    EXPECT_FALSE(measured.nodes[0].imagesPerSecond) << "they are no images";
    EXPECT_THAT(lab.runs(), IsEmpty()) << "its run is no result";
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

TEST_F(BenchData, ANodeWithoutTheFolderIsMissingWithItsPath) {
    const auto folder = someFiles(lab, "data");
    // As on another machine, the folder is not there: the first node's worker is given another place.
    const auto file = lab.cluster(3, {{"data_dir", folder.string()}});
    Json json = Json::parse(slurp(file));
    json["nodes"][0]["data_dir"] = "/nowhere/images";
    json["nodes"][2].erase("data_dir");
    std::ofstream(file) << json.dump();
    const Ended ended = bench({file.string(), "--seconds", "60", "--json", "-"});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors,
                AllOf(HasSubstr("dlperf bench: node a: missing, cannot read the folder /nowhere/images: "
                                "No such file or directory"),
                      HasSubstr("dlperf bench: node c: missing, the node has no data_dir")));
    EXPECT_EQ(ended.output, slurp(lab.workspace.dataBaseline())) << "nothing else is printed";
    const cluster::DataBaseline measured = baseline();
    ASSERT_EQ(measured.nodes.size(), 3U);
    EXPECT_FALSE(measured.nodes[0].isMeasured());
    EXPECT_EQ(measured.nodes[1].files, 10);
}

TEST_F(BenchData, AFolderOfThisMachineMayBeRelative) {
    std::ofstream(lab.workspace.dataBaseline()) << "the last one";
    const Ended elsewhere = bench({lab.cluster(1).string(), "--data", "somewhere"});
    EXPECT_EQ(elsewhere.exitCode, 2);
    EXPECT_THAT(elsewhere.errors, HasSubstr("somewhere: is no absolute folder"));
    const Ended missing = bench({lab.cluster(1).string(), "--data", "/nowhere"});
    EXPECT_EQ(missing.exitCode, 1);
    EXPECT_THAT(missing.errors, HasSubstr("no node could be measured: cannot read the folder /nowhere"));
    EXPECT_EQ(slurp(lab.workspace.dataBaseline()), "the last one");
    const Ended here =
        bench({"--data", std::filesystem::relative(someFiles(lab, "data")).string(), "--seconds", "60"});
    EXPECT_EQ(here.exitCode, 0) << here.errors;
    EXPECT_EQ(baseline().nodes.at(0).files, 10);
}

}  // namespace
}  // namespace dlperf::run
