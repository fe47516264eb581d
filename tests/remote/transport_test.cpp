// SPDX-License-Identifier: Apache-2.0
// What every Transport promises, tried on this machine, through a container's prefix, and over SSH with both
// and by the ssh program.
#include <gmock/gmock.h>
#include <csignal>
#include <cstdlib>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/remote/local_transport.h"
#include "core/remote/shell_transport.h"
#include "core/remote/ssh_transport.h"
#include "tests/support/folder.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// 0 as long as none stands there.
int pidIn(const std::filesystem::path& file) {
    int pid = 0;
    std::ifstream(file) >> pid;
    return pid;
}

// The process whose pid stands in the file runs no more. It may be a zombie for ever: not every init reaps.
bool isGone(const std::filesystem::path& file) {
    const int pid = pidIn(file);
    EXPECT_GT(pid, 1);
    for (int tries = 0; tries < 500; ++tries) {
        std::ifstream stream("/proc/" + std::to_string(pid) + "/stat");
        std::string stat;
        std::getline(stream, stat);  // throws nothing where the process ends meanwhile
        if (stat.empty() || stat.find(") Z ") != std::string::npos) {
            return true;
        }
        std::this_thread::sleep_for(20ms);
    }
    return false;
}

enum class Kind { Local, Container, Ssh, SshContainer, SshProgram };

class TransportTest : public testing::TestWithParam<Kind> {
protected:
    TransportTest() {
        if (isFar()) {
            sshd_ = std::make_unique<test::Sshd>();
            transport_ = std::make_shared<SshTransport>(
                sshd_->node(), nullptr,
                GetParam() == Kind::SshProgram ? SshTransport::Way::Program : SshTransport::Way::Automatic);
        } else {
            transport_ = std::make_shared<LocalTransport>("a");
        }
        if (isInside()) {
            transport_ = std::make_shared<ContainerTransport>(
                transport_, std::vector<std::string>{"env", "WHERE=it's in"});
        }
    }

    static bool isFar() { return GetParam() != Kind::Local && GetParam() != Kind::Container; }
    static bool isInside() { return GetParam() == Kind::Container || GetParam() == Kind::SshContainer; }

    Result<CommandResult> run(const std::string& script, const std::string& input = {},
                              std::size_t most = 1U << 20U) {
        return transport_->run({script, input, most}, {});
    }

    // A script that is stopped once its pid stands in the file.
    Result<CommandResult> stopped(const std::string& script, const std::filesystem::path& file) {
        EXPECT_TRUE(run("true"));  // a login takes its time
        std::stop_source stop;
        const std::jthread stopper([&] {
            for (int tries = 0; tries < 500 && pidIn(file) == 0; ++tries) {
                std::this_thread::sleep_for(20ms);
            }
            stop.request_stop();
        });
        return transport_->run({script, {}}, {60s, stop.get_token()});
    }

    const test::Folder made_;
    const std::filesystem::path folder_ = made_.path();
    std::unique_ptr<test::Sshd> sshd_;
    std::shared_ptr<Transport> transport_;
};

TEST_P(TransportTest, ACommandHasInputOutputsAndAnExitCode) {
    const auto result = run("cat; echo oops >&2; exit 7", "some\ninput");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 7);
    EXPECT_EQ(result->output, "some\ninput");
    EXPECT_EQ(result->errors, "oops\n");
    EXPECT_FALSE(result->cut);
    EXPECT_EQ(run("kill -9 $$")->exitCode, 137);
    EXPECT_EQ(run("pwd")->output, std::string(std::getenv("HOME")) + "\n");
}

TEST_P(TransportTest, LargeInputsAndOutputsPass) {
    const std::string large(3'000'000, 'x');
    const auto result = run("cat", large, 4'000'000);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, large);
    EXPECT_EQ(run("exit 3", large)->exitCode, 3) << "input that nobody reads is no trouble";
}

