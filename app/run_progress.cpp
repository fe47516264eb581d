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

std::string title(const run::Campaign& campaign, std::size_t number) {
    const run::RunState& run = campaign.runs[number];
    return fmt::format("[{}/{}] {} repetition {}", number + 1, campaign.runs.size(),
                       shortName(run.benchmarkCase), run.repetition);
}

std::string figure(const std::optional<double>& throughput, const std::string& unit) {
    return throughput ? fmt::format("{:.2f} {}", *throughput, printable(unit)) : std::string();
}

double fractionOf(const run::RunState& run) {
    return run.window.train > 0 ? std::min(1.0, static_cast<double>(run.iteration) / run.window.train) : 0.0;
}

std::string ending(const run::RunState& run) {
    const std::string outcome = toString(run.outcome);
    if (run.outcome == Outcome::Ok) {
        return outcome + ", " + figure(run.throughput, run.unit);
    }
    return run.reason.empty() ? outcome : outcome + ", " + printable(run.reason);
}

}  // namespace

void RunProgressPrinter::operator()(const run::Campaign& campaign, std::size_t number) {
    const run::RunState& run = campaign.runs[number];
    if (run.id != runId_) {
        runId_ = run.id;
        began_ = Clock::now();
        if (!terminal_) {
            printLine(title(campaign, number));
        }
    }
    if (run.phase == run::RunPhase::Finished) {
        finishedTime_ += Clock::now() - began_;
        ++finishedRuns_;
        printLine(title(campaign, number) + ": " + ending(run) + hintLines(run.hints, "  "));
        return;
    }
    if (run.message != message_) {
        message_ = run.message;
        if (!message_.empty()) {
            printLine(printable(message_));
        }
    }
    printAlerts(run);
    if (terminal_) {
        redraw(campaign, number);
    }
}

// Each once, when it begins, and that it is over.
void RunProgressPrinter::printAlerts(const run::RunState& run) {
    const auto holds = [](const std::vector<run::NodeAlert>& list, const run::NodeAlert& alert) {
        return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.isSameAs(alert); });
    };
    for (const run::NodeAlert& alert : run.alerts) {
        if (!holds(alerts_, alert)) {
            for (const diagnosis::Hint& hint : run::hintsOf(rules_, {alert}, now())) {
                printLine("trouble with node " + printable(alert.node) + hintLines({hint}, "  "));
            }
        }
    }
    for (const run::NodeAlert& alert : alerts_) {
        if (run.phase == run::RunPhase::Running && !holds(run.alerts, alert)) {
            const bool silent = alert.kind == run::NodeAlert::Kind::Silent;
            printLine(fmt::format("node {} {}", printable(alert.node),
                                  silent ? "is heard of again" : "is reached again"));
        }
    }
    alerts_ = run.alerts;
}

void RunProgressPrinter::printLine(const std::string& line) {
    if (drawn_) {
        std::cerr << "\r\033[K";
        drawn_ = false;
    }
    std::cerr << line << std::endl;
}

void RunProgressPrinter::redraw(const run::Campaign& campaign, std::size_t number) {
    const run::RunState& run = campaign.runs[number];
    const int filled = static_cast<int>(fractionOf(run) * runBarWidth);
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(runBarWidth - filled), '.');
    std::cerr << "\r\033[K"
              << fmt::format("{} [{}] {} {}/{} {} {}", title(campaign, number), bar, run::toString(run.phase),
                             run.iteration, run.window.train, figure(run.speed, run.unit),
                             timeLeft(run, campaign.runs.size() - number - 1))
              << std::flush;
    drawn_ = true;
}

// From the mean of the runs so far and from how far this one is.
std::string RunProgressPrinter::timeLeft(const run::RunState& run, std::size_t waiting) const {
    const double fraction = fractionOf(run);
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
    const auto left =
        static_cast<long>(std::max(0.0, thisRun - elapsed) + static_cast<double>(waiting) * perRun);
    return fmt::format("{}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
}

}  // namespace dlperf::app
