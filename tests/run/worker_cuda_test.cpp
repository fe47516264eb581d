// SPDX-License-Identifier: Apache-2.0
// The worker's CUDA backend on its way to a node, and what is said where it is asked for and cannot be used.
#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "core/base/resources.h"
#include "core/run/worker_trouble.h"
#include "tests/run/bench.h"
#include "tests/run/worker_node.h"

namespace dlperf::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class WorkerCuda : public WorkerNode {
protected:
    // The node has no GPU, as far as nvidia-smi knows, whatever this machine has.
    WorkerCuda() {
        nvidiaSmi("exit 9");
        ::setenv("PATH", ((folder_.path() / "gpus").string() + ":" + path_).c_str(), 1);
    }
    ~WorkerCuda() override { ::setenv("PATH", path_.c_str(), 1); }

    void addGpu() const { nvidiaSmi("echo 'GPU 0: NVIDIA of the test (UUID: 1)'"); }
    void ask(const std::string& backend, const std::string& precision) {
        launch_.environment["DLPERF_OPT_BACKEND"] = backend;
        launch_.environment["DLPERF_PRECISION"] = precision;
    }
    WorkerFiles workerAnd(const std::string& library, const std::string& bytes = "#!/bin/sh\n") const {
        folder_.write(std::string("here/") + cudaLibrary, library);
        return worker(bytes);
    }
    // A worker that says this of its backend once the setup was sourced, else that it cannot be loaded.
    static std::string workerThatSays(const std::string& words) {
        return "#!/bin/sh\necho 'dlperf-worker 9'\nif [ \"$FROM_SETUP\" = yes ]; then echo 'CUDA backend: "
               "yes'; "
               "else echo 'CUDA backend: " +
               words + "'; fi\n";
    }
    static fs::path libraryIn(const std::string& folder) { return fs::path(folder) / cudaLibrary; }

private:
    void nvidiaSmi(const std::string& does) const {
        folder_.write("gpus/nvidia-smi", "#!/bin/sh\n" + does + "\n");
        fs::permissions(folder_.path() / "gpus/nvidia-smi", fs::perms::owner_all);
    }

    const std::string path_ = std::getenv("PATH");
};

TEST_F(WorkerCuda, IsSentWithTheWorkerAndNotAgain) {
    const WorkerFiles files = workerAnd("cuda 1");
    const auto there = bringWorker(nodeRun(), files, {});
    ASSERT_TRUE(there) << describe(there.error());
    EXPECT_EQ(bytesOf(libraryIn(*there)), "cuda 1");
    EXPECT_EQ(bytesOf(fs::path(*there) / "dlperf-worker"), "#!/bin/sh\n");
    EXPECT_EQ(bringWorker(nodeRun(), files, {}).value(), *there);
    EXPECT_EQ(transport_->uploads, 2);
}

TEST_F(WorkerCuda, AddedLaterOrChangedItComesWithAFolderOfItsOwn) {
    const auto without = bringWorker(nodeRun(), worker("#!/bin/sh\n"), {});
    const auto first = bringWorker(nodeRun(), workerAnd("cuda 1"), {});
    const auto second = bringWorker(nodeRun(), workerAnd("cuda 2"), {});
    const auto newer = bringWorker(nodeRun(), workerAnd("cuda 2", "#!/bin/sh\n# newer\n"), {});
    ASSERT_TRUE(without && first && second && newer);
    EXPECT_EQ((std::set<std::string>{*without, *first, *second, *newer}.size()), 4U);
    EXPECT_FALSE(fs::exists(libraryIn(*without)));
    EXPECT_EQ(bytesOf(libraryIn(*first)), "cuda 1") << "a run may be using it";
    EXPECT_EQ(bytesOf(libraryIn(*second)), "cuda 2");
    EXPECT_EQ(bytesOf(libraryIn(*newer)), "cuda 2");
}

TEST_F(WorkerCuda, RemovedHereItIsInNoFolderThatIsUsed) {
    ASSERT_TRUE(bringWorker(nodeRun(), workerAnd("cuda 1"), {}));
    fs::remove(libraryIn((folder_.path() / "here").string()));
    const auto there = bringWorker(nodeRun(), worker("#!/bin/sh\n"), {});
    ASSERT_TRUE(there);
    EXPECT_FALSE(fs::exists(libraryIn(*there)));
}

