// SPDX-License-Identifier: Apache-2.0
#include "streams.h"

#include <algorithm>
#include <utility>

namespace dlperf::worker::cuda::emulation {
namespace {

std::set<cudaStream_t>& streams() {
    static std::set<cudaStream_t> all;
    return all;
}

std::set<cudaEvent_t>& events() {
    static std::set<cudaEvent_t> all;
    return all;
}

// What the null stream does comes after all of the blocking streams, so it would become part of their graph.
cudaError_t checkNullStream() {
    cudaError_t result = cudaSuccess;
    for (const cudaStream_t stream : streams()) {
        if (stream->device != currentDevice || !stream->queue->blocking || !stream->capture) {
            continue;
        }
        stream->capture->invalid = true;
        result = cudaErrorStreamCaptureImplicit;
    }
    return result;
}

cudaError_t reachNull(Lock& lock) {
    const cudaError_t result = checkNullStream();
    if (result == cudaSuccess) {
        demandBlocking(lock, currentDevice);
    }
    return result;
}

}  // namespace

const std::set<cudaStream_t>& liveStreams() {
    return streams();
}

std::size_t liveEvents() {
    return events().size();
}

bool isNull(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy;
}

bool isLive(cudaStream_t stream) {
    return streams().contains(stream);
}

cudaStream_t makeStream(unsigned flags, int priority) {
    const bool blocking = (flags & cudaStreamNonBlocking) == 0;
    auto* const stream =
        new CUstream_st{currentDevice, priority, makeQueue(currentDevice, blocking), nullptr, 0};
    streams().insert(stream);
    return stream;
}

void destroyStream(cudaStream_t stream) {
    leaveCapture(stream);
    stream->queue->abandoned = true;
    streams().erase(stream);
    delete stream;
}

cudaEvent_t makeEvent(unsigned flags) {
    auto* const event =
        new CUevent_st{currentDevice, (flags & cudaEventDisableTiming) == 0, nullptr, std::nullopt};
    events().insert(event);
    return event;
}

void destroyEvent(cudaEvent_t event) {
    checkLive(event);
    events().erase(event);
    delete event;
}

void checkLive(cudaEvent_t event) {
    if (!events().contains(event)) {
        giveUp("an event is used that was never made or is destroyed");
    }
}

cudaError_t submit(Lock& lock, cudaStream_t stream, Operation work) {
    if (isNull(stream)) {
        const cudaError_t result = reachNull(lock);
        if (result != cudaSuccess) {
            return result;
        }
        lock.unlock();
        work();
        lock.lock();
        return cudaSuccess;
    }
    if (!isLive(stream)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (stream->capture) {
        return captureWork(stream, std::move(work));
    }
    add(lock, *stream->queue, std::move(work));
    return cudaSuccess;
}

cudaError_t recordEvent(Lock& lock, cudaEvent_t event, cudaStream_t stream) {
    checkLive(event);
    const auto record = std::make_shared<Record>();
    if (isNull(stream)) {
        const cudaError_t result = reachNull(lock);
        if (result != cudaSuccess) {
            return result;
        }
        record->time = std::chrono::steady_clock::now();
    } else {
        if (!isLive(stream) || stream->device != event->device) {
            return cudaErrorInvalidResourceHandle;
        }
        if (stream->capture) {
            if (stream->capture->invalid) {
                return cudaErrorStreamCaptureInvalidated;
            }
            event->record.reset();
            event->captured = capturedNow(stream);
            return cudaSuccess;
        }
        record->queue = stream->queue;
        record->count = stream->queue->added + 1;
        add(lock, *stream->queue, [record] { record->time = std::chrono::steady_clock::now(); });
    }
    event->record = record;
    event->captured.reset();
    return cudaSuccess;
}

cudaError_t waitForEvent(Lock& lock, cudaStream_t stream, cudaEvent_t event) {
    checkLive(event);
    if (!isNull(stream) && !isLive(stream)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (event->captured) {
        return captureWait(stream, *event->captured);
    }
    const std::shared_ptr<Record> record = event->record;
    if (!record) {
        return cudaSuccess;
    }
    if (!isNull(stream) && stream->capture) {
        stream->capture->invalid = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (record->reached()) {
        return cudaSuccess;
    }
    if (isNull(stream)) {
        demand(lock, *record->queue, record->count);
        return cudaSuccess;
    }
    add(lock, *stream->queue, [record] {
        Lock again(mutex());
        drain(again, *record->queue, record->count);
    });
    return cudaSuccess;
}

}  // namespace dlperf::worker::cuda::emulation
