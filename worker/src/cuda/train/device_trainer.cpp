// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/device_trainer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "comm/gradient_reducer.h"
#include "cuda/runtime/graph.h"
#include "cuda/train/comm_watchdog.h"

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t alignment = 256;

// Of the pixels, rounded up so that the labels behind them are aligned.
std::size_t pixelBytes(const Problem& problem) {
    const auto size = static_cast<std::size_t>(problem.imageSize);
    const std::size_t bytes = static_cast<std::size_t>(problem.batchSize) * size * size * 3;
    return roundedUp(bytes, alignment);
}

// The watchdog's number of a step; the warm-up is number 0.
std::int64_t watched(std::uint64_t step) {
    return static_cast<std::int64_t>(step) + 1;
}

}  // namespace

BatchSlot::BatchSlot(const Problem& problem, JpegDecoder* decoder)
    : decoder_(decoder),
      pixelBytes_(pixelBytes(problem)),
      labelBytes_(static_cast<std::size_t>(problem.batchSize) * sizeof(std::int32_t)),
      images_(static_cast<std::size_t>(problem.batchSize)),
      pinned_(pixelBytes_ + labelBytes_ + images_),
      device_(pinned_.bytes()) {}

void BatchSlot::upload(const Batch& batch, const Stream& copies, const Stream& user) {
    if (batch.number && number_ == batch.number) {
        return;
    }
    number_ = batch.number;
    std::memcpy(pinned_.at<void>(pixelBytes_), batch.labels.data(), batch.labels.size_bytes());
    auto* const flips = pinned_.at<std::uint8_t>(pixelBytes_ + labelBytes_);
    std::fill_n(flips, images_, std::uint8_t{0});
    std::copy(batch.flips.begin(), batch.flips.end(), flips);
    if (batch.encoded.empty()) {
        std::memcpy(pinned_.at<void>(0), batch.pixels.data(), batch.pixels.size_bytes());
        copy(0, copies);
    } else {
        copy(pixelBytes_, copies);
        decoder_->decode(batch, {device_.at<std::uint8_t>(0), pinned_.at<std::uint8_t>(0)}, copies);
    }
    copied_.record(copies);
    user.waitFor(copied_);
}

// From that byte to the end.
void BatchSlot::copy(std::size_t first, const Stream& copies) const {
    check(cudaMemcpyAsync(device_.at<void>(first), pinned_.at<void>(first), pinned_.bytes() - first,
                          cudaMemcpyHostToDevice, copies),
          "copy images to the GPU");
}

DeviceBatch BatchSlot::batch() const {
    return {device_.at<std::uint8_t>(0), device_.at<std::int32_t>(pixelBytes_),
            device_.at<std::uint8_t>(pixelBytes_ + labelBytes_)};
}

namespace {

// Averages gradients over all ranks on a stream of its own, while the backward pass still computes the
// earlier layers'. All of it can be captured with the pass.
template <typename T>
class DeviceReducer {
public:
    // The others outlive this. `compute` is the stream of the backward pass.
    DeviceReducer(DeviceComm& comm, const ParameterStore<T>& store, const Stream& compute, double bucketMb)
        : comm_(comm),
          store_(store),
          compute_(compute),
          buckets_(makeBuckets(store.layout().weightOffsets(), store.layout().weights(),
                               bucketElements(bucketMb, sizeof(T)).first,
                               bucketElements(bucketMb, sizeof(T)).others)) {}

    // The weights' gradients from `first` to the end are final.
    void ready(std::size_t first) {
        while (sent_ + 1 < buckets_.size() && buckets_[sent_].first >= first) {
            send({pieceOf(buckets_[sent_++])});
        }
    }

    // So are all, those of the vectors too. What `compute` does from here on is done with averages.
    void finish() {
        // The loss is behind the vectors' gradients.
        const DeviceComm::Piece vectors{store_.vectorGradients(), store_.layout().vectors() + 1,
                                        Precision::Fp32};
        send({pieceOf(buckets_.back()), vectors});
        sent_ = 0;
        done_.record(stream_);
        compute_.waitFor(done_);
    }

private:
    DeviceComm::Piece pieceOf(const Bucket& bucket) const {
        return {store_.weightGradients() + bucket.first, bucket.last - bucket.first, precisionOf<T>};
    }
    void send(const std::vector<DeviceComm::Piece>& pieces) {
        computed_.record(compute_);
        stream_.waitFor(computed_);
        comm_.average(stream_, pieces);
    }

    DeviceComm& comm_;
    const ParameterStore<T>& store_;
    const Stream& compute_;
    std::vector<Bucket> buckets_;
    Stream stream_{Stream::Priority::High};
    Event computed_;
    Event done_;
    std::size_t sent_ = 0;  // buckets of this step; the last one is for finish()
};

template <typename T>
class DeviceTrainer final : public Trainer {
public:
    DeviceTrainer(TrainingState<T>& state, const Problem& problem, const TrainerSetup& setup,
                  std::unique_ptr<DeviceComm> comm, JpegDecoder* decoder)
        : state_(state), comm_(std::move(comm)) {
        state_.optimizer.set(setup.step);
        if (comm_) {
            watchdog_.emplace(*comm_, setup);
            reducer_.emplace(*comm_, state_.store, state_.stream, setup.options.bucketMb);
        }
        for (std::size_t i = 0; i < stepsAhead; ++i) {
            slots_.push_back(std::make_unique<Slot>(problem, decoder));
        }
        warmUp(problem);
        skipped_ = state_.optimizer.readState().skipped;
        for (const auto& slot : slots_) {
            slot->graph.emplace(state_.stream, [&] { enqueue(*slot); });
        }
    }
    ~DeviceTrainer() override {
        // What is under way writes to memory that is about to be given back.
        cudaStreamSynchronize(state_.stream);
    }

