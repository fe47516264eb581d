// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.h"
#include "base/failure.h"
#include "comm/watchdog.h"
#include "cuda/runtime/device_comm.h"

namespace dlperf::worker::cuda {

// Ends the communication of a GPU where another process is lost, or where a step takes longer than
// --comm-timeout.
class CommWatchdog : public Watchdog {
public:
    // `comm` and the setup's rendezvous outlive this.
    CommWatchdog(DeviceComm& comm, const TrainerSetup& setup)
        : Watchdog(
              {.stepTimeout = std::chrono::seconds(setup.options.commTimeout)},
              {.cause = [&rendezvous = setup.rendezvous] { return rendezvous.lost(); },
               .consequence = [&comm] { return comm.error(); },
               .abort = [&comm] { comm.abort(); },
               .publish = [&rendezvous =
                               setup.rendezvous](const std::string& reason) { rendezvous.fail(reason); },
               .end = [rank = setup.world.rank](const std::string& reason) { endProcess(rank, reason); }}) {}

    // A stream whose communication was aborted comes to its end as if all was well.
    void throwIfLost() const {
        if (const auto reason = failure()) {
            throw Failure(ExitCode::Communication, *reason);
        }
    }
};

}  // namespace dlperf::worker::cuda
