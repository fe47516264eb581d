// SPDX-License-Identifier: Apache-2.0
// Nodes for as long as something is asked of them: those of the list, or those of a Slurm job of their own.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "core/remote/transport.h"

namespace dlperf::remote {

class SlurmJob;

struct HeldNodes {
    cluster::Cluster cluster;
    TransportFactory transports;
    std::shared_ptr<const SlurmJob> job;  // ends when the last copy goes, within 20 s; null without Slurm
};

// Waits in Slurm's queue for a job with all nodes of the cluster, and tells each change of what it waits for.
// An error where Slurm refuses, the job ends before it began, or the stop is asked for.
[[nodiscard]] Result<HeldNodes> holdNodes(const cluster::Cluster& cluster, const TransportFactory& transports,
                                          const std::function<void(const std::string&)>& tell,
                                          const std::stop_token& stop);

}  // namespace dlperf::remote
