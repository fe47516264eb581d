// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/step_times.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

// The number behind the word, in "compute 0.5 s data 0.1 s".
std::optional<double> secondsAfter(std::string_view line, std::string_view word) {
    const std::string wanted = fmt::format(" {} ", word);
    const std::size_t at = line.find(wanted);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = line.substr(at + wanted.size());
    const auto seconds = numberIn<double>(rest.substr(0, rest.find(' ')));
    return seconds && std::isfinite(*seconds) && *seconds >= 0 ? seconds : std::nullopt;
}

std::optional<RankTimes> rankTimesIn(std::string_view line) {
    const auto compute = secondsAfter(line, "compute");
    const auto data = secondsAfter(line, "data");
    const auto comm = secondsAfter(line, "comm");
    return compute && data && comm ? std::optional(RankTimes{*compute, *data, *comm}) : std::nullopt;
}

}  // namespace

std::optional<StepTimes> stepTimesIn(std::string_view text, const MeasurementRange& range) {
    const std::string head = fmt::format("# ranks: means of iterations {} to ", range.warmup + 1);
    const std::size_t at = text.rfind(head);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = text.substr(at + head.size());
    const auto last = toInt(trim(rest.substr(0, rest.find('\n'))));
    if (!last || *last > range.train) {
        return std::nullopt;
    }
    StepTimes times;
    for (const std::string_view line : split(rest, '\n')) {
        if (line.starts_with(fmt::format("# rank {}:", times.ranks.size()))) {
            const auto rank = rankTimesIn(line);
            if (!rank) {
                return std::nullopt;
            }
            times.ranks.push_back(*rank);
        } else if (line.starts_with("# exchange: ")) {
            times.exchange = secondsAfter(line, "exchange:");
            break;
        }
    }
    return times.exchange && !times.ranks.empty() ? std::optional(std::move(times)) : std::nullopt;
}

}  // namespace dlperf::analysis
