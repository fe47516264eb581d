// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for streams and events.
#include "capture.h"
#include "queue.h"
#include "streams.h"

namespace dlperf::worker::cuda::emulation {
namespace {

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

}  // namespace
}  // namespace dlperf::worker::cuda::emulation

using namespace dlperf::worker::cuda::emulation;

// No stream here is ordered with the null stream.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return call(__func__, [&](Lock&) {
        if (flags != cudaStreamNonBlocking) {
            return cudaErrorInvalidValue;
        }
        *stream = makeStream();
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
        destroyStream(stream);
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
        *event = makeEvent();
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call(__func__, [&](Lock&) {
        destroyEvent(event);
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
