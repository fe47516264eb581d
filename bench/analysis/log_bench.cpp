// SPDX-License-Identifier: Apache-2.0
// How fast logs are read, by format: logs in which every line counts, and logs in which one line of 20 does.
// Beside it what one could do instead: one RE2 a line with a capture, and what no reader can beat much:
// memchr from line to line. And what the diagnosis adds, which looks for all its rules in every line.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <re2/re2.h>

#include <cstring>
#include <string>

#include "core/analysis/format_row.h"
#include "core/analysis/log_analyzer.h"
#include "core/diagnosis/diagnose.h"

namespace dlperf::analysis {
namespace {

constexpr int lineCount = 200'000;
constexpr std::size_t chunkBytes = 256U << 10U;  // as files are read

std::string clock(int i, char point, int digits) {
    return fmt::format("2020-09-15 {:02}:{:02}:{:02}{}{}", i / 3600 % 24, i / 60 % 60, i % 60, point,
                       std::string(static_cast<std::size_t>(digits), '5'));
}

std::string countedLine(const std::string& format, int i) {
    if (format == "pytorch-examples") {
        return fmt::format(
            "Epoch: [0][{:6}/200000]\tTime  0.363 ( 4.462)\tData  0.114 ( 0.039)\tLoss 3.3840e+00 "
            "(2.2378e+01)\tAcc@1   2.34 (  1.56)\tAcc@5  10.94 (  7.81)\n",
            i);
    }
    if (format == "ngc-pytorch-resnet50") {
        return fmt::format(
            "DLL {} - Epoch: 0 Iteration: {}  train.loss : 6.67351  train.total_ips : 10393.54 img/s\n",
            clock(i, '.', 6), i);
    }
    if (format.starts_with("paddle")) {
        return fmt::format(
            "{}-INFO: [Pass 0, train batch {}] \tloss 7.02511, acc1 0.00000, acc5 0.00781, lr 0.00100, "
            "elapse 0.3612 sec\n",
            clock(i, ',', 3), i);
    }
    if (format == "oneflow-resnet50") {
        return fmt::format(
            "train: epoch 0, iter {}, loss: 7.087004, top_1: 0.000000, top_k: 0.000000, samples/s: "
            "3988.891 {}.9863544\n",
            i, 1597933942 + i);
    }
    return fmt::format(
        "iteration {} epoch 0 loss 6.9312 time 1.284560 s data 0.000210 s comm 0.044000 s throughput "
        "12.46 images/s\n",
        i + 1);
}

std::string makeLog(const std::string& format, int every) {
    std::string log;
    for (int i = 0; i < lineCount; ++i) {
        log +=
            i % every == 0
                ? countedLine(format, i / every)
                : std::string(
                      "node1: NCCL INFO Channel 00/02 : 0 1 2 3 4 5 6 7 [receive] via NET/IB/0 (GDRDMA)\n");
    }
    return log;
}

void finish(benchmark::State& state, const std::string& log) {
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * log.size()));
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * lineCount);
}

void analyzer(benchmark::State& state, const std::string& format, int every) {
    const std::string log = makeLog(format, every);
    for (auto _ : state) {
        LogAnalyzer reader(*findFormat(format), {{1, 8}, 128}, {20, 1000});
        for (std::size_t at = 0; at < log.size(); at += chunkBytes) {
            reader.feed(std::string_view(log).substr(at, chunkBytes));
            benchmark::DoNotOptimize(reader.takeIterations());
        }
        reader.finish();
        benchmark::DoNotOptimize(reader.figure());
    }
    finish(state, log);
}

// The peer: lines, and on each the one pattern that finds the line and its number.
void onePatternALine(benchmark::State& state, const std::string& format, int every) {
    const std::string log = makeLog(format, every);
    const RE2 pattern(format == "pytorch-examples" ? R"(Epoch: .*\]\[ *(\d+)/\d+\]\s+Time +([0-9.]+) )"
                      : format == "ngc-pytorch-resnet50"
                          ? R"((\d+-\d+-\d+ \d+:\d+:\d+\.\d+) .*Iteration: (\d+)  train\.loss :)"
                      : format.starts_with("paddle") ? R"(train batch (\d+)\].*elapse (.*?) sec)"
                      : format == "oneflow-resnet50" ? R"(^train: .* iter (\d+),.* ([0-9.]+)$)"
                                                     : R"(iteration (\d+) .* time ([0-9.]+) s)");
    for (auto _ : state) {
        std::string_view rest = log;
        std::int64_t found = 0;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            re2::StringPiece number;
            re2::StringPiece seconds;
            found += RE2::PartialMatch({rest.data(), end}, pattern, &number, &seconds) ? 1 : 0;
            rest.remove_prefix(end + 1);
        }
        benchmark::DoNotOptimize(found);
    }
    finish(state, log);
}

void diagnosis(benchmark::State& state, const std::string& format, int every) {
    const std::string log = makeLog(format, every);
    const auto rules = diagnosis::readRules();
    if (!rules) {
        state.SkipWithError("no rules: set DLPERF_RESOURCES");
        return;
    }
    for (auto _ : state) {
        diagnosis::LogDiagnosis reader(*rules, "node1");
        for (std::size_t at = 0; at < log.size(); at += chunkBytes) {
            reader.feed(std::string_view(log).substr(at, chunkBytes));
        }
        reader.finish();
        benchmark::DoNotOptimize(reader.hints());
    }
    finish(state, log);
}

void linesOnly(benchmark::State& state) {
    const std::string log = makeLog("pytorch-examples", 1);
    for (auto _ : state) {
        std::int64_t lines = 0;
        for (const char* at = log.data(); at != nullptr;) {
            at = static_cast<const char*>(
                std::memchr(at, '\n', static_cast<std::size_t>(log.data() + log.size() - at)));
            if (at != nullptr) {
                ++at;
                ++lines;
            }
        }
        benchmark::DoNotOptimize(lines);
    }
    finish(state, log);
}

const int registered = [] {
    for (const Format& format : formats()) {
        for (const int every : {1, 20}) {
            const std::string what =
                fmt::format("{}/{}", format.name, every == 1 ? "every-line" : "one-of-20");
            benchmark::RegisterBenchmark(("analyzer/" + what).c_str(), analyzer, format.name, every)
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("one-pattern-a-line/" + what).c_str(), onePatternALine, format.name,
                                         every)
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("diagnosis/" + what).c_str(), diagnosis, format.name, every)
                ->Unit(benchmark::kMillisecond);
        }
    }
    benchmark::RegisterBenchmark("lines-only", linesOnly)->Unit(benchmark::kMillisecond);
    return 0;
}();

}  // namespace
}  // namespace dlperf::analysis
