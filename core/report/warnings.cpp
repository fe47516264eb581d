// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/comparison.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

constexpr std::size_t namedAtMost = 4;

// As WarningKind counts.
constexpr std::array kindTitles{"Models differ",
                                "Image sizes differ",
                                "Data differ",
                                "Precisions differ",
                                "Batch sizes differ",
                                "Units differ",
                                "Measured on different machines",
                                "GPU drivers differ",
                                "The precision is unknown"};

constexpr auto imageSizeOptions = std::to_array<std::string_view>({"image_size", "image-size"});

// "OneFlow; NGC PyTorch and 3 more"
std::string someOf(const std::vector<std::string>& titles) {
    return joinSome(titles, titles.size() > namedAtMost ? namedAtMost - 1 : namedAtMost, "; ");
}

bool isImageModel(const ComparedSeries& series, const Vocabulary& vocabulary) {
    const Word* word = vocabulary.find(WordKind::Model, series.key.configuration.model);
    return (word != nullptr ? word->unit : series.unit) == "images/s";
}

// Of a log from elsewhere, whose trainer leaves it to its user or is not known.
bool isUnsaid(const ComparedSeries& series, const Vocabulary& vocabulary) {
    const Word* word = vocabulary.find(WordKind::Implementation, series.key.configuration.implementation);
    return series.key.origin == Origin::Imported && (word == nullptr || word->settingsVary);
}

// ImageNet's 224 x 224 unless a variant says otherwise; DLPerf's figures are all of that size, and the
// recipes' defaults too. Face recognition has its own size, which no recipe changes.
std::string imageSize(const ComparedSeries& series, const Vocabulary& vocabulary) {
    const Configuration& configuration = series.key.configuration;
    for (const std::string_view option : imageSizeOptions) {
        if (const auto found = configuration.variant.find(std::string(option));
            found != configuration.variant.end()) {
            return found->second;
        }
    }
    if (!isImageModel(series, vocabulary) || configuration.model.starts_with("insightface")) {
        return {};
    }
    return isUnsaid(series, vocabulary) ? "unknown" : "224";
}

bool saysSynthetic(const std::string& text) {
    return lower(text).find("synthetic") != std::string::npos;
}

using ValueOf = std::function<std::string(const ComparedSeries&)>;

// What is unknown ("") mixes with nothing.
void warnOfMix(const std::vector<const ComparedSeries*>& series, WarningKind kind, const ValueOf& valueOf,
               std::vector<Warning>& warnings) {
    std::map<std::string, std::vector<std::string>> titles;
    for (const ComparedSeries* one : series) {
        if (const std::string value = valueOf(*one); !value.empty()) {
            titles[value].push_back(one->title);
        }
    }
    if (titles.size() > 1) {
        Warning& warning = warnings.emplace_back(Warning{kind});
        for (auto& [value, having] : titles) {
            warning.groups.push_back({value, std::move(having)});
        }
    }
}

void warnOfUnknownPrecision(const std::vector<const ComparedSeries*>& series,
                            std::vector<Warning>& warnings) {
    std::vector<std::string> unknown;
    for (const ComparedSeries* one : series) {
        if (one->key.configuration.precision.empty()) {
            unknown.push_back(one->title);
        }
    }
    if (!unknown.empty()) {
        warnings.push_back({WarningKind::UnknownPrecision, {{"", std::move(unknown)}}});
    }
}

std::vector<Warning> mixWarnings(const std::vector<const ComparedSeries*>& series,
                                 const Vocabulary& vocabulary) {
    const std::array<std::pair<WarningKind, ValueOf>, 8> values{{
        {WarningKind::Models, [&](const auto& one) { return modelText(one.key.configuration, vocabulary); }},
        {WarningKind::ImageSizes, [&](const auto& one) { return imageSize(one, vocabulary); }},
        {WarningKind::Data,
         [&](const auto& one) {
             const std::string data = dataSource(one.key.configuration);
             return data == "real" && isUnsaid(one, vocabulary) ? std::string("unknown") : data;
         }},
        {WarningKind::Precisions, [](const auto& one) { return precisionText(one.key.configuration); }},
        {WarningKind::BatchSizes,
         [](const auto& one) {
             const int size = one.key.configuration.batchSize;
             return size == 0 ? std::string("unknown") : std::to_string(size);
         }},
        {WarningKind::Units, [](const auto& one) { return one.unit; }},
        {WarningKind::Machines, [](const auto& one) { return std::string(toString(one.key.origin)); }},
        {WarningKind::Drivers, [](const auto& one) { return one.driver; }},
    }};
    std::vector<Warning> warnings;
    for (const auto& [kind, valueOf] : values) {
        warnOfMix(series, kind, valueOf, warnings);
    }
    warnOfUnknownPrecision(series, warnings);
    return warnings;
}

}  // namespace

