// SPDX-License-Identifier: Apache-2.0
// Which format a log is of, by its lines alone.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/analysis/analyze.h"
#include "core/analysis/detect.h"
#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "core/analysis/json_table.h"
#include "core/analysis/log_analyzer.h"
#include "tests/support/folder.h"

namespace dlperf::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Sample {
    const char* format;
    const char* line;  // as the trainer prints it
};

const Sample samples[] = {
    {"pytorch-examples",
     "Epoch: [0][ 7/53]\tTime  0.363 ( 4.462)\tData  0.114 ( 0.039)\tLoss 3.3e+01 (2.2e+01)"},
    {"ngc-pytorch-resnet50",
     "DLL 2020-09-15 14:29:13.473765 - Epoch: 0 Iteration: 1  train.loss : 7.09304  train.total_ips : 267.44 "
     "img/s"},
    {"paddle-resnet50",
     "2020-09-01 11:21:11,002-INFO: [Pass 0, train batch 19] \tloss 7.02511, lr 0.00100, elapse 0.3612 sec"},
    {"paddle-resnet50", "INFO:utils.utility:[Pass 0, train batch 5] \tloss 7.0, elapse 0.3612 sec"},
    {"tensorflow2-resnet50",
     "I0820 07:58:53.129301 140266544322368 keras_utils.py:145] TimeHistory: 37.12 seconds, 344.83 "
     "examples/second between steps 0 and 100"},
    {"ngc-tensorflow1-resnet50",
     "DLL 2020-08-20 07:30:12.123456 - (0, 20) imgs_per_sec : 362.4412231445  cross_entropy : 8.167  "
     "total_loss "
     ": 9.1"},
    {"mxnet-resnet50", "INFO:root:Epoch[0] Batch[1]\tSpeed: 383.91 samples/sec"},
    {"ngc-mxnet-resnet50",
     "[1,3]<stderr>:2020-08-20 07:30:12,480:INFO: Epoch[0] Batch [1-1]\tSpeed: 3010.5521 samples/sec\tLR: "
     "0.256\t"},
    {"oneflow-resnet50",
     "train: epoch 0, iter 20, loss: 7.087004, top_1: 0.000000, samples/s: 3988.891 1597933942.9863544"},
    {"mindspore-resnet50", "epoch: 1 step: 10, loss is 6.9078593"},
    {"ngc-pytorch-bert",
     "DLL 2020-09-24 02:10:00.123456 - Training Epoch: 0 Training Iteration: 1  average_loss : 11.2  "
     "step_loss : "
     "11.2"},
    {"ngc-tensorflow1-bert",
     "DLL 2020-08-26 18:06:39.031755 - Iteration: 20  throughput_train : 107.331 seq/s mlm_loss : 10.3  "
     "total_loss "
     ": 11.0"},
    {"tensorflow2-bert",
     "I0905 07:58:53.129301 140266544322368 model_training_utils.py:450] Train Step: 20/120  / loss = "
     "8.148437500"},
    {"mxnet-bert",
     "INFO:root:[step 120]\tmlm_loss=9.51234\tnsp_loss= 0.71\tthroughput=19.2K tks/s\tlr=0.00006 time=0.21, "
     "latency=213.2 ms/batch"},
    {"paddle-bert",
     "epoch: 0, progress: 1/1, step: 21, loss: 10.9, ppl: 60000.1, next_sent_acc: 0.53125, speed: 4.145012 "
     "steps/s, file: demo_wiki_train_50.gz"},
    {"oneflow-bert",
     "step: 19, total_loss: 9.725, mlm_loss: 8.960, nsp_loss: 0.766, throughput: 54.982 1598056519.8844702"},
    {"mindspore-bert",
     "epoch: 0, current epoch percent: 0.002, step: 10, outputs are (Tensor(shape=[], dtype=Float32),)"},
    {"mxnet-arcface", "INFO:root:Epoch[0] Batch [0-20]\tSpeed: 233.94 samples/sec\tacc=0.000000"},
    {"mxnet-arcface", "INFO:root:Iter[0] Batch [20]\tSpeed: 233.94 samples/sec"},
    {"mxnet-partial-fc", "INFO:root:Iter:20 Rank:27.40 it/sec Total:219.20 it/sec [0][loss]:46.12"},
    {"oneflow-face", "train: iter 6, loss 41.523, throughput: 1853.912"},
    {"hugectr-wdl",
     "[HUGECTR][02:51:59][INFO][RANK0]: Iter: 100 Time(100 iters): 0.315066s Loss: 0.125152 lr:0.001000"},
    {"oneflow-wdl", "100 time 1602836839.6445205 loss 0.5471092355251312"},
    {"oneflow-wdl-models",
     "[rank:0] iter: 100/1200, loss: 0.0831875279545784, latency(ms): 81.5818255022168159 | 2021-12-01 "
     "13:19:02.625"},
    {"paddleclas",
     "[2022/11/27 17:38:08] ppcls INFO: [Train][Epoch 1/10][Iter: 10/53]lr(Cosine): 0.01, top1: 0.9, CELoss: "
     "0.18585, "
     "loss: 0.18585, batch_cost: 0.25000s, reader_cost: 0.00044, ips: 256.0 samples/s, eta: 0:01:02"},
    {"timm",
     "Train: 0 [   5/64 (  9%)]  Loss: 1.32 (1.40)  Time: 0.659s,   12.13/s  (0.706s,   11.33/s)  LR: "
     "1.000e-05  Data: 0.000 (0.011)"},
    {"tf-models-steps",
     "I1123 07:04:03.439692 139875177744192 keras_utils.py:145] TimeHistory: 1.26 seconds, 3.17 "
     "examples/second between steps 5 and 6"},
    {"tf-models-steps",
     "29/917 [....] - ETA: 14:00 - loss: 0.6060I0128 13:08:30.564977 281473617147888 keras_utils.py:119] "
     "TimeHistory: 9.62 seconds, 4.16 examples/second between steps 20 and 30"},
    {"tf-cnn-benchmarks", "10\timages/sec: 126.4 +/- 0.2 (jitter = 0.4)\t7.849"},
    {"mxnet-module", "INFO:root:Epoch[0] Batch [5-6]\tSpeed: 6.51 samples/sec\taccuracy=1.000000"},
    {"mxnet-module", "INFO:root:Epoch[0] Batch [20]\tSpeed: 2.54 samples/sec\tTrain-accuracy=0.524182"},
    {"mxnet-module",
     "2016-08-19 10:58:12,137 Node[0] Epoch[0] Batch [50]\tSpeed: 95.38 "
     "samples/sec\tTrain-accuracy=0.001016"},
    {"mindcv",
     "[2026-11-23 07:04:03] mindcv.utils.callbacks INFO - Epoch: [1/1], batch: [2/10], loss: 6.912034, lr: "
     "0.100000, time: 4.053146s"},
    {"oneflow-models-resnet50",
     "[rank:0] [train], epoch: 0/1, iter: 3/8, loss: 7.01010, lr: 0.000000, top1: 0.00000, throughput: 0.16 "
     "| "
     "2026-11-23 07:04:03.791"},
    {"ngc-mxnet-resnet50-dll",
     "DLL 2023-07-31 12:57:54.935614 - Epoch: 0 Iteration: 39  train.loss : 6.68  train.ips : 23970.57 "
     "images/s "
     "train.lr : 0.99"},
    {"ngc-tensorflow1-resnet50-dll",
     "DLL 2022-11-24 04:11:33.524847 - (0, 210) total_ips : 9450.923141075082"},
    {"paddlenlp-bert",
     "tobal step: 500, epoch: 0, batch: 499, loss: 10.3, avg_reader_cost: 0.00009 sec, avg_batch_cost: 0.145 "
     "sec, avg_samples: 96.00000, ips: 659.74974 sequences/sec"},
    {"paddleclas-steps",
     "[2022/06/02 16:18:59] ppcls INFO: epoch:1   train step:50   lr: 0.100000, loss:  6.0761 batch_cost: "
     "0.74589 s, reader_cost: 0.02751 s, ips: 343.21251 samples/sec."},
    {"paddleclas-steps-from-zero",
     "[2021/05/22 16:18:59] INFO: epoch:0  , train step:20  , top1: 0.01562, loss:  6.07610, lr: 0.100000, "
     "batch_cost: 0.74589 s, reader_cost: 0.02751 s, ips: 85.80313 images/sec."},
    {"paddleseg",
     "2022-02-05 04:33:42 [INFO]\t[TRAIN] epoch: 1, iter: 10/200, loss: 1.6422, lr: 0.009594, batch_cost: "
     "0.3241, reader_cost: 0.00325, ips: 12.3435 samples/sec | ETA 00:01:01"},
    {"openmmlab",
     "2022-02-10 06:23:23,602 - mmseg - INFO - Iter [4/10]\tlr: 7.282e-03, eta: 0:00:40, time: 0.603, "
     "data_time: 0.016, memory: 18878, loss: 3.6456"},
    {"mlperf-per-device",
     ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1695100305636, \"key\": \"tracked_stats\", \"value\": "
     "{\"throughput\": 282.65}, \"metadata\": {\"file\": \"/workspace/ssd/engine.py\", \"step\": 1}}"},
    {"mlperf",
     ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1719843792116, \"event_type\": \"POINT_IN_TIME\", \"key\": "
     "\"tracked_stats\", \"value\": {\"throughput\": 14214.65962521748}, \"metadata\": {\"lineno\": 1850}}"},
    {"dlperf-worker",
     "iteration 21 epoch 0 loss 6.9312 time 1.284560 s data 0.000210 s comm 0.044000 s throughput 12.46 "
     "images/s"},
};

