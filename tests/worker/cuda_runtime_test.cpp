// SPDX-License-Identifier: Apache-2.0
// What the emulated runtime promises to the tests that stand on it: what CUDA allows is done, what lacks a
// wait gives a wrong number, what CUDA refuses is refused.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include "base/failure.h"
#include "cuda/kernels/kernels.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"
#include "cuda_emulation/reference_operators.h"
#include "cuda_emulation/runtime.h"

namespace dlperf::worker::cuda::test {
namespace {

using emulation::Schedule;

// Numbers in the device's memory and their way from and to the host.
class Numbers {
public:
    explicit Numbers(std::size_t count = 1) : memory_(count * sizeof(float)), count_(count) {}
    float* data() const { return memory_.at<float>(0); }

    // Puts copies into the stream.
    void read(cudaStream_t stream, const float* from) const {
        check(cudaMemcpyAsync(data(), from, bytes(), cudaMemcpyHostToDevice, stream), "copy");
    }
    void write(cudaStream_t stream, float* to) const {
        check(cudaMemcpyAsync(to, data(), bytes(), cudaMemcpyDeviceToHost, stream), "copy");
    }
    // What is there now.
    float now() const { return *data(); }
    // Puts a kernel-like change into the stream.
    void set(cudaStream_t stream, float value) const {
        emulation::enqueue(stream, [at = data(), value] { *at = value; });
    }
    void add(cudaStream_t stream, float value) const {
        emulation::enqueue(stream, [at = data(), value] { *at += value; });
    }
    // this = other
    void take(cudaStream_t stream, const Numbers& other) const {
        convert(stream, count_, static_cast<const float*>(other.data()), data());
    }

private:
    std::size_t bytes() const { return count_ * sizeof(float); }

    DeviceMemory memory_;
    std::size_t count_;
};

void begin(cudaStream_t stream) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
}

// How a capture ends that went wrong.
cudaError_t failedEnd(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    const cudaError_t result = cudaStreamEndCapture(stream, &graph);
    EXPECT_EQ(graph, nullptr);
    return result;
}

// All work of the thread's device, which is what giving memory back waits for.
void finishAll() {
    const DeviceMemory memory(4);
}

class CudaRuntime : public testing::Test {
public:
    CudaRuntime() { emulation::reset(); }
    ~CudaRuntime() override { emulation::reset(); }
};

constexpr std::array schedules{Schedule::Lazy, Schedule::OthersFirst, Schedule::AtOnce};

TEST_F(CudaRuntime, WorkIsDoneWhenItIsWaitedFor) {
    const Stream stream;
    int done = 0;
    emulation::enqueue(stream, [&] { ++done; });
    EXPECT_EQ(done, 0);
    stream.wait();
    EXPECT_EQ(done, 1);
    emulation::setSchedule(Schedule::AtOnce);
    emulation::enqueue(stream, [&] { ++done; });
    EXPECT_EQ(done, 2);
}

TEST_F(CudaRuntime, KernelsAndCopiesKeepTheirOrder) {
    for (const Schedule schedule : schedules) {
        emulation::setSchedule(schedule);
        const Stream stream;
        const Numbers x(3);
        const Numbers y(3);
        const std::vector<float> from{1, 2, 3};
        std::vector<float> to(3);
        x.read(stream, from.data());
        y.take(stream, x);
        y.write(stream, to.data());
        EXPECT_EQ(cudaMemsetAsync(y.data(), 0, sizeof(float), stream), cudaSuccess);
        stream.wait();
        EXPECT_EQ(to, from);
        EXPECT_EQ(y.now(), 0);
    }
}

TEST_F(CudaRuntime, HostMemoryThatIsReusedOrReadTooEarlyShows) {
    const Stream stream;
    const Numbers x;
    float from = 1;
    float to = 0;
    x.read(stream, &from);
    x.write(stream, &to);
    EXPECT_EQ(to, 0);
    from = 2;
    stream.wait();
    EXPECT_EQ(to, 2);
}

TEST_F(CudaRuntime, StreamsAreOrderedByEvents) {
    for (const Schedule schedule : schedules) {
        emulation::setSchedule(schedule);
        const Stream first;
        const Stream second;
        const Event written;
        const Numbers x;
        const Numbers y;
        x.set(first, 1);
        written.record(first);
        x.set(first, 2);
        second.waitFor(written);
        y.take(second, x);
        second.wait();
        EXPECT_EQ(y.now(), schedule == Schedule::Lazy ? 1 : 2) << "the second write races with the reader";
    }
}

TEST_F(CudaRuntime, MissingWaitForAWriterShowsByLazyWork) {
    const Stream writer;
    const Stream reader;
    const Numbers x;
    const Numbers y;
    x.set(writer, 1);
    y.take(reader, x);
    reader.wait();
    EXPECT_TRUE(std::isnan(y.now()));
}

TEST_F(CudaRuntime, MissingWaitForAReaderShowsWhenOthersAreFirst) {
    for (const bool waits : {false, true}) {
        emulation::setSchedule(Schedule::OthersFirst);
        const Stream reader;
        const Stream writer;
        const Event read;
        const Numbers x;
        const Numbers y;
        x.set(nullptr, 1);
        y.take(reader, x);
        read.record(reader);
        if (waits) {
            writer.waitFor(read);
        }
        x.set(writer, 2);
        reader.wait();
        EXPECT_EQ(y.now(), waits ? 1 : 2);
    }
}

TEST_F(CudaRuntime, WaitsReferToTheLatestRecordBeforeThem) {
    const Stream first;
    const Stream second;
    const Event event;
    const Numbers x;
    second.waitFor(event);  // never recorded: nothing to wait for
    x.set(first, 1);
    event.record(first);
    second.waitFor(event);
    x.set(first, 2);
    event.record(first);
    second.wait();
    EXPECT_EQ(x.now(), 1);
    x.set(first, 3);
    event.wait();
    EXPECT_EQ(x.now(), 2) << "what comes after the event is not waited for";
}

TEST_F(CudaRuntime, TimeIsThatBetweenOperations) {
    const Stream stream;
    const Event start;
    const Event stop;
    float milliseconds = 0;
    start.record(stream);
    emulation::enqueue(stream, [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
    stop.record(stream);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorNotReady);
    stop.wait();
    EXPECT_GE(secondsBetween(start, stop), 0.002);
    const Event never;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, never), cudaErrorInvalidResourceHandle);
}

