// SPDX-License-Identifier: Apache-2.0
// The same script through every login shell that this machine has, and the marks around a command.
#include <gmock/gmock.h>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/probe.h"
#include "core/cluster/recipe_needs.h"
#include "core/remote/command_frame.h"
#include "core/remote/job_transport.h"
#include "core/remote/local_transport.h"
#include "core/remote/shell_transport.h"
#include "core/run/node_scripts.h"

namespace dlperf::remote {
namespace {

const std::string shellScript =
    "printf '%s|' 'it'\\''s' \"a \\\"b\\\"\" '$HOME' '`x`' '!!' '\\n' 'é'\nprintf 'end\\n'";
const std::string said = "it's|a \"b\"|$HOME|`x`|!!|\\n|é|end\n";

class LoginShell : public testing::TestWithParam<const char*> {};

TEST_P(LoginShell, ReadsTheScriptAsItIs) {
    const auto found = runChild({std::string("command -v ") + GetParam(), {}}, {}, "test");
    ASSERT_TRUE(found && found->exitCode == 0)
        << GetParam() << " is missing: packaging/install-build-deps.sh installs it";
    const std::string line = std::string(GetParam()) + " -c " + shellQuote(loginShellCommand(shellScript));
    const auto result = runChild({line, {}}, {}, "test");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, said) << result->errors;
    const std::string framed = loginShellCommand(CommandFrame({shellScript, {}}).script());
    const auto again = runChild({std::string(GetParam()) + " -c " + shellQuote(framed), {}}, {}, "test");
    ASSERT_TRUE(again);
    EXPECT_THAT(again->output, testing::HasSubstr("\n" + said + "dlperf:")) << again->errors;
}

INSTANTIATE_TEST_SUITE_P(Of, LoginShell, testing::Values("sh", "bash", "zsh", "fish", "tcsh"),
                         [](const auto& shell) { return std::string(shell.param); });

TEST(CommandFrame, TellsTheCommandsWordsFromAllOthers) {
    CommandFrame frame({"echo said; echo wrong >&2; exit 3", {}});
    const auto result =
        runChild({"echo from a shell file; echo and there >&2; " + frame.script(), {}}, {}, "test");
    ASSERT_TRUE(result);
    // As a network brings them: byte by byte.
    for (const char letter : result->output) {
        frame.takeOutput({&letter, 1});
    }
    EXPECT_FALSE(frame.ended());
    for (const char letter : result->errors) {
        frame.takeErrors({&letter, 1});
    }
    frame.takeOutput("late, from the background");
    ASSERT_TRUE(frame.ended());
    EXPECT_GT(frame.process().value_or(0), 1);
    const CommandResult framed = frame.result();
    EXPECT_EQ(framed.exitCode, 3);
    EXPECT_EQ(framed.output, "said\n");
    EXPECT_EQ(framed.errors, "wrong\n");
    EXPECT_FALSE(framed.cut);
}

TEST(CommandFrame, IsBoundedAndKnowsIt) {
    CommandFrame frame({"head -c 100000 /dev/zero; printf end >&2", {}, 10});
    const auto result = runChild({frame.script(), {}, 1U << 20U}, {}, "test");
    frame.takeOutput(result->output);
    frame.takeErrors(result->errors);
    ASSERT_TRUE(frame.ended());
    const CommandResult framed = frame.result();
    EXPECT_EQ(framed.output.size(), 10U);
    EXPECT_EQ(framed.errors, "end");
    EXPECT_TRUE(framed.cut);
}

TEST(CommandFrame, DoesNotEndWithoutItsMark) {
    CommandFrame frame({"true", {}});
    frame.takeOutput("dlperf:0123 0\n");
    frame.takeErrors("dlperf:0123 0\n");
    EXPECT_FALSE(frame.ended());
    EXPECT_FALSE(frame.process());
}

// What a host is given to run.
class Recorder : public ShellTransport {
public:
    Recorder() : ShellTransport("Check nothing") {}
    Result<CommandResult> run(const Command& command, const Limits&) override {
        given = command;
        return CommandResult{};
    }
    const std::string& name() const override { return name_; }

    Command given;

private:
    std::string name_ = "login";
};

// A node as users have them: an image, variables of NCCL, a setup by conda.
cluster::Node wordyNode() {
    cluster::Node node;
    node.name = "c1";
    node.workDir = "/shared/user/dlperf";
    node.dataDir = "/shared/data/imagenet";
    node.image = "nvcr.io/nvidia/pytorch:21.03-py3";
    node.imageOptions = {"--shm-size=64g", "--env=A='b'"};
    node.env = {{"NCCL_DEBUG", "INFO"}, {"NCCL_IB_HCA", "mlx5_0,mlx5_1"}, {"NCCL_SOCKET_IFNAME", "eth0"}};
    node.setup = "eval \"$('/opt/conda/bin/conda' 'shell.bash' 'hook')\"\nconda activate 'train'";
    return node;
}

cluster::RecipeNeeds wordyNeeds() {
    cluster::RecipeNeeds needs;
    needs.recipe = "ngc-pytorch-resnet50";
    needs.options = {{"source_dir", "~/DeepLearningExamples"}, {"data", ""}};
    needs.python = cluster::PythonNeeds{">=3.8", {}, {"torch", "nvidia.dali", "dllogger", "pynvml"}, ""};
    needs.source = cluster::SourceNeeds{"NVIDIA/DeepLearningExamples",
                                        "729963dd47e7c8bd462ad10bfac7a7b0b604e6dd",
                                        "source_dir",
                                        {"main.py", "multiproc.py", "image_classification"}};
    needs.data = cluster::DataNeeds{"data", {}};
    needs.backends = {"nccl"};
    return needs;
}

// The same script on the node, in its image, on a node of a job, and in an image there.
std::vector<Command> throughAllLayers(const std::string& script) {
    const auto host = std::make_shared<Recorder>();
    const auto job = std::make_shared<JobTransport>(
        "c1", host, cluster::JobSeat{nullptr, "17", "/shared/dlperf/jobs/a", 0});
    ContainerTransport image(host, wordyNode());
    ContainerTransport imageInJob(job, wordyNode());
    const std::vector<Transport*> ways{host.get(), &image, job.get(), &imageInJob};
    return mapped(ways, [&](Transport* way) {
        EXPECT_TRUE(way->run({script, {}}, {}));
        return host->given;
    });
}

TEST(CommandFrame, FitsIntoAPacketOfSshThroughAllLayers) {
    const std::vector<std::string> scripts{
        cluster::probeScript(wordyNode(), {}),
        cluster::environmentScript(wordyNode(), wordyNeeds(), cluster::Depth::Imports),
        run::claimScript(wordyNode().workDir, "20261129-1200-a", "c1"),
        run::startScript(wordyNode().workDir, "20261129-1200-a", "c1")};
    for (const std::string& script : scripts) {
        const auto commands = throughAllLayers(script);
        for (const Command& command : commands) {
            // A packet of libssh2 takes 32,000; the rest is for longer setups and more variables.
            EXPECT_LE(loginShellCommand(CommandFrame(command).script()).size(), 24'000U) << command.script;
        }
    }
}

}  // namespace
}  // namespace dlperf::remote
