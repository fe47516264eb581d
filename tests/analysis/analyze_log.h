// SPDX-License-Identifier: Apache-2.0
// One log, analyzed whole.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/log_analyzer.h"

namespace dlperf::analysis {

struct AnalyzedBytes {
    RunFigure figure;
    std::vector<Iteration> iterations;
    bool reached = false;

    // The finding of this kind, or an empty text.
    std::string finding(const std::string& kind) const {
        const auto found = std::find_if(figure.findings.begin(), figure.findings.end(),
                                        [&](const Finding& one) { return one.kind == kind; });
        return found == figure.findings.end() ? std::string() : found->where + ": " + found->what;
    }
};

inline AnalyzedBytes analyzeLog(std::string_view format, std::string_view bytes, RunShape shape,
                                MeasurementRange window) {
    AnalyzedBytes result;
    LogAnalyzer analyzer(*findFormat(format), shape, window,
                         [&](const Iteration& iteration) { result.iterations.push_back(iteration); });
    analyzer.feed(bytes);
    analyzer.finish();
    result.figure = analyzer.figure();
    result.reached = analyzer.rangeReached();
    return result;
}

// Shapes of runs on one device, by batch size.
inline constexpr RunShape oneDevice{{1, 1}, 1};
inline constexpr RunShape oneDeviceOf128{{1, 1}, 128};

// Names a case by its format, in letters that GoogleTest takes.
inline std::string nameOfFormat(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace dlperf::analysis
