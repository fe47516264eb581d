// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/device_links.h"

#include <utility>

namespace dlperf::worker::cuda {

DeviceLinks::DeviceLinks(const TrainerSetup& setup, std::unique_ptr<DeviceComm> comm, std::size_t mostBytes)
    : message_(mostBytes), comm_(std::move(comm)), watchdog_(*comm_, setup) {}

DeviceLinks::~DeviceLinks() {
    // What is under way writes to memory that is about to be given back.
    cudaStreamSynchronize(stream_);
}

// Watched, as a lost peer leaves it waiting for ever.
template <typename Start>
void DeviceLinks::watched(const Start& start) {
    watchdog_.begin(calls_);
    start();
    stream_.wait();
    watchdog_.throwIfLost();
    watchdog_.done(calls_);
    ++calls_;
}

void DeviceLinks::setMessage(std::size_t bytes) {
    exchange_.reset();
    const DeviceComm::Piece pieces[] = {{message_.at<float>(0), bytes / sizeof(float), Precision::Fp32}};
    const auto exchange = [&] { comm_->average(stream_, pieces); };
    // Connections are made at their first use, which is not to be while a graph is recorded.
    watched([&] {
        check(cudaMemsetAsync(message_.at<void>(0), 0, bytes, stream_), "clear a message");
        exchange();
    });
    exchange_.emplace(stream_, [&] {
        begun_.recordInGraph(stream_);
        exchange();
        done_.recordInGraph(stream_);
    });
}

double DeviceLinks::allReduce() {
    watched([&] { exchange_->launch(stream_); });
    return secondsBetween(begun_, done_);
}

}  // namespace dlperf::worker::cuda
