// SPDX-License-Identifier: Apache-2.0
// What the baselines of the hardware tell of a loss where no log says where the time of each rank goes. They
// were measured beside the runs, not in them: so a part is at most what the runs lose, it says what it is
// known from, and its range is that of what was measured. What they do not tell stays unknown.
#pragma once

#include <string>
#include <vector>

#include "core/report/hardware_baselines.h"
#include "core/report/loss.h"

namespace dlperf::report {

// The runs of one topology, and those on one device alone. All times are seconds of an iteration, medians.
struct UnsplitRuns {
    std::vector<const TimedRun*> runs{};
    std::vector<const TimedRun*> alone{};
    double seconds = 0;
    double secondsAlone = 0;
    double computing = 0;  // alone, without waiting for data where the logs tell of that
    double left = 0;       // longer than alone, and not explained by the logs
    bool tellsData = false;
};

struct Estimates {
    std::vector<LossPart> parts{};
    std::vector<std::string> possible{};  // what the rest could be, though nothing shows that it is
};

// Nothing without the names of the nodes, or where the runs were on different ones.
//
// Slow rank: all wait for the slowest node. A node that alone computes 20 % slower than the others makes an
// iteration longer by 20 % of the time that one device computes. Runs of the same case on 1n1g on several
// nodes tell it best, else the baseline does, of a node that no run on 1n1g was on: beside a slow node's own
// time the others are faster than the ideal, and nothing is lost.
//
// Communication: an exchange of all gradients over the links takes so long. It is hidden while the backward
// pass computes, which is two thirds of an iteration: a layer's backward pass multiplies twice as much as its
// forward pass, for the gradients of its input and of its weights. What takes longer is not hidden. If
// nothing of it is, the part is the whole exchange: the end of its range. All-reduces by Gloo count for runs
// on processors only. Where the model's size or what becomes of it (fp16) is not known, the gradients are
// what the nodes sent in the measured iterations, by their telemetry.
//
// Data loading is no part: a trainer reads with threads and decoders of its own, so images that the baseline
// prepares more slowly than devices take them are possible, not measured. So is what the GPUs' use tells, by
// the telemetry of these runs and of those on one device.
[[nodiscard]] Estimates estimatesOf(const UnsplitRuns& runs, const HardwareBaselines& baselines);

}  // namespace dlperf::report
