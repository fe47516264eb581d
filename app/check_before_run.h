// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/remote/transport.h"
#include "core/run/campaign.h"

namespace dlperf::app {

// Asks the nodes that the plan uses whether they are fit to run, fills in their devices and addresses and
// tells on standard error what is to be looked at, which the inputs keep for the runs' records. An error only
// where no run can go well: a node that is not reached, a run folder that cannot be written to, a command
// that a recipe starts with and that is not there. `anyway`: then only a node that is not reached.
[[nodiscard]] Result<void> checkBeforeRun(const std::string& command, run::CampaignInputs& inputs,
                                          const remote::TransportFactory& transports, bool anyway);

}  // namespace dlperf::app
