// SPDX-License-Identifier: Apache-2.0
#include "plugin/cuda_plugin.h"

namespace dlperf::worker {

std::string pluginVersion() {
    return DLPERF_WORKER_VERSION " of " DLPERF_SHARED_HEADERS_SUM;
}

}  // namespace dlperf::worker
