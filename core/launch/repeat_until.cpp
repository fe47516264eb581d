// SPDX-License-Identifier: Apache-2.0
#include "core/launch/repeat_until.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/analysis/median_interval.h"
#include "core/analysis/summary.h"
#include "core/base/text.h"

namespace dlperf::launch {
namespace {

// "2%", "0.5 %"
std::optional<double> percentOf(std::string_view text) {
    if (!text.ends_with('%')) {
        return std::nullopt;
    }
    text.remove_suffix(1);
    const auto value = numberIn<double>(trim(text));
    return value && *value > 0 && *value <= 100 ? value : std::nullopt;
}

}  // namespace

std::optional<RepeatUntil> repeatUntilFromJson(JsonReader& reader) {
    const Json& json = reader.member("until");
    if (json.is_null()) {
        return std::nullopt;
    }
    JsonReader until(json, {});
    RepeatUntil found;
    const auto width = percentOf(until.requiredText("width"));
    if (!width) {
        until.addError("\"width\" must be a share of the median", "Write it in percent, as in \"2%\".");
    }
    found.percent = width.value_or(found.percent);
    found.most =
        until.integer("most", found.most, static_cast<int>(analysis::fewestForInterval), mostRepetitions);
    until.refuseOthers({"width", "most"});
    if (until.error() != nullptr) {
        reader.addError(fmt::format("\"until\": {}", until.error()->what), until.error()->remedy);
    }
    return found;
}

Json toJson(const RepeatUntil& until) {
    return {{"width", fmt::format("{}%", until.percent)}, {"most", until.most}};
}

std::optional<double> intervalWidth(std::span<const double> figures) {
    const auto interval = analysis::medianInterval(figures);
    const double median = interval ? analysis::medianOf(figures) : 0;
    return median > 0 ? std::optional((interval->high - interval->low) / median) : std::nullopt;
}

bool wantsAnother(const RepeatUntil& until, std::span<const double> figures) {
    const auto width = intervalWidth(figures);
    return static_cast<int>(figures.size()) < until.most && !(width && *width * 100 <= until.percent);
}

}  // namespace dlperf::launch
