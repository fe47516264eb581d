// SPDX-License-Identifier: Apache-2.0
#include "comm/connect.h"

#include "base/failure.h"
#ifdef DLPERF_WITH_GLOO
#include "comm/gloo_comm.h"
#endif

namespace dlperf::worker {

std::unique_ptr<Comm> connectComm(const World& world, const Options& options, Rendezvous& rendezvous) {
    if (world.size == 1) {
        return std::make_unique<NullComm>();
    }
#ifdef DLPERF_WITH_GLOO
    const GlooSettings settings{processEnvironment("DLPERF_INTERFACE").value_or(""), options.commTimeout};
    return connectGloo(world, settings, rendezvous.store());
#else
    (void)options;
    (void)rendezvous;
    throw Failure(ExitCode::Backend,
                  "this build cannot reduce gradients on the host: it was configured without Gloo");
#endif
}

}  // namespace dlperf::worker
