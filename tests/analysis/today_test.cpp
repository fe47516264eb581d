// SPDX-License-Identifier: Apache-2.0
// Trainers that DLPerf did not know.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/detect.h"
#include "core/analysis/fitting_range.h"
#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

// The printed speed is that of one device; its time of a batch counts for all. That is a mean of the epoch's
// iterations so far, begun anew with the sixth.
TEST(Today, PaddleClasIsMeasuredByItsTimeOfABatch) {
    std::string log;
    double seconds = 0;
    int iterations = 0;
    for (int iteration = 0; iteration <= 130; ++iteration) {
        seconds = (iteration == 5 ? 0 : seconds) + (iteration < 20 ? 9 : 0.5);
        iterations = (iteration == 5 ? 0 : iterations) + 1;
        if (iteration % 10 == 0) {
            log += fmt::format(
                "[2022/11/27 17:38:08] ppcls INFO: [Train][Epoch 1/10][Iter: {}/500]lr(Cosine): 0.01, loss: "
                "6.9, batch_cost: {:.5f}s, reader_cost: {:.5f}, ips: 256.0 samples/s, eta: 0:01:02\n",
                iteration, seconds / iterations, seconds / iterations / 2);
        }
    }
    log +=
        "[2022/11/27 17:39:08] ppcls INFO: [Eval][Epoch 1][Iter: 0/3]loss: 6.9, batch_cost: 3.2s, ips: "
        "19.4\n";
    const auto run = analyzeLog("paddleclas", log, {{2, 8}, 64}, {20, 120});
    EXPECT_EQ(run.figure.value, 2048.0);
    EXPECT_EQ(run.iterations.size(), 14U);
    EXPECT_EQ(run.iterations.at(3).number, 31);  // printed as 30: it counts from 0
    EXPECT_NEAR(run.iterations.at(3).seconds.value(), 0.5, 1e-4);
    EXPECT_NEAR(run.iterations.at(3).dataSeconds.value(), 0.25, 1e-4);
}

// A rank beside the first prints the same mean, which is taken apart as the first one's is.
TEST(Today, RanksThatTellPaddleClassMeansTwiceAreTakenApartAlike) {
    std::string log;
    for (int iteration = 0; iteration <= 120; iteration += 10) {
        // 9 s up to the iteration printed as 4, which are forgotten, then 1 s until 10, and 0.5 s
        const double mean = iteration == 0 ? 9.0 : (6 + (iteration - 10) * 0.5) / (iteration - 4);
        for (int rank = 0; rank < 2; ++rank) {
            log += fmt::format(
                "ppcls INFO: [Train][Epoch 1/10][Iter: {}/500]lr(Cosine): 0.01, loss: 6.9, batch_cost: "
                "{:.5f}s, reader_cost: {:.5f}, ips: 9.7 samples/s\n",
                iteration, mean, mean / 4);
        }
    }
    const auto run = analyzeLog("paddleclas", log, {{1, 2}, 8}, {20, 120});
    EXPECT_EQ(run.figure.value, 32.0);
    ASSERT_EQ(run.iterations.size(), 26U);
    EXPECT_NEAR(run.iterations.at(4).seconds.value(), run.iterations.at(5).seconds.value(), 1e-9);
    EXPECT_NEAR(run.iterations.at(25).seconds.value(), 0.5, 1e-3);
    EXPECT_NEAR(run.iterations.at(25).dataSeconds.value(), 0.125, 1e-3);
}

// Lines of iterations 1, 1 + step, … as PaddleClas prints them.
std::string paddleclas(int lines, int step, double seconds = 0.5) {
    std::string log;
    for (int line = 0; line < lines; ++line) {
        log += fmt::format(
            "ppcls INFO: [Train][Epoch 1/1][Iter: {}/64]lr(Cosine): 0.1, loss: 6.9, batch_cost: {:.5f}s, "
            "reader_cost: 0.01, ips: 9.7 samples/s\n",
            line * step, seconds);
    }
    return log;
}

TEST(Today, ARunOfAsManyIterationsAsTheWindowCountsThemFromZero) {
    const auto run = analyzeLog("paddleclas", paddleclas(64, 1), {{1, 2}, 8}, {4, 64});
    EXPECT_EQ(run.figure.value, 32.0);
    EXPECT_TRUE(run.reached);
    EXPECT_TRUE(run.figure.findings.empty());
    const auto shorter = analyzeLog("paddleclas", paddleclas(63, 1), {{1, 2}, 8}, {4, 64});
    EXPECT_FALSE(shorter.figure.value);
    EXPECT_EQ(shorter.figure.whyNone, "the log ends at iteration 63, the measurement range at 64");
}

// A line of iteration 111 that is 10 behind the one before it leaves nothing to wait for.
TEST(Today, NoLineIsWaitedForThatWouldTellOfIterationsBehindTheWindow) {
    const auto run = analyzeLog("paddleclas", paddleclas(12, 10), {{1, 1}, 8}, {20, 120});
    EXPECT_EQ(run.figure.value, 16.0);
    EXPECT_TRUE(run.reached);
    EXPECT_TRUE(run.finding("odd-window").empty());
    EXPECT_FALSE(analyzeLog("paddleclas", paddleclas(11, 10), {{1, 1}, 8}, {20, 120}).reached);
}

