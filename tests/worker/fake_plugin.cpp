// SPDX-License-Identifier: Apache-2.0
// Stands in for libdlperf_worker_cuda.so: as many GPUs are there as DLPERF_FAKE_GPUS says, else one, which
// reach each other and refuse to work. Where DLPERF_FAKE_DEFECT is set, they throw it as what is no Failure.
// DLPERF_FAKE_VERSION is that of other sources.
#include <cstdlib>
#include <stdexcept>

#include "base/failure.h"
#include "base/version.h"
#include "plugin/cuda_plugin.h"

namespace {

using namespace dlperf::worker;

std::unique_ptr<Backend> refuse(const Problem&) {
    if (const char* const defect = std::getenv("DLPERF_FAKE_DEFECT")) {
        throw std::runtime_error(defect);
    }
    throw Failure(ExitCode::Memory, "the pretended GPU has no memory");
}

int gpus() {
    const char* const text = std::getenv("DLPERF_FAKE_GPUS");
    return text == nullptr ? 1 : std::atoi(text);
}

std::string linkedDevice(int device) {
    return "GPU " + std::to_string(device % gpus());
}

// A millisecond, and one more for each MB.
class PretendedLinks final : public LinkTimer {
public:
    std::string name() const override { return "nccl 2.0.0, from GPU to GPU"; }
    void setMessage(std::size_t bytes) override { bytes_ = bytes; }
    double allReduce() override { return 1e-3 + static_cast<double>(bytes_) * 1e-9; }

private:
    std::size_t bytes_ = 0;
};

std::unique_ptr<LinkTimer> connectLinks(const TrainerSetup& setup, std::size_t) {
    if (setup.world.size < 2) {
        throw Failure(ExitCode::Internal, "there is nothing to connect");
    }
    return std::make_unique<PretendedLinks>();
}

void checkDecoding(int) {
    throw Failure(ExitCode::Backend, "the pretended GPU cannot decode images");
}

}  // namespace

extern "C" const CudaPlugin* dlperfWorkerCudaPlugin() {
    const char* const other = std::getenv("DLPERF_FAKE_VERSION");
    static const std::string version = other == nullptr ? pluginVersion() : other;
    static const CudaPlugin plugin{version.c_str(), gpus, refuse, linkedDevice, connectLinks, checkDecoding};
    return &plugin;
}