    int depth() const override { return static_cast<int>(stepsAhead); }
    void start(const Batch& batch) override {
        Slot& slot = *slots_[started_ % stepsAhead];
        const Moments& moments = moments_[started_ % moments_.size()];
        slot.batch.upload(batch, copies_, state_.stream);
        if (watchdog_) {
            watchdog_->begin(watched(started_));
        }
        moments.begun.record(state_.stream);
        slot.graph->launch(state_.stream);
        moments.done.record(state_.stream);
        ++started_;
    }
    StepOutcome finish() override {
        const Slot& slot = *slots_[finished_ % stepsAhead];
        const Moments& moments = moments_[finished_ % moments_.size()];
        moments.done.wait();
        throwIfLost();
        if (watchdog_) {
            watchdog_->done(watched(finished_));
        }
        const Report& report = *slot.report.template at<Report>(0);
        StepOutcome outcome;
        outcome.loss = report.loss;
        if (comm_) {
            outcome.comm = secondsBetween(slot.computed, slot.reduced);
        }
        if (finished_ > 0) {
            outcome.data = secondsBetween(moments_[(finished_ - 1) % moments_.size()].done, moments.begun);
        }
        outcome.skipped = report.scale.skipped > skipped_;
        outcome.lossScale = report.scale.scale;
        skipped_ = report.scale.skipped;
        ++finished_;
        return outcome;
    }
    std::string comm() const override { return comm_ ? comm_->name() : "none"; }

private:
    static constexpr std::size_t stepsAhead = 2;

    // What the device leaves behind in this machine's memory.
    struct Report {
        float loss;
        LossScaleState scale;
    };

    // One of the steps under way.
    struct Slot {
        Slot(const Problem& problem, JpegDecoder* decoder) : batch(problem, decoder) {}
        BatchSlot batch;
        PinnedMemory report{sizeof(Report)};
        Event computed;  // its gradients
        Event reduced;
        std::optional<CapturedGraph> graph;
    };

    // Of a step, in the stream. Kept until after the next step but one has begun.
    struct Moments {
        Event begun;
        Event done;
    };

    void throwIfLost() const {
        if (watchdog_) {
            watchdog_->throwIfLost();
        }
    }
    // Forward and back; gradients are reduced as they come.
    void startPasses(const Slot& slot) {
        state_.network.forward(slot.batch.batch(), state_.optimizer.lossScale());
        state_.network.backward([&](std::size_t first) {
            if (reducer_) {
                reducer_->ready(first);
            }
        });
    }
    // Code is loaded and connections are made at their first use, which is not to be while a graph is
    // recorded. Nothing is learned from it: the parameters stay as they are.
    void warmUp(const Problem& problem) {
        const auto size = static_cast<std::size_t>(problem.imageSize);
        const auto images = static_cast<std::size_t>(problem.batchSize);
        const std::vector<std::uint8_t> pixels(images * size * size * 3, 0);
        const std::vector<std::int32_t> labels(images, 0);
        const Slot& slot = *slots_.front();
        slots_.front()->batch.upload({pixels, labels}, copies_, state_.stream);
        if (watchdog_) {
            watchdog_->begin(0);
        }
        startPasses(slot);
        if (reducer_) {
            reducer_->finish();
        }
        state_.optimizer.warmUp();
        state_.stream.wait();
        throwIfLost();
        if (watchdog_) {
            watchdog_->done(0);
        }
    }
    // A whole step, as it is recorded.
    void enqueue(Slot& slot) {
        startPasses(slot);
        if (reducer_) {
            slot.computed.recordInGraph(state_.stream);
            reducer_->finish();
            slot.reduced.recordInGraph(state_.stream);
        }
        state_.optimizer.step();
        Report* const report = slot.report.template at<Report>(0);
        check(cudaMemcpyAsync(&report->loss, state_.store.loss(), sizeof report->loss, cudaMemcpyDeviceToHost,
                              state_.stream),
              "copy the loss");
        check(cudaMemcpyAsync(&report->scale, state_.optimizer.state(), sizeof report->scale,
                              cudaMemcpyDeviceToHost, state_.stream),
              "copy the loss scale");
    }

    TrainingState<T>& state_;
    // In this order: an abort of the communication, for which the watchdog waits, in turn waits until the
    // graphs with communication in them are gone.
    std::unique_ptr<DeviceComm> comm_;
    std::optional<CommWatchdog> watchdog_;
    std::optional<DeviceReducer<T>> reducer_;
    Stream copies_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::array<Moments, stepsAhead + 2> moments_;
    std::uint64_t started_ = 0;
    std::uint64_t finished_ = 0;
    int skipped_ = 0;  // steps left out so far
};

}  // namespace

template <typename T>
std::unique_ptr<Trainer> makeDeviceTrainer(TrainingState<T>& state, const Problem& problem,
                                           const TrainerSetup& setup, std::unique_ptr<DeviceComm> comm,
                                           JpegDecoder* decoder) {
    return std::make_unique<DeviceTrainer<T>>(state, problem, setup, std::move(comm), decoder);
}

#define DLPERF_INSTANTIATE(T)                            \
    template std::unique_ptr<Trainer> makeDeviceTrainer( \
        TrainingState<T>&, const Problem&, const TrainerSetup&, std::unique_ptr<DeviceComm>, JpegDecoder*);
DLPERF_INSTANTIATE(float)
DLPERF_INSTANTIATE(__half)
DLPERF_INSTANTIATE(__nv_bfloat16)

}  // namespace dlperf::worker::cuda