TEST(Today, IntervalsThatGoOverTheEdgesOfTheWindowDoNotCount) {
    const auto run = analyzeLog("paddleclas", paddleclas(9, 20), {{1, 1}, 8}, {30, 90});
    EXPECT_EQ(run.figure.value, 16.0);
    EXPECT_NE(run.finding("odd-window").find("40 of its 60"), std::string::npos);
    const auto none = analyzeLog("paddleclas", paddleclas(9, 20), {{1, 1}, 8}, {30, 60});
    EXPECT_FALSE(none.figure.value);
    EXPECT_EQ(none.figure.whyNone,
              "no line tells of iterations 31 to 60 alone: the lines are 20 iterations apart");
}

// Epochs that hold the window are many; the first of them counts, whatever follows.
TEST(Today, TheFirstEpochThatHoldsTheWindowIsMeasured) {
    const std::string log = paddleclas(3, 1, 7) + paddleclas(8, 1, 0.5) + paddleclas(8, 1, 0.25);
    EXPECT_EQ(analyzeLog("paddleclas", log, {{1, 1}, 8}, {2, 8}).figure.value, 16.0);
}

// Of batches of 64 on two GPUs: a line is of one update, the other 49 are silent.
TEST(Today, TimmIsMeasuredByTheSpeedOfItsUpdates) {
    const std::string log =
        "Scheduled epochs: 310. LR stepped per epoch.\n"
        "Train: 0 [   0/10009 (  0%)]  Loss:  7.010710 (7.0107)  Time: 1.820s,   70.32/s  (1.820s,   "
        "70.32/s)  LR: "
        "5.000e-07  Data: 1.382 (1.382)\n"
        "Train: 0 [  50/10009 (  0%)]  Loss:  6.973588 (6.9921)  Time: 0.316s,  405.65/s  (0.344s,  "
        "371.84/s)  LR: "
        "5.000e-07  Data: 0.006 (0.033)\n"
        "Train: 0 [ 100/10009 (  1%)]  Loss:  6.969796 (6.9847)  Time: 0.326s,  392.81/s  (0.330s,  "
        "387.68/s)  LR: "
        "5.000e-07  Data: 0.006 (0.019)\n"
        "Train: 0 [ 150/10009 (  1%)]  Loss:  6.984760 (6.9847)  Time: 0.319s,  401.74/s  (0.325s,  "
        "393.80/s)  LR: "
        "5.000e-07  Data: 0.006 (0.015)\n";
    const auto run = analyzeLog("timm", log, {{1, 2}, 64}, {20, 120});
    EXPECT_EQ(run.figure.value, 399.23);
    EXPECT_EQ(run.iterations.at(1).number, 51);
    EXPECT_EQ(run.iterations.at(1).loss, 6.973588);
    EXPECT_EQ(run.iterations.at(1).dataSeconds, 0.006);
    EXPECT_DOUBLE_EQ(run.iterations.at(1).seconds.value(), 128 / 405.65);
    ASSERT_EQ(run.figure.findings.size(), 1U);
    EXPECT_NE(run.finding("few-lines"), "");
}

TEST(Today, ATimmThatWasStartedAgainIsMeasuredFromThereOn) {
    const auto pass = [](int updates, double speed) {
        std::string log;
        for (int update = 0; update < updates; update += 10) {
            log += fmt::format(
                "Train: 0 [{:4}/640 ({:3}%)]  Loss: 1.32 (1.40)  Time: 0.659s,  {:.2f}/s  (0.706s, "
                "  11.33/s)  LR: 1.000e-05  Data: 0.001 (0.001)\n",
                update, update * 100 / 640, speed);
        }
        return log;
    };
    const auto run = analyzeLog("timm", pass(90, 100) + pass(140, 200), {{1, 1}, 8}, {20, 120});
    EXPECT_EQ(run.figure.value, 200.0);
    EXPECT_NE(run.finding("odd-line").find("counts anew"), std::string::npos);
    EXPECT_FALSE(analyzeLog("timm", pass(90, 100) + pass(60, 200), {{1, 1}, 8}, {20, 120}).figure.value);
}

// It prints each fiftieth update unless it is told otherwise.
TEST(Today, AFigureOfFewLinesOfTimmSaysSo) {
    const auto log = [](int apart) {
        std::string text;
        for (int update = 0; update < 200; update += apart) {
            text += fmt::format(
                "Train: 0 [{:4}/640 ({:3}%)]  Loss: 1.32 (1.40)  Time: 0.659s,  100.00/s  (0.706s, "
                "  11.33/s)  LR: 1.000e-05  Data: 0.001 (0.001)\n",
                update, update * 100 / 640);
        }
        return text;
    };
    const auto few = analyzeLog("timm", log(50), {{1, 1}, 8}, {20, 120});
    EXPECT_EQ(few.figure.value, 100.0);
    EXPECT_NE(few.finding("few-lines").find("2 lines"), std::string::npos) << few.finding("few-lines");
    EXPECT_EQ(analyzeLog("timm", log(10), {{1, 1}, 8}, {20, 120}).finding("few-lines"), "");
    EXPECT_EQ(analyzeLog("timm", log(1), {{1, 1}, 8}, {20, 23}).finding("few-lines"), "");
}

