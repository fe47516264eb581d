// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "comm/bucketing.h"
#include "comm/connect.h"
#include "comm/gradient_reducer.h"
#include "failure.h"
#include "learner.h"

namespace dlperf::worker {
namespace {

std::vector<Bucket> bucketsOf(Backend& backend, double bucketMb) {
    const auto [first, others] = bucketElements(bucketMb, sizeof(float));
    return makeBuckets(backend.gradientOffsets(), backend.gradients().size(), first, others);
}

/// One step at a time: the device computes, this process reduces.
class HostLearner final : public Learner {
public:
    HostLearner(Backend& backend, std::unique_ptr<Comm> comm, const SgdStep& step, double bucketMb)
        : backend_(backend),
          comm_(std::move(comm)),
          average_(1.0F / static_cast<float>(comm_->size())),
          step_(step),
          reducer_(*comm_, backend.gradients(), bucketsOf(backend, bucketMb)) {
        step_.gradientScale = average_;
    }

    int depth() const override { return 1; }

    void start(const Batch& batch) override {
        backend_.computeGradients(batch, [this](std::size_t first) { reducer_.ready(first); });
        outcome_.comm = reducer_.finish();
        outcome_.loss = backend_.gradients().back() * average_;
        backend_.applyGradients(step_);
    }
    StepOutcome finish() override { return outcome_; }

    std::string comm() const override { return comm_->name(); }

private:
    Backend& backend_;
    std::unique_ptr<Comm> comm_;
    float average_;
    SgdStep step_;
    GradientReducer reducer_;
    StepOutcome outcome_;
};

}  // namespace

std::unique_ptr<Learner> makeLearner(Backend& backend, const LearnerSetup& setup) {
    if (auto own = backend.makeLearner(setup)) return own;
    if (setup.options.comm == CommKind::Nccl) {
        throw Failure(ExitCode::Backend, "--comm nccl reduces from GPU to GPU, which this " + backend.name() +
                                             " backend cannot; use --comm gloo");
    }
    return std::make_unique<HostLearner>(backend, connectComm(setup.world, setup.options, setup.meeting),
                                         setup.step, setup.options.bucketMb);
}

}  // namespace dlperf::worker
