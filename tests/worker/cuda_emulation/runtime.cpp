// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include <utility>

#include "allocations.h"
#include "capture.h"
#include "queue.h"
#include "state.h"
#include "streams.h"

namespace dlperf::worker::cuda::emulation {

void setSchedule(Schedule schedule) {
    const Lock lock(mutex());
    settings().schedule = schedule;
}

void setDeviceCount(int count) {
    const Lock lock(mutex());
    settings().devices = count;
}

void setDeviceMemory(std::size_t bytes) {
    const Lock lock(mutex());
    settings().memory = bytes;
}

void failNext(const char* function, cudaError_t error, int callsBefore) {
    const Lock lock(mutex());
    settings().errors[function] = {error, callsBefore};
}

void reset() {
    const Lock lock(mutex());
    dropAbandoned();
    settings() = Settings{};
    currentDevice = 0;
    lastError = cudaSuccess;
}

Live live() {
    const Lock lock(mutex());
    Live result;
    count(result);
    result.streams = liveStreams().size();
    result.events = liveEvents();
    result.graphs = liveGraphs();
    return result;
}

std::map<std::string, int> launches() {
    const Lock lock(mutex());
    return settings().launches;
}

void countLaunch(const char* what) {
    const Lock lock(mutex());
    ++settings().launches[what];
}

void enqueue(cudaStream_t stream, std::function<void()> work) {
    call("launch", [&](Lock& lock) {
        // CUDA launches a kernel only into a stream of the thread's device.
        if (isLive(stream) && stream->device != currentDevice) {
            return cudaErrorInvalidResourceHandle;
        }
        return submit(lock, stream, std::move(work));
    });
}

}  // namespace dlperf::worker::cuda::emulation