TEST(Today, AShortLogNamesTheFirstIterationThatIsMissing) {
    const std::string line = "20\timages/sec: 126.3 +/- 0.1 (jitter = 0.5)\t8.013\n";
    const auto run = analyzeLog("tf-cnn-benchmarks", line, {{1, 1}, 8}, {20, 120});
    EXPECT_NE(run.finding("short-window").find("iterations 21 to 120, and ends at 20"), std::string::npos)
        << run.finding("short-window");
}

TEST(Today, ATimmThatWaitsForDataSaysSo) {
    std::string log;
    for (int update = 0; update < 64; ++update) {
        log += fmt::format(
            "Train: 0 [{:4}/64 ({:3}%)]  Loss: 1.32 (1.40)  Time: 0.659s,   12.13/s  (0.706s,   11.33/s)  "
            "LR: 1.000e-05  Data: 0.330 (0.011)\n",
            update, update * 100 / 64);
    }
    const auto run = analyzeLog("timm", log, {{1, 1}, 8}, {4, 64});
    EXPECT_EQ(run.figure.value, 12.13);
    EXPECT_NE(run.finding("data-share").find("50 %"), std::string::npos) << run.finding("data-share");
}

const std::string benchmarkHead =
    "TensorFlow:  2.3\nModel:       resnet50\nBatch size:  64 global\n             64 per device\nDevices:   "
    "  "
    "['/gpu:0']\nNUMA bind:   False\nVariables:   parameter_server\nDone warm "
    "up\nStep\tImg/sec\ttotal_loss\n";
const std::string benchmarkLines =
    "1\timages/sec: 127.9 +/- 0.0 (jitter = 0.0)\t7.608\n"
    "10\timages/sec: 126.4 +/- 0.2 (jitter = 0.4)\t7.849\n"
    "20\timages/sec: 126.3 +/- 0.1 (jitter = 0.5)\t8.013\n"
    "30\timages/sec: 126.2 +/- 0.1 (jitter = 0.7)\t7.940\n"
    "40\timages/sec: 126.0 +/- 0.1 (jitter = 0.7)\t8.137\n"
    "50\timages/sec: 125.8 +/- 0.1 (jitter = 0.6)\t8.052\n"
    "60\timages/sec: 125.6 +/- 0.1 (jitter = 0.7)\t7.782\n"
    "70\timages/sec: 125.4 +/- 0.1 (jitter = 0.9)\t7.856\n"
    "80\timages/sec: 125.3 +/- 0.1 (jitter = 1.0)\t8.011\n"
    "90\timages/sec: 125.1 +/- 0.1 (jitter = 1.2)\t7.843\n"
    "100\timages/sec: 124.8 +/- 0.1 (jitter = 1.4)\t8.090\n"
    "----------------------------------------------------------------\ntotal images/sec: 124.77\n";

// A T4. The mean over the first k steps is their images by the sum of their times.
TEST(Today, TheSpeedWithinAWindowComesFromTwoRunningMeans) {
    const auto run = analyzeLog("tf-cnn-benchmarks", benchmarkHead + benchmarkLines, {{1, 1}, 64}, {20, 100});
    EXPECT_EQ(run.figure.value, 124.43);  // 80 / (100 / 124.8 - 20 / 126.3), below both means
    EXPECT_TRUE(run.figure.findings.empty());
    const auto whole =
        analyzeLog("tf-cnn-benchmarks", benchmarkHead + benchmarkLines, {{1, 1}, 64}, {0, 100});
    EXPECT_EQ(whole.figure.value, 124.8);  // the trainer's own total is 124.77
    ASSERT_EQ(run.iterations.size(), 11U);
    EXPECT_EQ(run.iterations[0].throughput, 127.9);
    EXPECT_NEAR(run.iterations[10].throughput.value(), 10 / (100 / 124.8 - 90 / 125.1), 1e-9);
    EXPECT_EQ(run.iterations[10].loss, 8.09);
}

TEST(Today, RunningMeansAreNeededAtBothEndsOfTheWindow) {
    const auto run = analyzeLog("tf-cnn-benchmarks", benchmarkLines, {{1, 1}, 64}, {25, 100});
    EXPECT_FALSE(run.figure.value);
    EXPECT_NE(run.figure.whyNone.find("iterations 25 and 100"), std::string::npos) << run.figure.whyNone;
    const auto early = analyzeLog("tf-cnn-benchmarks", benchmarkLines, {{1, 1}, 64}, {20, 120});
    EXPECT_EQ(early.figure.whyNone, "the log ends at iteration 100, the measurement range at 120");
}

std::string hintFor(const std::string& format, const std::string& log, MeasurementRange range) {
    const auto run = analyzeLog(format, log, {{1, 1}, 64}, range);
    const std::string hint = fittingHint(*findFormat(format), range, run.figure);
    const auto fitting = fittingRange(*findFormat(format), range, run.figure);
    EXPECT_EQ(fitting.has_value(), !hint.empty());
    EXPECT_TRUE(!fitting || analyzeLog(format, log, {{1, 1}, 64}, *fitting).figure.value) << hint;
    return hint;
}

