// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/comm_watchdog.h"

#include "base/failure.h"

namespace dlperf::worker::cuda {
namespace {

WatchdogActions actionsOf(DeviceComm& comm, const TrainerSetup& setup) {
    Rendezvous& rendezvous = setup.rendezvous;
    const int rank = setup.world.rank;
    WatchdogActions actions;
    actions.cause = [&rendezvous] { return rendezvous.lost(); };
    actions.consequence = [&comm] { return comm.error(); };
    actions.abort = [&comm] { comm.abort(); };
    actions.publish = [&rendezvous](const std::string& reason) { rendezvous.fail(reason); };
    actions.end = [rank](const std::string& reason) { endProcess(rank, reason); };
    return actions;
}

}  // namespace

CommWatchdog::CommWatchdog(DeviceComm& comm, const TrainerSetup& setup)
    : Watchdog({.stepTimeout = std::chrono::seconds(setup.options.commTimeout)}, actionsOf(comm, setup)) {}

void CommWatchdog::throwIfLost() const {
    if (const auto reason = failure()) {
        throw Failure(ExitCode::Communication, *reason);
    }
}

}  // namespace dlperf::worker::cuda
