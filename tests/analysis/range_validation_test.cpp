// SPDX-License-Identifier: Apache-2.0
// What is said of a window whose figure stands, but should not be trusted blindly.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string workerLog(int iterations, const std::function<double(int)>& seconds, double data = 0.001) {
    std::string log;
    for (int i = 1; i <= iterations; ++i) {
        log += fmt::format("iteration {} epoch 0 loss 6.9 time {:.6f} s data {:.6f} s comm 0.0 s\n", i,
                           seconds(i), data);
    }
    return log;
}

// A spread of 2 % around the second, without a trend.
double steady(int i) {
    return 1 + 0.02 * ((i * 7 % 11) - 5) / 5.0;
}

TEST(RangeValidation, ASteadyWindowIsLeftAlone) {
    EXPECT_THAT(analyzeLog("dlperf-worker", workerLog(120, steady), oneDevice, {20, 120}).figure.findings,
                IsEmpty());
}

TEST(RangeValidation, ATrainerThatStillWarmsUpIsTold) {
    const auto warming = [](int i) { return steady(i) * (1 + 0.3 * std::max(0, 60 - i) / 40); };
    const auto run = analyzeLog("dlperf-worker", workerLog(120, warming), oneDevice, {20, 120});
    EXPECT_THAT(run.finding("drift"), HasSubstr("warms up"));
    EXPECT_TRUE(
        analyzeLog("dlperf-worker", workerLog(120, warming), oneDevice, {60, 120}).finding("drift").empty());
}

TEST(RangeValidation, ThrottlingIsTold) {
    const auto throttling = [](int i) { return i > 90 ? 1.2 : steady(i); };
    const auto run = analyzeLog("dlperf-worker", workerLog(120, throttling), oneDevice, {20, 120});
    EXPECT_THAT(run.finding("drift"), HasSubstr("20 % longer"));
}

// The seconds of two lines may be of more iterations or of fewer.
TEST(RangeValidation, ThrottlingIsSeenInIntervalsWhateverTheirLength) {
    const auto mindcv = [](double slower) {
        std::string log;
        int before = 0;
        for (int batch = 1; batch <= 120; batch += batch % 3 == 0 ? 1 : 2) {
            const double seconds = steady(batch) * (batch > 90 ? slower : 1) * (batch - before);
            log += fmt::format("INFO - Epoch: [1/1], batch: [{}/120], loss: 6.9, lr: 0.1, time: {:.6f}s\n",
                               batch, seconds);
            before = batch;
        }
        return analyzeLog("mindcv", log, oneDevice, {20, 120}).finding("drift");
    };
    EXPECT_EQ(mindcv(1), "");
    EXPECT_THAT(mindcv(1.2), HasSubstr("longer"));
}

TEST(RangeValidation, RunningMeansTellOfNoDrift) {
    std::string log;
    for (int step = 1; step <= 120; ++step) {
        log += fmt::format("{}\timages/sec: {:.1f} +/- 0.1 (jitter = 0.1)\t7.8\n", step, 1000 - 4.0 * step);
    }
    const auto run = analyzeLog("tf-cnn-benchmarks", log, oneDevice, {20, 120});
    EXPECT_EQ(run.figure.value, 478.4);  // 100 / (120 / 520 - 20 / 920)
    EXPECT_EQ(run.finding("drift"), "");
}

TEST(RangeValidation, ThrottlingIsSeenInStampsToo) {
    std::string log;
    for (int i = 1, second = 0; i <= 50; ++i) {
        second += i > 35 ? 2 : 1;
        log +=
            fmt::format("DLL 2020-09-15 14:{:02}:{:02}.000001 - Epoch: 0 Iteration: {}  train.loss : 7.0\n",
                        second / 60, second % 60, i + 5);
    }
    const auto run = analyzeLog("ngc-pytorch-resnet50", log, oneDevice, {10, 50});
    EXPECT_THAT(run.finding("drift"), HasSubstr("100 % longer"));
}

TEST(RangeValidation, WaitingForDataIsTold) {
    const auto run = analyzeLog("dlperf-worker", workerLog(120, steady, 0.25), oneDevice, {20, 120});
    EXPECT_THAT(run.finding("data-share"), HasSubstr("25 %"));
}

TEST(RangeValidation, AClockThatStepsBackWithinIsTold) {
    std::string log;
    for (int i = 1; i <= 50; ++i) {
        log += fmt::format("DLL 2020-09-15 14:00:{:02}.000001 - Epoch: 0 Iteration: {}  train.loss : 7.0\n",
                           i == 30 ? 20 : i, i + 5);
    }
    const auto run = analyzeLog("ngc-pytorch-resnet50", log, oneDevice, {10, 50});
    EXPECT_EQ(run.figure.value, 1.0);
    EXPECT_THAT(run.finding("clock-steps-back-within"), HasSubstr("1 time"));
}

// Time  0.412 (…, cut to Time  0.4: a number still, but perhaps not this one.
TEST(RangeValidation, ALastLineThatMayBeCutShortIsTold) {
    std::string log;
    for (int i = 1; i <= 40; ++i) {
        log +=
            fmt::format("Epoch: [0][{}/99]\tTime  0.412 (0.5)\tData  0.001 (0.0)\tLoss 1.0 (1.0)\n", i + 5);
    }
    const MeasurementRange window{10, 40};
    EXPECT_THAT(analyzeLog("pytorch-examples", log, oneDevice, window).finding("torn-line"), "");
    log.resize(log.rfind("12 (0.5)"));
    const auto cut = analyzeLog("pytorch-examples", log, oneDevice, window);
    EXPECT_THAT(cut.finding("torn-line"), HasSubstr("line 40: the last line"));
    EXPECT_TRUE(cut.figure.value);
    // Behind the window nothing is lost.
    EXPECT_THAT(analyzeLog("pytorch-examples", log, oneDevice, {10, 39}).finding("torn-line"), "");
}

TEST(RangeValidation, RanksWithoutAPrefixAreTold) {
    std::string log;
    for (int i = 0; i < 80; ++i) {
        log += fmt::format("Epoch: [0][{}/99]\tTime  0.500 (0.5)\tData  0.001 (0.0)\tLoss 1.0 (1.0)\n",
                           6 + i / 4);
    }
    const auto run = analyzeLog("pytorch-examples", log, oneDevice, {2, 30});
    EXPECT_THAT(run.finding("several-ranks"), HasSubstr("ranks"));
}

// Epochs of one iteration tell the first one again and again.
TEST(RangeValidation, ShortEpochsAreNoRanks) {
    std::string log;
    for (int i = 0; i < 40; ++i) {
        log += fmt::format(
            "train: epoch {}, iter 100, loss: 7.0, top_1: 0.0, top_k: 0.0, samples/s: 100.0 {}.5\n", i,
            1000 + i);
    }
    EXPECT_THAT(analyzeLog("oneflow-resnet50", log, oneDevice, {2, 30}).finding("several-ranks"), "");
}

TEST(RangeValidation, SeveralRanksInOneLogAreTold) {
    std::string log;
    for (int i = 1; i <= 40; ++i) {
        log +=
            fmt::format("[rank{}]: Epoch: [0][{}/99]\tTime  0.500 (0.5)\tData  0.001 (0.0)\tLoss 1.0 (1.0)\n",
                        i % 2, 6 + i / 2);
    }
    const auto run = analyzeLog("pytorch-examples", log, oneDevice, {2, 30});
    EXPECT_EQ(run.figure.value, 2.0);
    EXPECT_THAT(run.finding("several-ranks"), HasSubstr("ranks"));
}

}  // namespace
}  // namespace dlperf::analysis
