// SPDX-License-Identifier: Apache-2.0
#include "program/program.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/version.h"
#include "comm/comm.h"
#include "comm/gradient_reducer.h"
#if DLPERF_WITH_ONEDNN
#include "cpu/cpu_backend.h"
#endif

namespace dlperf::worker {
namespace {

std::unique_ptr<Backend> makeHostBackend(const Problem& problem) {
#if DLPERF_WITH_ONEDNN
    return cpu::makeCpuBackend(problem);
#else
    (void)problem;
    throw Failure(ExitCode::Backend, "this build has no CPU backend: it was configured without oneDNN");
#endif
}

bool hasNvidiaDriver() {
    std::error_code error;
    return std::filesystem::exists("/dev/nvidiactl", error);
}

std::vector<Bucket> bucketsOf(Backend& backend, double bucketMb) {
    const auto [first, others] = bucketElements(bucketMb, sizeof(float));
    return makeBuckets(backend.gradientOffsets(), backend.gradients().size(), first, others);
}

// One step at a time: the device computes, this process reduces.
class HostTrainer final : public Trainer {
public:
    HostTrainer(Backend& backend, std::unique_ptr<Comm> comm, const SgdStep& step, double bucketMb)
        : backend_(backend),
          comm_(std::move(comm)),
          average_(1.0F / static_cast<float>(comm_->size())),
          step_(step),
          reducer_(*comm_, backend.gradients(), bucketsOf(backend, bucketMb)) {
        step_.gradientScale = average_;
    }

    int depth() const override { return 1; }

    void start(const Batch& batch) override {
        backend_.computeGradients(batch, [this](std::size_t first) { reducer_.ready(first); });
        outcome_.comm = reducer_.finish();
        outcome_.loss = backend_.gradients().back() * average_;
        backend_.applyGradients(step_);
    }
    StepOutcome finish() override { return outcome_; }

    std::string comm() const override { return comm_->name(); }

private:
    Backend& backend_;
    std::unique_ptr<Comm> comm_;
    float average_;
    SgdStep step_;
    GradientReducer reducer_;
    StepOutcome outcome_;
};

std::string fact(const char* what, bool present) {
    return std::string(what) + ": " + (present ? "yes" : "not in this build") + "\n";
}

std::string cudaFact() {
    const FoundPlugin found = findCudaPlugin();
    return "CUDA backend: " + (found.plugin != nullptr ? std::string("yes") : found.reason) + "\n";
}

}  // namespace

const CudaPlugin* gpuBackend(BackendKind kind) {
    if (kind == BackendKind::Cpu) {
        return nullptr;
    }
    const FoundPlugin found = findCudaPlugin();
    // Where there is a GPU, what is wrong with it is told: a fall back to the CPU would look like a slow GPU.
    if (found.plugin != nullptr && (kind == BackendKind::Cuda || found.plugin->devices() > 0)) {
        return found.plugin;
    }
    const bool pluginFails = found.plugin == nullptr && found.exists;
    if (kind == BackendKind::Auto && !(pluginFails && hasNvidiaDriver())) {
        return nullptr;
    }
    throw Failure(ExitCode::Backend, found.reason + "; use --backend cpu");
}

void checkBackend(BackendKind kind, Precision precision) {
    if (gpuBackend(kind) == nullptr) {
#if DLPERF_WITH_ONEDNN
        cpu::checkPrecision(precision);
#else
        (void)precision;
#endif
    }
}

void checkDecoding(BackendKind kind, int device) {
    const CudaPlugin* const plugin = gpuBackend(kind);
    if (plugin == nullptr) {
        throw Failure(
            ExitCode::Backend,
            "--decode gpu needs the CUDA backend and a GPU, and this trains on the CPU; use --decode host");
    }
    plugin->checkDecoding(device);
}

std::unique_ptr<Backend> makeBackend(BackendKind kind, const Problem& problem) {
    const CudaPlugin* const plugin = gpuBackend(kind);
    return plugin != nullptr ? plugin->makeBackend(problem) : makeHostBackend(problem);
}

std::unique_ptr<Trainer> makeTrainer(Backend& backend, const TrainerSetup& setup) {
    if (auto own = backend.makeTrainer(setup)) {
        return own;
    }
    if (setup.options.comm == CommKind::Nccl) {
        throw Failure(ExitCode::Backend, "--comm nccl reduces from GPU to GPU, which this " + backend.name() +
                                             " backend cannot; use --comm gloo");
    }
    return std::make_unique<HostTrainer>(backend, connectComm(setup.world, setup.options, setup.rendezvous),
                                         setup.step, setup.options.bucketMb);
}

std::string buildFacts() {
    return programVersion() + "\n" + fact("CPU backend (oneDNN)", DLPERF_WITH_ONEDNN != 0) + cudaFact() +
           fact("more than one process (Gloo)", DLPERF_WITH_GLOO != 0) +
           fact("JPEG data (libjpeg-turbo)", DLPERF_WITH_JPEG != 0);
}

}  // namespace dlperf::worker
