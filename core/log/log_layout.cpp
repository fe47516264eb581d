// SPDX-License-Identifier: Apache-2.0
#include "core/log/log_layout.h"

#include <algorithm>
#include <iterator>

namespace dlperf::log {

// Nearly always all of them stand behind those that are known.
void LogLayout::Marks::add(std::uint64_t more, const std::vector<std::uint64_t>& found) {
    count += more;
    const auto known = static_cast<std::ptrdiff_t>(numbers.size());
    numbers.insert(numbers.end(), found.begin(), found.end());
    std::inplace_merge(numbers.begin(), numbers.begin() + known, numbers.end());
}

void LogLayout::append(const std::vector<Scanned>& found, MergeOrder::Kind kind) {
    std::vector<std::uint64_t> units(indexes_.size(), 0);
    for (std::size_t log = 0; log < indexes_.size(); ++log) {
        const std::uint64_t before = indexes_[log].units();
        lines_ += found[log].part.lines - indexes_[log].lines();
        indexes_[log].append(found[log].part);
        units[log] = indexes_[log].units() - before;
        if (found[log].firstIteration) {
            begins_[log].iteration = found[log].firstIteration;
        }
        if (found[log].firstMeasured) {
            begins_[log].measured = found[log].firstMeasured;
            isWarmupOver_ = true;
        }
    }
    order_.add(units, kind);
}

LogLayout::Said LogLayout::levelsIn(const std::vector<Scanned>& found) const {
    Said said;
    for (std::size_t log = 0; log < found.size(); ++log) {
        for (const auto& [line, level] : found[log].levels) {
            const bool isError = level == Level::Error;
            ++(isError ? said.errors : said.warnings);
            auto& numbers = isError ? said.errorNumbers : said.warningNumbers;
            if (numbers.size() + (isError ? errors_ : warnings_).numbers.size() < mostLevels) {
                numbers.push_back(numberOf({log, line}));
            }
        }
    }
    std::ranges::sort(said.warningNumbers);
    std::ranges::sort(said.errorNumbers);
    return said;
}

void LogLayout::note(const Said& said) {
    warnings_.add(said.warnings, said.warningNumbers);
    errors_.add(said.errors, said.errorNumbers);
    if (isWarmupOver_ && !isWarmupFolded_) {
        isWarmupFolded_ = true;
        foldWarmup();
    }
}

std::optional<std::size_t> LogLayout::lastLog() const {
    return order_.size() > 0 ? std::optional(order_.at(order_.size() - 1).log) : std::nullopt;
}

// The lines of so many units of each log.
std::uint64_t LogLayout::linesIn(const std::vector<std::uint64_t>& units) const {
    std::uint64_t lines = 0;
    for (std::size_t log = 0; log < units.size(); ++log) {
        lines += indexes_[log].firstLineOf(units[log]);
    }
    return lines;
}

std::uint64_t LogLayout::numberAt(std::uint64_t place) const {
    return linesIn(order_.before(place));
}

LogLayout::Unit LogLayout::unitAt(std::uint64_t place) const {
    const auto [before, log] = order_.at(place);
    const LineIndex& index = indexes_[log];
    return {linesIn(before), index.linesIn(before[log]), {log, index.firstLineOf(before[log])}};
}

std::uint64_t LogLayout::placeOf(const LineSpot& spot) const {
    return order_.placeOf(spot.log, indexes_[spot.log].unitOf(spot.line));
}

std::uint64_t LogLayout::numberOf(const LineSpot& spot) const {
    const LineIndex& index = indexes_[spot.log];
    return numberAt(placeOf(spot)) + (spot.line - index.firstLineOf(index.unitOf(spot.line)));
}

// The last place that begins at the number or before it.
std::uint64_t LogLayout::placeOfNumber(std::uint64_t number) const {
    std::uint64_t low = 0;
    std::uint64_t high = order_.size();
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (numberAt(middle) <= number ? low : high) = middle;
    }
    return low;
}

LineSpot LogLayout::spotOf(std::uint64_t number) const {
    const Unit unit = unitAt(placeOfNumber(number));
    return {unit.first.log, unit.first.line + (number - unit.number)};
}

std::vector<std::uint64_t> LogLayout::linesBefore(std::uint64_t number) const {
    const bool all = number >= lines_;
    const std::uint64_t place = all ? order_.size() : placeOfNumber(number);
    std::vector<std::uint64_t> lines = order_.before(place);
    for (std::size_t log = 0; log < lines.size(); ++log) {
        lines[log] = indexes_[log].firstLineOf(lines[log]);
    }
    if (!all) {
        const Unit unit = unitAt(place);
        lines[unit.first.log] += number - unit.number;
    }
    return lines;
}

std::optional<std::uint64_t> LogLayout::nextOf(Level level, std::uint64_t after) const {
    const auto& numbers = level == Level::Error ? errors_.numbers : warnings_.numbers;
    if (numbers.empty()) {
        return std::nullopt;
    }
    const auto next = std::ranges::upper_bound(numbers, after);
    return next == numbers.end() ? numbers.front() : *next;
}

