// SPDX-License-Identifier: Apache-2.0
// What can be shown of NCCL without a GPU, and that a GPU which cannot be used is a sentence and not the end.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <cstring>
#include <memory>

#include "base/failure.h"
#include "comm/tcp_store.h"
#include "cuda/nccl/nccl_comm.h"

namespace dlperf::worker::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Deadline in(std::chrono::seconds time) {
    return std::chrono::steady_clock::now() + time;
}
constexpr std::chrono::seconds longWait{30};

struct Hosted {
    FileDescriptor listener = listenAt("127.0.0.1", 0);
    std::uint16_t port = portOf(listener);
    TcpStoreServer server{std::move(listener)};
    TcpStoreClient client() const { return {"127.0.0.1", port, in(longWait)}; }
};

World worldOf(int rank, int size) {
    World world;
    world.rank = rank;
    world.size = size;
    return world;
}

bool hasGpu() {
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

std::unique_ptr<Failure> failureOf(const World& world, TcpStoreClient& store, int timeoutSeconds) {
    try {
        connectNccl(world, store, timeoutSeconds);
    } catch (const Failure& failure) {
        return std::make_unique<Failure>(failure);
    }
    return nullptr;
}

TEST(Nccl, RankZerosIdGoesThroughTheStoreWithItsVersion) {
    if (hasGpu()) {
        GTEST_SKIP() << "rank 0 would wait for rank 1";
    }
    const Hosted hosted;
    TcpStoreClient store = hosted.client();
    const auto failure = failureOf(worldOf(0, 2), store, 5);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->code(), ExitCode::Backend);
    EXPECT_THAT(failure->what(), StartsWith("CUDA cannot use this process's GPU: "));
    const std::string value = store.get("nccl/id", in(longWait));
    EXPECT_THAT(value, StartsWith("nccl 2."));
    EXPECT_EQ(value.size() - value.find('\n') - 1, sizeof(ncclUniqueId));
}

TEST(Nccl, AnIdThatDoesNotComeEndsAtTheDeadline) {
    const Hosted hosted;
    TcpStoreClient store = hosted.client();
    const auto failure = failureOf(worldOf(1, 2), store, 1);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->code(), ExitCode::Rendezvous);
    EXPECT_THAT(failure->what(), HasSubstr("NCCL id did not come within 1 s (--comm-timeout)"));
}

TEST(Nccl, AnotherVersionOnRankZeroIsSaid) {
    const Hosted hosted;
    TcpStoreClient store = hosted.client();
    store.set("nccl/id", "nccl 1.2.3\n" + std::string(sizeof(ncclUniqueId), 'x'), in(longWait));
    const auto failure = failureOf(worldOf(1, 2), store, 5);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->code(), ExitCode::Rendezvous);
    EXPECT_THAT(failure->what(), StartsWith("rank 0 has nccl 1.2.3 but this process nccl 2."));
}

TEST(Nccl, AWorldOfOneAveragesOnAGpu) {
    if (!hasGpu()) {
        GTEST_SKIP() << "no GPU";
    }
    const Hosted hosted;
    TcpStoreClient store = hosted.client();
    const std::unique_ptr<DeviceComm> comm = connectNccl(worldOf(0, 1), store, 30);
    float* values = nullptr;
    const float given[] = {1, 2, 3, 4};
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&values), sizeof given), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(values, given, sizeof given, cudaMemcpyHostToDevice), cudaSuccess);
    const DeviceComm::Piece pieces[] = {{values, 2, NumberType::Float}, {values + 2, 2, NumberType::Float}};
    comm->average(nullptr, pieces);
    float got[4] = {};
    ASSERT_EQ(cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_THAT(got, ::testing::ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(comm->error(), std::nullopt);
    comm->abort();
    EXPECT_THROW(comm->average(nullptr, pieces), Failure);
    cudaFree(values);
}

}  // namespace
}  // namespace dlperf::worker::cuda