TEST_F(WorkerCuda, DamagedOrLostOnTheNodeItAloneIsSentAgain) {
    const WorkerFiles files = workerAnd("cuda 1");
    const auto there = bringWorker(nodeRun(), files, {});
    ASSERT_TRUE(there);
    std::ofstream(libraryIn(*there)) << "cuda 0";
    ASSERT_TRUE(bringWorker(nodeRun(), files, {}));
    EXPECT_EQ(bytesOf(libraryIn(*there)), "cuda 1");
    fs::remove(libraryIn(*there));
    ASSERT_TRUE(bringWorker(nodeRun(), files, {}));
    EXPECT_EQ(bytesOf(libraryIn(*there)), "cuda 1");
    EXPECT_EQ(transport_->uploads, 4);
}

TEST_F(WorkerCuda, IsAskedForByTheBackendOrAPrecision) {
    const auto use = [this](const std::string& backend, const std::string& precision) {
        ask(backend, precision);
        return cudaUseOf(launch_);
    };
    EXPECT_EQ(use("cuda", "fp32"), CudaUse::Must);
    EXPECT_EQ(use("auto", "tf32"), CudaUse::Must);
    EXPECT_EQ(use("auto", "fp16"), CudaUse::Must);
    EXPECT_EQ(use("auto", "fp32"), CudaUse::WhereGpus);
    EXPECT_EQ(use("auto", "bf16"), CudaUse::WhereGpus);
    EXPECT_EQ(use("cpu", "fp16"), CudaUse::No) << "the worker says that no CPU has it";
    EXPECT_EQ(cudaUseOf({}), CudaUse::No) << "a recipe without this option";
}

TEST_F(WorkerCuda, WhereItCannotBeUsedTheWorkersWordsAreSaid) {
    const std::string words =
        "the CUDA backend cannot be loaded: libcudnn.so.9: cannot open shared object file";
    ask("cuda", "fp32");
    const std::string said = trouble(workerThatSays(words));
    EXPECT_THAT(
        said, AllOf(HasSubstr("node a: dlperf-worker cannot use a GPU: " + words), HasSubstr("backend cpu")));
    EXPECT_EQ(trouble(workerThatSays("yes")), "");
    EXPECT_EQ(trouble(workerThatSays(words), "export FROM_SETUP=yes"), "") << "the setup names its libraries";
    ask("cpu", "fp32");
    EXPECT_EQ(trouble(workerThatSays(words)), "");
}

// --backend auto would compute on the CPU, and its figures would pass for a slow GPU's.
TEST_F(WorkerCuda, WhereTheNodeHasGpusItMayNotFallBackUnseen) {
    const std::string words = "lib.so was built of other sources than this program (1, not 2)";
    ask("auto", "fp32");
    EXPECT_EQ(trouble(workerThatSays(words)), "") << "nothing is lost where there is no GPU";
    addGpu();
    EXPECT_THAT(trouble(workerThatSays(words)), AllOf(HasSubstr(words), HasSubstr("Build both again")));
    EXPECT_EQ(trouble(workerThatSays("there is no CUDA backend here: lib.so is missing")), "")
        << "a worker without one is what was built";
    ask("auto", "tf32");
    EXPECT_THAT(
        trouble(workerThatSays("there is no CUDA backend here: lib.so is missing")),
        AllOf(HasSubstr("lib.so is missing"), HasSubstr("Build dlperf-worker where nvcc and cuDNN are")));
}

#ifdef DLPERF_OTHER_CUDA_BACKEND
// The worker that was built, brought with what stands beside it in a folder of the test's.
class RealWorkerCuda : public WorkerCuda {
protected:
    std::string said(const fs::path& library) {
        fs::create_directories(folder_.path() / "here");
        fs::copy_file(workerFolder() / "dlperf-worker", folder_.path() / "here/worker");
        if (!library.empty()) {
            fs::copy_file(library, libraryIn((folder_.path() / "here").string()));
        }
        return troubleOf(readWorker(folder_.path() / "here/worker").value());
    }
};

TEST_F(RealWorkerCuda, OfOtherSourcesIsRefused) {
    ask("auto", "fp32");
    addGpu();
    EXPECT_THAT(said(DLPERF_OTHER_CUDA_BACKEND),
                AllOf(HasSubstr("was built of other sources than this program (0.0.1 of old, not "),
                      HasSubstr("Build both again")));
}

TEST_F(RealWorkerCuda, WhoseLibrariesAreMissingNamesThem) {
    folder_.write("lacking.so", needing("libcudnnx.so.9", DLPERF_OTHER_CUDA_BACKEND));
    ask("cuda", "fp16");
    EXPECT_THAT(said(folder_.path() / "lacking.so"),
                AllOf(HasSubstr("cannot use a GPU: the CUDA backend cannot be loaded: the machine has no "
                                "libcudnnx.so.9. "),
                      HasSubstr("apt install libcudnnx9)"), HasSubstr("LD_LIBRARY_PATH")));
}

