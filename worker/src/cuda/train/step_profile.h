// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "backend/backend.h"
#include "cuda/net/work.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// Times what is started in a stream, by kinds of work: from the beginning of one piece to that of the next.
class StepProfile final : public WorkObserver {
public:
    // The stream outlives this.
    explicit StepProfile(const Stream& stream) : stream_(stream) {}

    void begin(Work work, double bytes, double operations) override;
    // The last piece ends here. Waits for the device.
    void end();

    // Means of the steps that were ended, the longest first.
    std::vector<WorkShare> shares() const;

private:
    struct Piece {
        Event begun;
        Work work = Work::Pixels;
        double bytes = 0;
        double operations = 0;
    };

    const Stream& stream_;
    std::vector<Piece> pieces_;  // of the step under way, and, behind `used_`, for later ones
    std::size_t used_ = 0;
    Event end_;
    int steps_ = 0;
    std::map<Work, WorkShare> sums_;
};

}  // namespace dlperf::worker::cuda
