// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/report_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/mapped.h"
#include "core/tuning/experiments.h"

namespace dlperf::tuning {
namespace {

bool tellsACause(const report::Loss& loss) {
    return std::ranges::any_of(
        loss.parts, [](const report::LossPart& part) { return part.cause < report::Cause::Noise; });
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
            if (std::ranges::none_of(lost.losses, tellsACause)) {
                continue;
            }
            lost.title = report.sections.size() > 1 ? section.heading + ", " + lost.title : lost.title;
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
