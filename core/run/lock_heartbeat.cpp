// SPDX-License-Identifier: Apache-2.0
#include "core/run/lock_heartbeat.h"

namespace dlperf::run {

LockHeartbeat::LockHeartbeat(NodeRun& node, std::chrono::milliseconds every) : node_(node), every_(every) {
    thread_ = std::jthread([this](const std::stop_token& stop) { refresh(stop); });
}

std::optional<Error> LockHeartbeat::lost() const {
    const std::scoped_lock lock(mutex_);
    return lost_;
}

void LockHeartbeat::refresh(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, stop, every_, [] { return false; }) && !stop.stop_requested()) {
        lock.unlock();
        const auto kept = node_.refresh(stop);
        lock.lock();
        if (!kept && kept.error().kind != ErrorKind::Passing && !stop.stop_requested()) {
            lost_ = kept.error();
            return;
        }
    }
}

}  // namespace dlperf::run
