// SPDX-License-Identifier: Apache-2.0
#include "base/version.h"

namespace dlperf::worker {

std::string programVersion() {
    return "dlperf-worker " DLPERF_WORKER_VERSION;
}

std::string pluginVersion() {
    return DLPERF_WORKER_VERSION " of " DLPERF_SHARED_HEADERS_SUM;
}

}  // namespace dlperf::worker
