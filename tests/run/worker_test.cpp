// SPDX-License-Identifier: Apache-2.0
// The bundled worker on its way to a node: what is sent, where it stands, and what is said when it does not
// start there. The nodes are this machine, with a home of the test's own.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <atomic>
#include <thread>

#include "core/base/text.h"
#include "core/remote/ssh_transport.h"
#include "core/run/worker_trouble.h"
#include "tests/run/bench.h"
#include "tests/run/worker_node.h"
#include "tests/support/sshd.h"

namespace dlperf::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using WorkerTest = WorkerNode;

TEST_F(WorkerTest, IsSentWhereItIsMissingAndNotAgain) {
    const WorkerFiles file = worker("#!/bin/sh\necho 1\n");
    const auto there = bringWorker(nodeRun(), file, {});
    ASSERT_TRUE(there) << describe(there.error());
    EXPECT_EQ(bytesOf(fs::path(*there) / "dlperf-worker"), file.files[0].bytes);
    EXPECT_EQ(fs::status(fs::path(*there) / "dlperf-worker").permissions(), fs::perms(0755));
    EXPECT_EQ(bringWorker(nodeRun(), file, {}).value(), *there);
    EXPECT_EQ(transport_->uploads, 1);
}

TEST_F(WorkerTest, AnotherOneChangesNothingUnderThoseThatRun) {
    const auto first = bringWorker(nodeRun(), worker("#!/bin/sh\necho 1\n"), {});
    const auto second = bringWorker(nodeRun(), worker("#!/bin/sh\necho 2\n"), {});
    ASSERT_TRUE(first && second);
    EXPECT_NE(*first, *second);
    EXPECT_EQ(bytesOf(fs::path(*first) / "dlperf-worker"), "#!/bin/sh\necho 1\n");
}

TEST_F(WorkerTest, ADamagedOneIsReplacedWhileItRuns) {
    const WorkerFiles file = worker("#!/bin/sh\necho 1\n");
    const auto there = bringWorker(nodeRun(), file, {});
    ASSERT_TRUE(there);
    const fs::path program = fs::path(*there) / "dlperf-worker";
    fs::copy_file("/bin/sleep", program, fs::copy_options::overwrite_existing);
    const pid_t running = ::fork();
    if (running == 0) {
        ::execl(program.c_str(), "sleep", "1000", nullptr);
        ::_exit(127);
    }
    const auto holds = [&] {
        std::error_code error;
        return fs::equivalent("/proc/" + std::to_string(running) + "/exe", program, error);
    };
    while (!holds()) {  // until it is the program that runs
        std::this_thread::yield();
    }
    ASSERT_TRUE(bringWorker(nodeRun(), file, {}));
    EXPECT_EQ(bytesOf(program), file.files[0].bytes);
    EXPECT_EQ(::waitpid(running, nullptr, WNOHANG), 0) << "it goes on";
    EXPECT_FALSE(holds());
    ::kill(running, SIGKILL);
    ::waitpid(running, nullptr, 0);
    EXPECT_EQ(transport_->uploads, 2);
}

TEST_F(WorkerTest, NodesThatShareADiskDoNotDisturbEachOther) {
    const WorkerFiles file = worker("#!/bin/sh\n# " + std::string(3'000'000, 'x') + "\n");
    std::atomic<int> good = 0;
    {
        std::vector<std::jthread> nodes;
        for (int i = 0; i < 8; ++i) {
            nodes.emplace_back([&, i] {
                const auto there = bringWorker(nodeRun(std::string(1, static_cast<char>('a' + i))), file, {});
                good += there && bytesOf(fs::path(*there) / "dlperf-worker") == file.files[0].bytes ? 1 : 0;
            });
        }
    }
    EXPECT_EQ(good, 8);
    std::size_t left = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "it's far")) {
        left += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_EQ(left, 1U) << "no half file stays";
}

TEST_F(WorkerTest, AFolderThatCannotBeMadeIsSaid) {
    folder_.write("it's far", "a file in the way");
    const auto there = bringWorker(nodeRun(), worker("x"), {});
    ASSERT_FALSE(there);
    EXPECT_EQ(there.error().kind, ErrorKind::Work);
    EXPECT_THAT(describe(there.error()), HasSubstr("node a: dlperf-worker cannot be put there"));
}

