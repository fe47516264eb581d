// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for streams and events.
#include "streams.h"

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

namespace {

// Ends the program where it is none.
void checkLive(cudaEvent_t event) {
    if (!events().contains(event)) {
        giveUp("an event is used that was never made or is destroyed");
    }
}

constexpr int leastPriority = 0;
constexpr int greatestPriority = -5;

// For what waits for a stream: not while it is captured.
cudaError_t checkWaitable(cudaStream_t stream) {
    if (!isLive(stream)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (stream->capture) {
        stream->capture->invalid = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    return checkNoCapture();
}

cudaError_t checkWaitable(cudaEvent_t event) {
    checkLive(event);
    if (event->captured) {
        event->captured->capture->invalid = true;
        return cudaErrorCapturedEvent;
    }
    return checkNoCapture();
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

}  // namespace
}  // namespace dlperf::worker::cuda::emulation

using namespace dlperf::worker::cuda::emulation;

// No stream here is ordered with the null stream.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return call(__func__, [&](Lock&) {
        if (flags != cudaStreamNonBlocking) {
            return cudaErrorInvalidValue;
        }
        *stream = new CUstream_st{currentDevice, makeQueue(currentDevice), nullptr, 0, priority};
        streams().insert(*stream);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call(__func__, [&](Lock&) {
        *least = leastPriority;
        *greatest = greatestPriority;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call(__func__, [&](Lock&) {
        if (!isLive(stream)) {
            return cudaErrorInvalidResourceHandle;
        }
        abandonCapture(stream);
        stream->queue->abandoned = true;
        streams().erase(stream);
        delete stream;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call(__func__, [&](Lock& lock) {
        const cudaError_t result = checkWaitable(stream);
        if (result != cudaSuccess) {
            return result;
        }
        const std::shared_ptr<Queue> queue = stream->queue;
        demand(lock, *queue, queue->added);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return call(__func__, [&](Lock& lock) { return waitForEvent(lock, stream, event); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call(__func__, [&](Lock& lock) { return submit(lock, stream, [=] { function(data); }); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return call(__func__, [&](Lock&) {
        *event = new CUevent_st{currentDevice, nullptr, std::nullopt};
        events().insert(*event);
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call(__func__, [&](Lock&) {
        checkLive(event);
        events().erase(event);
        delete event;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call(__func__, [&](Lock& lock) { return recordEvent(lock, event, stream); });
}

// External, in a capture: what is recorded at every launch of the graph, for the host to look at.
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (flags != cudaEventRecordExternal) {
        return cudaEventRecord(event, stream);
    }
    return call(__func__, [&](Lock& lock) {
        checkLive(event);
        if (!isLive(stream) || !stream->capture) {
            return cudaErrorIllegalState;
        }
        return submit(lock, stream, [event] {
            const auto record = std::make_shared<Record>();
            record->time = std::chrono::steady_clock::now();
            event->record = record;
        });
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return call(__func__, [&](Lock& lock) {
        const cudaError_t result = checkWaitable(event);
        if (result != cudaSuccess) {
            return result;
        }
        const std::shared_ptr<Record> record = event->record;
        if (record && record->queue) {
            demand(lock, *record->queue, record->count);
        }
        return cudaSuccess;
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return call(__func__, [&](Lock&) {
        for (const cudaEvent_t event : {start, end}) {
            checkLive(event);
            if (event->captured) {
                return cudaErrorCapturedEvent;
            }
            if (!event->record) {
                return cudaErrorInvalidResourceHandle;
            }
            if (!event->record->reached()) {
                return cudaErrorNotReady;
            }
        }
        *milliseconds =
            std::chrono::duration<float, std::milli>(end->record->time - start->record->time).count();
        return cudaSuccess;
    });
}
