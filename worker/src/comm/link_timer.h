// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace dlperf::worker {

// Times what all ranks of a world exchange, where training has its gradients: in the hosts' memory, or in the
// GPUs'. All call the same functions in the same order.
class LinkTimer {
public:
    virtual ~LinkTimer() = default;

    // For the log's header: "gloo, by way of the hosts", "nccl 2.28.9, from GPU to GPU".
    virtual std::string name() const = 0;
    // The size of the message from here on, a multiple of a float's.
    virtual void setMessage(std::size_t bytes) = 0;
    // Seconds of one all-reduce of the message. Throws Failure(Communication) where a peer is lost or does
    // not answer in time.
    virtual double allReduce() = 0;
};

}  // namespace dlperf::worker