TEST(Today, ALogWithoutTheWindowsLinesNamesAWindowThatItHas) {
    const auto hint = [](const std::string& log, MeasurementRange range) {
        return hintFor("tf-cnn-benchmarks", log, range);
    };
    EXPECT_EQ(hint(benchmarkLines, {20, 120}), "; --warmup 20 --train 100 measures what the log holds");
    EXPECT_EQ(hint(benchmarkLines, {25, 95}), "; --warmup 30 --train 90 measures what the log holds");
    EXPECT_EQ(hint(benchmarkLines.substr(0, benchmarkLines.find("30\t")), {20, 120}),
              "; --warmup 10 --train 20 measures what the log holds");
    EXPECT_EQ(hint(benchmarkLines, {20, 100}), "");
    EXPECT_EQ(hint("", {20, 120}), "");
    std::string hundreds;
    for (const char* batches : {"0-100", "100-200", "200-300"}) {
        hundreds +=
            fmt::format("INFO:root:Epoch[0] Batch [{}]\tSpeed: 84.39 samples/sec\taccuracy=0.1\n", batches);
    }
    EXPECT_EQ(hintFor("mxnet-module", hundreds, {20, 120}),
              "; --warmup 101 --train 201 measures what the log holds");
}

// As NGC TensorFlow 1 prints BERT: each tenth iteration, with a stamp.
TEST(Today, StampsOfEachTenthIterationNameAWindowBetweenTwo) {
    std::string log;
    for (const int iteration : {1, 10, 20, 30, 40, 50, 60, 70, 80}) {
        log += fmt::format(
            "DLL 2020-09-03 21:39:{:02}.593041 - Iteration: {}  throughput_train : 256.649 seq/s mlm_loss : "
            "1.10508  nsp_loss : 0.7101  total_loss : 5.61204  avg_loss_step : 11.1113 \n",
            iteration / 2, iteration);
    }
    const std::string_view head(log.data(), log.find("DLL", 1));
    EXPECT_EQ(hintFor("ngc-tensorflow1-bert-time", log, {20, 120}),
              "; --warmup 20 --train 80 measures what the log holds");
    EXPECT_EQ(hintFor("ngc-tensorflow1-bert-time", log, {60, 240}),
              "; --warmup 20 --train 80 measures what the log holds");
    EXPECT_EQ(hintFor("ngc-tensorflow1-bert-time", std::string(head), {20, 120}), "");
}

// Two nodes of four GPUs, each with a process of its own: the trainer's total is 18356.70.
TEST(Today, HorovodsWorkersAreDevices) {
    const std::string log =
        "Devices:     ['horovod/gpu:0', 'horovod/gpu:1', 'horovod/gpu:2', 'horovod/gpu:3', 'horovod/gpu:4', "
        "'horovod/gpu:5', 'horovod/gpu:6', 'horovod/gpu:7']\n"
        "20\timages/sec: 2304.9 +/- 14.0 (jitter = 30.2)\tnan\n"
        "100\timages/sec: 2296.2 +/- 6.1 (jitter = 47.8)\tnan\n";
    EXPECT_EQ(analyzeLog("tf-cnn-benchmarks", log, {{2, 4}, 512}, {20, 100}).figure.value, 18352.28);
}

TEST(Today, OneWorkerMayDriveSeveralDevices) {
    const auto speed = [](const std::string& head, Topology topology) {
        return analyzeLog("tf-cnn-benchmarks", head + benchmarkLines, {topology, 64}, {0, 100});
    };
    EXPECT_EQ(speed("Devices:     ['/gpu:0', '/gpu:1']\n", {1, 2}).figure.value, 124.8);
    EXPECT_EQ(
        speed("Devices:     ['/job:worker/task:0/gpu:0', '/job:worker/task:0/gpu:1']\n", {2, 2}).figure.value,
        249.6);
    EXPECT_EQ(speed("", {2, 2}).figure.value, 499.2);
    // What stands behind the first line that counts is none of it.
    EXPECT_EQ(speed(benchmarkLines + "Devices:     ['/gpu:0', '/gpu:1']\n", {1, 2}).figure.value, 249.6);
    const auto odd = speed("Devices:     ['/gpu:0', '/gpu:1']\n", {1, 1});
    EXPECT_NE(odd.finding("header-contradicts").find("drives 2 devices, the run has 1"), std::string::npos);
}

TEST(Today, MeansOfTooFewDigitsSayHowOpenTheFigureIs) {
    const auto lines = [](const char* start, const char* end) {
        return fmt::format(
            "20\timages/sec: {} +/- 0.0 (jitter = 0.0)\t7.6\n100\timages/sec: {} +/- 0.0 (jitter = "
            "0.0)\t7.6\n",
            start, end);
    };
    const auto run = analyzeLog("tf-cnn-benchmarks", lines("3.2", "3.1"), {{1, 1}, 8}, {20, 100});
    EXPECT_EQ(run.figure.value, 3.08);
    EXPECT_NE(run.finding("coarse-mean").find("between 3.004 and 3.15"), std::string::npos)
        << run.finding("coarse-mean");
    const auto open = analyzeLog("tf-cnn-benchmarks", lines("0.1", "0.4"), {{1, 1}, 8}, {20, 100});
    EXPECT_FALSE(open.figure.value);
    EXPECT_FALSE(open.finding("coarse-mean").empty());
}

