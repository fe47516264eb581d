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

}  // namespace

const std::set<cudaStream_t>& liveStreams() {
    return streams();
}

std::size_t liveEvents() {
    return events().size();
}

bool isLive(cudaStream_t stream) {
    return streams().contains(stream);
}

cudaStream_t makeStream() {
    auto* const stream = new CUstream_st{currentDevice, makeQueue(currentDevice), nullptr, 0};
    streams().insert(stream);
    return stream;
}

void destroyStream(cudaStream_t stream) {
    abandonCapture(stream);
    stream->queue->abandoned = true;
    streams().erase(stream);
    delete stream;
}

cudaEvent_t makeEvent() {
    auto* const event = new CUevent_st{currentDevice, nullptr, std::nullopt};
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
    if (stream == nullptr) {
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
    const auto record = std::make_shared<Record>();
    record->queue = stream->queue;
    record->count = stream->queue->added + 1;
    add(lock, *stream->queue, [record] { record->time = std::chrono::steady_clock::now(); });
    event->record = record;
    event->captured.reset();
    return cudaSuccess;
}

cudaError_t waitForEvent(Lock& lock, cudaStream_t stream, cudaEvent_t event) {
    checkLive(event);
    if (!isLive(stream)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (event->captured) {
        return captureWait(stream, *event->captured);
    }
    const std::shared_ptr<Record> record = event->record;
    if (!record) {
        return cudaSuccess;
    }
    if (stream->capture) {
        stream->capture->invalid = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (record->reached()) {
        return cudaSuccess;
    }
    add(lock, *stream->queue, [record] {
        Lock again(mutex());
        drain(again, *record->queue, record->count);
    });
    return cudaSuccess;
}

}  // namespace dlperf::worker::cuda::emulation
