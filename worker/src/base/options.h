// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dlperf::worker {

// Tf32: numbers kept as fp32, multiplied with ten bits. Fp16: with fp32 master weights and a loss scale.
enum class Precision { Fp32, Tf32, Fp16, Bf16 };
enum class BackendKind { Auto, Cpu, Cuda };
// How gradients are reduced. Nccl: from GPU to GPU; Gloo: by way of the hosts.
enum class CommKind { Auto, Nccl, Gloo };
// Where JPEG images are decoded. Auto: on the GPU where it can.
enum class DecodePlace { Auto, Host, Gpu };
// What the program is there for.
enum class Measured { Training, Links, Data };

// The command line, with values within the option table's ranges.
struct Options {
    Measured measure = Measured::Training;
    int batchSize = 8;  // images a device and iteration
    int iterations = 120;
    int warmup = 20;  // iterations before those of the ranks' mean times
    Precision precision = Precision::Fp32;
    int imageSize = 224;  // pixels; a multiple of 32
    int classes = 1000;
    std::string data;            // folder of images; empty: synthetic
    std::optional<int> workers;  // threads that decode images, a device; absent: as many as keep up
    DecodePlace decode = DecodePlace::Host;
    int threads = 1;  // threads that compute, a device
    double labelSmoothing = 0;
    std::optional<double> learningRate;  // absent: 0.1 for every 256 images of the global batch
    double momentum = 0.9;
    double weightDecay = 1e-4;
    std::uint64_t seed = 1;
    BackendKind backend = BackendKind::Auto;
    CommKind comm = CommKind::Auto;
    std::optional<int> devices;  // start this many processes here
    std::optional<int> nodes;
    int nodeRank = 0;
    int commTimeout = 120;  // seconds
    int seconds = 10;       // that files are read for at most
    double bucketMb = 16;   // MiB of gradients reduced at once
    bool help = false;
    bool version = false;

    // True where this process starts the devices' processes rather than being one.
    bool launches() const { return devices.value_or(1) > 1 || nodes.value_or(1) > 1; }
};

struct Option;
// All of them, for as long as `options` is there.
std::vector<Option> optionTable(Options& options);

// Throws Failure(Usage).
Options parseOptions(const std::vector<std::string>& arguments);

std::string helpText();

std::string toString(Precision precision);
std::string toString(BackendKind backend);
std::string toString(CommKind comm);
std::string toString(DecodePlace place);

}  // namespace dlperf::worker