const std::string moduleLines =
    "INFO:root:Epoch[0] Batch [20]\tSpeed: 84.39 samples/sec\taccuracy=0.159970\n"
    "INFO:root:Epoch[0] Batch [40]\tSpeed: 85.53 samples/sec\taccuracy=0.250391\n"
    "INFO:root:Epoch[0] Batch [60]\tSpeed: 90.39 samples/sec\taccuracy=0.284375\n"
    "INFO:root:Epoch[0] Batch [80]\tSpeed: 89.56 samples/sec\taccuracy=0.294531\n"
    "INFO:root:Epoch[0] Batch [100]\tSpeed: 91.03 samples/sec\taccuracy=0.337500\n"
    "INFO:root:Epoch[0] Batch [120]\tSpeed: 85.62 samples/sec\taccuracy=0.342187\n"
    "INFO:root:Epoch[0] Train-accuracy=0.363281\n";

TEST(Today, MxnetsModulePrintsTheSpeedOfOneWorker) {
    // 20 iterations each: 4 / (1 / 85.53 + 1 / 90.39 + 1 / 89.56 + 1 / 91.03)
    EXPECT_EQ(analyzeLog("mxnet-module", moduleLines, {{1, 1}, 32}, {20, 120}).figure.value, 89.07);
    EXPECT_EQ(analyzeLog("mxnet-module", moduleLines, {{1, 2}, 32}, {20, 120}).figure.value, 178.15);
    EXPECT_EQ(analyzeLog("mxnet-module", moduleLines, {{2, 2}, 32}, {20, 120}).figure.value, 356.3);
    const std::string head =
        "INFO:root:start with arguments Namespace(batch_size=64, benchmark=1, gpus='0,1', "
        "kv_store='dist_sync')\n";
    EXPECT_EQ(analyzeLog("mxnet-module", head + moduleLines, {{2, 2}, 32}, {20, 120}).figure.value, 178.15);
}

TEST(Today, MxnetsModuleCountsBatchesFromZero) {
    std::string log;
    for (int batch = 1; batch < 8; ++batch) {  // the first is timed by nobody
        log += fmt::format("INFO:root:Epoch[0] Batch [{}-{}]\tSpeed: 6.50 samples/sec\taccuracy=1.000000\n",
                           batch - 1, batch);
    }
    const auto run = analyzeLog("mxnet-module", log, {{1, 2}, 8}, {2, 8});
    EXPECT_EQ(run.figure.value, 13.0);
    EXPECT_EQ(run.figure.lastIteration, 8);
    EXPECT_EQ(run.iterations.back().throughput, 13.0);
    EXPECT_FALSE(analyzeLog("mxnet-module", log, {{1, 2}, 8}, {2, 9}).figure.value);
}

// Two workers of one node print into its log, the second once more and later.
TEST(Today, LinesOfASecondWorkerDoNotCountTwice) {
    std::string log;
    for (int batch = 1; batch < 8; ++batch) {
        for (const char* speed : {"6.50", "3.25"}) {
            log += fmt::format("INFO:root:Epoch[0] Batch [{}-{}]\tSpeed: {} samples/sec\taccuracy=1.0\n",
                               batch - 1, batch, speed);
        }
    }
    const auto run = analyzeLog("mxnet-module", log, {{1, 2}, 8}, {2, 8});
    EXPECT_EQ(run.figure.value, 13.0);
    EXPECT_FALSE(run.finding("several-ranks").empty());
}

// The seconds are of all batches since the line before: 1, 9 and 10.
TEST(Today, MindcvPrintsTheSecondsOfAnInterval) {
    const auto line = [](int batch, double seconds) {
        return fmt::format(
            "[2026-11-23 07:04:03] mindcv.utils.callbacks INFO - Epoch: [1/1], batch: [{}/35], loss: "
            "6.912034, lr: 0.100000, time: {:.6f}s\n",
            batch, seconds);
    };
    const std::string log = line(1, 40) + line(10, 18) + line(20, 5) + line(30, 5) + line(35, 5);
    const auto run = analyzeLog("mindcv", log, {{1, 2}, 8}, {10, 35});
    EXPECT_EQ(run.figure.value, 26.67);  // 16 * 25 / 15
    ASSERT_EQ(run.iterations.size(), 5U);
    EXPECT_EQ(run.iterations[1].seconds, 2.0);
    EXPECT_EQ(run.iterations[2].throughput, 32.0);
    EXPECT_EQ(run.iterations[4].seconds, 1.0);
    EXPECT_EQ(run.iterations[4].loss, 6.912034);
    EXPECT_EQ(analyzeLog("mindcv", log, {{1, 2}, 8}, {10, 30}).figure.value, 32.0);
}

