// SPDX-License-Identifier: Apache-2.0
// How series look, in one way for charts, tables, the queue of runs and reports: by framework, or by what
// somebody chose to colour by.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/pivot.h"

namespace dlperf::report {

// The fields that the series have different values of, the framework first if it is one.
[[nodiscard]] std::vector<PivotField> differingFields(const Comparison& comparison,
                                                      const Vocabulary& vocabulary);
// The fill of an implementation's series as long as nothing else is known of it: even ones are of main
// implementations.
[[nodiscard]] int firstFill(const std::string& implementation, const Vocabulary& vocabulary);

// Which look of its framework each series has, wherever it is shown: the framework gives hue and marker, the
// fill tells its series apart, even numbers those of its main implementation. Of all results that there are,
// not of those that a filter leaves; one's own come first, then what DLPerf's report v1 compares.
class SeriesLooks {
public:
    SeriesLooks() = default;
    SeriesLooks(std::span<const RunResult> results, const Vocabulary& vocabulary);
    SeriesLooks(const std::vector<SeriesKey>& keys, const Vocabulary& vocabulary);

    // Nothing for a series that has no result yet.
    [[nodiscard]] std::optional<int> fillOf(const SeriesKey& key) const;
    // Of such a one firstFill().
    [[nodiscard]] int fillOf(const SeriesKey& key, const Vocabulary& vocabulary) const;
    [[nodiscard]] bool empty() const { return fills_.empty(); }

private:
    using Ranks = std::map<SeriesKey, int>;  // by where it is from
    void count(const Ranks& ranks, const Vocabulary& vocabulary);

    std::map<SeriesKey, int> fills_;
};

// Two of a comparison that would look alike are told apart all the same.
[[nodiscard]] Comparison withLooks(Comparison comparison, const SeriesLooks& looks);

// One hue for each value of the field; series of one value differ by how they are filled. Without a field, or
// with one that all series agree in, frameworks keep theirs.
[[nodiscard]] Comparison withColours(Comparison comparison, std::optional<PivotField> field,
                                     const Vocabulary& vocabulary);

}  // namespace dlperf::report
