// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "cuda/runtime/device_comm.h"
#include "cuda_small_training.h"

namespace dlperf::worker::cuda {

// The way to one more rank, whose numbers are `share` times this one's, and what went over it.
struct FakeLink {
    float share = 1;
    std::chrono::milliseconds time{0};  // that each message takes
    std::vector<std::size_t> asked{};   // numbers of each message
    std::atomic<int> done{0};           // by the device
    std::atomic<bool> broken{false};
    std::atomic<int> aborts{0};
};

class FakeComm final : public DeviceComm {
public:
    explicit FakeComm(FakeLink& link) : link_(link) {}
    std::string name() const override { return "fake"; }
    void average(cudaStream_t stream, std::span<const Piece> pieces) override {
        for (const Piece& piece : pieces) {
            ASSERT_EQ(piece.type, Precision::Fp32);
            link_.asked.push_back(piece.count);
            emulation::enqueue(stream, [&link = link_, piece] {
                const std::span<float> values(static_cast<float*>(piece.data), piece.count);
                EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
                for (float& value : values) {
                    value *= (1 + link.share) / 2;
                }
                std::this_thread::sleep_for(link.time);
                ++link.done;
            });
        }
    }
    std::optional<std::string> error() override {
        return link_.broken ? std::optional<std::string>("the link is down") : std::nullopt;
    }
    void abort() override { ++link_.aborts; }

private:
    FakeLink& link_;
};

// The first rank of a world whose ranks have met.
struct MetWorld {
    explicit MetWorld(int size = 1) : rendezvous(world, options, {}) { world.size = size; }
    TrainerSetup setup(const SgdStep& step = {}) { return {world, options, rendezvous, step}; }

    World world;
    Options options;
    Rendezvous rendezvous;
};

}  // namespace dlperf::worker::cuda
