// SPDX-License-Identifier: Apache-2.0
#include "comm/gradient_reducer.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace dlperf::worker {

std::vector<Bucket> makeBuckets(std::span<const std::size_t> offsets, std::size_t total,
                                std::size_t firstElements, std::size_t bucketElements) {
    std::vector<Bucket> buckets;
    std::size_t last = total;
    std::size_t wanted = firstElements;
    for (std::size_t tensor = offsets.size(); tensor-- > 0;) {
        const std::size_t first = offsets[tensor];
        if (last - first < wanted && tensor != 0) {
            continue;
        }
        buckets.push_back({first, last});
        last = first;
        wanted = bucketElements;
    }
    return buckets;
}

BucketElements bucketElements(double bucketMb, std::size_t elementBytes) {
    const double elementsPerMb = (1U << 20) / static_cast<double>(elementBytes);
    return {static_cast<std::size_t>(std::min(bucketMb, 1.0) * elementsPerMb),
            static_cast<std::size_t>(bucketMb * elementsPerMb)};
}

GradientReducer::GradientReducer(Comm& comm, std::span<float> gradients, std::vector<Bucket> buckets)
    : comm_(comm), gradients_(gradients), buckets_(std::move(buckets)) {
    if (comm_.size() > 1) {
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
}

void GradientReducer::ready(std::size_t first) {
    if (comm_.size() == 1) {
        return;
    }
    const std::lock_guard lock(mutex_);
    throwIfFailed();
    const std::size_t before = released_;
    while (released_ < buckets_.size() && buckets_[released_].first >= first) {
        ++released_;
    }
    if (released_ != before) {
        changed_.notify_all();
    }
}

double GradientReducer::finish() {
    if (comm_.size() == 1) {
        return 0;
    }
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failure_ != nullptr || reduced_ == buckets_.size(); });
    throwIfFailed();
    released_ = 0;
    reduced_ = 0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void GradientReducer::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return reduced_ < released_; })) {
        const Bucket bucket = buckets_[reduced_];
        lock.unlock();
        std::exception_ptr failure;
        try {
            comm_.allReduceSum(gradients_.subspan(bucket.first, bucket.last - bucket.first));
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        ++reduced_;
        failure_ = failure;
        changed_.notify_all();
        if (failure != nullptr) {
            return;
        }
    }
}

void GradientReducer::throwIfFailed() const {
    if (failure_ != nullptr) {
        std::rethrow_exception(failure_);
    }
}

}  // namespace dlperf::worker
