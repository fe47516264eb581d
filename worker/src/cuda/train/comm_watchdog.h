// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.h"
#include "comm/watchdog.h"
#include "cuda/runtime/device_comm.h"

namespace dlperf::worker::cuda {

// Ends the communication of a GPU where another process is lost, or where a step takes longer than
// --comm-timeout.
class CommWatchdog : public Watchdog {
public:
    // `comm` and the setup's rendezvous outlive this.
    CommWatchdog(DeviceComm& comm, const TrainerSetup& setup);

    // A stream whose communication was aborted comes to its end as if all was well.
    void throwIfLost() const;
};

}  // namespace dlperf::worker::cuda
