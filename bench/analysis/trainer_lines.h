// SPDX-License-Identifier: Apache-2.0
// The lines of the trainers that write one an iteration, so that a long training makes a log of a million
// lines. Digits change from line to line, numbers and clocks grow. Layouts: tests/analysis/reference/write.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dlperf::bench {

struct Trainer {
    std::string_view format;  // as `dlperf formats` names it
    std::string_view head;    // what the format must find before the first iteration, with line ends

    // Appends the line of an iteration, from 0, with its end. False: its format does not count this one.
    bool (*appendLine)(std::string& log, std::int64_t iteration);

    // What `--train` calls the last iteration, less the number of lines that count.
    int lastIsAhead;
};

std::span<const Trainer> trainers();

// Nothing if no trainer writes this format.
std::optional<Trainer> findTrainer(std::string_view format);

}  // namespace dlperf::bench