TEST(Detection, KnowsEveryTrainerByItsLines) {
    const FormatDetector detector;
    for (const Sample& sample : samples) {
        const Detection found = detector.detect(std::string("noise\n") + sample.line + "\nmore noise\n");
        ASSERT_NE(found.format, nullptr) << sample.line << ": " << found.why;
        EXPECT_EQ(found.format->name, sample.format) << found.why;
        EXPECT_THAT(found.why, HasSubstr("line 2")) << sample.line;
    }
}

TEST(Detection, SeesThroughWhatLaunchersWriteBefore) {
    const FormatDetector detector;
    for (const Sample& sample : samples) {
        for (const char* prefix : {"[1,0]<stdout>:", "[rank0]: ", "[default0]:"}) {
            const Detection found = detector.detect(std::string(prefix) + sample.line + "\n");
            ASSERT_NE(found.format, nullptr) << prefix << sample.line << ": " << found.why;
            EXPECT_EQ(found.format->name, sample.format);
        }
    }
}

// Steps tell the two readings of TimeHistory apart, wherever they stand in the head.
TEST(Detection, AHundredStepsALineAreDlperfs) {
    const FormatDetector detector;
    const auto line = [](int from, int to) {
        return fmt::format("TimeHistory: 1.26 seconds, 3.17 examples/second between steps {} and {}\n", from,
                           to);
    };
    EXPECT_EQ(detector.detect(line(0, 100) + line(100, 200)).format->name, "tensorflow2-resnet50");
    EXPECT_EQ(detector.detect(line(80, 90) + line(90, 100)).format->name, "tf-models-steps");
    EXPECT_EQ(detector.detect(line(99, 100) + line(100, 101)).format->name, "tf-models-steps");
}

