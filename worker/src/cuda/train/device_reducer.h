// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "comm/bucketing.h"
#include "cuda/net/parameter_store.h"
#include "cuda/runtime/device_comm.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/number_type.h"

namespace dlperf::worker::cuda {

// Averages gradients over all ranks on a stream of its own, while the backward pass still computes the
// earlier layers'. All of it can be captured with the pass.
template <typename T>
class DeviceReducer {
public:
    // The others outlive this. `compute` is the stream of the backward pass.
    DeviceReducer(DeviceComm& comm, const ParameterStore<T>& store, const Stream& compute, double bucketMb)
        : comm_(comm),
          store_(store),
          compute_(compute),
          buckets_(makeBuckets(store.layout().weightOffsets(), store.layout().weights(),
                               bucketElements(bucketMb, sizeof(T)).first,
                               bucketElements(bucketMb, sizeof(T)).others)) {}

    // The weights' gradients from `first` to the end are final.
    void ready(std::size_t first) {
        while (sent_ + 1 < buckets_.size() && buckets_[sent_].first >= first) {
            send({pieceOf(buckets_[sent_++])});
        }
    }

    // So are all, those of the vectors too. What `compute` does from here on is done with averages.
    void finish() {
        // The loss is behind the vectors' gradients.
        const DeviceComm::Piece vectors{store_.vectorGradients(), store_.layout().vectors() + 1,
                                        NumberType::Float};
        send({pieceOf(buckets_.back()), vectors});
        sent_ = 0;
        done_.record(stream_);
        compute_.waitFor(done_);
    }

private:
    DeviceComm::Piece pieceOf(const Bucket& bucket) const {
        return {store_.weightGradients() + bucket.first, bucket.last - bucket.first, numberType<T>};
    }
    void send(const std::vector<DeviceComm::Piece>& pieces) {
        computed_.record(compute_);
        stream_.waitFor(computed_);
        comm_.average(stream_, pieces);
    }

    DeviceComm& comm_;
    const ParameterStore<T>& store_;
    const Stream& compute_;
    std::vector<Bucket> buckets_;
    Stream stream_{Stream::Priority::High};
    Event computed_;
    Event done_;
    std::size_t sent_ = 0;  // buckets of this step; the last one is for finish()
};

}  // namespace dlperf::worker::cuda
