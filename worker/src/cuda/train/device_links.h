// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "cuda/runtime/device_comm.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"
#include "cuda/train/comm_watchdog.h"

namespace dlperf::worker::cuda {

// Times all-reduces of a message in this GPU's memory. Each is a graph, as training's exchanges are in one,
// and is timed within it, so that what starting NCCL and the graph takes is no part of it.
class DeviceLinks final : public LinkTimer {
public:
    // What `setup` refers to outlives this. No message has more than `mostBytes`.
    DeviceLinks(const TrainerSetup& setup, std::unique_ptr<DeviceComm> comm, std::size_t mostBytes);
    ~DeviceLinks() override;

    std::string name() const override { return comm_->name() + ", from GPU to GPU"; }
    void setMessage(std::size_t bytes) override;
    double allReduce() override;

private:
    template <typename Start>
    void watched(const Start& start);

    // In this order: see connectNccl() and DeviceTrainer. NCCL may keep hold of memory that a graph of its
    // names for as long as the connection lasts.
    DeviceMemory message_;
    std::unique_ptr<DeviceComm> comm_;
    CommWatchdog watchdog_;
    Stream stream_;
    Event begun_;
    Event done_;
    std::optional<CapturedGraph> exchange_;
    std::int64_t calls_ = 0;
};

}  // namespace dlperf::worker::cuda
