// SPDX-License-Identifier: Apache-2.0
#include "emulation.h"

#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace dlperf::worker::cuda::emulation {
namespace {

constexpr std::size_t kStackBytes = 32768;

/// A thread of a block, with a stack of its own.
struct Fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(kStackBytes);
    bool done = false;
};

ucontext_t scheduler;
Fiber* running = nullptr;  ///< null: the thread runs on the scheduler's stack
bool barrierSeen = false;
const std::function<void()>* work = nullptr;

void body() {
    (*work)();
    running->done = true;
}

void start(Fiber& fiber) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = &scheduler;
    fiber.done = false;
    makecontext(&fiber.context, body, 0);
}

/// All threads of a block to their next barrier, until none is left. Every other block takes them from the
/// last to the first: what works one way alone lacks a barrier.
void runBlock(std::vector<Fiber>& fibers, std::size_t threads) {
    for (std::size_t t = 0; t < threads; ++t)
        start(fibers[t]);
    for (bool left = true; left;) {
        left = false;
        for (std::size_t turn = 0; turn < threads; ++turn) {
            const std::size_t t = block.x % 2 == 0 ? turn : threads - 1 - turn;
            if (fibers[t].done) continue;
            running = &fibers[t];
            thread.x = static_cast<unsigned>(t);
            swapcontext(&scheduler, &fibers[t].context);
            left = left || !fibers[t].done;
        }
    }
}

/// A block without barriers needs no stacks.
void runPlainBlock(std::size_t threads, const std::function<void()>& kernel) {
    running = nullptr;
    for (std::size_t t = 0; t < threads; ++t) {
        thread.x = static_cast<unsigned>(t);
        kernel();
    }
}

}  // namespace

void barrier() {
    barrierSeen = true;
    Fiber* const mine = running;
    if (mine == nullptr) {
        std::fputs("a kernel has a barrier in one block and none in the first\n", stderr);
        std::abort();
    }
    swapcontext(&mine->context, &scheduler);
}

void run(std::size_t blocks, std::size_t threads, const std::function<void()>& kernel) {
    // Kernels have one set of indexes and of shared memory, whatever thread starts them.
    static std::mutex one;
    const std::lock_guard lock(one);
    static std::vector<Fiber> fibers;
    if (fibers.size() < threads) fibers.resize(threads);
    work = &kernel;
    blockSize.x = static_cast<unsigned>(threads);
    gridSize.x = static_cast<unsigned>(blocks);
    barrierSeen = false;
    for (std::size_t b = 0; b < blocks; ++b) {
        block.x = static_cast<unsigned>(b);
        if (b == 0 || barrierSeen)
            runBlock(fibers, threads);
        else
            runPlainBlock(threads, kernel);
    }
}

}  // namespace dlperf::worker::cuda::emulation