TEST_F(CudaRuntime, HostFunctionsAndStreamsThatAreGone) {
    int calls = 0;
    {
        const Stream stream;
        const auto count = [](void* data) { ++*static_cast<int*>(data); };
        EXPECT_EQ(cudaLaunchHostFunc(stream, count, &calls), cudaSuccess);
    }
    EXPECT_EQ(calls, 0);
    finishAll();
    EXPECT_EQ(calls, 1) << "a stream's work is done also when it is destroyed";
}

TEST_F(CudaRuntime, ResetForgetsWhatDestroyedStreamsHaveLeft) {
    int calls = 0;
    const Stream alive;
    {
        const Stream gone;
        emulation::enqueue(gone, [&] { ++calls; });
    }
    emulation::enqueue(alive, [&] { calls += 10; });
    emulation::reset();
    finishAll();
    EXPECT_EQ(calls, 10);
}

TEST_F(CudaRuntime, ThreadsShareStreams) {
    const Stream first;
    const Stream second;
    const Event event;
    const Numbers x;
    std::vector<std::thread> threads;
    x.set(first, 0);
    for (int i = 0; i < 1000; ++i) {
        x.add(first, 1);
    }
    event.record(first);
    second.waitFor(event);
    x.add(second, 1);
    for (const Stream* stream : {&first, &second}) {
        threads.emplace_back([stream] { stream->wait(); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(x.now(), 1001);
}

TEST_F(CudaRuntime, WorkOfTwoDevicesMayWaitForEachOther) {
    emulation::setDeviceCount(2);
    std::atomic<int> arrived = 0;
    const auto rank = [&](int device) {
        ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
        const Stream stream;
        emulation::enqueue(stream, [&] {
            ++arrived;
            while (arrived < 2) {
                std::this_thread::yield();
            }
        });
        finishAll();
    };
    std::thread other(rank, 1);
    rank(0);
    other.join();
    EXPECT_EQ(arrived, 2);
}

TEST_F(CudaRuntime, KernelsNeedAStreamOfTheirDevice) {
    emulation::setDeviceCount(2);
    const Stream stream;
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    emulation::enqueue(stream, [] {});
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
}

// Memory

TEST_F(CudaRuntime, NewMemoryIsNotANumber) {
    const DeviceMemory memory(16);
    EXPECT_TRUE(std::isnan(*memory.at<float>(12)));
    EXPECT_TRUE(std::isnan(__half2float(*memory.at<__half>(2))));
    EXPECT_TRUE(std::isnan(__bfloat162float(*memory.at<__nv_bfloat16>(4))));
}

// Sums in convolutions may be reordered, but what is read before it is written must show behind them too.
TEST_F(CudaRuntime, ConvolutionsOfWhatIsNotANumberAreNone) {
    const Stream stream;
    emulation::ReferenceOperators<float> operators(stream);
    const dnn::ConvolutionShape shape{1, 4, 4, 3, 3, 3, 1, 1};
    for (const Pass pass : {Pass::Forward, Pass::DataGradient, Pass::WeightGradient}) {
        const Numbers input(36);
        const Numbers filter(144);
        const Numbers output(36);
        const Numbers& result = pass == Pass::Forward ? output : pass == Pass::DataGradient ? input : filter;
        result.set(stream, 0);
        const Operators::Wanted one{pass, shape};
        operators.prepare({&one, 1});
        operators.run(one, {input.data(), filter.data(), output.data()});
        stream.wait();
        EXPECT_TRUE(std::isnan(result.now()));
    }
}

TEST_F(CudaRuntime, MemoryAndObjectsAreCounted) {
    const emulation::Live before = emulation::live();
    {
        const DeviceMemory memory(100);
        const Stream stream;
        const Event event;
        void* pinned = nullptr;
        ASSERT_EQ(cudaHostAlloc(&pinned, 8, cudaHostAllocDefault), cudaSuccess);
        const emulation::Live now = emulation::live();
        EXPECT_EQ(now.deviceAllocations, before.deviceAllocations + 1);
        EXPECT_EQ(now.deviceBytes, before.deviceBytes + 100);
        EXPECT_EQ(now.hostAllocations, before.hostAllocations + 1);
        EXPECT_EQ(now.streams, before.streams + 1);
        EXPECT_EQ(now.events, before.events + 1);
        EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    }
    EXPECT_EQ(emulation::live(), before);
}

TEST_F(CudaRuntime, MemoryEnds) {
    emulation::setDeviceMemory(1000);
    const DeviceMemory most(900);
    std::size_t left = 0;
    std::size_t total = 0;
    ASSERT_EQ(cudaMemGetInfo(&left, &total), cudaSuccess);
    EXPECT_EQ(left, 100U);
    EXPECT_EQ(total, 1000U);
    void* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 101), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_THROW(DeviceMemory(101), Failure);
}

TEST_F(CudaRuntime, CopiesStayWithinTheirMemory) {
    const Stream stream;
    const DeviceMemory memory(8);
    std::array<char, 16> host{};
    auto* const data = memory.at<char>(0);
    const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
        return cudaMemcpyAsync(to, from, bytes, kind, stream);
    };
    EXPECT_EQ(copy(data + 4, host.data(), 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(host.data(), data, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(host.data(), host.data() + 8, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemsetAsync(data, 0, 9, stream), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data, host.data(), 8, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(CudaRuntime, FreeingWaitsForWork) {
    const Stream stream;
    float to = 0;
    {
        const Numbers x;
        x.set(stream, 3);
        x.write(stream, &to);
    }
    EXPECT_EQ(to, 3);
}

TEST(CudaRuntimeDeathTest, DefectsEndTheProgram) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    int local = 0;
    EXPECT_DEATH(cudaFree(&local), "not allocated");
    EXPECT_DEATH(
        {
            const DeviceMemory memory(4);
            memory.at<char>(0)[4] = 0;
        },
        "behind an allocation");
    EXPECT_DEATH(
        {
            cudaEvent_t event = nullptr;
            cudaEventCreate(&event);
            cudaEventDestroy(event);
            cudaEventRecord(event, nullptr);
        },
        "destroyed");
}

// Errors

TEST_F(CudaRuntime, ErrorsAreInjected) {
    emulation::failNext("cudaMalloc", cudaErrorMemoryAllocation, 1);
    const DeviceMemory first(4);
    void* second = nullptr;
    EXPECT_EQ(cudaMalloc(&second, 4), cudaErrorMemoryAllocation);
    const DeviceMemory third(4);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);

    const Numbers x;
    emulation::failNext("launch", cudaErrorLaunchFailure);
    EXPECT_THROW(x.take(nullptr, x), Failure);
}

TEST_F(CudaRuntime, AnErrorThatIsThrownIsNotFoundByTheNextLaunch) {
    emulation::failNext("cudaMalloc", cudaErrorMemoryAllocation);
    EXPECT_THROW(DeviceMemory(4), Failure);
    EXPECT_NO_THROW(checkLaunch("go on"));

    const Stream stream;
    const auto nothing = [] {};
    emulation::failNext("cudaStreamEndCapture", cudaErrorStreamCaptureInvalidated);
    EXPECT_THROW(CapturedGraph(stream, nothing), Failure);
    EXPECT_NO_THROW(checkLaunch("go on"));

    const auto waits = [&] { stream.wait(); };  // which ends the recording
    EXPECT_THROW(CapturedGraph(stream, waits), Failure);
    EXPECT_NO_THROW(checkLaunch("go on"));
}

TEST_F(CudaRuntime, WithoutADeviceNothingWorks) {
    emulation::setDeviceCount(0);
    int count = 7;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    EXPECT_EQ(count, 0);
    EXPECT_THROW(DeviceMemory(4), Failure);
    int version = 0;
    EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
}

// Captures

TEST_F(CudaRuntime, GraphSeesNewContentsAtEachLaunch) {
    for (const Schedule schedule : schedules) {
        emulation::setSchedule(schedule);
        const Stream stream;
        const Numbers x;
        float from = 1;
        float to = 0;
        const CapturedGraph graph(stream, [&] {
            x.read(stream, &from);
            x.add(stream, 10);
            x.write(stream, &to);
        });
        stream.wait();
        EXPECT_EQ(to, 0) << "what is captured is not done";
        for (const float value : {1.0F, 2.0F}) {
            from = value;
            graph.launch(stream);
            stream.wait();
            EXPECT_EQ(to, value + 10);
        }
    }
}

TEST_F(CudaRuntime, WhatIsHopelesslySlowIsNotStartedOften) {
    const Stream stream;
    const Stopwatch stopwatch(stream);
    int started = 0;
    const auto slow = [&] {
        ++started;
        emulation::enqueue(stream, [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
    };
    EXPECT_GE(stopwatch.seconds(slow, 0.001), 0.002);
    EXPECT_EQ(started, 2);  // the first loads code
    EXPECT_GE(stopwatch.seconds(slow, 3600), 0.002);
    EXPECT_GT(started, 4);
}

TEST_F(CudaRuntime, SetsInTurnFillTheCacheButNotTheMemory) {
    using emulation::deviceCache;
    EXPECT_EQ(setsBeyondCache(deviceCache), 2U);
    EXPECT_EQ(setsBeyondCache(deviceCache * 2 / 5), 4U);  // three others are larger than the cache
    EXPECT_EQ(setsBeyondCache(1), 16U);
    emulation::setDeviceMemory(deviceCache * 8);
    EXPECT_EQ(setsBeyondCache(deviceCache), 2U);
    emulation::setDeviceMemory(deviceCache * 7);
    EXPECT_EQ(setsBeyondCache(deviceCache), 1U);
    EXPECT_EQ(setsBeyondCache(deviceCache * 100), 1U);
}

TEST_F(CudaRuntime, BetweenTwoTurnsOfASetAreThoseOfAllOthers) {
    const Stream stream;
    const Stopwatch stopwatch(stream);
    for (const std::size_t sets : {1U, 3U, 4U, 5U}) {
        const DeviceMemory memory(sets * 256);
        std::vector<const std::byte*> used;
        std::size_t turn = 0;
        const auto start = [&] {
            const std::byte* const set = memory.at<std::byte>(turn++ % sets * 256);
            emulation::enqueue(stream, [&used, set] { used.push_back(set); });
        };
        stopwatch.seconds(start, 3600, sets);
        ASSERT_GE(used.size(), 2 + 2 * sets);
        for (std::size_t i = 0; i < used.size(); ++i) {
            EXPECT_EQ(used[i], memory.at<std::byte>(i % sets * 256)) << i << " of " << sets;
        }
    }
}

TEST_F(CudaRuntime, GraphIsWorkOfItsStream) {
    const Stream stream;
    const Numbers x;
    x.set(stream, 1);
    {
        const CapturedGraph graph(stream, [&] { x.add(stream, 1); });
        x.add(stream, 5);
        graph.launch(stream);
        graph.launch(stream);
    }
    EXPECT_TRUE(std::isnan(x.now()));
    stream.wait();
    EXPECT_EQ(x.now(), 8);
}

// A graph with a branch that reads what the main stream has written before, and writes what it reads later.
// The forks and joins can be misplaced.
struct Branched {
    bool writtenBeforeFork = true;
    bool readAfterJoin = true;

    float result() const {
        const Stream stream;
        const Stream side;
        const Event fork;
        const Event join;
        const Numbers x;
        const Numbers y;
        const Numbers z;
        const CapturedGraph graph(stream, [&] {
            if (writtenBeforeFork) {
                x.set(stream, 1);
            }
            fork.record(stream);
            if (!writtenBeforeFork) {
                x.set(stream, 1);
            }
            side.waitFor(fork);
            y.take(side, x);
            join.record(side);
            if (readAfterJoin) {
                stream.waitFor(join);
            }
            z.take(stream, y);
            stream.waitFor(join);
        });
        graph.launch(stream);
        stream.wait();
        return z.now();
    }
};

TEST_F(CudaRuntime, GraphsBranchesAreOrderedByTheirEdges) {
    for (const Schedule schedule : schedules) {
        emulation::setSchedule(schedule);
        EXPECT_EQ(Branched{}.result(), 1);
    }
    emulation::setSchedule(Schedule::OthersFirst);
    EXPECT_TRUE(std::isnan(Branched{.writtenBeforeFork = false}.result()));
    emulation::setSchedule(Schedule::Lazy);
    EXPECT_TRUE(std::isnan(Branched{.readAfterJoin = false}.result()));
}

// Else what is to overtake other work would wait its turn behind it.
TEST_F(CudaRuntime, GraphsKeepThePrioritiesOfTheirStreams) {
    const Stream stream;
    const Stream side(Stream::Priority::High);
    const Event fork;
    const Event join;
    const Numbers x;
    const auto work = [&] {
        fork.record(stream);
        side.waitFor(fork);
        x.set(side, 1);
        join.record(side);
        stream.waitFor(join);
    };
    const CapturedGraph graph(stream, work);
    graph.launch(stream);
    stream.wait();
    EXPECT_EQ(x.now(), 1);

    begin(stream);
    work();
    cudaGraph_t recorded = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &recorded), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&executable, recorded, 0), cudaErrorInvalidValue);
    cudaGraphDestroy(recorded);
}

TEST_F(CudaRuntime, CaptureFailsWhereABranchIsNotJoined) {
    const Stream stream;
    const Stream side;
    const Event fork;
    const Event join;
    const Numbers x;
    begin(stream);
    fork.record(stream);
    side.waitFor(fork);
    join.record(side);
    x.set(side, 1);
    stream.waitFor(join);
    EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureUnjoined);
    side.wait();
    EXPECT_TRUE(std::isnan(x.now()));
}

TEST_F(CudaRuntime, WhatWaitsEndsTheCapture) {
    const Stream stream;
    const Stream other;
    void* data = nullptr;
    const Numbers x;
    const std::vector<std::function<cudaError_t()>> forbidden{
        [&] { return cudaStreamSynchronize(stream); },
        [&] { return cudaStreamSynchronize(other); },
        [&] { return cudaMalloc(&data, 4); },
        [&] { return cudaHostAlloc(&data, 4, cudaHostAllocDefault); },
    };
    for (std::size_t i = 0; i < forbidden.size(); ++i) {
        begin(stream);
        EXPECT_EQ(forbidden[i](), cudaErrorStreamCaptureUnsupported) << i;
        EXPECT_EQ(cudaMemsetAsync(x.data(), 0, 4, stream), cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureInvalidated) << i;
    }
}

TEST_F(CudaRuntime, EventsDoNotCrossACapturesBorder) {
    const Stream stream;
    const Stream other;
    const Event outside;
    const Event inside;
    const Numbers x;
    outside.record(other);
    begin(stream);
    EXPECT_EQ(cudaStreamWaitEvent(stream, outside, 0), cudaErrorStreamCaptureIsolation);
    EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureInvalidated);

    begin(stream);
    inside.record(stream);
    EXPECT_EQ(cudaEventSynchronize(inside), cudaErrorCapturedEvent);
    EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaStreamWaitEvent(other, inside, 0), cudaErrorCapturedEvent);
}

TEST_F(CudaRuntime, CapturesEndWhereTheyBegan) {
    const Stream stream;
    const Stream side;
    const Event fork;
    EXPECT_EQ(failedEnd(stream), cudaErrorIllegalState);
    begin(stream);
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaErrorIllegalState);
    fork.record(stream);
    side.waitFor(fork);
    EXPECT_EQ(failedEnd(side), cudaErrorStreamCaptureUnmatched);
    EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CudaRuntime, CaptureInOneThreadDoesNotDisturbOthers) {
    const Stream stream;
    begin(stream);
    std::thread([&] { EXPECT_NO_THROW(DeviceMemory(4)); }).join();
    std::thread([&] { EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureWrongThread); }).join();
    EXPECT_EQ(failedEnd(stream), cudaErrorStreamCaptureInvalidated);
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
