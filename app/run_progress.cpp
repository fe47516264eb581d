// SPDX-License-Identifier: Apache-2.0
#include "app/run_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/hint_lines.h"
#include "app/run_inputs.h"

namespace dlperf::app {
namespace {

constexpr int runBarWidth = 20;

std::string title(const run::Progress& progress) {
    return fmt::format("[{}/{}] {} repetition {}", progress.run + 1, progress.total,
                       shortName(progress.benchmarkCase), progress.repetition);
}

std::string figure(const run::Progress& progress) {
    return progress.throughput ? fmt::format("{:.2f} {}", *progress.throughput, printable(progress.unit))
                               : std::string();
}

double fractionOf(const run::Progress& progress) {
    return progress.window.train > 0
               ? std::min(1.0, static_cast<double>(progress.iteration) / progress.window.train)
               : 0.0;
}

std::string ending(const run::Progress& progress) {
    std::string line = title(progress) + ": " + toString(progress.outcome);
    if (progress.outcome == Outcome::Ok) {
        return line + ", " + figure(progress);
    }
    return progress.message.empty() ? line : line + ", " + printable(progress.message);
}

}  // namespace

void RunProgressPrinter::operator()(const run::Progress& progress) {
    if (progress.runId != runId_) {
        runId_ = progress.runId;
        began_ = Clock::now();
        if (!terminal_) {
            printLine(title(progress));
        }
    }
    if (progress.state == run::RunState::Finished) {
        finishedTime_ += Clock::now() - began_;
        ++finishedRuns_;
        printLine(ending(progress) + hintLines(progress.hints, "  "));
        return;
    }
    if (progress.message != message_) {
        message_ = progress.message;
        if (!message_.empty()) {
            printLine(printable(message_));
        }
    }
    printTroubles(progress);
    if (terminal_) {
        redraw(progress);
    }
}

// Each once, when it begins, and that it is over.
void RunProgressPrinter::printTroubles(const run::Progress& progress) {
    const auto holds = [](const std::vector<run::NodeTrouble>& list, const run::NodeTrouble& trouble) {
        return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.isSameAs(trouble); });
    };
    for (const run::NodeTrouble& trouble : progress.troubles) {
        if (!holds(troubles_, trouble)) {
            for (const diagnosis::Hint& hint : run::hintsOf(rules_, {trouble}, now())) {
                printLine("trouble with node " + printable(trouble.node) + hintLines({hint}, "  "));
            }
        }
    }
    for (const run::NodeTrouble& trouble : troubles_) {
        if (progress.state == run::RunState::Running && !holds(progress.troubles, trouble)) {
            const bool silent = trouble.kind == run::NodeTrouble::Kind::Silent;
            printLine(fmt::format("node {} {}", printable(trouble.node),
                                  silent ? "is heard of again" : "is reached again"));
        }
    }
    troubles_ = progress.troubles;
}

void RunProgressPrinter::printLine(const std::string& line) {
    if (drawn_) {
        std::cerr << "\r\033[K";
        drawn_ = false;
    }
    std::cerr << line << std::endl;
}

void RunProgressPrinter::redraw(const run::Progress& progress) {
    const int filled = static_cast<int>(fractionOf(progress) * runBarWidth);
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(runBarWidth - filled), '.');
    std::cerr << "\r\033[K"
              << fmt::format("{} [{}] {} {}/{} {} {}", title(progress), bar, run::toString(progress.state),
                             progress.iteration, progress.window.train, figure(progress), timeLeft(progress))
              << std::flush;
    drawn_ = true;
}

// From the mean of the runs so far and from how far this one is.
std::string RunProgressPrinter::timeLeft(const run::Progress& progress) const {
    const double fraction = fractionOf(progress);
    const double elapsed = std::chrono::duration<double>(Clock::now() - began_).count();
    double thisRun = fraction > 0 ? elapsed / fraction : 0;
    double perRun = thisRun;
    if (finishedRuns_ > 0) {
        perRun = std::chrono::duration<double>(finishedTime_).count() / static_cast<double>(finishedRuns_);
        thisRun = std::max(thisRun, perRun);
    }
    if (perRun <= 0) {
        return {};
    }
    const double waiting = static_cast<double>(progress.total - progress.run - 1);
    const auto left = static_cast<long>(std::max(0.0, thisRun - elapsed) + waiting * perRun);
    return fmt::format("{}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
}

}  // namespace dlperf::app
