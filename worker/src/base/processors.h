// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control_groups.h"

namespace dlperf::worker {

// How many processors all processes of this node may keep busy together: those that are online, fewer where
// the control group of this process or one around it has a set of them (a job of Slurm) or a quota of their
// time (a container), which is rounded up. At least one.
int processorsOfNode(const CgroupFiles& files = {});

// How many this process may run on, as mpirun and srun bind it.
int boundProcessors();

}  // namespace dlperf::worker
