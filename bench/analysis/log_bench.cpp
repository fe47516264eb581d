// SPDX-License-Identifier: Apache-2.0
// How fast logs are read, by format: logs in which every line counts, and logs in which one line of 20 does.
// Beside it what one could do instead: one RE2 a line with a capture, and what no reader can beat much:
// memchr from line to line. And what the diagnosis adds, which looks for all its rules in every line.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <re2/re2.h>

#include <cstring>
#include <string>
#include <string_view>

#include "bench/analysis/trainer_lines.h"
#include "core/analysis/format_row.h"
#include "core/analysis/log_analyzer.h"
#include "core/diagnosis/diagnose.h"

namespace dlperf::analysis {
namespace {

constexpr int lineCount = 200'000;
constexpr std::size_t chunkBytes = 256U << 10U;  // as files are read

std::string makeLog(std::string_view format, int every) {
    const bench::Trainer trainer = bench::findTrainer(format).value();
    std::string log(trainer.head);
    for (int i = 0; i < lineCount; ++i) {
        if (i % every == 0) {
            trainer.appendLine(log, i / every);
        } else {
            log += "node1: NCCL INFO Channel 00/02 : 0 1 2 3 4 5 6 7 [receive] via NET/IB/0 (GDRDMA)\n";
        }
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
        LogAnalyzer reader(*findFormat(format), {{1, 8}, 128}, {20, 1000},
                           [](const Iteration& iteration) { benchmark::DoNotOptimize(iteration.number); });
        for (std::size_t at = 0; at < log.size(); at += chunkBytes) {
            reader.feed(std::string_view(log).substr(at, chunkBytes));
        }
        reader.finish();
        benchmark::DoNotOptimize(reader.figure());
    }
    finish(state, log);
}

// What finds the line and its number. Empty where nobody wrote it.
std::string_view patternOf(std::string_view format) {
    if (format == "pytorch-examples") {
        return R"(Epoch: .*\]\[ *(\d+)/\d+\]\s+Time +([0-9.]+) )";
    }
    if (format == "ngc-pytorch-resnet50") {
        return R"((\d+-\d+-\d+ \d+:\d+:\d+\.\d+) .*Iteration: (\d+)  train\.loss :)";
    }
    if (format.starts_with("paddle-resnet50")) {
        return R"(train batch (\d+)\].*elapse (.*?) sec)";
    }
    if (format == "oneflow-resnet50") {
        return R"(^train: .* iter (\d+),.* ([0-9.]+)$)";
    }
    if (format == "dlperf-worker") {
        return R"(iteration (\d+) .* time ([0-9.]+) s)";
    }
    return {};
}

// The peer: lines, and on each the one pattern.
void onePatternALine(benchmark::State& state, const std::string& format, int every) {
    const std::string log = makeLog(format, every);
    const RE2 pattern(patternOf(format));
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

using Reader = void (*)(benchmark::State&, const std::string&, int);

void registerReader(const char* reader, Reader run, std::string_view format) {
    for (const int every : {1, 20}) {
        const std::string name =
            fmt::format("{}/{}/{}", reader, format, every == 1 ? "every-line" : "one-of-20");
        benchmark::RegisterBenchmark(name.c_str(), run, std::string(format), every)
            ->Unit(benchmark::kMillisecond);
    }
}

const int registered = [] {
    for (const bench::Trainer& trainer : bench::trainers()) {
        registerReader("analyzer", analyzer, trainer.format);
        if (!patternOf(trainer.format).empty()) {
            registerReader("one-pattern-a-line", onePatternALine, trainer.format);
        }
        registerReader("diagnosis", diagnosis, trainer.format);
    }
    benchmark::RegisterBenchmark("lines-only", linesOnly)->Unit(benchmark::kMillisecond);
    return 0;
}();

}  // namespace
}  // namespace dlperf::analysis