TEST_F(WorkerTest, OneThatIsMissingHereIsSaid) {
    const auto file = readWorker(folder_.path() / "none");
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().what, HasSubstr("there is no dlperf-worker to bring"));
    const Error there = workerTrouble({127, "x86_64", {}, "timeout: failed to run command"}, "", "node a");
    EXPECT_THAT(describe(there),
                AllOf(HasSubstr("there is no dlperf-worker"), HasSubstr("dlperf-worker_*.deb")));
}

TEST_F(WorkerTest, IsTriedAsItIsThenAfterTheSetup) {
    EXPECT_EQ(trouble("#!/bin/sh\n[ \"$1\" = --version ]\n"), "");
    const std::string wantsSetup = "#!/bin/sh\n[ \"$FROM_SETUP\" = yes ] || { echo no luck; exit 3; }\n";
    EXPECT_THAT(trouble(wantsSetup), HasSubstr("does not start, exit code 3: no luck"));
    EXPECT_EQ(trouble(wantsSetup, "echo loading; export FROM_SETUP=yes"), "");
}

TEST_F(WorkerTest, ASetupMayNameAnotherThatWasBuiltThere) {
    folder_.write("built/dlperf-worker", "#!/bin/sh\n");
    fs::permissions(folder_.path() / "built/dlperf-worker", fs::perms::owner_all);
    const std::string broken = "#!/bin/sh\nexit 9\n";
    EXPECT_NE(trouble(broken), "");
    EXPECT_EQ(trouble(broken, exportLine("DLPERF_BIN_DIR", (folder_.path() / "built").string())), "");
}

// The words are those of this machine's loader, about this program with the name of a library changed.
TEST_F(WorkerTest, AMissingLibraryIsNamedWithItsPackage) {
    const std::string said = trouble(needing("libdnnlxx.so.9", "/proc/self/exe"));
    EXPECT_THAT(said, HasSubstr("node a: dlperf-worker does not start: the machine has no libdnnlxx.so.9"));
    EXPECT_THAT(said, HasSubstr("apt install libdnnlxx9"));
}

TEST_F(WorkerTest, AnotherKindOfMachineIsSaid) {
    std::string program = bytesOf("/proc/self/exe");
    const bool arm = machineOf(program) == "aarch64";
    program[18] = static_cast<char>(arm ? 62 : 183);
    const std::string said = trouble(program);
    EXPECT_THAT(said, HasSubstr(arm ? "is built for x86_64, the machine is aarch64"
                                    : "is built for aarch64, the machine is "));
    EXPECT_THAT(said, HasSubstr("DLPERF_BIN_DIR"));
}

TEST(WorkerOverSsh, IsSentOnceAndWhatIsLostAlone) {
    const test::Sshd sshd;
    sshd.folder().write("worker", "#!/bin/sh\n# " + std::string(2'000'000, 'x') + "\n");
    sshd.folder().write(cudaLibrary, std::string(4'000'000, 'y'));
    const WorkerFiles file = readWorker(sshd.folder().path() / "worker").value();
    cluster::Node far = sshd.node();
    far.workDir = (sshd.folder().path() / "far").string();
    const NodeRun node(std::make_shared<remote::SshTransport>(far), far, {}, "c/1");
    fs::path library;
    // A look, two copies and a look; then a look alone; then a look, one copy and a look.
    for (const int commands : {4, 5, 8}) {
        if (commands == 8) {
            fs::remove(library);
        }
        const auto there = bringWorker(node, file, {});
        ASSERT_TRUE(there) << describe(there.error());
        EXPECT_EQ(bytesOf(fs::path(*there) / "dlperf-worker"), file.files[0].bytes);
        library = fs::path(*there) / cudaLibrary;
        EXPECT_EQ(bytesOf(library), file.files[1].bytes);
        const std::string log = sshd.log();
        int started = 0;
        for (std::size_t at = log.find("Starting session"); at != std::string::npos;
             at = log.find("Starting session", at + 1)) {
            ++started;
        }
        EXPECT_EQ(started, commands);
    }
}

