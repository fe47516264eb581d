// SPDX-License-Identifier: Apache-2.0
#include "plugin/cuda_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "base/version.h"
#include "base/world.h"

namespace dlperf::worker {
namespace {

namespace fs = std::filesystem;

fs::path pluginPath() {
    if (const auto named = processEnvironment("DLPERF_WORKER_CUDA")) {
        return *named;
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return program.parent_path() / "libdlperf_worker_cuda.so";
}

FoundPlugin refused(const std::string& reason) {
    return {nullptr, true, reason};
}

}  // namespace

FoundPlugin findCudaPlugin() {
    const fs::path path = pluginPath();
    std::error_code error;
    if (!fs::exists(path, error)) {
        return {nullptr, false, "there is no CUDA backend here: " + path.string() + " is missing"};
    }
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return refused(std::string("the CUDA backend cannot be loaded: ") + dlerror());
    }
    const auto entry =
        reinterpret_cast<decltype(&dlperfWorkerCudaPlugin)>(dlsym(library, "dlperfWorkerCudaPlugin"));
    if (entry == nullptr) {
        return refused(path.string() + " is not a CUDA backend of dlperf-worker");
    }
    const CudaPlugin* const plugin = entry();
    if (plugin->version != pluginVersion()) {
        return refused(path.string() + " was built of other sources than this program (" + plugin->version +
                       ", not " + pluginVersion() + ")");
    }
    return {plugin, true, ""};
}

}  // namespace dlperf::worker