// Where lines count as iterations it is hardly wrong, and whoever reads the log says once how it was found.
TEST(Detection, AGuessIsNamedWhereNoLineCountsAsAnIteration) {
    const test::Folder folder;
    const std::string log = "Epoch: [0][0/53]\tTime 12.054 (12.054)\tLoss 6.9828e+00 (6.9828e+00)\n";
    folder.write("1n1g/r50_b64_fp32_1.log", log);
    const std::string guess =
        "nobody named the log's format, it is taken for pytorch-examples, since line 1 is one of PyTorch";
    const auto guessed = analyzeFolder(folder.path(), {});
    ASSERT_TRUE(guessed) << describe(guessed.error());
    EXPECT_THAT(guessed->logs.at(0).figure.whyNone, HasSubstr(guess));
    EXPECT_THAT(guessed->findings.at(0).what, HasSubstr(guess));
    Reading reading;
    reading.format = findFormat("pytorch-examples");
    EXPECT_THAT(analyzeFolder(folder.path(), reading)->findings.at(0).what, Not(HasSubstr("nobody")));
    const std::string counted = "Epoch: [0][6/53]\tTime 12.054 (12.054)\tLoss 6.9828e+00 (6.9828e+00)\n";
    folder.write("1n1g/r50_b64_fp32_1.log", counted);
    EXPECT_THAT(analyzeFolder(folder.path(), {})->findings.at(0).what, Not(HasSubstr("nobody")));
}

// A window that the format cannot measure is the user's error, whoever said the format.
TEST(Detection, AWindowThatDoesNotSuitIsSaidWithItsOwnRemedy) {
    const test::Folder folder;
    folder.write("1n1g/r100_b64_fp32_1.log",
                 "INFO:root:Epoch[0] Batch [0-20]\tSpeed: 233.94 samples/sec\tacc=0.000000\n");
    Reading reading;
    reading.warmup = 5;
    const auto found = analyzeFolder(folder.path(), reading);
    reading.format = findFormat("mxnet-arcface");
    const auto named = analyzeFolder(folder.path(), reading);
    ASSERT_FALSE(found);
    ASSERT_FALSE(named);
    EXPECT_EQ(describe(found.error()), describe(named.error()));
}

TEST(Detection, SaysWhenNothingFits) {
    const Detection found = FormatDetector().detect("nothing\nof the kind\n");
    EXPECT_EQ(found.format, nullptr);
    EXPECT_THAT(found.why, HasSubstr("no known format"));
}

std::string workerLines(const char* before, const char* behind) {
    std::string log;
    for (int step = 1; step <= 4; ++step) {
        log += fmt::format("step {}{}{} speed {}100{} images/sec\n", before, step, behind, before, behind);
    }
    return log;
}