// Who quotes quotes within quotes makes many of a few.
TEST_P(TransportTest, ScriptsFullOfQuotesPass) {
    const std::string quotes(3'000, '\'');
    const auto result = run("printf '%s\\n' \"" + quotes + "\"; cat", "and input");
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->output, quotes + "\nand input") << result->errors;
}

TEST_P(TransportTest, OutputIsBounded) {
    const auto result = run("head -c 5000000 /dev/zero; echo end >&2", {}, 1000);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output.size(), 1000U);
    EXPECT_TRUE(result->cut);
    EXPECT_EQ(result->errors, "end\n");
}

TEST_P(TransportTest, NothingOutlivesItsDeadline) {
    ASSERT_TRUE(run("true"));
    const auto file = folder_ / "pid";
    const std::string command = "sleep 1000 & echo $! >" + file.string() + "; wait";
    // On a busy machine the deadline may come before the command has begun: then it has more time.
    for (Milliseconds deadline = 500ms; deadline < 60s && pidIn(file) == 0; deadline *= 2) {
        const auto result = transport_->run({command, {}}, {deadline, {}});
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().kind, ErrorKind::Transient);
    }
    EXPECT_TRUE(isGone(file));
}

TEST_P(TransportTest, AStopEndsTheCallAndTheCommand) {
    const auto file = folder_ / "pid";
    EXPECT_FALSE(stopped("echo $$ >" + file.string() + "; sleep 1000", file));
    EXPECT_TRUE(isGone(file));
}

TEST_P(TransportTest, AStopReachesWhatLeadsAGroupOfItsOwn) {
    const auto file = folder_ / "pid";
    EXPECT_FALSE(stopped("timeout 1000 sh -c 'echo $$ >" + file.string() + "; sleep 1000'", file));
    EXPECT_TRUE(isGone(file));
}

TEST_P(TransportTest, AStopThatEndsTheTransportReachesTheNode) {
    const auto file = folder_ / "pid";
    EXPECT_FALSE(stopped("echo $$ >" + file.string() + "; sleep 1000", file));
    transport_.reset();
    EXPECT_TRUE(isGone(file));
}

TEST_P(TransportTest, WhatStaysInTheBackgroundIsNotWaitedFor) {
    const auto result = run("sleep 3 & echo started");  // holds the output's pipe
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "started\n");
}

TEST_P(TransportTest, FilesAreWrittenWholeAndReadFromAnOffset) {
    const std::string path = (folder_ / "it's a file").string();
    std::string bytes = "line\n";
    bytes += '\0';
    bytes += "\xFF more";
    ASSERT_TRUE(transport_->upload(bytes, path, 0600, {}));
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
    EXPECT_EQ(transport_->read(path, 0, 1000, {})->bytes, bytes);
    EXPECT_EQ(transport_->read(path, 5, 3, {})->bytes, bytes.substr(5, 3));
    EXPECT_TRUE(transport_->read(path, 1000, 10, {})->bytes.empty());
    ASSERT_TRUE(transport_->upload("new", path, 0755, {}));
    EXPECT_EQ(transport_->read(path, 0, 1000, {})->bytes, "new");
    EXPECT_TRUE(transport_->read((folder_ / "none").string(), 0, 10, {})->missing);
    EXPECT_FALSE(transport_->upload("x", (folder_ / "none" / "x").string(), 0600, {}));
}

TEST_P(TransportTest, CallsMayComeFromSeveralThreads) {
    std::vector<std::jthread> threads;
    threads.reserve(8);
    std::atomic<int> good = 0;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const auto result = run("cat", std::to_string(i));
            good += result && result->output == std::to_string(i) ? 1 : 0;
        });
    }
    threads.clear();
    EXPECT_EQ(good, 8);
}

