// SPDX-License-Identifier: Apache-2.0
#include "bench/analysis/trainer_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

namespace dlperf::bench {

namespace {

constexpr std::int64_t epochLength = 5005;  // ImageNet at a batch of 256

// A whole number below `range` that looks like chance and is the same in every run.
std::uint64_t digits(std::int64_t iteration, std::uint64_t column, std::uint64_t range) {
    std::uint64_t mixed = (static_cast<std::uint64_t>(iteration) * 8 + column) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
    mixed *= 0xBF58476D1CE4E5B9U;
    return (mixed >> 32U) % range;
}

template <typename... Values>
void append(std::string& log, fmt::format_string<Values...> layout, Values&&... values) {
    fmt::format_to(std::back_inserter(log), layout, std::forward<Values>(values)...);
}

// Microseconds since the training's first iteration, of 0.3612 s each, more or less.
std::int64_t elapsed(std::int64_t iteration) {
    return iteration * 361'200 + static_cast<std::int64_t>(digits(iteration, 7, 20'000));
}

// "2020-09-15 14:29:13", and a fraction of so many digits behind it.
void appendStamp(std::string& log, std::int64_t iteration, char point, int places) {
    using namespace std::chrono;
    constexpr std::int64_t day = 86'400'000'000;
    const std::int64_t since = elapsed(iteration) + 52'153'000'000;
    const year_month_day date(sys_days(2020y / September / 15d) + days(since / day));
    const auto time = since % day;
    append(log, "{:04}-{:02}-{:02} {:02}:{:02}:{:02}{}", static_cast<int>(date.year()),
           static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time / 3'600'000'000,
           time / 60'000'000 % 60, time / 1'000'000 % 60, point);
    const auto fraction = time % 1'000'000;
    append(log, "{:0{}}", places == 3 ? fraction / 1000 : fraction, places);
}