AnalyzedLog analyzeOwn(const std::string& log) {
    const test::Folder folder;
    folder.write("1n1g/r50_b128_fp32_1.log", log);
    Reading reading;
    reading.formats = FormatBook(
        formatsFromJson(
            R"({"name": "own", "window": {"warmup": 1, "train": 4}, "lines": {"contain": ["step "]},
                            "index": {"after": "step ", "numbers_lines": true},
                            "value": {"after": "speed ", "before": " images/sec", "is": "speed"},
                            "rule": "mean-of-speeds", "bad_line": "noted"})",
            "f.json")
            .value());
    return analyzeFolder(folder.path(), reading).value().logs.at(0);
}

// Of a trainer that thinks it writes to a terminal.
TEST(Detection, ColoursHideNoNumber) {
    EXPECT_EQ(analyzeOwn(workerLines("\x1b[32m", "\x1b[0m")).figure.value, 100.0);
    EXPECT_EQ(analyzeOwn("\x1b[2K\n\x1b]0;title\x07" + workerLines("\x1b[1;31m", "\x1b[m")).figure.value,
              100.0);
    EXPECT_EQ(analyzeOwn(workerLines("", "")).figure.value, 100.0);
}

TEST(Detection, AFirstLineOfMegabytesHidesNoOther) {
    EXPECT_EQ(analyzeOwn(std::string(5U << 20U, 'x') + "\n" + workerLines("", "")).figure.value, 100.0);
}

TEST(Detection, ALongProgressBarHidesNoOther) {
    std::string bar;
    for (int i = 0; i < 4'000; ++i) {
        bar += "\rDownloading the data: some of it is there, the rest is on its way";
    }
    EXPECT_EQ(analyzeOwn(bar + "\n" + workerLines("", "")).figure.value, 100.0);
    EXPECT_EQ(analyzeOwn(bar + "\r" + workerLines("", "")).figure.value, 100.0);
}

TEST(Detection, AProgressBarMayNotKnowItsSpeedYet) {
    const AnalyzedLog log = analyzeOwn("step 0 speed ? images/sec\r" + workerLines("", ""));
    EXPECT_EQ(log.figure.value, 100.0);
    EXPECT_THAT(log.figure.findings, Not(testing::Contains(testing::Field(&Finding::kind, "odd-line"))));
    EXPECT_THAT(analyzeOwn("step 1 speed much images/sec\n" + workerLines("", "")).figure.findings,
                testing::Contains(testing::Field(&Finding::kind, "odd-line")));
}

TEST(Detection, ALogOfWhichNothingCanBeReadSaysSo) {
    LogAnalyzer analyzer(*findFormat("timm"), {{1, 1}, 8}, {1, 4});
    analyzer.feed(
        "Train: 0 [  x/640 (  0%)]  Loss: 1.32 (1.40)  Time: 0.659s,  100.00/s  (0.706s,   11.33/s)\n");
    analyzer.finish();
    EXPECT_EQ(analyzer.figure().whyNone, "none of the lines that could be of an iteration can be read");
}

TEST(Detection, AFolderMayMixFormats) {
    const test::Folder folder;
    folder.write("1n1g/r50_b128_fp32_1.log",
                 "Epoch: [0][6/53]\tTime  0.500 (0.5)\tData 0.1 (0.1)\tLoss 1.0 (1.0)\n"
                 "Epoch: [0][7/53]\tTime  0.500 (0.5)\tData 0.1 (0.1)\tLoss 1.0 (1.0)\n");
    folder.write("1n1g/r50_b128_fp32_2.log",
                 "2020-09-01 11:21:11,002-INFO: [Pass 0, train batch 0] \tloss 7.0, elapse 0.2500 sec\n"
                 "2020-09-01 11:21:11,252-INFO: [Pass 0, train batch 1] \tloss 7.0, elapse 0.2500 sec\n");
    folder.write("1n1g/r50_b128_fp32_3.log", "nothing\n");
    Reading reading;
    reading.warmup = 1;
    reading.train = 2;
    const auto analysis = analyzeFolder(folder.path(), reading);
    ASSERT_TRUE(analysis) << describe(analysis.error());
    EXPECT_EQ(
        toJson(*analysis),
        R"({"r50": {"1n1g": {"average_speed": 256.0, "batch_size_per_device": 128, "median_speed": 256.0, )"
        R"("speedup": 1.0}}, "r50 paddle-resnet50": {"1n1g": {"average_speed": 512.0, )"
        R"("batch_size_per_device": 128, "median_speed": 512.0, "speedup": 1.0}}})");
    ASSERT_EQ(analysis->findings.size(), 2U);
    EXPECT_EQ(analysis->findings[0].kind, "unknown-format");
    EXPECT_EQ(analysis->findings[1].kind, "mixed-formats");
}

}  // namespace
}  // namespace dlperf::analysis
