// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/device_learner.h"

#include <chrono>
#include <utility>

#include "base/failure.h"

namespace dlperf::worker::cuda {
namespace {

/// The watchdog's number of a step; the warm-up is number 0.
std::int64_t watched(std::uint64_t step) {
    return static_cast<std::int64_t>(step) + 1;
}

}  // namespace

template <typename T>
DeviceLearner<T>::DeviceLearner(Trainee<T>& trainee, const Problem& problem, const LearnerSetup& setup,
                                std::unique_ptr<DeviceComm> comm)
    : trainee_(trainee), comm_(std::move(comm)) {
    trainee_.optimizer.set(setup.step);
    if (comm_) {
        makeWatchdog(setup);
        reducer_.emplace(*comm_, trainee_.store, trainee_.stream, setup.options.bucketMb);
    }
    for (std::size_t i = 0; i < kDepth; ++i)
        slots_.push_back(std::make_unique<Slot>(problem));
    warmUp(problem);
    skipped_ = trainee_.optimizer.readState().skipped;
    for (const auto& slot : slots_)
        slot->graph.emplace(trainee_.stream, [&] { enqueue(*slot); });
}

template <typename T>
void DeviceLearner<T>::makeWatchdog(const LearnerSetup& setup) {
    Meeting& meeting = setup.meeting;
    const int rank = setup.world.rank;
    WatchdogSettings settings;
    settings.stepTimeout = std::chrono::seconds(setup.options.commTimeout);
    WatchdogActions actions;
    // Who was lost is nearer to the cause than the communication that fails for it.
    actions.checks = {[&meeting] { return meeting.lost(); }, [this] { return comm_->error(); }};
    actions.abort = [this] { comm_->abort(); };
    actions.publish = [&meeting](const std::string& reason) { meeting.fail(reason); };
    actions.end = [rank](const std::string& reason) { endProcess(rank, reason); };
    watchdog_.emplace(settings, actions);
}

/// A stream whose communication was aborted comes to its end as if all was well.
template <typename T>
void DeviceLearner<T>::throwIfLost() const {
    if (!watchdog_) return;
    if (const auto reason = watchdog_->failure()) throw Failure(ExitCode::Communication, *reason);
}

template <typename T>
DeviceLearner<T>::~DeviceLearner() {
    // What is under way writes to memory that is about to be given back.
    cudaStreamSynchronize(trainee_.stream);
}

/// Code is loaded and connections are made at their first use, which is not to be while a graph is recorded.
/// Nothing is learned from it: the parameters stay as they are.
template <typename T>
void DeviceLearner<T>::warmUp(const Problem& problem) {
    const auto size = static_cast<std::size_t>(problem.imageSize);
    const auto images = static_cast<std::size_t>(problem.batchSize);
    const std::vector<std::uint8_t> pixels(images * size * size * 3, 0);
    const std::vector<std::int32_t> labels(images, 0);
    const Slot& slot = *slots_.front();
    slots_.front()->batch.upload({pixels, labels}, copies_, trainee_.stream);
    if (watchdog_) watchdog_->begin(0);
    trainee_.network.forward(slot.batch.batch(), trainee_.optimizer.lossScale());
    trainee_.network.backward([&](std::size_t first) {
        if (reducer_) reducer_->ready(first);
    });
    if (reducer_) reducer_->finish();
    trainee_.optimizer.warmUp();
    trainee_.stream.wait();
    throwIfLost();
    if (watchdog_) watchdog_->done(0);
    trainee_.network.resetStatistics();
}

/// A whole step, as it is recorded.
template <typename T>
void DeviceLearner<T>::enqueue(Slot& slot) {
    trainee_.network.forward(slot.batch.batch(), trainee_.optimizer.lossScale());
    trainee_.network.backward([&](std::size_t first) {
        if (reducer_) reducer_->ready(first);
    });
    if (reducer_) {
        slot.computed.recordInGraph(trainee_.stream);
        reducer_->finish();
        slot.reduced.recordInGraph(trainee_.stream);
    }
    trainee_.optimizer.step();
    Report* const report = slot.report.template at<Report>(0);
    check(cudaMemcpyAsync(&report->loss, trainee_.store.loss(), sizeof report->loss, cudaMemcpyDeviceToHost,
                          trainee_.stream),
          "copy the loss");
    check(cudaMemcpyAsync(&report->scale, trainee_.optimizer.state(), sizeof report->scale,
                          cudaMemcpyDeviceToHost, trainee_.stream),
          "copy the loss scale");
}

template <typename T>
void DeviceLearner<T>::start(const Batch& batch) {
    Slot& slot = *slots_[started_ % kDepth];
    const Moments& moments = moments_[started_ % moments_.size()];
    slot.batch.upload(batch, copies_, trainee_.stream);
    if (watchdog_) watchdog_->begin(watched(started_));
    moments.begun.record(trainee_.stream);
    slot.graph->launch(trainee_.stream);
    moments.done.record(trainee_.stream);
    ++started_;
}

template <typename T>
StepOutcome DeviceLearner<T>::finish() {
    const Slot& slot = *slots_[finished_ % kDepth];
    const Moments& moments = moments_[finished_ % moments_.size()];
    moments.done.wait();
    throwIfLost();
    if (watchdog_) watchdog_->done(watched(finished_));
    const Report& report = *slot.report.template at<Report>(0);
    StepOutcome outcome;
    outcome.loss = report.loss;
    if (comm_) outcome.comm = secondsBetween(slot.computed, slot.reduced);
    if (finished_ > 0)
        outcome.data = secondsBetween(moments_[(finished_ - 1) % moments_.size()].done, moments.begun);
    outcome.leftOut = report.scale.skipped > skipped_;
    outcome.lossScale = report.scale.scale;
    skipped_ = report.scale.skipped;
    ++finished_;
    return outcome;
}

template class DeviceLearner<float>;
template class DeviceLearner<__half>;
template class DeviceLearner<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
