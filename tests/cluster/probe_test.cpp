// SPDX-License-Identifier: Apache-2.0
// The probe's script is run by the shell of this machine; GPUs are answered for by a program that prints what
// drivers print.
#include "core/cluster/probe.h"

#include <gmock/gmock.h>

#include <thread>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/local_transport.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NodeFacts probeHere(const Node& node, const std::string& before = {}, const ProbeQuestions& questions = {}) {
    remote::LocalTransport transport("this");
    const auto ran = transport.run({before + probeScript(node, questions), {}}, {});
    EXPECT_TRUE(ran) << (ran ? "" : describe(ran.error()));
    return ran ? parseProbe(ran->output) : NodeFacts{};
}

TEST(Probe, SaysWhatThisMachineIs) {
    const NodeFacts facts = probeHere(thisMachine().nodes.front());
    EXPECT_FALSE(facts.host.empty());
    EXPECT_FALSE(facts.kernel.empty());
    EXPECT_GE(facts.cores, 1);
    EXPECT_GT(facts.memoryBytes, std::int64_t{100} << 20);
    EXPECT_GT(facts.freeBytes, 0);
    EXPECT_TRUE(facts.workDirWritable);
    EXPECT_FALSE(facts.workDir.starts_with("~"));
    const auto loopback = std::ranges::find(facts.interfaces, "lo", &InterfaceFacts::name);
    ASSERT_NE(loopback, facts.interfaces.end());
    EXPECT_TRUE(loopback->isVirtual);
}

TEST(Probe, NamesOfANodeAreQuoted) {
    const TemporaryFolder folder = TemporaryFolder::make("probe").value();
    const auto victim = folder.path() / "victim";
    Node node = thisMachine().nodes.front();
    node.workDir = "/'; touch " + victim.string() + "; '";
    node.dataDir = "/$(touch " + victim.string() + ")";
    const NodeFacts facts = probeHere(node);
    EXPECT_FALSE(std::filesystem::exists(victim));
    EXPECT_EQ(facts.workDir, node.workDir);
    EXPECT_FALSE(facts.dataDirExists);
}

TEST(Probe, ASetupThatFailsSaysWhy) {
    Node node = thisMachine().nodes.front();
    node.setup = "echo first\necho 'no such environment: paddle' >&2\nexit 3";
    const NodeFacts facts = probeHere(node);
    EXPECT_TRUE(facts.setupFailed);
    EXPECT_EQ(facts.setupSaid, "no such environment: paddle");
    node.setup = "export X=1";
    EXPECT_FALSE(probeHere(node).setupFailed);
}

TEST(Probe, LooksForCommandsWhereARunWould) {
    const TemporaryFolder folder = TemporaryFolder::make("probe").value();
    ASSERT_TRUE(writeFileAtomically(folder.path() / "brought", "#!/bin/sh\n", 0755));
    Node node = thisMachine().nodes.front();
    const ProbeQuestions questions{{"sh", "brought", "$(touch x)'", "/bin/sh"}, false};
    EXPECT_THAT(probeHere(node, {}, questions).missingCommands,
                testing::Optional(ElementsAre("brought", "$(touch x)'")));
    node.setup = "PATH=$PATH:$MORE";
    node.env["MORE"] = folder.path().string();
    EXPECT_THAT(probeHere(node, {}, questions).missingCommands,
                testing::Optional(ElementsAre("$(touch x)'")));
    node.setup = "false";
    EXPECT_FALSE(probeHere(node, {}, questions).missingCommands);
    EXPECT_FALSE(probeHere(thisMachine().nodes.front()).missingCommands);
}

TEST(Probe, CountsADataSet) {
    const TemporaryFolder folder = TemporaryFolder::make("probe").value();
    Node node = thisMachine().nodes.front();
    node.dataDir = folder.path().string();
    EXPECT_EQ(probeHere(node, {}, {{}, true}).dataFiles, 0);
    for (const char* name : {"a", "b"}) {
        std::filesystem::create_directory(folder.path() / name);
        ASSERT_TRUE(writeFileAtomically(folder.path() / name / "one\nimage", "x"));
    }
    ASSERT_TRUE(writeFileAtomically(folder.path() / "index", "x"));
    NodeFacts facts = probeHere(node, {}, {{}, true});
    EXPECT_EQ(facts.dataEntries, 3);
    EXPECT_EQ(facts.dataFiles, 3);
    facts = probeHere(node, "find() { return 1; }; timeout() { return 124; }\n", {{}, true});
    EXPECT_FALSE(facts.dataFiles);
    EXPECT_FALSE(probeHere(node).dataFiles);
}

TEST(Probe, ReadsWhatADriverPrints) {
    const TemporaryFolder folder = TemporaryFolder::make("probe").value();
    const auto program = folder.path() / "nvidia-smi";
    const std::string text = R"(#!/bin/sh
case "$*" in
  *compute-apps*) echo 'GPU-1, 4711, /usr/bin/python3, with a comma';;
  *query-gpu*) echo 'GPU-0, 440.33.01, 16160 MiB, 1530 MHz, Enabled, [N/A], Disabled, Tesla V100-SXM2-16GB'
               echo 'GPU-1, 440.33.01, 16160 MiB, 1530 MHz, Enabled, [N/A], Disabled, Tesla V100-SXM2-16GB';;
  'topo -m') cat ')" + std::string(DLPERF_RECORDED) +
                             R"(/topo_v100_dlperf_2020.txt';;
  '') echo '| NVIDIA-SMI 440.33.01    Driver Version: 440.33.01    CUDA Version: 10.2     |';;
esac
)";
    ASSERT_TRUE(writeFileAtomically(program, text));
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const NodeFacts facts =
        probeHere(thisMachine().nodes.front(), "PATH=" + shellQuote(folder.path().string()) + ":$PATH\n");
    ASSERT_EQ(facts.gpus.size(), 2U);
    EXPECT_EQ(facts.gpus[1].name, "Tesla V100-SXM2-16GB");
    EXPECT_EQ(facts.gpus[1].persistence, "Disabled");
    EXPECT_EQ(facts.driver, "440.33.01");
    ASSERT_EQ(facts.gpuProcesses.size(), 1U);
    EXPECT_EQ(facts.gpuProcesses[0].name, "/usr/bin/python3, with a comma");
    ASSERT_TRUE(facts.topology);
    EXPECT_EQ(facts.topology->devices.size(), 9U);
    EXPECT_EQ(facts.devices(thisMachine().nodes.front()), 2);
}

TEST(Probe, SurvivesWhateverIsPrinted) {
    EXPECT_EQ(parseProbe("").cores, 0);
    const NodeFacts facts =
        parseProbe("@@ cores\nmany\n@@ gpus\nNVIDIA-SMI has failed\n@@ interfaces\n\xff\n" +
                   std::string("@@ host\n") + std::string(100'000, 'h'));
    EXPECT_EQ(facts.cores, 0);
    EXPECT_TRUE(facts.gpus.empty());
    EXPECT_LE(facts.host.size(), 200U);
    Node node = thisMachine().nodes.front();
    EXPECT_EQ(facts.devices(node), cpuProcesses);
    node.devices = 5;
    EXPECT_EQ(facts.devices(node), 5);
}

}  // namespace
}  // namespace dlperf::cluster
