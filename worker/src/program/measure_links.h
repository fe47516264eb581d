// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/options.h"
#include "base/world.h"
#include "comm/rendezvous.h"

namespace dlperf::worker {

// What training is without computing: all-reduces of rising sizes over the connections that gradients take,
// from GPU to GPU where each process has one of its own, else on the hosts. There, of three processes or
// more, it then measures how long each waits for the one before while all pass on to the next one. Rank 0
// logs how long each takes. Slow links end it early, so that it is over within 40 s on one of 100 Mbit/s.
// Throws Failure; Failure(Usage) in a world of one.
void measureLinks(const Options& options, const World& world, Rendezvous& rendezvous);

}  // namespace dlperf::worker
