// SPDX-License-Identifier: Apache-2.0
// The table of log formats: resources/formats.json, which the build puts into the program. Facts are those of
// DLPerf's extractors at c89430b.
#include <algorithm>
#include <stdexcept>

#include "core/analysis/builtin_formats.h"
#include "core/analysis/format_json.h"

namespace dlperf::analysis {

const std::vector<Format>& formats() {
    static const std::vector<Format> table = [] {
        auto rows = formatsFromJson(builtinFormats, "the built-in formats");
        if (!rows) {  // a test reads them first
            throw std::logic_error(describe(rows.error()));
        }
        return std::move(rows).value();
    }();
    return table;
}

std::string_view formatsJson() {
    return builtinFormats;
}

const Format* findFormat(std::string_view name) {
    const auto found = std::find_if(formats().begin(), formats().end(),
                                    [&](const Format& format) { return format.name == name; });
    return found == formats().end() ? nullptr : &*found;
}

const std::string& name(const Format& format) {
    return format.name;
}
const std::string& unit(const Format& format) {
    return format.unit;
}
const std::string& implementation(const Format& format) {
    return format.implementation;
}
MeasurementRange defaultRange(const Format& format) {
    return format.range;
}
bool measuresLatency(const Format& format) {
    return format.rule == RangeRule::MeanOfIntervals || format.rule == RangeRule::MeanOfLatencies ||
           format.rule == RangeRule::LatencyBetween;
}

}  // namespace dlperf::analysis
