// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "streams.h"

namespace dlperf::worker::cuda::emulation {

std::mutex& mutex() {
    static std::mutex all;
    return all;
}

Settings& settings() {
    static Settings all;
    return all;
}

cudaError_t injectedError(const char* function) {
    const auto found = settings().errors.find(function);
    if (found == settings().errors.end() || found->second.callsBefore-- > 0) {
        return cudaSuccess;
    }
    const cudaError_t error = found->second.error;
    settings().errors.erase(found);
    return error;
}

void giveUp(const char* why) {
    std::fprintf(stderr, "emulated CUDA: %s\n", why);
    std::abort();
}

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
