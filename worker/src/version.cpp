// SPDX-License-Identifier: Apache-2.0
#include "version.h"

#include "plugin/cuda_plugin.h"

namespace dlperf::worker {
namespace {

std::string fact(const char* what, bool present) {
    return std::string(what) + ": " + (present ? "yes" : "not in this build") + "\n";
}

#ifdef DLPERF_WITH_ONEDNN
constexpr bool kOneDnn = true;
#else
constexpr bool kOneDnn = false;
#endif
#ifdef DLPERF_WITH_GLOO
constexpr bool kGloo = true;
#else
constexpr bool kGloo = false;
#endif
#ifdef DLPERF_WITH_JPEG
constexpr bool kJpeg = true;
#else
constexpr bool kJpeg = false;
#endif

std::string cudaFact() {
    const FoundPlugin found = findCudaPlugin();
    return "CUDA backend: " + (found.plugin != nullptr ? std::string("yes") : found.reason) + "\n";
}

}  // namespace

std::string programVersion() {
    return "dlperf-worker " DLPERF_WORKER_VERSION;
}

std::string buildFacts() {
    return programVersion() + "\n" + fact("CPU backend (oneDNN)", kOneDnn) + cudaFact() +
           fact("more than one process (Gloo)", kGloo) + fact("JPEG data (libjpeg-turbo)", kJpeg);
}

}  // namespace dlperf::worker
