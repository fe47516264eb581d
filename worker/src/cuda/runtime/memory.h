// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda {

// A piece of memory that one of CUDA's functions gives back. Not initialised.
template <cudaError_t (*giveBack)(void*)>
class OwnedMemory {
public:
    template <typename T>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(static_cast<std::byte*>(data_.get()) + offset);
    }
    std::size_t bytes() const { return bytes_; }

protected:
    OwnedMemory() = default;
    OwnedMemory(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

private:
    struct GiveBack {
        void operator()(void* data) const { giveBack(data); }
    };
    std::unique_ptr<void, GiveBack> data_;
    std::size_t bytes_ = 0;
};

// The device's.
class DeviceMemory : public OwnedMemory<cudaFree> {
public:
    DeviceMemory() = default;
    explicit DeviceMemory(std::size_t bytes) : OwnedMemory(allocate(bytes), bytes) {}

private:
    static void* allocate(std::size_t bytes) {
        void* data = nullptr;
        if (bytes > 0) {
            check(cudaMalloc(&data, bytes), "allocate memory");
        }
        return data;
    }
};

// This machine's, which the device can copy from and to by itself.
class PinnedMemory : public OwnedMemory<cudaFreeHost> {
public:
    PinnedMemory() = default;
    explicit PinnedMemory(std::size_t bytes) : OwnedMemory(allocate(bytes), bytes) {}

private:
    static void* allocate(std::size_t bytes) {
        void* data = nullptr;
        if (cudaHostAlloc(&data, bytes, cudaHostAllocDefault) != cudaSuccess) {
            cudaGetLastError();
            throw Failure(ExitCode::Memory, "this machine cannot pin " + std::to_string(bytes >> 20) +
                                                " MiB of its memory for the GPU; use a smaller --batch-size");
        }
        return data;
    }
};

// Work that is done in its order.
class Stream {
public:
    enum class Priority { Normal, High };

    explicit Stream(Priority priority = Priority::Normal) {
        int lowest = 0;
        int highest = 0;
        check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "make a stream");
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                           priority == Priority::High ? highest : lowest),
              "make a stream");
        stream_.reset(stream);
    }
    operator cudaStream_t() const { return stream_.get(); }
    void wait() const { check(cudaStreamSynchronize(*this), "finish its work"); }
    // What is put into it from here on is done after the moment's.
    void waitFor(cudaEvent_t moment) const { check(cudaStreamWaitEvent(*this, moment, 0), "order its work"); }

private:
    struct Destroy {
        void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
    };
    std::unique_ptr<CUstream_st, Destroy> stream_;
};

// A moment in a stream.
class Event {
public:
    Event() {
        cudaEvent_t event = nullptr;
        check(cudaEventCreate(&event), "make an event");
        event_.reset(event);
    }
    operator cudaEvent_t() const { return event_.get(); }
    void record(cudaStream_t stream) const { check(cudaEventRecord(*this, stream), "record an event"); }
    // In work that is captured: a moment of every start of the graph.
    void recordInGraph(cudaStream_t stream) const {
        check(cudaEventRecordWithFlags(*this, stream, cudaEventRecordExternal), "record an event");
    }
    void wait() const { check(cudaEventSynchronize(*this), "finish its work"); }

private:
    struct Destroy {
        void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };
    std::unique_ptr<CUevent_st, Destroy> event_;
};

// From the first moment to the second, which have both passed.
inline double secondsBetween(const Event& first, const Event& second) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first, second), "read the time");
    return static_cast<double>(milliseconds) / 1000;
}

// One piece of the device's memory for many tensors: first all are reserved, then it is allocated.
class DeviceArena {
public:
    static constexpr std::size_t alignment = 256;

    // From allocate() on `place`, which must not move until then, points to `count` elements.
    template <typename T>
    void reserve(T*& place, std::size_t count) {
        places_.push_back([this, &place, offset = bytes_] { place = memory_.at<T>(offset); });
        bytes_ += roundedUp(count * sizeof(T), alignment);
    }
    void allocate() {
        memory_ = DeviceMemory(bytes_);
        for (const auto& setPlace : places_) {
            setPlace();
        }
        places_.clear();
    }

    std::byte* data() const { return memory_.at<std::byte>(0); }
    std::size_t bytes() const { return bytes_; }

private:
    DeviceMemory memory_;
    std::size_t bytes_ = 0;
    std::vector<std::function<void()>> places_;  // that are to be set
};

}  // namespace dlperf::worker::cuda
