// SPDX-License-Identifier: Apache-2.0
// What can be shown of NCCL without a GPU, and that a GPU which cannot be used is a sentence and not the end;
// on a GPU, that it averages.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <cstdlib>
#include <memory>

#include "cuda/nccl/nccl_comm.h"
#include "failures.h"
#include "hosted_store.h"

namespace dlperf::worker::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Nccl : public testing::Test {
protected:
    std::unique_ptr<DeviceComm> connect(int rank, int size, int timeoutSeconds) {
        return connectNccl(worldOf(rank, size), store_, timeoutSeconds);
    }

    HostedStore hosted_;
    TcpStoreClient store_ = hosted_.client();
};

#ifndef DLPERF_KERNELS_ON_GPU
// Before CUDA is used for the first time: with a GPU, rank 0 would wait for rank 1.
const bool devicesHidden = setenv("CUDA_VISIBLE_DEVICES", "-1", 1) == 0;

TEST_F(Nccl, RankZerosIdGoesThroughTheStoreWithItsVersion) {
    ASSERT_TRUE(devicesHidden);
    EXPECT_THAT(failureOf(ExitCode::Backend, [&] { connect(0, 2, 5); }),
                StartsWith("CUDA cannot use this process's GPU: "));
    const std::string value = store_.get("nccl/id", in(longWait));
    EXPECT_THAT(value, StartsWith("nccl 2."));
    EXPECT_EQ(value.size() - value.find('\n') - 1, sizeof(ncclUniqueId));
}

TEST_F(Nccl, AnIdThatDoesNotComeEndsAtTheDeadline) {
    EXPECT_THAT(failureOf(ExitCode::Rendezvous, [&] { connect(1, 2, 1); }),
                HasSubstr("NCCL id did not come within 1 s (--comm-timeout)"));
}

TEST_F(Nccl, AnotherVersionOnRankZeroIsSaid) {
    store_.set("nccl/id", "nccl 1.2.3\n" + std::string(sizeof(ncclUniqueId), 'x'), in(longWait));
    EXPECT_THAT(failureOf(ExitCode::Rendezvous, [&] { connect(1, 2, 5); }),
                StartsWith("rank 0 has nccl 1.2.3 but this process nccl 2."));
}
#else
TEST_F(Nccl, AWorldOfOneAveragesOnAGpu) {
    const std::unique_ptr<DeviceComm> comm = connect(0, 1, 30);
    float* values = nullptr;
    const float given[] = {1, 2, 3, 4};
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&values), sizeof given), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(values, given, sizeof given, cudaMemcpyHostToDevice), cudaSuccess);
    const DeviceComm::Piece pieces[] = {{values, 2, Precision::Fp32}, {values + 2, 2, Precision::Fp32}};
    comm->average(nullptr, pieces);
    float got[4] = {};
    ASSERT_EQ(cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_THAT(got, ::testing::ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(comm->error(), std::nullopt);
    comm->abort();
    EXPECT_THROW(comm->average(nullptr, pieces), Failure);
    cudaFree(values);
}
#endif

}  // namespace
}  // namespace dlperf::worker::cuda
