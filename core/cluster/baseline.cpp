// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/baseline.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::cluster {

double medianOfOthers(const std::vector<std::optional<double>>& values, std::size_t left, bool moreIsBetter) {
    std::vector<double> others;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != left && values[i]) {
            others.push_back(*values[i]);
        }
    }
    if (others.empty()) {
        return 0;
    }
    std::ranges::sort(others);
    const std::size_t half = others.size() / 2;
    return others[others.size() % 2 == 1 || moreIsBetter ? half : half - 1];
}

std::string shortFigure(double value) {
    return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

TimePoint readMeasured(JsonReader& reader) {
    const auto measured = parseIso8601(reader.requiredText("measured"));
    if (!measured) {
        reader.addError("\"measured\" is no time", "Write it as 2026-11-21T09:15:02.123Z.");
    }
    return measured.value_or(TimePoint());
}

Result<void> writeBaseline(const std::filesystem::path& file, const Json& baseline) {
    return writeFileAtomically(file, baseline.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace dlperf::cluster
