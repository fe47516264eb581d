// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's runtime on the processor: the functions that the worker uses, defined here and linked in place of
// libcudart, for tests of all that stands on them. Work is done only when somebody waits for it, so what
// lacks a wait or an event gives a wrong number. All host memory counts as pinned: a copy reads and writes it
// when it is done, not when it is enqueued. Objects that are lost or used wrongly end the program.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace dlperf::worker::cuda::emulation {

// When work is done. Correct code gives the same numbers by all three.
enum class Schedule {
    Lazy,         // when it is waited for, and no other stream's beyond what it waits for itself
    OthersFirst,  // when something is waited for, but then all other streams' first
    AtOnce,       // when it is enqueued
};
void setSchedule(Schedule schedule);

// No device: all functions fail, as without a GPU.
void setDeviceCount(int count);
// Of each device; cudaMalloc fails beyond it.
void setDeviceMemory(std::size_t bytes);

// Bytes of each device's L2 cache.
constexpr std::size_t deviceCache = std::size_t{1} << 20;

// The call of the function of that name fails, after as many that do not; "launch" stands for kernels'.
void failNext(const char* function, cudaError_t error, int callsBefore = 0);

// All the above as it was, no error left, and nothing left to do for streams that are destroyed: for a test
// to begin with.
void reset();

// What has been made and not yet destroyed.
struct Live {
    std::size_t deviceAllocations = 0;
    std::size_t deviceBytes = 0;
    std::size_t hostAllocations = 0;
    std::size_t streams = 0;
    std::size_t events = 0;
    std::size_t graphs = 0;  // executable or not

    bool operator==(const Live&) const = default;
};
Live live();

// Kernels of ours that were launched since reset(), by what they do: "start the pooling". Those of a graph
// count when it is captured.
std::map<std::string, int> launches();
void countLaunch(const char* what);

// Puts work into a stream as a kernel's launch would be: it can be captured, and errors are left for
// cudaGetLastError(). It may not call CUDA's functions nor throw.
void enqueue(cudaStream_t stream, std::function<void()> work);

}  // namespace dlperf::worker::cuda::emulation
