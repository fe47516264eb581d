// SPDX-License-Identifier: Apache-2.0
#include "emulation.h"

#include <ucontext.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace dlperf::worker::cuda::emulation {
namespace {

constexpr std::size_t stackBytes = 32768;

// A thread of a block, with a stack of its own, which it keeps from block to block.
struct Fiber {
    std::vector<char> stack = std::vector<char>(stackBytes);
    std::jmp_buf place;
    bool begun = false;
    bool done = false;
};

std::jmp_buf scheduler;
Fiber* running = nullptr;  // null: the thread runs on the scheduler's stack
bool barrierSeen = false;
const Kernel* work = nullptr;

// Ends the fiber's turn. Not swapcontext(), which asks the system about signals every time.
void yield() {
    if (_setjmp(running->place) == 0) {
        _longjmp(scheduler, 1);
    }
}

void body() {
    for (;;) {
        (*work)(thread.x, thread.x + 1);
        running->done = true;
        yield();
    }
}

[[noreturn]] void begin(Fiber& fiber) {
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack.data();
    context.uc_stack.ss_size = fiber.stack.size();
    context.uc_link = nullptr;
    makecontext(&context, body, 0);
    fiber.begun = true;
    setcontext(&context);
    std::abort();
}

// To its next barrier or its end.
void giveTurn(Fiber& fiber) {
    running = &fiber;
    if (_setjmp(scheduler) != 0) {
        return;
    }
    if (fiber.begun) {
        _longjmp(fiber.place, 1);
    }
    begin(fiber);
}

// All threads of a block to their next barrier, until none is left. Every other block takes them from the
// last to the first: what works one way alone lacks a barrier.
void runBlock(std::vector<Fiber>& fibers, std::size_t threads) {
    for (std::size_t t = 0; t < threads; ++t) {
        fibers[t].done = false;
    }
    for (bool left = true; left;) {
        left = false;
        for (std::size_t turn = 0; turn < threads; ++turn) {
            const std::size_t t = block.x % 2 == 0 ? turn : threads - 1 - turn;
            if (fibers[t].done) {
                continue;
            }
            thread.x = static_cast<unsigned>(t);
            giveTurn(fibers[t]);
            left = left || !fibers[t].done;
        }
    }
}

// A block without barriers needs no stacks.
void runPlainBlock(std::size_t threads, const Kernel& kernel) {
    running = nullptr;
    kernel(0, static_cast<unsigned>(threads));
}

}  // namespace

void barrier() {
    barrierSeen = true;
    if (running == nullptr) {
        std::fputs("a kernel has a barrier in one block and none in the first\n", stderr);
        std::abort();
    }
    yield();
}

void run(std::size_t blocks, std::size_t threads, const Kernel& kernel) {
    // Kernels have one set of indexes and of shared memory, whatever thread starts them.
    static std::mutex one;
    const std::lock_guard lock(one);
    static std::vector<Fiber> fibers;
    if (fibers.size() < threads) {
        fibers.resize(threads);
    }
    work = &kernel;
    blockSize.x = static_cast<unsigned>(threads);
    gridSize.x = static_cast<unsigned>(blocks);
    barrierSeen = false;
    // No block may count on another's being done: every other kernel takes them from the last to the first.
    static bool backwards = false;
    backwards = !backwards;
    for (std::size_t turn = 0; turn < blocks; ++turn) {
        block.x = static_cast<unsigned>(backwards ? blocks - 1 - turn : turn);
        if (turn == 0 || barrierSeen) {
            runBlock(fibers, threads);
        } else {
            runPlainBlock(threads, kernel);
        }
    }
}

}  // namespace dlperf::worker::cuda::emulation
