// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/baseline.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::cluster {

std::vector<double> mediansOfOthers(const std::vector<std::optional<double>>& values, bool moreIsBetter) {
    std::vector<double> known;
    for (const auto& value : values) {
        if (value) {
            known.push_back(*value);
        }
    }
    std::ranges::sort(known);
    return mapped(values, [&](const std::optional<double>& value) {
        const std::size_t others = known.size() - (value ? 1 : 0);
        if (others == 0) {
            return 0.0;
        }
        const std::size_t middle = others % 2 == 1 || moreIsBetter ? others / 2 : others / 2 - 1;
        // Those from the value's own place on are one place further.
        const bool isBehind = value && *value <= known[middle];
        return known[isBehind ? middle + 1 : middle];
    });
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
