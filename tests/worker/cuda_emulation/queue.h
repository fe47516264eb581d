// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "state.h"

namespace dlperf::worker::cuda::emulation {

using Operation = std::function<void()>;

// Work that is done in its order, as far as somebody demands it. It outlives its stream where work is left.
struct Queue {
    int device = 0;
    bool abandoned = false;  // its stream is destroyed
    std::deque<Operation> operations;
    std::uint64_t added = 0;
    std::uint64_t done = 0;
    bool running = false;  // its next operation, in some thread
};

std::shared_ptr<Queue> makeQueue(int device);

// Adds an operation, and does it where work is done at once.
void add(Lock& lock, Queue& queue, Operation operation);

// Does the first `count` operations that the queue ever had, as far as they are not done, and no other but
// those that they wait for.
void drain(Lock& lock, Queue& queue, std::uint64_t count);

// The same when it is the program that waits, not a stream.
void demand(Lock& lock, Queue& queue, std::uint64_t count);
void demandDevice(Lock& lock, int device);

// Forgets the work that destroyed streams have left.
void dropAbandoned();

}  // namespace dlperf::worker::cuda::emulation
