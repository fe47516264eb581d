// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/steady_lines.h"

#include "core/analysis/summary.h"

namespace dlperf::analysis {
namespace {

// What stands at that place of a stretch's lines, as many as there are numbers.
void read(const SteadyStretch& stretch, const NumberPlace& place, std::span<std::int64_t> numbers) {
    const char* end = stretch.textOf(0).data() + place.text.at + place.text.size;
    for (std::int64_t& number : numbers) {
        number = static_cast<std::int64_t>(readDigits(end, place.shape.whole));
        end += stretch.stride();
    }
}

void read(const SteadyStretch& stretch, const NumberPlace& place, std::span<double> numbers) {
    const NumberShape shape = place.shape;
    const char* start = stretch.textOf(0).data() + place.text.at;
    for (double& number : numbers) {
        number = readNumber(start, shape);
        start += stretch.stride();
    }
}

}  // namespace

Line SteadyLines::line(std::size_t i) const {
    Line line;
    walk(i, [&](const SteadyStretch& stretch, std::size_t at) {
        line = stretch.line(at);
        return false;
    });
    return line;
}

std::string_view SteadyLines::textOf(std::size_t i) const {
    std::string_view text;
    walk(i, [&](const SteadyStretch& stretch, std::size_t at) {
        text = stretch.textOf(at);
        return false;
    });
    return text;
}

SteadyColumns::SteadyColumns(const Format& format)
    : format_(&format), columns_(std::make_unique_for_overwrite<Columns>()) {}

std::size_t SteadyColumns::add(const LineScanner& scanner, const Line& first, std::size_t count,
                               const LineShape& shape, std::size_t linesBefore) {
    const LinePlaces& places = shape.places;
    const SteadyStretch stretch{
        count_, first, shape.text, places.stamp, places.stampIsSure, places.stampIsPadded};
    count = std::min(count, most - count_);
    std::size_t added = scanner.digitsDecide() ? 0 : count;
    while (added < count && shape.marker.standsIn(stretch.textOf(added)))
        ++added;
    if (added == 0) return 0;
    if (format_->index.printed()) read(stretch, places.index, {columns_->indexes.data() + count_, added});
    if (format_->value.printed()) read(stretch, places.value, {columns_->values.data() + count_, added});
    if (format_->dropsLeadingDigits) {
        read(stretch, places.dlperfValue, {columns_->dlperfValues.data() + count_, added});
    }
    if (runs_.empty() || runs_.back().linesBefore != linesBefore) runs_.push_back({count_, linesBefore});
    stretches_.push_back(stretch);
    count_ += added;
    return added;
}

void SteadyColumns::finish() {
    if (!format_->valueRounding || !format_->value.printed()) return;
    roundAll({columns_->values.data(), count_}, format_->valueRounding->decimals,
             format_->valueRounding->rule);
}

void SteadyColumns::clear() {
    count_ = 0;
    stretches_.clear();
    runs_.clear();
}

SteadyLines SteadyColumns::run(std::size_t i) const {
    const auto [start, linesBefore] = runs_[i];
    const std::size_t end = i + 1 < runs_.size() ? runs_[i + 1].start : count_;
    SteadyLines run;
    run.stretches = stretches_;
    run.start = start;
    run.count = end - start;
    run.linesBefore = linesBefore;
    if (format_->index.printed()) run.indexes = columns_->indexes.data() + start;
    if (format_->value.printed()) run.values = columns_->values.data() + start;
    if (format_->dropsLeadingDigits) run.dlperfValues = columns_->dlperfValues.data() + start;
    return run;
}

}  // namespace dlperf::analysis