std::string dataSource(const Configuration& configuration) {
    bool synthetic = std::ranges::any_of(configuration.features, saysSynthetic);
    bool said = synthetic;
    for (const auto& [option, value] : configuration.variant) {
        if (option.starts_with("data") || saysSynthetic(option)) {
            const bool off = value == "0" || value == "false" || value == "no";
            synthetic = synthetic || saysSynthetic(value) || (saysSynthetic(option) && !off);
            said = true;
        }
    }
    const std::string& trainer = configuration.implementation;
    if (!said && (trainer == "dlperf-worker" || trainer.starts_with("bundled-"))) {
        synthetic = true;
    }
    return synthetic ? "synthetic" : "real";
}

namespace {

// "PyTorch, batch size 128" is not to be named once more behind 128.
bool titlesSayIt(const Warning& warning) {
    if (warning.kind != WarningKind::BatchSizes && warning.kind != WarningKind::Precisions) {
        return false;
    }
    return std::ranges::all_of(warning.groups, [&](const Warning::Group& group) {
        const std::string word = fmt::format(
            ", {}{}, ", warning.kind == WarningKind::BatchSizes ? "batch size " : "", group.value);
        return std::ranges::all_of(group.series, [&](const std::string& title) {
            return fmt::format(", {}, ", title).find(word) != std::string::npos;
        });
    });
}

}  // namespace

std::string warningText(const Warning& warning, bool brief) {
    if (warning.kind == WarningKind::Source) {
        return warning.groups.front().series.front() + " " + warning.groups.front().value;
    }
    const bool valuesAlone = brief || titlesSayIt(warning);
    std::vector<std::string> parts;
    for (const Warning::Group& group : warning.groups) {
        if (group.value.empty()) {
            parts.push_back(someOf(group.series));
        } else {
            parts.push_back(valuesAlone ? group.value
                                        : fmt::format("{} ({})", group.value, someOf(group.series)));
        }
    }
    return fmt::format("{}: {}", kindTitles.at(static_cast<std::size_t>(warning.kind)), join(parts, ", "));
}

std::vector<std::string> warningTexts(const std::vector<Warning>& warnings) {
    return mapped(warnings, [](const Warning& warning) { return warningText(warning); });
}

std::vector<Warning> warningsOf(const Comparison& comparison, const Vocabulary& vocabulary,
                                const std::set<std::string>& hidden) {
    std::vector<const ComparedSeries*> shown;
    for (const ComparedSeries& series : comparison.series) {
        if (!hidden.contains(series.id)) {
            shown.push_back(&series);
        }
    }
    std::vector<Warning> warnings = mixWarnings(shown, vocabulary);
    for (const ComparedSeries* series : shown) {
        for (const std::string& text : series->dataWarnings) {
            warnings.push_back({WarningKind::Source, {{text, {series->title}}}});
        }
    }
    return warnings;
}

std::vector<Warning> warningsOver(const Setting& setting, const Comparison& comparison,
                                  const Vocabulary& vocabulary, const std::set<std::string>& hidden) {
    std::vector<Warning> warnings = warningsOf(comparison, vocabulary, hidden);
    const bool isImageSize = std::ranges::find(imageSizeOptions, setting.name) != imageSizeOptions.end();
    std::erase_if(warnings, [&](const Warning& one) {
        return (setting.isBatchSize() && one.kind == WarningKind::BatchSizes) ||
               (isImageSize && one.kind == WarningKind::ImageSizes);
    });
    return warnings;
}

}  // namespace dlperf::report
