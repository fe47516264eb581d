// SPDX-License-Identifier: Apache-2.0
// make_log FORMAT MIB FILE: a log of one training on one device, for bench/analysis/run.sh. Prints how many
// lines it has and the number of its last iteration, with which it ends. make_log: the formats.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/analysis/trainer_lines.h"
#include "bench/log/training_log.h"

namespace {

using dlperf::bench::Trainer;

constexpr int nodeNumber = 0;
constexpr int startUpLines = 400;           // of NCCL
constexpr std::int64_t betweenNoise = 500;  // iterations between two lines of other programs

struct Size {
    std::int64_t lines = 0;
    std::int64_t last = 0;
};

// An iteration that counts is written last: all of the log is needed for the window.
Size write(const Trainer& trainer, std::int64_t bytes, std::ofstream& file) {
    std::string log(trainer.head);
    for (std::uint64_t line = 0; line < startUpLines; ++line) {
        dlperf::bench::appendTrainingLine(log, line, nodeNumber);
    }
    Size size{std::count(log.begin(), log.end(), '\n'), trainer.lastIsAhead};
    std::int64_t written = 0;
    bool counted = false;
    for (std::int64_t iteration = 0; written < bytes || !counted; ++iteration) {
        if (iteration % betweenNoise == betweenNoise - 1) {
            dlperf::bench::appendTrainingLine(log, static_cast<std::uint64_t>(iteration) % startUpLines,
                                              nodeNumber);
            ++size.lines;
        }
        counted = trainer.appendLine(log, iteration);
        size.last += counted ? 1 : 0;
        ++size.lines;
        written += static_cast<std::int64_t>(log.size());
        file << log;
        log.clear();
    }
    return size;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 1) {
        for (const Trainer& trainer : dlperf::bench::trainers()) {
            fmt::print("{}\n", trainer.format);
        }
        return EXIT_SUCCESS;
    }
    const auto trainer = argc == 4 ? dlperf::bench::findTrainer(argv[1]) : std::nullopt;
    const std::int64_t mib = argc == 4 ? std::atoll(argv[2]) : 0;
    if (!trainer || mib <= 0) {
        fmt::print(stderr, "usage: make_log FORMAT MIB FILE\n");
        return 2;
    }
    std::ofstream file(argv[3], std::ios::binary);
    const Size size = write(*trainer, mib << 20, file);
    if (!file.flush()) {
        fmt::print(stderr, "make_log: cannot write {}\n", argv[3]);
        return EXIT_FAILURE;
    }
    fmt::print("{} {}\n", size.lines, size.last);
    return EXIT_SUCCESS;
}
