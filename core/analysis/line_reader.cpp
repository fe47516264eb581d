// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_reader.h"

#include <algorithm>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::optional<double> oneDigitDuration(std::string_view line) {
    constexpr std::size_t mostDigits = 3;
    for (std::size_t i = 0; i + 2 < line.size(); ++i) {
        if (!isDigit(line[i])) continue;
        std::size_t end = i + 2;
        while (end < line.size() && end < i + 2 + mostDigits && isDigit(line[end])) {
            ++end;
        }
        // The end of the line is a blank too.
        if (end > i + 2 && (end == line.size() || isBlank(line[end]))) {
            return toNumber(line.substr(i, end - i));
        }
    }
    return std::nullopt;
}

LineReader::LineReader(const Format& format)
    : format_(&format),
      index_(format.index),
      duration_(format.duration),
      loss_(format.loss),
      data_(format.data) {
    for (const std::string& marker : format.markers) {
        markers_.emplace_back(marker);
    }
}

bool LineReader::counts(std::string_view line) const {
    if (format_->markerStartsLine) return line.starts_with(format_->markers.front());
    return std::all_of(markers_.begin(), markers_.end(), [&](const TextFinder& marker) {
        return marker.first(line) != std::string_view::npos;
    });
}

CountedLine LineReader::read(std::string_view line) const {
    CountedLine counted;
    counted.index = index_.integer(line);
    counted.duration = duration_.number(line);
    if (format_->dropsLeadingDigits) counted.dlperfDuration = oneDigitDuration(line);
    counted.stamp = readStamp(line, format_->clock);
    counted.loss = loss_.number(line);
    counted.data = data_.number(line);
    return counted;
}

}  // namespace dlperf::analysis
