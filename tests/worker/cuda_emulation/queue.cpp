// SPDX-License-Identifier: Apache-2.0
#include "queue.h"

#include <algorithm>
#include <condition_variable>
#include <utility>
#include <vector>

namespace dlperf::worker::cuda::emulation {
namespace {

using Queues = std::vector<std::shared_ptr<Queue>>;

Queues& allQueues() {
    static Queues queues;
    return queues;
}

std::condition_variable& progress() {
    static std::condition_variable condition;
    return condition;
}

void forgetFinished() {
    std::erase_if(allQueues(), [](const std::shared_ptr<Queue>& queue) {
        return queue.use_count() == 1 && queue->done == queue->added;
    });
}

// Copied, for the list can change while work is done.
Queues queuesOf(int device) {
    forgetFinished();
    Queues result;
    std::copy_if(allQueues().begin(), allQueues().end(), std::back_inserter(result),
                 [&](const auto& queue) { return queue->device == device; });
    // The last stream's first: not the order that a program is likely to expect.
    if (settings().schedule == Schedule::OthersFirst) {
        std::reverse(result.begin(), result.end());
    }
    return result;
}

void runNext(Lock& lock, Queue& queue) {
    queue.running = true;
    Operation operation = std::move(queue.operations.front());
    queue.operations.pop_front();
    lock.unlock();
    operation();
    operation = nullptr;
    lock.lock();
    queue.running = false;
    ++queue.done;
    progress().notify_all();
}

}  // namespace

std::shared_ptr<Queue> makeQueue(int device) {
    auto queue = std::make_shared<Queue>();
    queue->device = device;
    allQueues().push_back(queue);
    return queue;
}

void add(Lock& lock, Queue& queue, Operation operation) {
    queue.operations.push_back(std::move(operation));
    ++queue.added;
    if (settings().schedule == Schedule::AtOnce) {
        drain(lock, queue, queue.added);
    }
}

void drain(Lock& lock, Queue& queue, std::uint64_t count) {
    while (queue.done < count) {
        if (queue.running) {
            progress().wait(lock);
        } else {
            runNext(lock, queue);
        }
    }
}

void demand(Lock& lock, Queue& queue, std::uint64_t count) {
    if (settings().schedule == Schedule::OthersFirst) {
        for (const std::shared_ptr<Queue>& other : queuesOf(queue.device)) {
            if (other.get() != &queue) {
                drain(lock, *other, other->added);
            }
        }
    }
    drain(lock, queue, count);
}

void demandDevice(Lock& lock, int device) {
    for (const std::shared_ptr<Queue>& queue : queuesOf(device)) {
        drain(lock, *queue, queue->added);
    }
}

void dropAbandoned() {
    for (const std::shared_ptr<Queue>& queue : allQueues()) {
        if (!queue->abandoned || queue->running) {
            continue;
        }
        queue->done = queue->added;
        queue->operations.clear();
    }
    forgetFinished();
}

}  // namespace dlperf::worker::cuda::emulation