TEST_P(TransportTest, ASurroundingRunIsNotInherited) {
    const std::vector<const char*> variables{"DLPERF_RUN_ID", "RANK",         "WORLD_SIZE",
                                             "MASTER_ADDR",   "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"};
    std::string script = "echo \"${RANKED-none} ${WHERE-host}";
    ::setenv("RANKED", "passes", 1);
    for (const char* variable : variables) {
        ::setenv(variable, "outer", 1);
        script += std::string(" ${") + variable + "-none}";
    }
    const auto result = run(script + "\"");
    ::unsetenv("RANKED");
    for (const char* variable : variables) {
        ::unsetenv(variable);
    }
    ASSERT_TRUE(result);
    // sshd gives every command a new environment.
    EXPECT_EQ(result->output, std::string(isFar() ? "none" : "passes") + (isInside() ? " it's in" : " host") +
                                  " none none none none none none\n");
}

INSTANTIATE_TEST_SUITE_P(Here, TransportTest, testing::Values(Kind::Local),
                         [](const auto&) { return std::string("Local"); });
INSTANTIATE_TEST_SUITE_P(Inside, TransportTest, testing::Values(Kind::Container),
                         [](const auto&) { return std::string("Container"); });
INSTANTIATE_TEST_SUITE_P(Far, TransportTest, testing::Values(Kind::Ssh),
                         [](const auto&) { return std::string("Ssh"); });
INSTANTIATE_TEST_SUITE_P(FarInside, TransportTest, testing::Values(Kind::SshContainer),
                         [](const auto&) { return std::string("SshContainer"); });

INSTANTIATE_TEST_SUITE_P(FarByProgram, TransportTest, testing::Values(Kind::SshProgram),
                         [](const auto&) { return std::string("SshProgram"); });

TEST(Transport, AnExitCodeThatIsLostIsAnErrorAndNoWait) {
    LocalTransport here("a");
    ::signal(SIGCHLD, SIG_IGN);
    const auto result = here.run({"exit 0", {}}, {});
    ::signal(SIGCHLD, SIG_DFL);
    ASSERT_FALSE(result);
    EXPECT_THAT(describe(result.error()), HasSubstr("exit code is lost"));
}

TEST(Transport, ANodeThatCannotBeReachedIsNamed) {
    cluster::Node node;
    node.name = "far";
    node.host = "far.invalid";
    const auto transport = openTransport(node);
    ASSERT_TRUE(transport);
    const auto result = (*transport)->run({"true", {}}, {});
    ASSERT_FALSE(result);
    EXPECT_THAT(describe(result.error()), HasSubstr("node far: the name far.invalid has no address"));
}

// A pretended apptainer, of which Debian has no package: what it is told.
TEST(Transport, AnImageIsEnteredByApptainerWithoutAContainerThatStays) {
    const test::Folder folder;
    const std::string program = (folder.path() / "apptainer").string();
    folder.write("apptainer", "#!/bin/sh\nprintf '<%s>' \"$@\"\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    cluster::Node node;
    node.image = "docker://pt:1";
    node.runtime = program;
    node.workDir = (folder.path() / "it's work").string();
    node.dataDir = "/data";
    node.imageOptions = {"--writable-tmpfs", "--env=A=b c"};
    ContainerTransport transport(std::make_shared<LocalTransport>("a"), node);
    const auto result = transport.run({"echo 'x'", {}}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_THAT(result->output,
                HasSubstr("<exec><--bind><" + node.workDir + "><--writable-tmpfs><--env=A=b c>"));
    EXPECT_THAT(result->output,
                HasSubstr("<--bind></data><docker://pt:1></bin/sh><-c><cd 2>/dev/null || cd /\necho 'x'>"));
}

TEST(Transport, AContainerThatIsNotThereIsAnError) {
    ContainerTransport transport(std::make_shared<LocalTransport>("a"),
                                 std::vector<std::string>{"/no/such/docker", "exec"});
    const auto result = transport.run({"true", {}}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 127);
    EXPECT_FALSE(transport.upload("x", "/tmp/never", 0600, {}));
    EXPECT_FALSE(transport.read("/etc/hosts", 0, 10, {}));
}

}  // namespace
}  // namespace dlperf::remote