TEST(WorkerTrouble, OldSystemsAndForbiddenFoldersAreSaid) {
    const auto said = [](const std::string& words) {
        return workerTrouble({1, "x86_64", {}, words}, "x86_64", "node a").what;
    };
    EXPECT_EQ(said("loading modules\n./dlperf-worker: /lib/libc.so.6: version `GLIBC_2.36' not found "
                   "(required by ./dlperf-worker)"),
              "dlperf-worker needs GLIBC_2.36, the system there is older");
    EXPECT_EQ(said("timeout: failed to run command: Permission denied"),
              "dlperf-worker may not be run from where it was put");
    EXPECT_EQ(said("./w: error while loading shared libraries: libgloo.so.0: cannot open shared object "
                   "file: No such file or directory"),
              "dlperf-worker does not start: the machine has no libgloo.so.0");
    EXPECT_EQ(said("version `\x1B[31m' not found"),
              "dlperf-worker needs " + firstLine("\x1B[31m") + ", the system there is older");
}

TEST(WorkerTrouble, PackagesAreNamedAsDebianNamesThem) {
    for (const auto& [library, package] :
         std::vector<std::pair<const char*, const char*>>{{"libdnnl.so.2", "libdnnl2"},
                                                          {"libgloo.so.0", "libgloo0"},
                                                          {"libgcc_s.so.1", "libgcc-s1"},
                                                          {"libstdc++.so.6", "libstdc++6"},
                                                          {"libnl-route-3.so.200", "libnl-route-3-200"},
                                                          {"libhiredis.so.0.14", "libhiredis0.14"},
                                                          {"libjpeg.so.62", "libjpeg62-turbo"},
                                                          {"libOpenCL.so.1", "ocl-icd-libopencl1"},
                                                          {"libcudnn.so.9", "libcudnn9-cuda-13"},
                                                          {"libcublas.so.13", "libcublas-13-0"},
                                                          {"libnccl.so.2", "libnccl2"},
                                                          {"linux-vdso.so.1", ""},
                                                          {"lib.so", ""},
                                                          {"", ""}}) {
        EXPECT_EQ(packageOf(library), package) << library;
    }
}

// A plan on a container of this machine, whose trainer is the worker that is brought there.
class WorkerRun : public testing::Test {
protected:
    WorkerRun() {
        for (cluster::Node& node : bench_.inputs.cluster.nodes) {
            node.container = {"env"};
            node.containerWorkDir = (bench_.folder.path() / "inside").string();
        }
        bench_.prepared =
            launch::prepare(bench_.inputs.plan, bench_.inputs.cluster, bench_.inputs.recipes, Vocabulary{})
                .value();
        bench_.settings.worker = bench_.folder.path() / "worker";
    }
    RunResult runWith(const std::string& worker) {
        bench_.folder.write("worker", worker);
        const auto end = bench_.run(bench_.create());
        EXPECT_TRUE(end) << describe(end.error());
        return end->results.at(0);
    }

    Bench bench_{2, {{"recipes", {"toy-worker"}}, {"topologies", {"2n1g"}}}};
};

TEST_F(WorkerRun, FindsItsWorkerInTheContainersFolder) {
    const std::string toy = bytesOf(fs::path(DLPERF_SOURCE_DIR) / "tests/run/recipes/toy/launch.sh");
    const RunResult result = runWith("#!/bin/bash\n[ \"$1\" = --version ] && exit 0\n" + toy);
    EXPECT_EQ(result.outcome, Outcome::Ok) << result.reason;
    EXPECT_TRUE(fs::exists(bench_.folder.path() / "inside/bin"));
}

TEST_F(WorkerRun, IsNotStartedWithAWorkerThatDoesNotStart) {
    const RunResult result = runWith("#!/bin/sh\necho 'version `GLIBC_9.9'\\'' not found' >&2; exit 1\n");
    EXPECT_EQ(result.outcome, Outcome::Failed);
    EXPECT_THAT(result.reason, HasSubstr("dlperf-worker needs GLIBC_9.9, the system there is older"));
    EXPECT_FALSE(fs::exists(bench_.lockOf("a"))) << "the nodes are free again";
}

}  // namespace
}  // namespace dlperf::run
