// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_colours.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/mapped.h"
#include "core/report/result_filter.h"

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

// Several sources quote the figures of one series.
SeriesKey identityOf(SeriesKey key) {
    if (key.origin == Origin::Published) {
        key.campaign.clear();
    }
    return key;
}

}  // namespace

std::vector<PivotField> differingFields(const Comparison& comparison, const Vocabulary& vocabulary) {
    std::vector<PivotField> differing;
    std::ranges::copy_if(fields, std::back_inserter(differing), [&](PivotField field) {
        return valuesOf(field, comparison, vocabulary).size() > 1;
    });
    return differing;
}

int firstFill(const std::string& implementation, const Vocabulary& vocabulary) {
    return vocabulary.isMain(implementation) ? 0 : 1;
}

SeriesLooks::SeriesLooks(std::span<const RunResult> results, const Vocabulary& vocabulary) {
    Ranks ranks;
    for (const RunResult& result : results) {
        const int rank = static_cast<int>(sourceOf(result));
        const auto [known, isNew] = ranks.try_emplace(identityOf(seriesKeyOf(result)), rank);
        known->second = isNew ? rank : std::min(known->second, rank);
    }
    count(ranks, vocabulary);
}

SeriesLooks::SeriesLooks(const std::vector<SeriesKey>& keys, const Vocabulary& vocabulary) {
    Ranks ranks;
    for (const SeriesKey& key : keys) {
        ranks.try_emplace(identityOf(key), static_cast<int>(key.origin));
    }
    count(ranks, vocabulary);
}

namespace {

// Even ones are of main implementations, as long as there are any.
int freeLook(const std::set<int>& taken, int look) {
    while (taken.contains(look)) {
        look += 2;
    }
    for (int other = 0; look >= looksOfFramework && other < looksOfFramework; ++other) {
        look = taken.contains(other) ? look : other;
    }
    return look;
}

}  // namespace

void SeriesLooks::count(const Ranks& ranks, const Vocabulary& vocabulary) {
    auto inOrder = mapped(ranks, [](const auto& entry) { return &entry; });
    std::ranges::stable_sort(inOrder, [](const auto* a, const auto* b) {  // else by key, as a map is
        const auto placeOf = [](const auto& entry) {
            const Configuration& one = entry.first.configuration;
            return std::tuple(entry.second, one.precision != "fp32", one.batchSize != 128);
        };
        return placeOf(*a) < placeOf(*b);
    });
    std::map<std::string, std::set<int>> measured;                           // by framework
    std::map<std::pair<std::string, std::string>, std::set<int>> published;  // and family of models
    for (const auto* entry : inOrder) {
        const Configuration& one = entry->first.configuration;
        const std::string family = one.model.substr(0, one.model.find('-'));
        std::set<int>& own = measured[one.framework];  // complete before the first published one comes
        std::set<int>& taken = entry->first.origin != Origin::Published
                                   ? own
                                   : published.try_emplace({one.framework, family}, own).first->second;
        const int fill = freeLook(taken, firstFill(one.implementation, vocabulary));
        taken.insert(fill);
        fills_[entry->first] = fill;
    }
}

std::optional<int> SeriesLooks::fillOf(const SeriesKey& key) const {
    const auto found = fills_.find(identityOf(key));
    return found == fills_.end() ? std::nullopt : std::optional(found->second);
}

int SeriesLooks::fillOf(const SeriesKey& key, const Vocabulary& vocabulary) const {
    return fillOf(key).value_or(firstFill(key.configuration.implementation, vocabulary));
}

Comparison withLooks(Comparison comparison, const SeriesLooks& looks) {
    auto inOrder = mapped(comparison.series, [](ComparedSeries& one) { return &one; });
    for (ComparedSeries* one : inOrder) {
        one->fill = looks.fillOf(one->key).value_or(one->fill);
    }
    // By key, not by rank: a faster run gives no series another look.
    std::ranges::sort(inOrder, [](const ComparedSeries* a, const ComparedSeries* b) {
        return std::tie(a->fill, a->key) < std::tie(b->fill, b->key);
    });
    std::map<std::string, std::set<int>> taken;  // by framework
    std::vector<ComparedSeries*> clashing;       // none takes the look that another has of its own
    for (ComparedSeries* one : inOrder) {
        one->fill %= looksOfFramework;
        if (!taken[one->key.configuration.framework].insert(one->fill).second) {
            clashing.push_back(one);
        }
    }
    for (ComparedSeries* one : clashing) {
        std::set<int>& looksTaken = taken[one->key.configuration.framework];
        for (int tried = 0; tried < looksOfFramework && !looksTaken.insert(one->fill).second; ++tried) {
            one->fill = (one->fill + 1) % looksOfFramework;
        }
    }
    return comparison;
}

Comparison withColours(Comparison comparison, std::optional<PivotField> field, const Vocabulary& vocabulary) {
    if (!field || *field == PivotField::Framework || valuesOf(*field, comparison, vocabulary).size() < 2) {
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
