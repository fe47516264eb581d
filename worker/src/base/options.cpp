// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <array>
#include <limits>
#include <string_view>

#include "base/option_table.h"

namespace dlperf::worker {
namespace {

constexpr std::array<std::string_view, 3> measuredNames = {"training", "links", "data"};
constexpr std::array<std::string_view, 4> precisionNames = {"fp32", "tf32", "fp16", "bf16"};
constexpr std::array<std::string_view, 3> decodeNames = {"auto", "host", "gpu"};
constexpr std::array<std::string_view, 3> backendNames = {"auto", "cpu", "cuda"};
constexpr std::array<std::string_view, 3> commNames = {"auto", "nccl", "gloo"};

void checkTogether(const Options& options) {
    if (options.nodeRank >= options.nodes.value_or(1)) {
        refuse("--node-rank " + std::to_string(options.nodeRank) + " needs --nodes above it, not " +
               std::to_string(options.nodes.value_or(1)));
    }
    if (options.measure == Measured::Data && options.data.empty()) {
        refuse("--measure data needs --data, the folder that is read");
    }
}

}  // namespace

std::vector<Option> optionTable(Options& options) {
    return {
        {"measure", "M", "training; links: all-reduces of rising sizes; data: reading --data (training)",
         choice(options.measure, measuredNames)},
        {"batch-size", "N", "images a device and iteration (8)", integer(options.batchSize, 1, 1 << 20)},
        {"iterations", "N", "how many to run (120)", integer(options.iterations, 1, 1'000'000'000)},
        {"warmup", "N", "iterations that the ranks' mean times leave out (20)",
         integer(options.warmup, 0, 1'000'000'000)},
        {"precision", "P", "fp32, bf16 or, on a GPU, tf32 or fp16 (fp32)",
         choice(options.precision, precisionNames)},
        {"image-size", "N", "pixels, a multiple of 32 (224)", integer(options.imageSize, 32, 4096, 32)},
        {"data", "DIR", "images, one sub-folder a class; without it synthetic data",
         path(options.data, "a folder")},
        {"workers", "N", "threads that decode images, a device (as many as training needs)",
         integer(options.workers, 1, 1024)},
        {"decode", "D", "where JPEG images are decoded: host, gpu (by nvJPEG) or auto (host)",
         choice(options.decode, decodeNames)},
        {"threads", "N", "threads that compute, a device (1)", integer(options.threads, 1, 1024)},
        {"classes", "N", "classes to tell apart (1000)", integer(options.classes, 2, 1 << 20)},
        {"lr", "F", "learning rate (0.1 x global batch size / 256)",
         real(options.learningRate, 0, std::numeric_limits<float>::max(), "a number from 0 up")},
        {"momentum", "F", "of SGD (0.9)", real(options.momentum, 0, 1, "a number from 0 to below 1")},
        {"weight-decay", "F", "of SGD (0.0001)",
         real(options.weightDecay, 0, 1, "a number from 0 to below 1")},
        {"label-smoothing", "F", "share of the target spread over all classes (0)",
         real(options.labelSmoothing, 0, 1, "a number from 0 to below 1")},
        {"seed", "N", "of weights, order and augmentation (1)",
         integer(options.seed, 0, std::numeric_limits<std::int64_t>::max())},
        {"backend", "B", "auto, cpu or cuda (auto)", choice(options.backend, backendNames)},
        {"comm", "C", "auto, nccl (GPU to GPU) or gloo (by way of the hosts) (auto)",
         choice(options.comm, commNames)},
        {"devices", "N", "start this many processes on this node", integer(options.devices, 1, 1024)},
        {"nodes", "N", "with --devices: nodes that take part (1)", integer(options.nodes, 1, 65536)},
        {"node-rank", "N", "with --nodes: which of them this is (0)", integer(options.nodeRank, 0, 65535)},
        {"comm-timeout", "S", "seconds to wait for another process (120)",
         integer(options.commTimeout, 1, 86400)},
        {"seconds", "S", "with --measure data: how long files are read at most (10)",
         integer(options.seconds, 1, 3600)},
        {"bucket-mb", "F", "MiB of gradients reduced at once (16)",
         real(options.bucketMb, 0.001, 4096, "a number from 0.001 to below 4096")},
        {"help", "", "show this text", flag(options.help)},
        {"version", "", "show the version and what it was built with", flag(options.version)},
    };
}

Options parseOptions(const std::vector<std::string>& arguments) {
    Options options;
    parse(optionTable(options), arguments);
    checkTogether(options);
    return options;
}

std::string helpText() {
    std::string lines =
        "usage: dlperf-worker [options]\n"
        "Trains ResNet50 v1.5, alone or data-parallel with other processes, and logs one line an "
        "iteration.\n"
        "Or measures the links between these processes (--measure links), a line for each size of "
        "message,\n"
        "or how fast one process reads a folder (--measure data).\n\n";
    Options options;
    lines += helpOn(optionTable(options));
    lines +=
        "\nIts place among several processes comes from RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and "
        "MASTER_PORT\n"
        "(as torchrun sets them), from mpirun or srun, or from --devices, --nodes and --node-rank.\n"
        "DLPERF_INTERFACE names the network interface to use; DLPERF_WORKER_CUDA the library for GPUs, which "
        "is else\n"
        "beside the program, DLPERF_WORKER_NVJPEG nvJPEG's, which is else looked for as usual;\n"
        "DLPERF_WORKER_FUSION=never has fp16 do without fused convolutions, always with "
        "all\n"
        "(measured, which is the default, takes the fastest);\n"
        "DLPERF_WORKER_PLANS=0 times none of cuDNN's plans for a convolution: the first is taken, and not "
        "kept.\n"
        "Exit codes: 0 done, 2 usage, 3 rendezvous failed, 4 data, 5 memory, 6 a peer was lost,\n"
        "7 backend not available, 8 log not writable, 1 anything else.\n";
    return lines;
}

std::string toString(Precision precision) {
    return std::string(precisionNames.at(static_cast<std::size_t>(precision)));
}

std::string toString(BackendKind backend) {
    return std::string(backendNames.at(static_cast<std::size_t>(backend)));
}

std::string toString(CommKind comm) {
    return std::string(commNames.at(static_cast<std::size_t>(comm)));
}

std::string toString(DecodePlace place) {
    return std::string(decodeNames.at(static_cast<std::size_t>(place)));
}

}  // namespace dlperf::worker