std::optional<std::uint64_t> LogLayout::lastError() const {
    return errors_.numbers.empty() ? std::nullopt : std::optional(errors_.numbers.back());
}

// From the first iteration of any log to the first measured one, once there is one: while the warmup goes on
// it is what one wants to see. Warnings and errors are never folded away.
void LogLayout::foldWarmup() {
    std::optional<std::uint64_t> first;
    std::optional<std::uint64_t> end;
    for (std::size_t log = 0; log < begins_.size(); ++log) {
        if (begins_[log].iteration) {
            const std::uint64_t place = placeOf({log, *begins_[log].iteration});
            first = std::min(first.value_or(place), place);
        }
        if (begins_[log].measured) {
            const std::uint64_t place = placeOf({log, *begins_[log].measured});
            end = std::min(end.value_or(place), place);
        }
    }
    foldBetween(*first, *end);
}

// Between the warnings and errors, of which all must be known: one too many to keep may stand anywhere.
void LogLayout::foldBetween(std::uint64_t first, std::uint64_t end) {
    if (!warnings_.areAllKnown() || !errors_.areAllKnown()) {
        return;
    }
    std::vector<std::uint64_t> shown;
    shown.reserve(warnings_.numbers.size() + errors_.numbers.size() + 1);
    std::ranges::merge(warnings_.numbers, errors_.numbers, std::back_inserter(shown));
    const std::uint64_t last = numberAt(end);
    shown.erase(std::ranges::lower_bound(shown, last), shown.end());
    shown.push_back(last);
    std::optional<std::uint64_t> before;  // the number of the line that is shown before
    for (auto at = std::ranges::lower_bound(shown, numberAt(first));
         at != shown.end() && warmups_.size() < mostWarmups; ++at) {
        // To find places takes its time: not for lines that follow one another.
        if (*at >= 2 + (before ? *before + 1 : numberAt(first))) {
            const std::uint64_t from = before ? placeOfNumber(*before) + 1 : first;
            const std::uint64_t until = placeOfNumber(*at);
            if (until >= from + 2) {
                warmups_.push_back({from, until - from});
            }
        }
        before = *at;
    }
}

std::vector<RowFold> LogLayout::foldsOf(const Opened& opened) const {
    std::vector<RowFold> folds;
    for (const Range& range : warmups_) {
        // An open one keeps its own row above its lines, to close it by.
        const bool isOpen = !opened.warmups.empty() && opened.warmups.contains(numberAt(range.first));
        folds.push_back(isOpen ? RowFold{range.first, 0, 1} : RowFold{range.first, range.places, 1});
    }
    for (const std::uint64_t number : opened.repeats) {
        if (order_.size() == 0 || number >= lines_) {
            continue;  // opened in a log that has begun anew since
        }
        const std::uint64_t place = placeOfNumber(number);
        const bool isFolded = std::ranges::any_of(folds, [place](const RowFold& fold) {
            return place >= fold.place && place < fold.place + fold.places;
        });
        if (!isFolded) {
            folds.push_back({place, 1, unitAt(place).lines});
        }
    }
    std::ranges::stable_sort(folds, {}, &RowFold::place);
    return folds;
}

std::uint64_t LogLayout::rowCount(const Opened& opened) const {
    return log::rowCount(foldsOf(opened), order_.size());
}

Row LogLayout::rowAt(const std::vector<RowFold>& folds, const Opened& opened, std::uint64_t row) const {
    const RowSpot spot = log::spotOf(folds, row);
    const auto [number, lines, first] = unitAt(spot.place);
    if (spot.fold == nullptr) {
        return {Row::Kind::Line, number, lines, false};
    }
    const auto range = std::ranges::find(warmups_, spot.place, &Range::first);
    if (range != warmups_.end() && spot.fold->places != 1) {
        const std::uint64_t end = numberAt(range->first + range->places);
        return {Row::Kind::Warmup, number, end - number, opened.warmups.contains(number)};
    }
    const bool isFirst = spot.rowInFold == 0;
    return {Row::Kind::Line, number + spot.rowInFold, isFirst ? spot.fold->rows : 1, isFirst};
}

std::vector<Row> LogLayout::rows(const Opened& opened, std::uint64_t first, std::uint64_t count) const {
    const std::vector<RowFold> folds = foldsOf(opened);
    const std::uint64_t all = log::rowCount(folds, order_.size());
    std::vector<Row> rows;
    for (std::uint64_t row = first; row < all && row - first < count; ++row) {
        rows.push_back(rowAt(folds, opened, row));
    }
    return rows;
}

std::uint64_t LogLayout::rowOf(const Opened& opened, std::uint64_t number) const {
    if (lines_ == 0) {
        return 0;
    }
    const std::vector<RowFold> folds = foldsOf(opened);
    const std::uint64_t place = placeOfNumber(std::min(number, lines_ - 1));
    const std::uint64_t row = log::rowOf(folds, place);
    const bool open = opened.repeats.contains(numberAt(place));
    return open ? row + (number - numberAt(place)) : row;
}

}  // namespace dlperf::log
