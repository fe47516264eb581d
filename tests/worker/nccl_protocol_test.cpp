// SPDX-License-Identifier: Apache-2.0
// How NCCL is talked to, with one that behaves as the tests want: slowly, badly or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "cuda/nccl/nccl_comm.h"
#include "failures.h"
#include "fake_nccl/fake_nccl.h"
#include "hosted_store.h"

namespace dlperf::worker::cuda {
namespace {

using test::FakeNccl;
using ::testing::AllOf;
using ::testing::HasSubstr;

class NcclProtocol : public ::testing::Test {
protected:
    std::unique_ptr<DeviceComm> connect(int timeoutSeconds = 60, const PeerLoss& lost = {}) {
        return connectNccl(worldOf(0, 2), store_, timeoutSeconds, lost);
    }
    void expectEnds(int destroyed, int aborted) const {
        EXPECT_EQ(fake_.destroyed, destroyed);
        EXPECT_EQ(fake_.aborted, aborted);
        EXPECT_EQ(fake_.misuses, 0);
        EXPECT_EQ(fake_.groups, 0);
    }

    FakeNccl& fake_ = test::renewFakeNccl();
    HostedStore hosted_;
    TcpStoreClient store_ = hosted_.client();
    std::vector<float> values_ = std::vector<float>(10);
    const std::vector<DeviceComm::Piece> pieces_ = {{values_.data(), 6, Precision::Fp16},
                                                    {values_.data() + 6, 4, Precision::Bf16},
                                                    {values_.data() + 9, 1, Precision::Fp32}};
};

TEST_F(NcclProtocol, ConnectingIsPolledForAndTheEndIsPeaceful) {
    fake_.polls = 5;
    auto comm = connect();
    EXPECT_EQ(comm->name(), "nccl 2.28.9");
    EXPECT_EQ(comm->error(), std::nullopt);
    fake_.polls = 0;
    comm.reset();
    EXPECT_EQ(fake_.finalized, 1);
    expectEnds(1, 0);
}

TEST_F(NcclProtocol, AtTheDeadlineItAbortsAndNamesWhoIsMissing) {
    fake_.polls = -1;
    EXPECT_EQ(failureOf(ExitCode::Rendezvous, [&] { connect(1); }),
              "NCCL did not connect the GPUs of 2 processes within 1 s (--comm-timeout): rank 1 has not come "
              "so far");
    expectEnds(0, 1);
}

TEST_F(NcclProtocol, ALostPeerEndsTheConnecting) {
    fake_.polls = -1;
    EXPECT_EQ(
        failureOf(ExitCode::Rendezvous, [&] { connect(60, [] { return "rank 1 ended without a word"; }); }),
        "while NCCL connected the GPUs: rank 1 ended without a word");
    expectEnds(0, 1);
}

TEST_F(NcclProtocol, TwoProcessesOnOneGpuAreExplained) {
    fake_.polls = 2;
    fake_.result = ncclInvalidUsage;
    fake_.lastError = "Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000\n";
    EXPECT_EQ(
        failureOf(ExitCode::Rendezvous, [&] { connect(); }),
        "NCCL cannot connect the GPUs of 2 processes: a kind of error: Duplicate GPU detected : rank 0 and "
        "rank "
        "1 both on CUDA device 1000; NCCL wants a GPU of its own for each process, so start no more of them "
        "than there are");
    expectEnds(0, 1);
}

TEST_F(NcclProtocol, PiecesAreAveragedInPlaceInOneGroup) {
    auto comm = connect();
    fake_.polls = 3;
    comm->average(nullptr, pieces_);
    EXPECT_EQ(fake_.polls, 0);
    ASSERT_EQ(fake_.reductions.size(), 3U);
    const ncclDataType_t types[] = {ncclFloat16, ncclBfloat16, ncclFloat32};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(fake_.reductions[i].data, pieces_[i].data);
        EXPECT_EQ(fake_.reductions[i].count, pieces_[i].count);
        EXPECT_EQ(fake_.reductions[i].type, types[i]);
        EXPECT_TRUE(fake_.reductions[i].inPlaceAverage);
    }
    comm.reset();
    expectEnds(1, 0);
}

TEST_F(NcclProtocol, ARefusedPieceIsAFailureAndTheGroupIsEnded) {
    const auto comm = connect();
    fake_.reductionResult = ncclInvalidArgument;
    fake_.lastError = "no such pointer";
    EXPECT_EQ(failureOf(ExitCode::Communication, [&] { comm->average(nullptr, pieces_); }),
              "NCCL cannot start an all-reduce: a kind of error: no such pointer");
    expectEnds(0, 0);
}

TEST_F(NcclProtocol, AnErrorInTheBackgroundIsSaidAndTheEndIsAnAbort) {
    auto comm = connect();
    fake_.result = ncclRemoteError;
    fake_.lastError = "peer closed";
    EXPECT_EQ(comm->error(), "NCCL lost another process or failed: a kind of error: peer closed");
    EXPECT_THROW(comm->average(nullptr, pieces_), Failure);
    comm.reset();
    expectEnds(0, 1);
}

TEST_F(NcclProtocol, WorkThatDoesNotStartEndsAtTheDeadline) {
    const auto comm = connect(1);
    fake_.polls = -1;
    EXPECT_THAT(failureOf(ExitCode::Communication, [&] { comm->average(nullptr, pieces_); }),
                AllOf(HasSubstr("could not start"), HasSubstr("within 1 s (--comm-timeout)")));
}

TEST_F(NcclProtocol, AnAbortEndsAStuckAverageOnceAndIsSafeAgainstQuestions) {
    auto comm = connect();
    fake_.polls = -1;
    std::jthread asking([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            comm->error();
        }
    });
    std::jthread aborting([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        comm->abort();
    });
    EXPECT_EQ(failureOf(ExitCode::Communication, [&] { comm->average(nullptr, pieces_); }),
              "the communication with the other processes was ended");
    aborting.join();
    asking.request_stop();
    asking.join();
    comm->abort();
    comm.reset();
    expectEnds(0, 1);
}

TEST_F(NcclProtocol, AnExceptionElsewhereAbortsAtOnce) {
    try {
        const auto comm = connect();
        throw std::runtime_error("an image is broken");
    } catch (const std::runtime_error&) {
        EXPECT_EQ(fake_.finalized, 0);
    }
    expectEnds(0, 1);
}

}  // namespace
}  // namespace dlperf::worker::cuda
