// SPDX-License-Identifier: Apache-2.0
#include "core/report/mix_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/text.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

using Describe = std::function<std::string(const ComparedSeries&)>;

constexpr std::size_t namedAtMost = 4;

// "OneFlow, NGC PyTorch and 3 more"
std::string someOf(const std::vector<std::string>& titles) {
    if (titles.size() <= namedAtMost) {
        return join(titles, "; ");
    }
    const std::vector<std::string> first(titles.begin(), titles.begin() + namedAtMost - 1);
    return fmt::format("{} and {} more", join(first, "; "), titles.size() - first.size());
}

// "Image sizes differ: 224 (OneFlow), 64 (dlperf-worker)"; nothing when all are the same. What is unknown
// ("") mixes with nothing.
void warnOfMix(const std::vector<ComparedSeries>& series, const char* what, const Describe& describe,
               std::vector<std::string>& warnings) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const ComparedSeries& one : series) {
        if (const std::string text = describe(one); !text.empty()) {
            groups[text].push_back(one.title);
        }
    }
    if (groups.size() < 2) {
        return;
    }
    std::vector<std::string> parts;
    parts.reserve(groups.size());
    for (const auto& [text, titles] : groups) {
        parts.push_back(fmt::format("{} ({})", text, someOf(titles)));
    }
    warnings.push_back(fmt::format("{}: {}", what, join(parts, ", ")));
}

bool isImageModel(const ComparedSeries& series, const Vocabulary& vocabulary) {
    const Word* word = vocabulary.find(WordKind::Model, series.key.subject.model);
    return (word != nullptr ? word->unit : series.unit) == "images/s";
}

// ImageNet's 224 x 224 unless a variant says otherwise; DLPerf's figures are all of that size, and the
// recipes' defaults too. Face recognition has its own size, which no recipe changes.
std::string imageSize(const ComparedSeries& series, const Vocabulary& vocabulary) {
    const Subject& subject = series.key.subject;
    for (const char* option : {"image_size", "image-size"}) {
        if (const auto found = subject.variant.find(option); found != subject.variant.end()) {
            return found->second;
        }
    }
    return isImageModel(series, vocabulary) && !subject.model.starts_with("insightface") ? "224" : "";
}

bool saysSynthetic(const std::string& text) {
    return lower(text).find("synthetic") != std::string::npos;
}

// DLPerf trains on real images unless its features say synthetic; the bundled worker makes its data unless
// told where real ones are.
std::string dataSource(const ComparedSeries& series) {
    const Subject& subject = series.key.subject;
    bool synthetic = std::any_of(subject.features.begin(), subject.features.end(), saysSynthetic);
    bool said = synthetic;
    for (const auto& [option, value] : subject.variant) {
        if (option.starts_with("data") || saysSynthetic(option)) {
            const bool off = value == "0" || value == "false" || value == "no";
            synthetic = synthetic || saysSynthetic(value) || (saysSynthetic(option) && !off);
            said = true;
        }
    }
    if (!said && subject.framework == "dlperf-worker") {
        synthetic = true;
    }
    return synthetic ? "synthetic" : "real";
}

}  // namespace

std::vector<std::string> mixWarnings(const std::vector<ComparedSeries>& series,
                                     const Vocabulary& vocabulary) {
    std::vector<std::string> warnings;
    warnOfMix(
        series, "Models differ", [&](const auto& one) { return modelText(one.key.subject, vocabulary); },
        warnings);
    warnOfMix(
        series, "Image sizes differ", [&](const auto& one) { return imageSize(one, vocabulary); }, warnings);
    warnOfMix(
        series, "Data differ", [](const auto& one) { return dataSource(one); }, warnings);
    warnOfMix(
        series, "Precisions differ", [](const auto& one) { return precisionText(one.key.subject); },
        warnings);
    warnOfMix(
        series, batchSizesDiffer,
        [](const auto& one) {
            const int size = one.key.subject.batchSize;
            return size == 0 ? std::string("unknown") : std::to_string(size);
        },
        warnings);
    warnOfMix(
        series, "Units differ", [](const auto& one) { return one.unit; }, warnings);
    warnOfMix(
        series, "Measured on different machines",
        [](const auto& one) { return std::string(toString(one.key.origin)); }, warnings);
    std::vector<ComparedSeries> withDriver;
    std::copy_if(series.begin(), series.end(), std::back_inserter(withDriver),
                 [](const auto& one) { return !one.driver.empty(); });
    warnOfMix(
        withDriver, "GPU drivers differ", [](const auto& one) { return one.driver; }, warnings);
    std::vector<std::string> unknown;
    for (const ComparedSeries& one : series) {
        if (one.key.subject.precision.empty()) {
            unknown.push_back(one.title);
        }
    }
    if (!unknown.empty()) {
        warnings.push_back("The precision is unknown: " + someOf(unknown));
    }
    return warnings;
}

std::vector<std::string> warningsOf(const Comparison& comparison, const Vocabulary& vocabulary,
                                    const std::set<std::string>& hidden) {
    std::vector<ComparedSeries> seen;
    std::vector<std::string> doubts;
    for (const ComparedSeries& series : comparison.series) {
        if (hidden.contains(series.id)) {
            continue;
        }
        seen.push_back(series);
        for (const std::string& doubt : series.doubts) {
            doubts.push_back(series.title + " " + doubt);
        }
    }
    std::vector<std::string> warnings = mixWarnings(seen, vocabulary);
    warnings.insert(warnings.end(), doubts.begin(), doubts.end());
    return warnings;
}

}  // namespace dlperf::report
