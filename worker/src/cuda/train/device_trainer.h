// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "backend/backend.h"
#include "comm/gradient_reducer.h"
#include "cuda/decode/jpeg_decoder.h"
#include "cuda/net/network.h"
#include "cuda/net/parameter_store.h"
#include "cuda/net/training_state.h"
#include "cuda/runtime/device_comm.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"
#include "cuda/train/comm_watchdog.h"

namespace dlperf::worker::cuda {

// A place for a batch in the device's memory, and the way there: through pinned memory, as the device copies
// from no other by itself.
class BatchSlot {
public:
    // `decoder`, which outlives this, is for batches with encoded images; null: there are none.
    explicit BatchSlot(const Problem& problem, JpegDecoder* decoder = nullptr);

    // Begins to copy in `copies`, behind which `user` then waits; the batch may be overwritten when this
    // returns. Nothing that uses the slot may be under way. A batch that is here already is not copied again.
    void upload(const Batch& batch, const Stream& copies, const Stream& user);

    DeviceBatch batch() const;

private:
    void copy(std::size_t first, const Stream& copies) const;

    JpegDecoder* decoder_;
    std::size_t pixelBytes_;
    std::size_t labelBytes_;
    std::size_t images_;
    PinnedMemory pinned_;
    DeviceMemory device_;
    Event copied_;
    std::optional<std::uint64_t> number_;  // of the batch that is here
};

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
                                        NumberType::Float};
        send({pieceOf(buckets_.back()), vectors});
        sent_ = 0;
        done_.record(stream_);
        compute_.waitFor(done_);
    }

private:
    DeviceComm::Piece pieceOf(const Bucket& bucket) const {
        return {store_.weightGradients() + bucket.first, bucket.last - bucket.first, numberType<T>};
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

// Steps that stay on the device, each one graph. The host starts the next one while the last is computed, and
// reads what came of it when it is done; nothing else waits.
template <typename T>
class DeviceTrainer final : public Trainer {
public:
    // `comm` is null in a world of one, `decoder` where the host decodes. It and the state outlive this.
    // Throws Failure.
    DeviceTrainer(TrainingState<T>& state, const Problem& problem, const TrainerSetup& setup,
                  std::unique_ptr<DeviceComm> comm, JpegDecoder* decoder);
    ~DeviceTrainer() override;

    int depth() const override { return static_cast<int>(stepsAhead); }
    void start(const Batch& batch) override;
    StepOutcome finish() override;
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

    void throwIfLost() const;
    void startPasses(const Slot& slot);
    void warmUp(const Problem& problem);
    void enqueue(Slot& slot);

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

}  // namespace dlperf::worker::cuda
