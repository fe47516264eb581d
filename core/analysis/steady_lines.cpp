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

void SteadyColumns::start(const LineScanner& scanner) {
    if (!columns_) columns_ = std::make_unique_for_overwrite<Columns>();
    scanner_ = &scanner;
    count_ = 0;
    stretches_.clear();
    runs_.clear();
}

std::size_t SteadyColumns::add(const Line& first, std::size_t count, const LineShape& shape,
                               std::size_t othersBefore) {
    const LinePlaces& places = shape.places;
    const SteadyStretch stretch{
        count_, first, shape.text, places.stamp, places.stampIsSure, places.stampIsPadded};
    count = std::min(count, capacity - count_);
    std::size_t added = scanner_->digitsDecide() ? 0 : count;
    while (added < count && shape.marker.standsIn(stretch.textOf(added))) {
        ++added;
    }
    if (added == 0) return 0;
    if (format().index.printed()) read(stretch, places.index, {columns_->indexes.data() + count_, added});
    if (format().value.printed()) read(stretch, places.value, {columns_->values.data() + count_, added});
    if (format().dropsLeadingDigits) {
        read(stretch, places.dlperfValue, {columns_->dlperfValues.data() + count_, added});
    }
    if (runs_.empty() || runs_.back().othersBefore != othersBefore) runs_.push_back({count_, othersBefore});
    stretches_.push_back(stretch);
    count_ += added;
    return added;
}

void SteadyColumns::finish() {
    const auto& rounding = format().valueRounding;
    if (!rounding || !format().value.printed()) return;
    roundAll({columns_->values.data(), count_}, rounding->decimals, rounding->rule);
}

SteadyLines SteadyColumns::run(std::size_t i) const {
    const auto [start, othersBefore] = runs_[i];
    const std::size_t end = i + 1 < runs_.size() ? runs_[i + 1].start : count_;
    SteadyLines run;
    run.stretches = stretches_;
    run.start = start;
    run.count = end - start;
    run.othersBefore = othersBefore;
    if (format().index.printed()) run.indexes = columns_->indexes.data() + start;
    if (format().value.printed()) run.values = columns_->values.data() + start;
    if (format().dropsLeadingDigits) run.dlperfValues = columns_->dlperfValues.data() + start;
    return run;
}

}  // namespace dlperf::analysis