bool pytorchExamples(std::string& log, std::int64_t i) {
    append(log,
           "Epoch: [{}][{:4}/{}]\tTime  0.{:03} ( 0.363)\tData  0.{:03} ( 0.039)\tLoss {}.{:04}e+00 "
           "(6.9378e+00)\tAcc@1  {:2}.{:02} (  1.56)\tAcc@5  {:2}.{:02} (  7.81)\n",
           i / epochLength, i % epochLength, epochLength, 340 + digits(i, 0, 40), digits(i, 1, 20),
           1 + digits(i, 2, 6), digits(i, 3, 10'000), digits(i, 4, 80), digits(i, 5, 100), digits(i, 6, 90),
           digits(i, 7, 100));
    return i % epochLength > 5;
}

bool ngcPytorchResnet50(std::string& log, std::int64_t i) {
    log += "DLL ";
    appendStamp(log, i, '.', 6);
    append(log, " - Epoch: 0 Iteration: {}  train.loss : {}.{:05}  train.total_ips : {}.{:02} img/s\n", i + 1,
           1 + digits(i, 0, 6), digits(i, 1, 100'000), 700 + digits(i, 2, 40), digits(i, 3, 100));
    return i + 1 > 5;
}

bool ngcPytorchBert(std::string& log, std::int64_t i) {
    log += "DLL ";
    appendStamp(log, i, '.', 6);
    append(log,
           " - Training Epoch: 0 Training Iteration: {}  average_loss : 11.{:07}  step_loss : 11.{:07}  "
           "learning_rate : 4.{:05}e-06 \n",
           i + 1, digits(i, 0, 10'000'000), digits(i, 1, 10'000'000), digits(i, 2, 100'000));
    return i + 1 > 5;
}

bool ngcTensorflow1Resnet50(std::string& log, std::int64_t i) {
    log += "DLL ";
    appendStamp(log, i, '.', 6);
    append(log,
           " - (0, {}) imgs_per_sec : {}.{:010}  cross_entropy : {}.{:05}  l2_loss : 0.9{:05}  "
           "total_loss : {}.{:05}  learning_rate : 1.{:02}e-06 \n",
           i + 20, 340 + digits(i, 0, 20), digits(i, 1, 4'000'000'000), 1 + digits(i, 2, 6),
           digits(i, 3, 100'000), digits(i, 4, 100'000), 2 + digits(i, 2, 6), digits(i, 5, 100'000),
           digits(i, 6, 100));
    return true;
}

bool paddleResnet50(std::string& log, std::int64_t i) {
    appendStamp(log, i, ',', 3);
    append(log,
           "-INFO: [Pass 0, train batch {}] \tloss {}.{:05}, acc1 0.{:05}, acc5 0.{:05}, lr 0.00100, "
           "elapse 0.3{:03} sec\n",
           i, 1 + digits(i, 0, 6), digits(i, 1, 100'000), digits(i, 2, 50'000), digits(i, 3, 100'000),
           digits(i, 4, 1000));
    return true;
}

bool paddleBert(std::string& log, std::int64_t i) {
    append(log,
           "epoch: 0, progress: 1/1, step: {}, loss: {}.{:06}, ppl: {}.{}, next_sent_acc: 0.{:06}, speed: "
           "2.{:06} steps/s, file: demo_wiki_train_50.gz\n",
           i, 5 + digits(i, 0, 6), digits(i, 1, 1'000'000), 10'000 + digits(i, 2, 90'000), digits(i, 3, 10),
           digits(i, 4, 1'000'000), digits(i, 5, 1'000'000));
    return true;
}

bool paddleclas(std::string& log, std::int64_t i) {
    log += '[';
    appendStamp(log, i, '\n', 6);
    log.resize(log.rfind('\n'));  // whole seconds
    append(log,
           "] ppcls INFO: [Train][Epoch 1/1][Iter: {}/10000000]lr(LinearWarmup): 0.{:08}, top1: 0.{:05}, "
           "loss: {}.{:05}, batch_cost: 0.3{:04}s, reader_cost: 0.0{:04}, ips: 35{}.{:05} samples/s\n",
           i, digits(i, 0, 90'000'000), digits(i, 1, 80'000), 1 + digits(i, 2, 6), digits(i, 3, 100'000),
           digits(i, 4, 10'000), digits(i, 5, 10'000), digits(i, 6, 10), digits(i, 7, 100'000));
    return true;
}

// A stamp without a date: iterations are short, so that even a long log ends before midnight.
bool tensorflow2Bert(std::string& log, std::int64_t i) {
    const std::int64_t time = 1'000'000 + i * 5000 + static_cast<std::int64_t>(digits(i, 7, 400));
    append(log,
           "I0905 {:02}:{:02}:{:02}.{:06} 140266544322368 model_training_utils.py:450] Train Step: "
           "{}/10000000  / loss = {}.{:09}\n",
           time / 3'600'000'000, time / 60'000'000 % 60, time / 1'000'000 % 60, time % 1'000'000, i + 1,
           1 + digits(i, 0, 8), digits(i, 1, 1'000'000'000));
    return true;
}

bool mxnetResnet50(std::string& log, std::int64_t i) {
    append(log, "INFO:root:Epoch[0] Batch[{}]\tSpeed: {}.{:02} samples/sec\taccuracy=0.{:06}\tlr=0.100000\n",
           i + 1, 340 + digits(i, 0, 20), digits(i, 1, 100), digits(i, 2, 800'000));
    return true;
}

bool ngcMxnetResnet50(std::string& log, std::int64_t i) {
    appendStamp(log, i, ',', 3);
    append(log, ":INFO: Epoch[0] Batch [{0}-{0}]\tSpeed: {1}.{2:06} samples/sec\tLR: 0.{3:06}\t\n", i + 1,
           340 + digits(i, 0, 20), digits(i, 1, 1'000'000), digits(i, 2, 256'000));
    return true;
}

bool mxnetBert(std::string& log, std::int64_t i) {
    const auto tenths = 3500 + digits(i, 4, 200);  // of a millisecond
    append(log,
           "INFO:root:[step {}]\tmlm_loss={}.{:05}\tmlm_acc={}.{:05}\tnsp_loss= 0.{:02}\tnsp_acc={}.{:03}\t"
           "throughput={}.{}K tks/s\tlr=0.0000005 time={:.2f}, latency={}.{} ms/batch\n",
           i + 1, 1 + digits(i, 0, 8), digits(i, 1, 100'000), digits(i, 2, 60), digits(i, 3, 100'000),
           60 + digits(i, 2, 20), 50 + digits(i, 3, 40), digits(i, 4, 1000), 11 + digits(i, 5, 2),
           digits(i, 6, 10), static_cast<double>(tenths) / 10'000, tenths / 10, tenths % 10);
    return true;
}

bool mxnetPartialFc(std::string& log, std::int64_t i) {
    append(log, "INFO:root:Iter:{} Rank:{}.{:02} it/sec Total:{}.{:02} it/sec [0][loss]:{}.{:02}\n", i + 1,
           700 + digits(i, 0, 60), digits(i, 1, 100), 700 + digits(i, 0, 60), digits(i, 1, 100),
           10 + digits(i, 2, 30), digits(i, 3, 100));
    return true;
}

bool oneflowResnet50(std::string& log, std::int64_t i) {
    const std::int64_t time = elapsed(i);
    append(log,
           "train: epoch {}, iter {}, loss: {}.{:06}, top_1: 0.{:06}, top_k: 0.{:06}, samples/s: 35{}.{:03} "
           "{}.{:06}{}\n",
           i / epochLength, i + 1, 1 + digits(i, 0, 6), digits(i, 1, 1'000'000), digits(i, 2, 500'000),
           digits(i, 3, 1'000'000), digits(i, 4, 10), digits(i, 5, 1000), 1'597'933'942 + time / 1'000'000,
           time % 1'000'000, 1 + digits(i, 6, 9));
    return true;
}

bool oneflowBert(std::string& log, std::int64_t i) {
    const std::int64_t time = elapsed(i);
    append(log,
           "step: {}, total_loss: {}.{:03}, mlm_loss: {}.{:03}, nsp_loss: 0.{:03}, throughput: 13{}.{:03} "
           "{}.{:06}{}\n",
           i, 2 + digits(i, 0, 9), digits(i, 1, 1000), 1 + digits(i, 0, 9), digits(i, 2, 1000),
           digits(i, 3, 1000), digits(i, 4, 10), digits(i, 5, 1000), 1'597'933'942 + time / 1'000'000,
           time % 1'000'000, 1 + digits(i, 6, 9));
    return true;
}

bool oneflowFace(std::string& log, std::int64_t i) {
    append(log, "train: iter {}, loss {}.{:03}, throughput: {}.{:03}\n", i, 10 + digits(i, 0, 30),
           digits(i, 1, 1000), 700 + digits(i, 2, 60), digits(i, 3, 1000));
    return i > 5;
}

bool dlperfWorker(std::string& log, std::int64_t i) {
    append(log,
           "iteration {} epoch {} loss {}.{:04} time 1.2{:05} s data 0.000{:03} s comm 0.04{:04} s "
           "throughput 24.{:02} images/s\n",
           i + 1, i / epochLength, 1 + digits(i, 0, 6), digits(i, 1, 10'000), digits(i, 2, 100'000),
           digits(i, 3, 1000), digits(i, 4, 10'000), digits(i, 5, 100));
    return true;
}

constexpr std::string_view oneflowHead =
    "batch_size_per_device = 128\ngpu_num_per_node = 1\nnum_nodes = 1\nuse_fp16 = False\n";
constexpr std::string_view workerHead =
    "# dlperf-worker 0.1.0\n# backend: cpu\n# precision: fp32\n# batch_size: 128\n# world_size: 1\n";

constexpr std::array<Trainer, 19> all{{
    {"pytorch-examples", "", pytorchExamples, 0},
    {"ngc-pytorch-resnet50", "", ngcPytorchResnet50, 0},
    {"paddle-resnet50", "", paddleResnet50, 0},
    {"paddle-resnet50-time", "", paddleResnet50, 0},
    {"ngc-tensorflow1-resnet50", "", ngcTensorflow1Resnet50, 20},  // its hook is silent that long
    {"ngc-tensorflow1-resnet50-time", "", ngcTensorflow1Resnet50, 20},
    {"mxnet-resnet50", "", mxnetResnet50, 0},
    {"ngc-mxnet-resnet50", "", ngcMxnetResnet50, 0},
    {"ngc-mxnet-resnet50-time", "", ngcMxnetResnet50, 0},
    {"oneflow-resnet50", oneflowHead, oneflowResnet50, 0},
    {"ngc-pytorch-bert", "", ngcPytorchBert, 0},
    {"tensorflow2-bert", "", tensorflow2Bert, 0},
    {"mxnet-bert", "", mxnetBert, 0},
    {"paddle-bert", "", paddleBert, 0},
    {"oneflow-bert", oneflowHead, oneflowBert, -1},  // its first step is 0
    {"mxnet-partial-fc", "", mxnetPartialFc, 0},
    {"oneflow-face", "", oneflowFace, 0},
    {"paddleclas", "", paddleclas, 0},
    {"dlperf-worker", workerHead, dlperfWorker, 0},
}};

}  // namespace

std::span<const Trainer> trainers() {
    return all;
}

std::optional<Trainer> findTrainer(std::string_view format) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Trainer& one) { return one.format == format; });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace dlperf::bench
