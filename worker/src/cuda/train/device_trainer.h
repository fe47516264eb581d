// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "backend/trainer.h"
#include "comm/watchdog.h"
#include "cuda/runtime/device_comm.h"
#include "cuda/runtime/graph.h"
#include "cuda/train/batch_slot.h"
#include "cuda/train/device_reducer.h"
#include "cuda/train/training_state.h"

namespace dlperf::worker::cuda {

// Steps that stay on the device, each one graph. The host starts the next one while the last is computed,
// and reads what came of it when it is done; nothing else waits.
template <typename T>
class DeviceTrainer final : public Trainer {
public:
    // `comm` is null in a world of one. The state outlives this. Throws Failure.
    DeviceTrainer(TrainingState<T>& state, const Problem& problem, const TrainerSetup& setup,
                  std::unique_ptr<DeviceComm> comm);
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
        explicit Slot(const Problem& problem) : batch(problem) {}
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

    void makeWatchdog(const TrainerSetup& setup);
    void throwIfLost() const;
    void warmUp(const Problem& problem);
    void enqueue(Slot& slot);

    TrainingState<T>& state_;
    // In this order: an abort of the communication, for which the watchdog waits, in turn waits until the
    // graphs with communication in them are gone.
    std::unique_ptr<DeviceComm> comm_;
    std::optional<Watchdog> watchdog_;
    std::optional<DeviceReducer<T>> reducer_;
    Stream copies_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::array<Moments, stepsAhead + 2> moments_;
    std::uint64_t started_ = 0;
    std::uint64_t finished_ = 0;
    int skipped_ = 0;  // steps left out so far
};

extern template class DeviceTrainer<float>;
extern template class DeviceTrainer<__half>;
extern template class DeviceTrainer<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
