// SPDX-License-Identifier: Apache-2.0
// What can be shown of NCCL without a GPU, and that a GPU which cannot be used is a sentence and not the end;
// on a GPU, that it averages.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "cuda/nccl/nccl_comm.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"
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
// On the device.
class Values {
public:
    Values() {
        EXPECT_EQ(cudaMemcpy(data(), given.data(), sizeof given, cudaMemcpyHostToDevice), cudaSuccess);
    }
    std::array<DeviceComm::Piece, 2> pieces() const {
        return {{{data(), 2, Precision::Fp32}, {data() + 2, 2, Precision::Fp32}}};
    }
    void expectUnchanged() const {
        std::array<float, 4> got{};
        ASSERT_EQ(cudaMemcpy(got.data(), data(), sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
        EXPECT_EQ(got, given);
    }

private:
    static constexpr std::array<float, 4> given{1, 2, 3, 4};
    float* data() const { return memory_.at<float>(0); }
    DeviceMemory memory_{sizeof given};
};

TEST_F(Nccl, AWorldOfOneAveragesOnAGpu) {
    const Values values;
    const std::unique_ptr<DeviceComm> comm = connect(0, 1, 30);
    comm->average(nullptr, values.pieces());
    values.expectUnchanged();
    EXPECT_EQ(comm->error(), std::nullopt);
    comm->abort();
    EXPECT_THROW(comm->average(nullptr, values.pieces()), Failure);
}

// On a stream that forks from the one that is captured. NCCL starts its work there from a thread of its own.
TEST_F(Nccl, AWorldOfOneAveragesInAGraphAsTrainingDoes) {
    const Values values;
    const std::unique_ptr<DeviceComm> comm = connect(0, 1, 30);
    const Stream computing;
    const Stream reducing(Stream::Priority::High);
    const Event computed;
    const Event reduced;
    const auto start = [&] {
        computed.record(computing);
        reducing.waitFor(computed);
        comm->average(reducing, values.pieces());
        reduced.record(reducing);
        computing.waitFor(reduced);
    };
    start();
    const CapturedGraph graph(computing, start);
    for (int turn = 0; turn < 2; ++turn) {
        graph.launch(computing);
        computing.wait();
        values.expectUnchanged();
    }
    EXPECT_EQ(comm->error(), std::nullopt);
}
#endif

}  // namespace
}  // namespace dlperf::worker::cuda
