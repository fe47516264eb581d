// SPDX-License-Identifier: Apache-2.0
// The table of log formats. Facts are those of DLPerf's extractors at c89430b.
#include <algorithm>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {
namespace {

constexpr FigureRounding python2{Rounding::Python, 2};
constexpr FigureRounding python4{Rounding::Python, 4};
constexpr FigureRounding numpy2{Rounding::Numpy, 2};

// The families of folds: average, its decimals, median, speedup. All add the runs in plain order.
constexpr FoldRule allPython{Rounding::Python, 2, Rounding::Python, Rounding::Python, false};
constexpr FoldRule timeWindow{Rounding::Python, 2, Rounding::Numpy, Rounding::Numpy, false};
constexpr FoldRule speedLines{Rounding::Numpy, 2, Rounding::Numpy, Rounding::Numpy, false};
constexpr FoldRule onOutput{Rounding::Python, 2, Rounding::Python, Rounding::Python, true};

Format pytorchExamples() {
    Format row;
    row.name = "pytorch-examples";
    row.title = "PyTorch examples (imagenet/main.py)";
    row.unit = "images/s";
    row.implementation = "pytorch-examples";
    row.source = "PyTorch/resnet50v1.5";
    row.window = {20, 120};
    row.markers = {"Epoch: "};
    row.index = {"][", true, R"(\s*(\d+)\s*/)"};
    row.indexAbove = 5;
    row.duration = {"Time", false, {}};
    row.dropsLeadingDigits = true;
    row.loss = {"Loss", false, {}};
    row.data = {"Data", false, {}};
    row.rule = WindowRule::SumOfDurations;
    row.figure = python2;
    row.fold = allPython;
    return row;
}

Format ngcPytorchResnet50() {
    Format row;
    row.name = "ngc-pytorch-resnet50";
    row.title = "NGC PyTorch, ResNet50";
    row.unit = "images/s";
    row.implementation = "ngc-pytorch";
    row.source = "NVIDIADeepLearningExamples/PyTorch/resnet50v1.5";
    row.window = {20, 120};
    row.lowestWarmup = 1;
    row.markers = {"Iteration: "};
    row.index = {"Iteration: ", false, R"(\s*(\d+)\s*  train\.loss :)"};
    row.indexAbove = 5;
    row.clock = Clock::DateTimeDot;
    row.loss = {"train.loss :", false, {}};
    row.rule = WindowRule::BetweenStamps;
    row.figure = python2;
    row.fold = timeWindow;
    return row;
}

Format paddleResnet50() {
    Format row;
    row.name = "paddle-resnet50";
    row.title = "PaddlePaddle, ResNet50, by speed";
    row.unit = "images/s";
    row.implementation = "paddle-models";
    row.source = "PaddlePaddle, extract_paddle_logs.py";
    row.window = {20, 120};
    row.markers = {"elapse"};
    row.duration = {"elapse ", true, "(.*?) sec"};
    row.loss = {"loss ", false, {}};
    row.oddText = ", test ";
    row.rule = WindowRule::MeanOfSpeeds;
    row.lineSpeed = python4;
    row.figure = numpy2;
    row.stopsAtEnd = false;
    row.shortRun = ShortRun::MeanOfPart;
    row.fold = speedLines;
    return row;
}

Format paddleResnet50Time() {
    Format row;
    row.name = "paddle-resnet50-time";
    row.title = "PaddlePaddle, ResNet50, by time stamps";
    row.unit = "images/s";
    row.implementation = "paddle-models";
    row.source = "PaddlePaddle, extract_paddle_logs_time.py";
    row.window = {20, 120};
    row.lowestWarmup = 2;
    row.markers = {"elapse"};
    row.numbering = Numbering::Printed;
    row.index = {"train batch ", false, R"((\d+)\])"};
    row.indexOptional = true;  // test lines
    row.indexOffset = 1;
    row.clock = Clock::DateTimeComma;
    row.loss = {"loss ", false, {}};
    row.rule = WindowRule::BetweenStamps;
    row.figure = python2;
    row.fold = timeWindow;
    return row;
}

Format oneflowResnet50() {
    Format row;
    row.name = "oneflow-resnet50";
    row.title = "OneFlow, ResNet50";
    row.unit = "images/s";
    row.implementation = "oneflow-benchmark";
    row.source = "OneFlow cnns";
    row.model = "r50";
    row.window = {20, 120};
    row.markers = {"train: "};
    row.markerStartsLine = true;
    row.numbering = Numbering::Printed;
    row.index = {" iter ", false, R"((\d+).)"};
    row.clock = Clock::EpochSeconds;
    row.everyLineStamped = true;
    row.loss = {"loss: ", false, {}};
    row.rule = WindowRule::BetweenStamps;
    row.quotient = Quotient::SamplesOverTotal;
    row.stopsAtEnd = false;
    row.shortRun = ShortRun::Aborts;
    row.fold = onOutput;
    row.header = {HeaderStyle::NameEquals,
                  "batch_size_per_device",
                  "num_nodes",
                  "gpu_num_per_node",
                  {},
                  {},
                  true,
                  true};
    row.batchesShareFolder = true;
    return row;
}

Format dlperfWorker() {
    Format row;
    row.name = "dlperf-worker";
    row.title = "dlperf-worker, the bundled trainer";
    row.unit = "images/s";
    row.implementation = "dlperf-worker";
    row.window = {20, 120};
    row.markers = {"iteration ", " time "};
    row.numbering = Numbering::Printed;
    row.index = {"iteration ", false, R"((\d+) )"};
    row.duration = {" time ", false, {}};
    row.loss = {" loss ", false, {}};
    row.data = {" data ", false, {}};
    row.rule = WindowRule::SumOfDurations;
    row.quotient = Quotient::SamplesOverTotal;
    row.figure = python2;
    row.badLine = BadLine::Noted;
    row.shortRun = ShortRun::Unknown;
    row.fold = timeWindow;
    row.header = {HeaderStyle::HashColon, "batch_size", {}, {}, "world_size", "precision", false, false};
    return row;
}

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> table{pytorchExamples(),    ngcPytorchResnet50(), paddleResnet50(),
                                           paddleResnet50Time(), oneflowResnet50(),    dlperfWorker()};
    return table;
}

const Format* findFormat(std::string_view name) {
    const auto found = std::find_if(formats().begin(), formats().end(),
                                    [&](const Format& format) { return format.name == name; });
    return found == formats().end() ? nullptr : &*found;
}

const std::string& name(const Format& format) {
    return format.name;
}
const std::string& title(const Format& format) {
    return format.title;
}
const std::string& unit(const Format& format) {
    return format.unit;
}
const std::string& implementation(const Format& format) {
    return format.implementation;
}
Window defaultWindow(const Format& format) {
    return format.window;
}

}  // namespace dlperf::analysis
