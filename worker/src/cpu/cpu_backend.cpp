// SPDX-License-Identifier: Apache-2.0
#include "cpu/cpu_backend.h"

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "backend/backend.h"
#include "base/failure.h"
#include "cpu/network.h"

namespace dlperf::worker::cpu {
namespace {

// The number in a file of one line; anything else ("max", no such file) is no limit.
std::size_t numberIn(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::size_t value = 0;
    return file >> value ? value : noLimit;
}

std::size_t leftOf(std::size_t limit, std::size_t used) {
    if (limit == noLimit || used == noLimit) {
        return noLimit;
    }
    return limit > used ? limit - used : 0;
}

std::size_t machineMemory() {
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    std::size_t kib = 0;
    while (file >> key >> kib) {
        std::getline(file, unit);
        if (key == "MemAvailable:") {
            return kib * 1024;
        }
    }
    return noLimit;
}

// The number that follows the key in a file of one such pair a line; 0 where there is none.
std::size_t valueIn(const std::filesystem::path& path, const std::string& wanted) {
    std::ifstream file(path);
    std::string key;
    std::size_t value = 0;
    while (file >> key >> value) {
        if (key == wanted) {
            return value;
        }
    }
    return 0;
}

// Without the pages of files that were not used for a while, which the kernel drops before it refuses any.
std::size_t neededOf(std::size_t used, std::size_t cached) {
    return used == noLimit ? noLimit : used - std::min(used, cached);
}

// What a control group has left, of version 2 or 1.
std::size_t leftIn(const std::filesystem::path& group) {
    return std::min(
        leftOf(numberIn(group / "memory.max"),
               neededOf(numberIn(group / "memory.current"), valueIn(group / "memory.stat", "inactive_file"))),
        leftOf(numberIn(group / "memory.limit_in_bytes"),
               neededOf(numberIn(group / "memory.usage_in_bytes"),
                        valueIn(group / "memory.stat", "total_inactive_file"))));
}

std::string gibibytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1U << 30));
    return text;
}

// Throws Failure(Memory) where `bytes` for each of `devicesOnNode` processes are more than the machine or
// this process's control groups leave. Linux hands out memory that it does not have, so this is asked before
// allocating; of more than a process's own limit (ulimit) it hands out none.
void requireMemory(std::size_t bytes, int devicesOnNode) {
    const std::size_t shared = std::min(machineMemory(), memoryOfGroups());
    const std::size_t available =
        shared == noLimit ? noLimit : shared / static_cast<std::size_t>(devicesOnNode);
    if (bytes <= available) {
        return;
    }
    throw Failure(ExitCode::Memory, "a device needs " + gibibytes(bytes) + " of memory and may take " +
                                        gibibytes(available) + " here (" + std::to_string(devicesOnNode) +
                                        " on this node); use a smaller --batch-size or --image-size");
}

template <typename T>
class CpuBackend final : public Backend {
public:
    explicit CpuBackend(const Problem& problem)
        : net_(makeResNet50(problem.imageSize, problem.classes)),
          parameters_(parametersOf(net_)),
          network_(net_, problem, store_) {
        requireMemory(store_.bytes() + network_.bytes(), problem.devicesOnNode);
        store_.allocate();
        network_.build();
    }

    const std::vector<Parameter>& parameters() const override { return parameters_; }

    void setParameter(std::size_t index, std::span<const float> values) override {
        if (const WeightedLayer* layer = layerOf(index)) {
            layer->toMaster(values.data(), store_.weights(index));
        } else {
            std::copy(values.begin(), values.end(), store_.weights(index));
        }
        copiesAreStale_ = true;
    }

    std::vector<float> parameter(std::size_t index) const override {
        return read(index, store_.weights(index));
    }
    std::vector<float> gradient(std::size_t index) const override {
        return read(index, store_.gradients(index));
    }

    std::span<float> gradients() override { return store_.gradientsAndLoss(); }
    std::span<const std::size_t> gradientOffsets() const override { return store_.offsets(); }

    std::string layoutId() const override {
        std::string id = "cpu: ";
        for (const WeightedLayer& layer : network_.layers()) {
            id += layer.layoutId() + " ";
        }
        return id;
    }

    void computeGradients(const Batch& batch, const GradientsReady& ready) override {
        if (copiesAreStale_) {
            network_.refreshWeightCopies();
        }
        copiesAreStale_ = false;
        store_.gradientsAndLoss().back() = network_.forward(batch);
        network_.backward(ready);
    }

    void applyGradients(const SgdStep& step) override {
        kernels().sgd(step, store_.count(), store_.gradients(0), store_.momentum(), store_.weights(0));
        network_.refreshWeightCopies();
    }

    std::unique_ptr<Trainer> makeTrainer(const TrainerSetup&) override { return nullptr; }

    std::string name() const override { return "cpu"; }
    std::string libraries() const override {
        const dnnl_version_t* version = dnnl_version();
        return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
               std::to_string(version->patch) + ", loops " + kernels().instructionSet;
    }

private:
    // The layer whose weights the parameter is; null for a vector of channels.
    const WeightedLayer* layerOf(std::size_t index) const {
        const Parameter& parameter = parameters_[index];
        if (parameter.kind == Parameter::Kind::LinearWeight) {
            return &network_.layers().back();
        }
        if (parameter.kind != Parameter::Kind::ConvWeight) {
            return nullptr;
        }
        return &network_.layers()[static_cast<std::size_t>(parameter.layer)];
    }

    std::vector<float> read(std::size_t index, const float* values) const {
        std::vector<float> result(parameters_[index].count());
        if (const WeightedLayer* layer = layerOf(index)) {
            layer->fromMaster(values, result.data());
        } else {
            std::copy_n(values, result.size(), result.begin());
        }
        return result;
    }

    ResNet50 net_;
    std::vector<Parameter> parameters_;
    ParameterStore store_;
    Network<T> network_;
    bool copiesAreStale_ = true;
};

}  // namespace

std::size_t memoryOfGroups(const CgroupFiles& files) {
    return lowestLimit(files, "memory", leftIn);
}

void checkPrecision(Precision precision) {
    if (precision == Precision::Tf32 || precision == Precision::Fp16) {
        throw Failure(ExitCode::Backend,
                      "the CPU backend has no --precision " + toString(precision) + "; it has fp32 and bf16");
    }
}

std::unique_ptr<Backend> makeCpuBackend(const Problem& problem) {
    checkPrecision(problem.precision);
    omp_set_dynamic(0);
    omp_set_num_threads(problem.threads);
    try {
        if (problem.precision == Precision::Bf16) {
            return std::make_unique<CpuBackend<Bf16>>(problem);
        }
        return std::make_unique<CpuBackend<float>>(problem);
    } catch (const dnnl::error& error) {
        if (error.status != dnnl_unimplemented) {
            throw;
        }
        throw Failure(ExitCode::Backend, "oneDNN has no " + toString(problem.precision) +
                                             " convolutions for this CPU; bf16 needs AVX-512");
    }
}

}  // namespace dlperf::worker::cpu