TEST_F(RealWorkerCuda, ThatIsNoneIsRefused) {
    ask("auto", "fp32");
    addGpu();
    EXPECT_THAT(said("/etc/passwd"), HasSubstr("the CUDA backend cannot be loaded: "));
}

TEST_F(RealWorkerCuda, ThatIsMissingIsNeededByAPrecisionOnly) {
    ask("auto", "fp32");
    addGpu();
    EXPECT_EQ(said({}), "");
    ask("auto", "fp16");
    EXPECT_THAT(troubleOf(readWorker(folder_.path() / "here/worker").value()),
                HasSubstr("dlperf-worker cannot use a GPU: there is no CUDA backend here: "));
}

#ifdef DLPERF_CUDA_BACKEND
TEST_F(RealWorkerCuda, ThatWasBuiltIsUsable) {
    ask("cuda", "tf32");
    EXPECT_EQ(said(DLPERF_CUDA_BACKEND), "");
}
#endif

// The bundled recipe with the real worker: what no CPU has ends the run with the sentence of the process, not
// with that of the one that started it.
TEST(RealWorkerRun, APrecisionThatNoCpuHasIsSaid) {
    Bench bench;
    bench.inputs.recipes = launch::readRecipes({fs::path(DLPERF_SOURCE_DIR) / "resources/recipes"});
    bench.inputs.plan = launch::planFromJson({{"name", "half"},
                                              {"recipes", {"dlperf-worker"}},
                                              {"topologies", {"1n2g"}},
                                              {"batch_sizes", {2}},
                                              {"precisions", {"fp16"}},
                                              {"warmup", 1},
                                              {"train", 3},
                                              {"timeout_s", 60},
                                              {"options", {{"dlperf-worker", {{"backend", "cpu"}}}}}},
                                             "plan")
                            .value();
    bench.prepared =
        launch::prepare(bench.inputs.plan, bench.inputs.cluster, bench.inputs.recipes, Vocabulary{}).value();
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(end->results.at(0).reason,
                testing::MatchesRegex(
                    "node a: the trainer ended with exit code 7, its last line: dlperf-worker: rank [01]: "
                    "the CPU backend has no --precision fp16; it has fp32 and bf16"));
}
#endif

TEST(WorkerTrouble, OfTheCudaBackendSaysWhatHelps) {
    const auto said = [](const std::string& words, std::vector<std::string> missing = {}) {
        return describe(cudaTrouble({0, {}, std::move(missing), words}, "node a"));
    };
    const std::string cannot = "the CUDA backend cannot be loaded: ";
    EXPECT_THAT(said(cannot + "/lib/libc.so.6: version `GLIBC_2.38' not found (required by lib.so)"),
                AllOf(HasSubstr("version `GLIBC_2.38' not found"),
                      HasSubstr("Build dlperf-worker on such a machine")));
    EXPECT_THAT(
        said(cannot + "libnccl.so.2: cannot open", {"libcudnn.so.9", "libcublas.so.13", "libnccl.so.2"}),
        AllOf(HasSubstr("the machine has no libcudnn.so.9 libcublas.so.13 libnccl.so.2. "),
              HasSubstr("apt install libcudnn9-cuda-13 libcublas-13-0 libnccl2)")));
    EXPECT_THAT(said("was built of other sources than this program"), HasSubstr("or remove the library"));
}

// A plan on this machine, whose worker is not brought but stands beside the program.
TEST(WorkerCudaRun, IsNotStartedWithoutTheBackendThatItAsksFor) {
    Bench bench(1, {{"recipes", {"toy-worker"}}}, {{"backend", "cuda"}});
    const std::string words = "the CUDA backend cannot be loaded: libcudnn.so.9: no such file";
    bench.folder.write("bin/dlperf-worker", "#!/bin/sh\necho 'CUDA backend: " + words + "'\n");
    fs::permissions(bench.folder.path() / "bin/dlperf-worker", fs::perms::owner_all);
    for (launch::PlannedRun& run : bench.prepared.runs) {
        run.nodes.at(0).environment["DLPERF_BIN_DIR"] = (bench.folder.path() / "bin").string();
    }
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("node a: dlperf-worker cannot use a GPU: " + words));
    EXPECT_FALSE(fs::exists(bench.lockOf("a"))) << "the node is free again";
}

}  // namespace
}  // namespace dlperf::run
