// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "base/failure.h"
#include "base/numbers.h"

namespace dlperf::worker {
namespace {

// Sets an option; returns what the value may be where it is not that.
using Setter = std::function<std::optional<std::string>(Options&, const std::string&)>;

struct Option {
    std::string_view name;
    std::string_view value;  // its name in the help; empty: a flag
    std::string_view help;
    Setter set;
};

template <typename Member>
Setter integer(Member Options::*member, std::int64_t lowest, std::int64_t highest, std::int64_t step = 1) {
    return [=](Options& options, const std::string& text) -> std::optional<std::string> {
        const auto number = numberIn<std::int64_t>(text);
        if (number && *number >= lowest && *number <= highest && *number % step == 0) {
            options.*member = static_cast<Member>(*number);
            return std::nullopt;
        }
        const std::string kind = step == 1 ? "a whole number" : "a multiple of " + std::to_string(step);
        return kind + " from " + std::to_string(lowest) + " to " + std::to_string(highest);
    };
}

// `below`: the limit itself is not allowed.
template <typename Member>
Setter real(Member Options::*member, double lowest, double below, const std::string& range) {
    return [=](Options& options, const std::string& text) -> std::optional<std::string> {
        const auto number = numberIn<double>(text);
        if (!number || !std::isfinite(*number) || *number < lowest || *number >= below) {
            return range;
        }
        options.*member = *number;
        return std::nullopt;
    };
}

template <typename Value>
Setter choice(Value Options::*member, std::vector<std::pair<std::string, Value>> values) {
    return [=](Options& options, const std::string& text) -> std::optional<std::string> {
        std::string names;
        for (const auto& [name, value] : values) {
            if (name == text) {
                options.*member = value;
                return std::nullopt;
            }
            names.append(names.empty() ? "" : " or ").append(name);
        }
        return names;
    };
}

Setter text(std::string Options::*member) {
    return [=](Options& options, const std::string& value) -> std::optional<std::string> {
        if (value.empty()) {
            return "a folder";
        }
        options.*member = value;
        return std::nullopt;
    };
}

Setter flag(bool Options::*member) {
    return [=](Options& options, const std::string&) -> std::optional<std::string> {
        options.*member = true;
        return std::nullopt;
    };
}

const std::vector<Option>& optionTable() {
    static const std::vector<Option> table = {
        {"measure", "M", "training; links: all-reduces of rising sizes; data: reading --data (training)",
         choice(&Options::measure,
                {{"training", Measured::Training}, {"links", Measured::Links}, {"data", Measured::Data}})},
        {"batch-size", "N", "images a device and iteration (8)", integer(&Options::batchSize, 1, 1 << 20)},
        {"iterations", "N", "how many to run (120)", integer(&Options::iterations, 1, 1'000'000'000)},
        {"warmup", "N", "iterations that the ranks' mean times leave out (20)",
         integer(&Options::warmup, 0, 1'000'000'000)},
        {"precision", "P", "fp32, bf16 or, on a GPU, tf32 or fp16 (fp32)",
         choice(&Options::precision, {{"fp32", Precision::Fp32},
                                      {"tf32", Precision::Tf32},
                                      {"fp16", Precision::Fp16},
                                      {"bf16", Precision::Bf16}})},
        {"image-size", "N", "pixels, a multiple of 32 (224)", integer(&Options::imageSize, 32, 4096, 32)},
        {"data", "DIR", "images, one sub-folder a class; without it synthetic data", text(&Options::data)},
        {"workers", "N", "threads that decode images, a device (as many as training needs)",
         integer(&Options::workers, 1, 1024)},
        {"decode", "D", "where JPEG images are decoded: host, gpu (by nvJPEG) or auto (host)",
         choice(&Options::decode,
                {{"auto", DecodePlace::Auto}, {"host", DecodePlace::Host}, {"gpu", DecodePlace::Gpu}})},
        {"threads", "N", "threads that compute, a device (1)", integer(&Options::threads, 1, 1024)},
        {"classes", "N", "classes to tell apart (1000)", integer(&Options::classes, 2, 1 << 20)},
        {"lr", "F", "learning rate (0.1 x global batch size / 256)",
         real(&Options::learningRate, 0, std::numeric_limits<float>::max(), "a number from 0 up")},
        {"momentum", "F", "of SGD (0.9)", real(&Options::momentum, 0, 1, "a number from 0 to below 1")},
        {"weight-decay", "F", "of SGD (0.0001)",
         real(&Options::weightDecay, 0, 1, "a number from 0 to below 1")},
        {"label-smoothing", "F", "share of the target spread over all classes (0)",
         real(&Options::labelSmoothing, 0, 1, "a number from 0 to below 1")},
        {"seed", "N", "of weights, order and augmentation (1)",
         integer(&Options::seed, 0, std::numeric_limits<std::int64_t>::max())},
        {"backend", "B", "auto, cpu or cuda (auto)",
         choice(&Options::backend,
                {{"auto", BackendKind::Auto}, {"cpu", BackendKind::Cpu}, {"cuda", BackendKind::Cuda}})},
        {"comm", "C", "auto, nccl (GPU to GPU) or gloo (by way of the hosts) (auto)",
         choice(&Options::comm,
                {{"auto", CommKind::Auto}, {"nccl", CommKind::Nccl}, {"gloo", CommKind::Gloo}})},
        {"devices", "N", "start this many processes on this node", integer(&Options::devices, 1, 1024)},
        {"nodes", "N", "with --devices: nodes that take part (1)", integer(&Options::nodes, 1, 65536)},
        {"node-rank", "N", "with --nodes: which of them this is (0)", integer(&Options::nodeRank, 0, 65535)},
        {"comm-timeout", "S", "seconds to wait for another process (120)",
         integer(&Options::commTimeout, 1, 86400)},
        {"seconds", "S", "with --measure data: how long files are read at most (10)",
         integer(&Options::seconds, 1, 3600)},
        {"bucket-mb", "F", "MiB of gradients reduced at once (16)",
         real(&Options::bucketMb, 0.001, 4096, "a number from 0.001 to below 4096")},
        {"help", "", "show this text", flag(&Options::help)},
        {"version", "", "show the version and what it was built with", flag(&Options::version)},
    };
    return table;
}

[[noreturn]] void refuse(const std::string& message) {
    throw Failure(ExitCode::Usage, message + " (--help lists the options)");
}

const Option& findOption(const std::string& argument, std::string_view name) {
    if (argument.size() > 2 && argument.starts_with("--")) {
        for (const Option& option : optionTable()) {
            if (option.name == name) {
                return option;
            }
        }
    }
    refuse("unknown option '" + argument + "'");
}

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

Options parseOptions(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const Option& option = findOption(argument, name.substr(std::min<std::size_t>(2, name.size())));

        std::string value;
        if (option.value.empty()) {
            if (equals != std::string::npos) {
                refuse(name + " takes no value");
            }
        } else if (equals != std::string::npos) {
            value = argument.substr(equals + 1);
        } else if (i + 1 < arguments.size()) {
            value = arguments[++i];
        } else {
            refuse(name + " needs a value");
        }
        if (const auto allowed = option.set(options, value)) {
            std::string message = name;
            refuse(message.append(" must be ").append(*allowed).append(", not '").append(value).append("'"));
        }
    }
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
    for (const Option& option : optionTable()) {
        std::string left = "  --" + std::string(option.name) + " " + std::string(option.value);
        left.resize(std::max<std::size_t>(left.size() + 2, 24), ' ');
        lines.append(left).append(option.help).append("\n");
    }
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
    constexpr const char* names[] = {"fp32", "tf32", "fp16", "bf16"};
    return names[static_cast<std::size_t>(precision)];
}

std::string toString(CommKind comm) {
    return comm == CommKind::Nccl ? "nccl" : comm == CommKind::Gloo ? "gloo" : "auto";
}

std::string toString(BackendKind backend) {
    return backend == BackendKind::Auto ? "auto" : backend == BackendKind::Cpu ? "cpu" : "cuda";
}

std::string toString(DecodePlace place) {
    return place == DecodePlace::Auto ? "auto" : place == DecodePlace::Host ? "host" : "gpu";
}

}  // namespace dlperf::worker
