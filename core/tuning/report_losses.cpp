// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/report_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/mapped.h"
#include "core/report/numbers.h"
#include "core/tuning/experiments.h"

namespace dlperf::tuning {
namespace {

bool tellsACause(const report::Loss& loss) {
    return std::ranges::any_of(report::toldParts(loss), [](const report::LossPart& part) {
        return part.cause < report::Cause::Noise;
    });
}

// "OneFlow: 12.5 % on 4n8g", where it is largest; empty where nothing is lost anywhere.
std::string unexplainedText(const report::SeriesLosses& series) {
    const auto most = std::ranges::max_element(series.losses, {}, &report::Loss::lost);
    return most == series.losses.end() || report::losesNothing(*most) || most->lost() < 0
               ? std::string()
               : fmt::format("{}: {} on {}", series.title, report::percent(most->lost()),
                             toString(most->topology));
}

std::string lineOf(const Tried& tried) {
    const Experiment& experiment = tried.experiment;
    return fmt::format("{}: {}. {}", experiment.title, experiment.change,
                       tried.answer ? answerText(*tried.answer) : experiment.why);
}

}  // namespace

void addLosses(report::Report& report, const store::Workspace& workspace, const Vocabulary& vocabulary,
               const analysis::FormatBook& formats) {
    const report::HardwareBaselines baselines = report::readHardwareBaselines(workspace);
    for (const report::ReportSection& section : report.sections) {
        for (const report::ComparedSeries& series : section.comparison.series) {
            if (section.batchSizes || series.key.origin == Origin::Published) {
                continue;
            }
            report::SeriesLosses lost = report::lossesIn(workspace, baselines, formats, series, report.runs);
            if (std::ranges::all_of(lost.losses, report::losesNothing)) {
                continue;
            }
            lost.title = report.sections.size() > 1 ? section.heading + ", " + lost.title : lost.title;
            if (std::ranges::none_of(lost.losses, tellsACause)) {
                if (std::string text = unexplainedText(lost); !text.empty()) {
                    report.unexplainedLosses.push_back(std::move(text));
                }
                continue;
            }
            // The losses stand without: the campaign's files may be gone.
            if (const auto tried =
                    triedIn(workspace, series, {lost.losses.back()}, report.runs, vocabulary, formats)) {
                lost.tries = mapped(*tried, lineOf);
            }
            report.losses.push_back(std::move(lost));
        }
    }
}

}  // namespace dlperf::tuning