// A second rank tells each line once more.
TEST(Today, LinesOfSeveralRanksGiveOneCurve) {
    std::string log;
    for (int batch = 0; batch <= 40; batch += 10) {
        for (int rank = 0; rank < 2; ++rank) {
            log += fmt::format(
                "[2026-11-23 07:04:03] mindcv.utils.callbacks INFO - Epoch: [1/1], batch: [{}/45], loss: "
                "6.912034, lr: 0.100000, time: 5.000000s\n",
                batch == 0 ? 1 : batch);
        }
    }
    const auto run = analyzeLog("mindcv", log, {{1, 2}, 8}, {10, 40});
    for (const Iteration& iteration : run.iterations) {
        if (iteration.number > 10 && iteration.throughput) {
            EXPECT_EQ(iteration.throughput, 32.0) << iteration.number;
        }
    }
}

// The printed throughput is one device's, with two digits; the clock has milliseconds.
TEST(Today, OneflowModelsAreMeasuredByTheirClock) {
    const std::string log =
        "[rank:0] [train], epoch: 0/1, iter: 1/8, loss: 7.01010, lr: 0.000000, top1: 0.00000, throughput: "
        "0.11 | "
        "2026-11-23 07:03:40.100\n"
        "[rank:1] [train], epoch: 0/1, iter: 1/8, loss: 7.01010, lr: 0.000000, top1: 0.00000, throughput: "
        "0.11 | "
        "2026-11-23 07:03:40.101\n"
        "[rank:0] [train], epoch: 0/1, iter: 2/8, loss: 7.11010, lr: 0.000000, top1: 0.00000, throughput: "
        "0.16 | "
        "2026-11-23 07:03:51.791\n"
        "[rank:1] [train], epoch: 0/1, iter: 2/8, loss: 7.11010, lr: 0.000000, top1: 0.00000, throughput: "
        "0.16 | "
        "2026-11-23 07:03:51.792\n"
        "[rank:0] [train], epoch: 0/1, iter: 3/8, loss: 7.21010, lr: 0.000000, top1: 0.00000, throughput: "
        "0.16 | "
        "2026-11-23 07:04:03.791\n"
        "[rank:0] [eval], epoch: 0/1, iter: 3/3, loss: 0.00000, lr: 0.000000, top1: 0.00000, throughput: "
        "9.16 | "
        "2026-11-23 07:04:09.791\n";
    const auto run = analyzeLog("oneflow-models-resnet50", log, {{1, 2}, 2}, {2, 3});
    EXPECT_EQ(run.figure.value, 0.33);  // 4 in 12 s
    EXPECT_TRUE(run.figure.findings.empty());
    ASSERT_EQ(run.iterations.size(), 3U);
    EXPECT_EQ(run.iterations[0].throughput, 0.22);
    EXPECT_EQ(run.iterations[2].seconds, 12.0);
}

std::string timeHistory(int from, int to, double speed) {
    return fmt::format(
        "I1105 21:{:02}:53.864213 140672312903488 keras_utils.py:148] TimeHistory: {:.2f} seconds, {:.2f} "
        "examples/second between steps {} and {}\n",
        to / 100 % 60, (to - from) * 32 / speed, speed, from, to);
}

const std::string hundreds = timeHistory(0, 100, 28.69) + timeHistory(100, 200, 41.33) +
                             timeHistory(200, 300, 41.86) + timeHistory(300, 400, 42.10) +
                             timeHistory(400, 500, 42.66) + timeHistory(500, 600, 43.08);

TEST(Today, TimeHistoryNamesTheStepsOfItsSpeed) {
    EXPECT_EQ(analyzeLog("tf-models-steps", hundreds, {{1, 1}, 32}, {100, 600}).figure.value, 42.2);
    EXPECT_EQ(analyzeLog("tensorflow2-resnet50", hundreds, {{1, 1}, 32}, {100, 600}).figure.value, 42.21);
    std::string log;
    for (int step = 0; step < 10; ++step) {
        log += timeHistory(step, step + 1, step < 5 ? 1.5 : 3.17);
    }
    const auto run = analyzeLog("tf-models-steps", log, {{1, 2}, 2}, {5, 10});
    EXPECT_EQ(run.figure.value, 3.17);
    EXPECT_EQ(run.iterations.at(5).number, 6);
    EXPECT_TRUE(run.figure.findings.empty());
}

// DLPerf's extractors count the lines, each for a hundred iterations.
TEST(Today, LinesOfOtherThanAHundredStepsAreMeasuredByTheirSteps) {
    std::string log;
    for (int step = 0; step < 600; step += 20) {
        log += timeHistory(step, step + 20, step < 100 ? 10 : 40);
    }
    const auto bySpeed = analyzeLog("tensorflow2-resnet50", log, {{1, 1}, 32}, {100, 600});
    EXPECT_EQ(bySpeed.figure.value, 40.0);  // DLPerf's: 16.0, of steps 20 to 120
    EXPECT_NE(bySpeed.finding("odd-stride").find("line 1: the line is of iteration 20"), std::string::npos)
        << bySpeed.finding("odd-stride");
    const auto byClock = analyzeLog("tensorflow2-resnet50-time", log, {{1, 1}, 32}, {100, 600});
    EXPECT_EQ(byClock.figure.value, 53.33);  // 500 * 32 in 5 minutes
    EXPECT_FALSE(byClock.finding("odd-stride").empty());
    const auto usual = analyzeLog("tensorflow2-resnet50-time", hundreds, {{1, 1}, 32}, {100, 600});
    EXPECT_EQ(usual.figure.value, 53.33);
    EXPECT_TRUE(usual.figure.findings.empty());
}

