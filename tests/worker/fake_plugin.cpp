// SPDX-License-Identifier: Apache-2.0
// Stands in for libdlperf_worker_cuda.so: a GPU is there, and refuses to work. DLPERF_FAKE_VERSION, where it
// is defined, is that of other sources.
#include "base/failure.h"
#include "base/version.h"
#include "plugin/cuda_plugin.h"

namespace {

using namespace dlperf::worker;

std::unique_ptr<Backend> refuse(const Problem&) {
    throw Failure(ExitCode::Memory, "the pretended GPU has no memory");
}

}  // namespace

extern "C" const CudaPlugin* dlperfWorkerCudaPlugin() {
#ifdef DLPERF_FAKE_VERSION
    static const std::string version = "0.0.1 of another day";
#else
    static const std::string version = pluginVersion();
#endif
    static const CudaPlugin plugin{version.c_str(), [] { return 1; }, refuse};
    return &plugin;
}
