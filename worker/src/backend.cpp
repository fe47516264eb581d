// SPDX-License-Identifier: Apache-2.0
#include "backend.h"

#include <filesystem>
#include <system_error>

#include "failure.h"
#include "plugin/cuda_plugin.h"
#ifdef DLPERF_WITH_ONEDNN
#include "cpu/cpu_backend.h"
#endif

namespace dlperf::worker {
namespace {

std::unique_ptr<Backend> makeHostBackend(const Problem& problem) {
#ifdef DLPERF_WITH_ONEDNN
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

}  // namespace

std::unique_ptr<Backend> makeBackend(BackendKind kind, const Problem& problem) {
    if (kind == BackendKind::Cpu) return makeHostBackend(problem);
    const FoundPlugin found = findCudaPlugin();
    // Where there is a GPU, what is wrong with it is told: a fall back to the CPU would look like a slow GPU.
    if (found.plugin != nullptr && (kind == BackendKind::Cuda || found.plugin->devices() > 0))
        return found.plugin->makeBackend(problem);
    const bool pluginFails = found.plugin == nullptr && found.exists;
    if (kind == BackendKind::Auto && !(pluginFails && hasNvidiaDriver())) return makeHostBackend(problem);
    throw Failure(ExitCode::Backend, found.reason + "; use --backend cpu");
}

}  // namespace dlperf::worker