// A second training in the same log neither counts nor changes what is said.
TEST(Today, AWindowOfStepsIsMeasuredOnce) {
    const auto run =
        analyzeLog("tensorflow2-resnet50", hundreds + timeHistory(0, 100, 1) + timeHistory(100, 200, 1),
                   {{1, 1}, 32}, {100, 600});
    EXPECT_EQ(run.figure.value, 42.21);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(Today, MlperfsThroughputsAreAveraged) {
    const auto line = [](double speed) {
        return fmt::format(
            " 0: :::MLLOG {{\"namespace\": \"\", \"time_ms\": 17, \"event_type\": \"POINT_IN_TIME\", "
            "\"key\": \"tracked_stats\", \"value\": {{\"throughput\": {}}}, \"metadata\": {{}}}}\n",
            speed);
    };
    const std::string other =
        ":::MLLOG {\"key\": \"tracked_stats\", \"value\": {\"train_epoch_timing\": 234.9}}\n";
    const std::string log = line(1.5) + other + line(2.5) + line(4.25);
    EXPECT_EQ(analyzeLog("mlperf", log, {{1, 8}, 1}, {0, 1}).figure.value, 2.75);
    EXPECT_EQ(analyzeLog("mlperf", log, {{1, 8}, 1}, {1, 2}).figure.value, 3.38);  // 3.375, half to even
}

// Speeds of all devices since the line before, the batches counted from 0.
TEST(Today, NgcMxnetByDllogger) {
    std::string log;
    for (int iteration = 19; iteration < 140; iteration += 20) {
        log += fmt::format(
            "DLL 2023-07-31 12:57:54.9 - Epoch: 0 Iteration: {}  train.loss : 6.6  train.ips : {} images/s "
            "train.lr : 0.9 \n",
            iteration, iteration < 20 ? 1000 : 24000);
    }
    EXPECT_EQ(analyzeLog("ngc-mxnet-resnet50-dll", log, {{1, 8}, 256}, {20, 120}).figure.value, 24000.0);
}

// Its own warm-up is silent: all lines count.
TEST(Today, NgcTensorflowByDllogger) {
    std::string log;
    for (int step = 200; step < 300; step += 10) {
        log += fmt::format("DLL 2022-11-24 04:11:31.3 - (0, {}) total_ips : {}\n", step, 9300 + step);
    }
    EXPECT_EQ(analyzeLog("ngc-tensorflow1-resnet50-dll", log, {{1, 8}, 256}, {20, 30}).figure.value, 9545.0);
}

TEST(Today, PaddleNlpPrintsTheSpeedOfOneDevice) {
    std::string log;
    for (int step = 10; step <= 130; step += 10) {
        log += fmt::format(
            "{} step: {}, epoch: 0, batch: {}, loss: 11.2, avg_reader_cost: 0.01 sec, avg_batch_cost: 0.6 "
            "sec, "
            "avg_samples: 96.0, ips: {} sequences/sec\n",
            step % 20 == 0 ? "global" : "tobal", step, step - 1, step <= 20 ? 10 : 160);
    }
    EXPECT_EQ(analyzeLog("paddlenlp-bert", log, {{4, 8}, 96}, {20, 120}).figure.value, 5120.0);
}

// Whatever it calls its speeds: they are means as its times are, begun anew with the fifth step.
TEST(Today, PaddleClasByTrainStepsIsMeasuredByItsTimeOfABatch) {
    for (const char* unit : {"images", "samples"}) {
        std::string log;
        double seconds = 0;
        int steps = 0;
        for (int step = 1; step <= 130; ++step) {
            seconds = (step == 5 ? 0 : seconds) + (step <= 20 ? 9 : 0.5);
            steps = (step == 5 ? 0 : steps) + 1;
            if (step % 10 == 0) {
                log += fmt::format(
                    "[2022/06/02 16:18:59] ppcls INFO: epoch:0   train step:{}   lr: 0.1, loss:  6.0 "
                    "batch_cost: {:.5f} s, reader_cost: {:.5f} s, ips: {:.5f} {}/sec.\n",
                    step, seconds / steps, seconds / steps / 2, 256 * steps / seconds, unit);
            }
        }
        log += "[2022/06/02 16:19:12] ppcls INFO: END epoch:0   train  loss: 6.2 batch_cost: 9 s,\n";
        const auto run = analyzeLog("paddleclas-steps", log, {{4, 8}, 256}, {20, 120});
        EXPECT_NEAR(run.figure.value.value(), 16384, 1) << unit;
        ASSERT_EQ(run.iterations.size(), 13U);
        EXPECT_EQ(run.iterations.at(2).number, 30);
        EXPECT_NEAR(run.iterations.at(2).seconds.value(), 0.5, 1e-4);
        EXPECT_NEAR(run.iterations.at(2).dataSeconds.value(), 0.25, 1e-4);
    }
}

// Of 2.0, which counts from 0 and begins its means anew with step 10; commas tell it from later ones.
TEST(Today, AnEarlyPaddleClasBeginsItsMeansAnewWithTheTenthStep) {
    std::string log;
    double seconds = 0;
    int steps = 0;
    for (int step = 0; step <= 130; ++step) {
        seconds = (step == 10 ? 0 : seconds) + (step < 20 ? 9 : 0.5);
        steps = (step == 10 ? 0 : steps) + 1;
        if (step % 10 == 0) {
            log += fmt::format(
                "2021-03-02 16:18:59 INFO: epoch:0  , train step:{:<4}, loss: 6.0, lr: 0.1, batch_cost: "
                "{:.5f} "
                "s, reader_cost: 0.00100 s, ips: {:.5f} images/sec.\n",
                step, seconds / steps, 256 * steps / seconds);
        }
    }
    const Detection detection = FormatDetector().detect(log);
    ASSERT_TRUE(detection.format != nullptr) << detection.why;
    EXPECT_EQ(name(*detection.format), "paddleclas-steps-from-zero");
    const auto run = analyzeLog(name(*detection.format), log, {{4, 8}, 256}, {20, 120});
    EXPECT_NEAR(run.figure.value.value(), 16384, 1);
}

TEST(Today, PaddleSegIsMeasuredByItsTimeOfABatch) {
    std::string log;
    for (int iteration = 5; iteration <= 125; iteration += 5) {
        log += fmt::format(
            "2022-02-05 04:33:42 [INFO]\t[TRAIN] epoch: 1, iter: {}/200, loss: 1.6, lr: 0.009, batch_cost: "
            "{}, "
            "reader_cost: 0.003, ips: 12.3 samples/sec | ETA 00:01:01\n",
            iteration, iteration <= 20 ? 2.5 : 0.25);
    }
    EXPECT_EQ(analyzeLog("paddleseg", log, {{1, 8}, 4}, {20, 120}).figure.value, 128.0);
}

TEST(Today, OpenMmlabIsMeasuredByItsTimeOfAnIteration) {
    std::string log;
    for (int iteration = 2; iteration <= 10; iteration += 2) {
        log += fmt::format(
            "2022-02-10 06:23:23,602 - mmseg - INFO - Iter [{}/10]\tlr: 7.3e-03, eta: 0:00:40, time: {}, "
            "data_time: 0.016, memory: 18878, decode.loss_ce: 2.5, loss: 3.6\n",
            iteration, iteration == 2 ? 13.0 : 0.5);
    }
    const auto run = analyzeLog("openmmlab", log, {{1, 8}, 4}, {2, 10});
    EXPECT_EQ(run.figure.value, 64.0);
    EXPECT_EQ(run.iterations.at(1).loss, 3.6);
}

// The first epoch is the warm-up; a detector's figure is that of one device.
TEST(Today, MlperfLeavesItsFirstFigureOut) {
    const auto log = [](const char* file) {
        std::string text;
        for (const int speed : {100, 280, 300}) {
            text += fmt::format(
                ":::MLLOG {{\"key\": \"tracked_stats\", \"value\": {{\"throughput\": {}}}, \"metadata\": "
                "{{\"file\": \"/workspace/{}\"}}}}\n",
                speed, file);
        }
        return text;
    };
    EXPECT_EQ(analyzeLog("mlperf", log("common/fit.py"), {{1, 8}, 64}, {1, 2}).figure.value, 290.0);
    EXPECT_EQ(analyzeLog("mlperf-per-device", log("ssd/engine.py"), {{1, 8}, 64}, {1, 2}).figure.value,
              2320.0);
}

// Lines of optimizer steps, each of 66 batches.
TEST(Today, GradientsThatAreSummedCount) {
    std::string log = "+ python3 run_pretraining.py --fp16 --gradient_accumulation_steps=66 --do_train\n";
    for (int step = 1; step <= 40; ++step) {
        log += fmt::format(
            "DLL 2023-08-02 02:{:02}:{:02}.500000 - Training Epoch: 0 Training Iteration: {}  average_loss : "
            "11.1  step_loss : 11.1\n",
            step / 10, step % 10 * 6, step);
    }
    EXPECT_EQ(analyzeLog("ngc-pytorch-bert", log, {{1, 8}, 128}, {5, 25}).figure.value, 66 * 8 * 128 / 6.0);
}

TEST(Today, TensorflowBertSaysSequences) {
    std::string log;
    for (int step = 1; step <= 60; ++step) {
        log += fmt::format(
            "DLL 2023-08-02 10:56:38.9 - Iteration: {}  throughput_train : {} sequences/s mlm_loss : 10.4  "
            "total_loss : 11.1\n",
            step, 7800 + step);
    }
    EXPECT_EQ(analyzeLog("ngc-tensorflow1-bert", log, {{1, 8}, 128}, {20, 60}).figure.value, 7845.0);
}

}  // namespace
}  // namespace dlperf::analysis
