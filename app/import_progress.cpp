// SPDX-License-Identifier: Apache-2.0
#include "app/import_progress.h"

#include <fmt/format.h>

#include <iostream>

namespace dlperf::app {
namespace {

constexpr int barWidth = 20;
constexpr int all = 100;  // percent

}  // namespace

ImportProgressPrinter::~ImportProgressPrinter() {
    clear();
}

void ImportProgressPrinter::show(const imports::Progress& progress) {
    const int step = terminal_ ? 1 : all / 4;  // a file of a log wants few lines
    const int percent = imports::percentOf(progress) / step * step;
    if (percent == percent_ && progress.stage == stage_) {
        return;
    }
    stage_ = progress.stage;
    percent_ = percent;
    if (!terminal_) {
        std::cerr << fmt::format("{} logs: {} %\n", imports::toString(stage_), percent);
        return;
    }
    const auto filled = static_cast<std::size_t>(percent * barWidth / all);
    std::cerr << "\r\033[K"
              << fmt::format("{} logs [{}{}] {} %", imports::toString(stage_), std::string(filled, '#'),
                             std::string(barWidth - filled, '.'), percent)
              << std::flush;
    drawn_ = true;
}

void ImportProgressPrinter::clear() {
    if (drawn_) {
        std::cerr << "\r\033[K" << std::flush;
        drawn_ = false;
    }
}

}  // namespace dlperf::app
