// SPDX-License-Identifier: Apache-2.0
// The library's face: what the program finds when it loads it.
#include "plugin/cuda_plugin.h"

#include <algorithm>

#include "base/failure.h"
#include "base/version.h"
#include "base/world.h"
#include "cuda/cuda_backend.h"
#include "cuda/decode/nvjpeg.h"
#include "cuda/dnn/cudnn_operators.h"
#include "cuda/train/device_links.h"
#ifdef DLPERF_WITH_NCCL
#include "cuda/nccl/nccl_comm.h"
#endif

namespace dlperf::worker::cuda {
namespace {

// Untimed for whoever is in a hurry.
dnn::PlanSearch searchFromEnvironment() {
    return dnn::planSearchFrom(processEnvironment("DLPERF_WORKER_PLANS"));
}

// For whoever looks for the cause of a wrong number. Plans that are not timed are not compared with fused
// ones.
FusionPolicy policyFromEnvironment() {
    const bool timed = searchFromEnvironment() == dnn::PlanSearch::Fastest;
    const std::string policy =
        processEnvironment("DLPERF_WORKER_FUSION").value_or(timed ? "measured" : "never");
    const auto found = std::ranges::find(fusionPolicyNames, policy);
    if (found == fusionPolicyNames.end()) {
        throw Failure(ExitCode::Usage,
                      "DLPERF_WORKER_FUSION must be measured, never or always, not '" + policy + "'");
    }
    return static_cast<FusionPolicy>(found - fusionPolicyNames.begin());
}

#ifdef DLPERF_WITH_NCCL
std::unique_ptr<DeviceComm> connect(const TrainerSetup& setup) {
    return connectNccl(setup.world, setup.rendezvous.store(), setup.options.commTimeout,
                       [&setup] { return setup.rendezvous.lost(); });
}

constexpr auto linkedDevice = useDevice;

std::unique_ptr<LinkTimer> connectLinks(const TrainerSetup& setup, std::size_t mostBytes) {
    return std::make_unique<DeviceLinks>(setup, connect(setup), mostBytes);
}
#else
std::string linkedDevice(int) {
    return {};
}

std::unique_ptr<LinkTimer> connectLinks(const TrainerSetup&, std::size_t) {
    throw Failure(ExitCode::Backend, "this build cannot reduce from GPU to GPU");
}
#endif

BackendFactories libraryFactories() {
    BackendFactories factories;
    factories.makeOperators = [](const Stream& stream, Precision precision) {
        return std::make_unique<CudnnOperators>(stream, precision, policyFromEnvironment(),
                                                searchFromEnvironment());
    };
#ifdef DLPERF_WITH_NCCL
    factories.connect = connect;
#endif
    return factories;
}

std::unique_ptr<Backend> makeBackend(const Problem& problem) {
    return makeCudaBackend(problem, libraryFactories());
}

void checkDecoding(int device) {
    (void)useDevice(device);
    (void)Nvjpeg();
}

}  // namespace
}  // namespace dlperf::worker::cuda

extern "C" const dlperf::worker::CudaPlugin* dlperfWorkerCudaPlugin() {
    static const std::string version = dlperf::worker::pluginVersion();
    static const dlperf::worker::CudaPlugin plugin{version.c_str(),
                                                   dlperf::worker::cuda::deviceCount,
                                                   dlperf::worker::cuda::makeBackend,
                                                   dlperf::worker::cuda::linkedDevice,
                                                   dlperf::worker::cuda::connectLinks,
                                                   dlperf::worker::cuda::checkDecoding};
    return &plugin;
}
