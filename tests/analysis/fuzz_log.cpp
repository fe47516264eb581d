// SPDX-License-Identifier: Apache-2.0
// libFuzzer on the engine: any bytes as a log of any format, in any chunks, give the same as in one piece.
// Run by tests/fuzz/run.sh.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/analysis/detect.h"
#include "core/analysis/format_row.h"
#include "core/analysis/log_analyzer.h"

namespace {

using dlperf::analysis::ignoreIteration;
using dlperf::analysis::LogAnalyzer;
using dlperf::analysis::OnIteration;
using dlperf::analysis::RunFigure;

bool same(const std::optional<double>& a, const std::optional<double>& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b || (std::isnan(*a) && std::isnan(*b)));
}

RunFigure figureOf(const dlperf::analysis::Format& format, std::string_view log, std::size_t chunk,
                   const OnIteration& onIteration) {
    LogAnalyzer analyzer(std::make_shared<const dlperf::analysis::LineScanner>(format), {{1, 2}, 4}, {20, 40},
                         onIteration);
    for (std::size_t at = 0; at < log.size(); at += chunk) {
        analyzer.feed(log.substr(at, chunk));
    }
    analyzer.finish();
    return analyzer.figure();
}

bool same(const RunFigure& a, const RunFigure& b) {
    return same(a.value, b.value) && same(a.dlperfValue, b.dlperfValue) && a.findings == b.findings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const dlperf::analysis::FormatDetector detector;
    if (size < 2) {
        return 0;
    }
    const auto& formats = dlperf::analysis::formats();
    const auto& format = formats[data[0] % formats.size()];
    const std::string_view log(reinterpret_cast<const char*>(data) + 2, size - 2);
    const RunFigure whole = figureOf(format, log, log.size() + 1, ignoreIteration);
    if (!same(whole, figureOf(format, log, data[1] % 64 + 1U, ignoreIteration))) {
        std::abort();
    }
    if (!same(whole, figureOf(format, log, 16 * (data[1] + 1U), {}))) {
        std::abort();
    }
    (void)detector.detect(log);
    return 0;
}
