// SPDX-License-Identifier: Apache-2.0
#include "ui/session/background.h"

namespace dlperf::ui {

Background::Background(std::size_t mostThreads) : mostThreads_(mostThreads) {}

void Background::post(Task task, bool isWrite) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back({std::move(task), isWrite});
        if (idle_ < tasks_.size() && threads_.size() < mostThreads_) {
            threads_.emplace_back([this] { work(); });
        }
    }
    wake_.notify_one();
}

void Background::answer(const QPointer<QObject>& receiver, Task task) {
    QMetaObject::invokeMethod(
        &home_,
        [receiver, task = std::move(task)] {
            if (receiver) {
                task();
            }
        },
        Qt::QueuedConnection);
}

void Background::fail(const QPointer<QObject>& receiver, Task failed, const char* what) {
    QMetaObject::invokeMethod(
        &home_,
        [this, receiver, failed = std::move(failed), text = QString::fromUtf8(what)] {
            if (receiver && failed) {
                failed();
            }
            if (errorHandler_) {
                errorHandler_(text);
            }
        },
        Qt::QueuedConnection);
}

void Background::work() {
    const std::stop_token stop = stop_.get_token();
    while (true) {
        Waiting next;
        {
            std::unique_lock lock(mutex_);
            ++idle_;
            const bool hasTask = wake_.wait(lock, stop, [this] { return !tasks_.empty(); });
            --idle_;
            if (!hasTask) {
                return;
            }
            next = std::move(tasks_.front());
            tasks_.pop_front();
        }
        if (next.isWrite || !stop.stop_requested()) {
            next.task();
        }
    }
}

}  // namespace dlperf::ui
