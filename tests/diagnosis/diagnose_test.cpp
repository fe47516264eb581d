// SPDX-License-Identifier: Apache-2.0
// Lines of real logs, as public threads and DLPerf's own notes quote them, and lines that must not alarm.
#include "core/diagnosis/diagnose.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace dlperf::diagnosis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Rules ours() {
    static const Rules rules = std::make_shared<const RuleSet>(
        RuleSet::fromFile(std::filesystem::path(DLPERF_SOURCE_DIR) / "resources/diagnosis.json").value());
    return rules;
}

std::vector<Hint> hintsOf(const std::string& log) {
    LogDiagnosis diagnosis(ours(), "node2");
    diagnosis.feed(log);
    diagnosis.finish();
    return diagnosis.hints();
}

std::vector<std::string> rulesOf(const std::string& log) {
    std::vector<std::string> ids;
    for (const Hint& hint : hintsOf(log)) {
        ids.push_back(hint.rule);
    }
    return ids;
}

struct Seen {
    const char* rule;
    const char* line;
};

// In brackets: where the line was seen.
const std::vector<Seen> seen{
    // [github.com/lllyasviel/FramePack/issues/369]
    {"gpu-memory", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 29.76 GiB"},
    // [github.com/chnsh/DCRNN_PyTorch/issues/6]
    {"gpu-memory",
     "RuntimeError:CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 5.80 GiB total capacity"},
    {"gpu-memory", "Resource exhausted: OOM when allocating tensor with shape[256,64,112,112]"},
    {"gpu-memory", "mxnet.base.MXNetError: cudaMalloc failed: out of memory"},
    {"gpu-memory", "dlperf-worker: rank 1: CUDA cannot allocate device memory: out of memory"},
    {"allocation-failed", "terminate called after throwing an instance of 'std::bad_alloc'"},
    {"allocation-failed", "numpy.core._exceptions.MemoryError: Unable to allocate 2.00 GiB"},
    {"allocation-failed", "dlperf-worker: rank 0: out of memory; use a smaller --batch-size or --image-size"},
    {"allocation-failed",
     "dlperf-worker: rank 0: a device needs 41.0 GiB of memory and may take 10.9 GiB here (2 on this node); "
     "use a "
     "smaller --batch-size or --image-size"},
    {"host-memory", "launch.sh: line 12:  2936 Killed                  python3 train.py"},
    {"host-memory", "Killed"},
    {"host-memory", "[12345.6] Out of memory: Killed process 4242 (python3) total-vm:1k"},
    {"host-memory", "  exitcode  : -9 (pid: 4242)"},
    // [github.com/pytorch/pytorch/issues/108861]
    {"shared-memory",
     "RuntimeError: DataLoader worker (pid 11011) is killed by signal: Bus error. It is possible that "
     "dataloader's workers are out of shared memory."},
    // [DLPerf's notes on pitfalls]
    {"link-local-address",
     "NCCL WARN Connect to fe80::a480:7fff:fecf:1ed9%13<45166> failed : Network is unreachable"},
    // [github.com/Oneflow-Inc/oneflow/issues/3586]
    {"virtual-interface",
     "worker:101542:101542 [0] NCCL INFO Bootstrap : Using [0]eno1:172.18.40.41<0> "
     "[1]veth25f2e72:fe80::380d:bfff:fe5b:54d2%veth25f2e72<0>"},
    // [github.com/sgl-project/sglang/issues/3820]
    {"nccl-unreachable",
     "NCCL WARN socketPollConnect: Connect to 10.0.0.4<56849> returned 113(No route to host) errno "
     "115(Operation now in progress)"},
    // [clusters whose /etc/hosts gives a machine's own name to 127.0.1.1]
    {"own-name-loopback",
     "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:799] connect [127.0.0.1]:12685: "
     "Connection refused"},
    // [github.com/RVC-Project/Retrieval-based-Voice-Conversion-WebUI/issues/1882]
    {"peer-ended",
     "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer "
     "[127.0.0.1]:10895"},
    {"peer-ended",
     "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:589] Read error [192.168.70.92]:25266: "
     "Connection reset by peer"},
    // [Open MPI 4.1.4, PyTorch 1.13, Slurm 22.05]
    {"first-to-fail",
     "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 11 (Segmentation fault)."},
    {"first-to-fail", "  Process name: [[13504,1],1]"},
    {"first-to-fail",
     "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 3) local_rank: 0 (pid: 2510) of "
     "binary: dlperf-worker"},
    {"first-to-fail", "srun: error: c2: task 3: Exited with exit code 3"},
    // [DLPerf's notes on pitfalls]
    {"infiniband-driver",
     "libibverbs: Warning: no userspace device-specific driver found for "
     "/sys/class/infiniband_verbs/uverbs0"},
    {"sockets-over-infiniband", "node1:211:342 [0] NCCL INFO NET/Socket : Using [0]ib0:10.149.0.32<0>"},
    // [github.com/NVIDIA/nccl/issues/529]
    {"sockets-over-infiniband", "c2:97:221 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1."},
    // [github.com/pytorch/pytorch/issues/85604]
    {"port-in-use",
     "[W socket.cpp:401] [c10d] The server socket has failed to listen on [::]:47531 (errno: 98 - Address "
     "already in use)."},
    // [github.com/om-ai-lab/VLM-R1/issues/289]
    {"port-in-use", "port: 29500, useIpv6: 0, code: -98, name: EADDRINUSE, message: address already in use"},
    // [worker/src/comm/socket.cpp]
    {"port-in-use",
     "dlperf-worker: rank 0 cannot listen at 127.0.0.1 port 17693: the port is in use; choose another "
     "MASTER_PORT"},
    // [github.com/NVIDIA/nccl-tests/issues/98]
    {"driver-too-old",
     "Test CUDA failure common.cu:1045 'CUDA driver version is insufficient for CUDA runtime version'"},
    {"nccl-versions", "ImportError: libtorch_cuda.so: undefined symbol: ncclCommRegister"},
    {"gpu-missing", "RuntimeError: No CUDA GPUs are available"},
    // [the bundled worker]
    {"gpu-missing",
     "dlperf-worker: --backend cuda needs an NVIDIA GPU and its driver, and there is no driver here; use "
     "--backend cpu"},
    {"gpu-missing", "dlperf-worker: rank 1: CUDA finds no GPU on this machine; use --backend cpu"},
    {"gpu-precision", "dlperf-worker: the CPU backend has no --precision tf32; it has fp32 and bf16"},
    {"gpu-precision", "dlperf-worker: rank 3: the CPU backend has no --precision fp16; it has fp32 and bf16"},
    {"worker-parts",
     "dlperf-worker: /opt/bin/libdlperf_worker_cuda.so was built of other sources than this program (0.0.1 "
     "of "
     "0123456789ab, not 0.1.0 of ba9876543210); use --backend cpu"},
    {"missing-library",
     "dlperf-worker: the CUDA backend cannot be loaded: libcudnn.so.9: cannot open shared object file: No "
     "such file or directory; use --backend cpu"},
    {"missing-data", "FileNotFoundError: [Errno 2] No such file or directory: '/data/imagenet/train'"},
    // [github.com/pmodels/mpich/issues/4712]
    {"ssh-between-nodes", "Host key verification failed."},
    // [github.com/horovod/horovod/issues/467]
    {"ssh-between-nodes", "Permission denied (publickey,password)."},
    {"ssh-between-nodes", "ssh: connect to host node3 port 10000: Connection refused"},
    {"missing-library",
     "python3: error while loading shared libraries: libnuma.so.1: cannot open shared object file: "
     "No such file or directory"},
    {"missing-module", "ModuleNotFoundError: No module named 'torch'"},
    {"missing-command", "/data/launch.sh: line 4: horovodrun: command not found"},
    {"permission", "PermissionError: [Errno 13] Permission denied: '/data/out'"},
    {"disk-full", "OSError: [Errno 28] No space left on device"},
    // [DLPerf's readme of gluon-nlp]
    {"gluon-nlp-argument", "TypeError: __init__() got an unexpected keyword argument 'round_to'"},
    // [github.com/pytorch/examples, main.py]
    {"loss-nan",
     "Epoch: [0][ 10/5005]\tTime  0.409 (  0.517)\tData  0.001 (  0.114)\tLoss nan (nan)\tAcc@1   0.00"},
    {"loss-nan", "iteration 21 epoch 0 loss nan time 1.284560 s data 0.000210 s throughput 12.46 images/s"},
    {"loss-nan", "epoch: 1 step: 5004, loss is nan"},
    {"loss-nan", "DLL 2020-11-02 10:21:07.123456 - Iteration: 40  step_loss : nan  learning_rate : 1e-05"},
    {"loss-nan", R"(DLLL {"type": "LOG", "step": [0, 20], "data": {"train.loss": NaN}})"},
    {"loss-nan", "INFO:tensorflow:loss = -nan, step = 100 (15.121 sec)"},
    {"loss-nan", "[Epoch 0 Batch 20/100] mlm_loss=nan nsp_loss=0.7 throughput=4.2K tks/s"},
    {"deprecated-fp16", "Warning:  FP16_Optimizer is deprecated and dangerous, and will be deleted soon."},
};

TEST(Diagnosis, KnowsWhatRealLogsSay) {
    for (const Seen& one : seen) {
        EXPECT_THAT(rulesOf(std::string(one.line) + "\n"), ElementsAre(one.rule)) << one.line;
    }
}

TEST(Diagnosis, LeavesHealthyLinesAlone) {
    for (const char* line : {
             "iteration 21 epoch 0 loss 6.9312 time 1.284560 s data 0.000210 s comm 0.0 s throughput 12.46 "
             "images/s",
             "Epoch: [0][78/313] Time 0.409 ( 0.517) Data 0.001 Loss 6.9274e+00 Acc@1 0.00",
             // without InfiniBand this is as it should be [github.com/NVIDIA/nccl/issues/226]
             "ip-172-31-12-21:45361:45361 [0] NCCL INFO NET/IB : No device found.",
             "ip-172-31-12-210:45305:45305 [0] NCCL INFO NET/Socket : Using [0]ens3:172.31.12.210<0>",
             // NCCL looks for a plug-in that few have [github.com/NVIDIA/nccl/issues/904]
             "x:1:2 [0] NCCL INFO NET/Plugin : Plugin load (libnccl-net.so) returned 2 : libnccl-net.so: "
             "cannot open "
             "shared object file: No such file or directory",
             "NCCL INFO NCCL_IB_DISABLE set by environment to 0.",
             "x:1:2 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to ^docker0,veth",
             "if reserved memory is >> allocated memory try setting max_split_size_mb",
             "Killed 0 stale workers",
             "top-1 error 0.31, 0 failed",
             "2026-11-21 memory: 3 GiB used, watch out of range values",
             "skipping versions.txt: nothing not found",
             "loss scaler nanny: loss 0.5, nan_to_num on",
             "weight_loss_nano = 3",
             // before its running mean has a value [github.com/Lightning-AI/pytorch-lightning/issues/5123]
             "Epoch 0:  10%|#         | 10/100 [00:01<00:09,  9.8it/s, loss=nan, v_num=1]",
             "stop training if loss is NaN: True",
             "using port 29500",
             "permission checks passed",
         }) {
        EXPECT_THAT(rulesOf(std::string(line) + "\n"), IsEmpty()) << line;
    }
}

TEST(Diagnosis, NamesNodeLineAndAddress) {
    const auto hints =
        hintsOf("one\ntwo\nNCCL WARN Connect to fe80::a480:7fff:fecf:1ed9%13<45166> failed : Network\n");
    ASSERT_EQ(hints.size(), 1U);
    EXPECT_EQ(hints[0].node, "node2");
    EXPECT_EQ(hints[0].line, 3);
    EXPECT_THAT(hints[0].what,
                HasSubstr("node2 tries to reach another node at fe80::a480:7fff:fecf:1ed9%13,"));
    EXPECT_THAT(hints[0].evidence, HasSubstr("NCCL WARN Connect to fe80"));
    EXPECT_THAT(hints[0].command, HasSubstr("NCCL_SOCKET_IFNAME="));
    EXPECT_EQ(hints[0].severity, Severity::Fail);
}

TEST(Diagnosis, TellsARuleOnceByItsFirstLine) {
    const auto hints = hintsOf("bind: Address already in use\nx\nbind: Address already in use\n");
    ASSERT_EQ(hints.size(), 1U);
    EXPECT_EQ(hints[0].line, 1);
}

TEST(Diagnosis, DoesNotDependOnTheChunks) {
    std::string log;
    for (const Seen& one : seen) {
        log += std::string(one.line) + "\r\nbetween\n";
    }
    const auto whole = hintsOf(log);
    for (const std::size_t size : {1U, 2U, 7U, 4096U}) {
        LogDiagnosis diagnosis(ours(), "node2");
        for (std::size_t at = 0; at < log.size(); at += size) {
            diagnosis.feed(std::string_view(log).substr(at, size));
        }
        diagnosis.finish();
        EXPECT_EQ(diagnosis.hints(), whole) << size;
    }
}

TEST(Diagnosis, ALineWithoutItsEndCountsAtTheEnd) {
    LogDiagnosis diagnosis(ours(), "a");
    diagnosis.feed("Host key verification failed.");
    EXPECT_THAT(diagnosis.hints(), IsEmpty());
    diagnosis.finish();
    EXPECT_EQ(diagnosis.hints().size(), 1U);
}

// What a log holds gets on screens and, by a click, into a shell.
TEST(Diagnosis, HostileTextIsBoundedCleanedAndQuoted) {
    const auto module =
        hintsOf("PermissionError: [Errno 13] Permission denied: '/x;$(reboot)\x1b[31m\xff'\n");
    ASSERT_EQ(module.size(), 1U);
    EXPECT_THAT(module[0].evidence, Not(HasSubstr("\x1b")));
    EXPECT_THAT(module[0].evidence, HasSubstr("\xEF\xBF\xBD"));
    EXPECT_THAT(module[0].command, testing::StartsWith("ls -ld '/x;$(reboot)"));
    const auto longest = hintsOf("Address already in use " + std::string(10'000'000, 'x') + "\nnext\n");
    ASSERT_EQ(longest.size(), 1U);
    EXPECT_LE(longest[0].evidence.size(), mostEvidence);
    const auto braces = hintsOf("ModuleNotFoundError: No module named 'node'\n");
    EXPECT_EQ(braces.at(0).command, "python3 -c 'import sys; __import__(sys.argv[1])' 'node'");
}

TEST(Diagnosis, AClusterWithoutAFileIsThisMachine) {
    EXPECT_EQ(hintsOfExit(*ours(), "this", 126).at(0).what,
              "This machine does not let the trainer do something: permission denied.");
}

TEST(Diagnosis, BinaryDoesNotHurt) {
    std::string bytes;
    for (int i = 0; i < 200'000; ++i) {
        bytes += static_cast<char>(i * 7919 % 251);
    }
    EXPECT_THAT(rulesOf(bytes), IsEmpty());
}

TEST(Diagnosis, ExitCodesSayWhatNoLineSays) {
    EXPECT_EQ(hintsOfExit(*ours(), "a", 137).at(0).rule, "host-memory");
    EXPECT_EQ(hintsOfExit(*ours(), "a", 127).at(0).rule, "missing-command");
    EXPECT_EQ(hintsOfExit(*ours(), "a", 127).at(0).line, 0);
    EXPECT_THAT(hintsOfExit(*ours(), "a", 1), IsEmpty());
    EXPECT_THAT(hintsOfExit(*ours(), "a", 0), IsEmpty());
}

TEST(Diagnosis, SilenceIsMeasuredByTheUsualIteration) {
    EXPECT_FALSE(hintOfSilence(*ours(), "a", 29, 0.1)) << "a checkpoint takes its time";
    const auto quick = hintOfSilence(*ours(), "a", 31, 0.1);
    ASSERT_TRUE(quick);
    EXPECT_THAT(quick->what,
                HasSubstr("a has printed nothing for 31 s, many times its usual iteration of 0.1 s"));
    EXPECT_FALSE(hintOfSilence(*ours(), "a", 199, 10));
    EXPECT_TRUE(hintOfSilence(*ours(), "a", 201, 10));
    EXPECT_FALSE(hintOfSilence(*ours(), "a", 1000, 0)) << "nothing is known yet";
    EXPECT_FALSE(hintOfSilence(*ours(), "a", 1000, std::numeric_limits<double>::infinity()));
}

TEST(Diagnosis, TheWorstComesFirstAndEachRuleOnce) {
    Hint warn{"w", Severity::Warn, "a", 1, {}, "w", {}, {}, {}};
    Hint fails{"f", Severity::Fail, "b", 2, {}, "f", {}, {}, {}};
    Hint again = fails;
    again.node = "c";
    EXPECT_THAT(mostTelling({warn, fails, again}), ElementsAre(fails, warn));
    EXPECT_THAT(mostTelling({warn, fails}, true), ElementsAre(warn)) << "it did not fail";
}

TEST(Diagnosis, IsKeptAsJson) {
    const auto hints = hintsOf("Address already in use\n");
    EXPECT_EQ(hintsFromJson(toJson(hints)), hints);
    EXPECT_THAT(hintsFromJson(Json{{"x", 1}}), IsEmpty());
    EXPECT_THAT(hintsFromJson(Json::array({1, "x", Json::object()})), IsEmpty());
}

}  // namespace
}  // namespace dlperf::diagnosis
