// SPDX-License-Identifier: Apache-2.0
#include "backend.h"

#include "failure.h"
#ifdef DLPERF_WITH_ONEDNN
#include "cpu/cpu_backend.h"
#endif

namespace dlperf::worker {

std::string backendName(BackendKind kind) {
    return kind == BackendKind::Cuda ? "cuda" : "cpu";
}

std::unique_ptr<Backend> makeBackend(BackendKind kind, const Problem& problem) {
    if (kind == BackendKind::Cuda) {
        throw Failure(ExitCode::Backend, "this build has no CUDA backend; use --backend cpu");
    }
#ifdef DLPERF_WITH_ONEDNN
    return cpu::makeCpuBackend(problem);
#else
    (void)problem;
    throw Failure(ExitCode::Backend, "this build has no CPU backend: it was configured without oneDNN");
#endif
}

}  // namespace dlperf::worker
