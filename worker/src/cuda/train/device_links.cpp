// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/device_links.h"

#include <utility>

namespace dlperf::worker::cuda {

DeviceLinks::DeviceLinks(const TrainerSetup& setup, std::unique_ptr<DeviceComm> comm)
    : comm_(std::move(comm)), watchdog_(*comm_, setup) {}

DeviceLinks::~DeviceLinks() {
    // What is under way writes to memory that is about to be given back.
    cudaStreamSynchronize(stream_);
}

// Watched, as a lost peer leaves it waiting for ever.
template <typename Start>
double DeviceLinks::timed(const Start& start) {
    watchdog_.begin(calls_);
    begun_.record(stream_);
    start();
    done_.record(stream_);
    done_.wait();
    watchdog_.throwIfLost();
    watchdog_.done(calls_);
    ++calls_;
    return secondsBetween(begun_, done_);
}

void DeviceLinks::setMessage(std::size_t bytes) {
    exchange_.reset();
    message_ = DeviceMemory(bytes);
    const DeviceComm::Piece pieces[] = {{message_.at<float>(0), bytes / sizeof(float), NumberType::Float}};
    const auto exchange = [&] { comm_->average(stream_, pieces); };
    // Connections are made at their first use, which is not to be while a graph is recorded.
    timed([&] {
        check(cudaMemsetAsync(message_.at<void>(0), 0, bytes, stream_), "clear a message");
        exchange();
    });
    exchange_.emplace(stream_, exchange);
}

double DeviceLinks::allReduce() {
    return timed([&] { exchange_->launch(stream_); });
}

}  // namespace dlperf::worker::cuda
