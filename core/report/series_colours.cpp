// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_colours.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/mapped.h"

namespace dlperf::report {
namespace {

// A series holds all topologies.
constexpr std::array fields{PivotField::Framework, PivotField::Implementation, PivotField::BatchSize,
                            PivotField::Precision, PivotField::Options,        PivotField::Campaign,
                            PivotField::Model};

std::set<FieldValue> valuesOf(PivotField field, const Comparison& comparison, const Vocabulary& vocabulary) {
    std::set<FieldValue> values;
    for (const ComparedSeries& series : comparison.series) {
        values.insert(valueOf(field, series, {}, vocabulary));
    }
    return values;
}

}  // namespace

std::vector<PivotField> differingFields(const Comparison& comparison, const Vocabulary& vocabulary) {
    std::vector<PivotField> differing;
    std::ranges::copy_if(fields, std::back_inserter(differing), [&](PivotField field) {
        return valuesOf(field, comparison, vocabulary).size() > 1;
    });
    return differing;
}

PivotField colouredByItself(const Comparison& comparison, const Vocabulary& vocabulary) {
    const auto differing = differingFields(comparison, vocabulary);
    if (differing.empty() || differing.front() == PivotField::Framework) {
        return PivotField::Framework;
    }
    return *std::ranges::max_element(
        differing, {}, [&](PivotField field) { return valuesOf(field, comparison, vocabulary).size(); });
}

Comparison withColours(Comparison comparison, std::optional<PivotField> field, const Vocabulary& vocabulary) {
    if (!field || valuesOf(*field, comparison, vocabulary).size() < 2) {
        field = colouredByItself(comparison, vocabulary);
    }
    if (*field == PivotField::Framework) {
        return comparison;
    }
    const auto values = valuesOf(*field, comparison, vocabulary);
    const auto turns = static_cast<int>(values.size() - 1) / huesByPosition + 1;
    // The main ones first, then by key, not by rank: a faster run gives no series another look.
    auto byKey = mapped(comparison.series, [](ComparedSeries& one) { return &one; });
    std::ranges::sort(byKey, [](const ComparedSeries* a, const ComparedSeries* b) {
        return std::tie(a->fill, a->key) < std::tie(b->fill, b->key);
    });
    std::map<FieldValue, int> alike;
    for (ComparedSeries* one : byKey) {
        const FieldValue value = valueOf(*field, *one, {}, vocabulary);
        const auto place = static_cast<int>(std::distance(values.begin(), values.find(value)));
        one->position = place + huesByPosition * turns * alike[value]++;
    }
    return comparison;
}

}  // namespace dlperf::report
