// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_title.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/strong_scaling.h"

namespace dlperf::report {
namespace {

using Describe = std::function<std::string(const SeriesKey&)>;

// The value that more than half of the series have, if any.
std::optional<std::string> majority(const std::vector<std::string>& values) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& value : values) {
        if (++counts[value] * 2 > values.size()) {
            return value;
        }
    }
    return std::nullopt;
}

// In order, as maps are.
Variant common(const Variant& one, const Variant& other) {
    Variant both;
    std::ranges::set_intersection(one, other, std::inserter(both, both.end()));
    return both;
}

Variant without(const Variant& variant, const Variant& shared) {
    Variant rest;
    std::ranges::set_difference(variant, shared, std::inserter(rest, rest.end()));
    return rest;
}

// The text that all have; empty if there is none.
std::string sharedByAll(const std::vector<std::string>& texts) {
    const bool same = std::ranges::adjacent_find(texts, std::not_equal_to<>()) == texts.end();
    return same && !texts.empty() ? texts.front() : std::string();
}

std::size_t leadingDigits(std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

void append(std::string& title, const std::string& text) {
    if (!text.empty()) {
        title += (title.empty() ? "" : ", ") + text;
    }
}

// Appends the texts to those titles that others have too, where this tells at least two of them apart.
void tellApart(std::vector<std::string>& titles, const std::vector<std::string>& texts) {
    std::map<std::string, std::set<std::string>> byTitle;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        byTitle[titles[i]].insert(texts[i]);
    }
    for (std::size_t i = 0; i < titles.size(); ++i) {
        if (const auto group = byTitle.find(titles[i]); group != byTitle.end() && group->second.size() > 1) {
            append(titles[i], texts[i]);
        }
    }
}

constexpr std::string_view comma = ", ";

std::vector<std::string> partsOf(const std::string& title) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = title.find(comma); end != std::string::npos; end = title.find(comma, begin)) {
        parts.push_back(title.substr(begin, end - begin));
        begin = end + comma.size();
    }
    parts.push_back(title.substr(begin));
    return parts;
}

// What is left the same after all words (a name that ends like another with its words) gets a number.
void number(std::vector<std::string>& titles) {
    std::set<std::string> taken;
    for (std::string& title : titles) {
        std::string unique = title;
        for (int i = 2; !taken.insert(unique).second; ++i) {
            unique = fmt::format("{} ({})", title, i);
        }
        title = unique;
    }
}

}  // namespace

std::string trainerText(const Configuration& configuration, const Vocabulary& vocabulary) {
    if (!configuration.implementation.empty()) {
        return vocabulary.title(WordKind::Implementation, configuration.implementation);
    }
    if (!configuration.framework.empty()) {
        return vocabulary.title(WordKind::Framework, configuration.framework);
    }
    return configuration.recipe.empty() ? "unknown" : refusedName(configuration.recipe);
}

std::string modelText(const Configuration& configuration, const Vocabulary& vocabulary) {
    return vocabulary.title(WordKind::Model, configuration.model);
}

std::string precisionText(const Configuration& configuration) {
    return configuration.precision.empty() ? "unknown precision" : refusedName(configuration.precision);
}

std::string batchText(const Configuration& configuration) {
    const auto global = configuration.variant.find(globalBatchSizeSetting);
    return global != configuration.variant.end() ? fmt::format("global batch size {}", global->second)
           : configuration.batchSize == 0        ? "unknown batch size"
                                                 : fmt::format("batch size {}", configuration.batchSize);
}

std::string featuresText(const Configuration& configuration, const Vocabulary& vocabulary) {
    const auto title = [&](const std::string& id) { return vocabulary.title(WordKind::Feature, id); };
    return join(mapped(configuration.features, title), ", ");
}

std::string variantText(const Variant& variant) {
    const auto text = [](const auto& option) { return fmt::format("{}={}", option.first, option.second); };
    return join(mapped(variant, text), ", ");
}

std::string settingsText(const Configuration& configuration, const Vocabulary& vocabulary) {
    std::string text = featuresText(configuration, vocabulary);
    append(text, variantText(configuration.variant));
    return text;
}

std::vector<std::string> settingsApart(const std::vector<const Configuration*>& configurations,
                                       const Vocabulary& vocabulary) {
    std::map<std::string, std::vector<std::size_t>> byImplementation;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        byImplementation[configurations[i]->implementation].push_back(i);
    }
    std::vector<std::string> texts(configurations.size());
    for (const auto& ofOne : byImplementation) {
        const std::vector<std::size_t>& places = ofOne.second;
        const auto of = [&](const auto& describe) {
            return mapped(places, [&](std::size_t place) { return describe(*configurations[place]); });
        };
        const auto models = of([&](const Configuration& one) { return modelText(one, vocabulary); });
        const auto features = of([&](const Configuration& one) { return featuresText(one, vocabulary); });
        const Variant shared = sharedSettings(of([](const Configuration& one) { return &one.variant; }));
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::string& text = texts[places[i]];
            append(text, sharedByAll(models).empty() ? models[i] : "");
            append(text, sharedByAll(features).empty() ? features[i] : "");
            append(text, variantText(without(configurations[places[i]]->variant, shared)));
        }
    }
    return texts;
}

Variant sharedSettings(const std::vector<const Variant*>& variants) {
    Variant shared = variants.empty() ? Variant() : *variants.front();
    for (const Variant* variant : variants) {
        shared = common(shared, *variant);
    }
    return shared;
}

std::strong_ordering naturalOrder(std::string_view one, std::string_view other) {
    while (!one.empty() && !other.empty()) {
        const bool areNumbers = leadingDigits(one) > 0 && leadingDigits(other) > 0;
        const std::string_view part = one.substr(0, areNumbers ? leadingDigits(one) : 1);
        const std::string_view otherPart = other.substr(0, areNumbers ? leadingDigits(other) : 1);
        if (part != otherPart) {  // of two numbers the longer is the larger
            return std::pair(part.size(), part) <=> std::pair(otherPart.size(), otherPart);
        }
        one.remove_prefix(part.size());
        other.remove_prefix(otherPart.size());
    }
    return one <=> other;
}

std::vector<std::string> withoutSharedParts(const std::vector<std::string>& titles) {
    const auto parts = mapped(titles, partsOf);
    std::set<std::string> shared(parts.empty() ? std::set<std::string>()
                                               : std::set(parts.front().begin(), parts.front().end()));
    for (const std::vector<std::string>& some : parts) {
        std::erase_if(shared,
                      [&](const std::string& part) { return std::ranges::find(some, part) == some.end(); });
    }
    std::vector<std::string> shorter;
    shorter.reserve(titles.size());
    for (const std::vector<std::string>& some : parts) {
        std::vector<std::string> own;
        std::ranges::copy_if(some, std::back_inserter(own),
                             [&](const std::string& part) { return !shared.contains(part); });
        if (own.empty()) {
            return titles;
        }
        shorter.push_back(join(own, comma));
    }
    return shorter;
}

Titles titlesOf(const std::vector<SeriesKey>& keys, const Vocabulary& vocabulary) {
    Titles titles;
    titles.series =
        mapped(keys, [&](const SeriesKey& key) { return trainerText(key.configuration, vocabulary); });
    const std::array<Describe, 3> whatWasRun{
        [&](const SeriesKey& key) { return modelText(key.configuration, vocabulary); },
        [](const SeriesKey& key) { return precisionText(key.configuration); },
        [](const SeriesKey& key) { return batchText(key.configuration); }};
    for (const Describe& describe : whatWasRun) {
        const auto texts = mapped(keys, describe);
        const auto usual = majority(texts);
        append(titles.common, usual.value_or(""));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (texts[i] != usual) {
                titles.commonIsOfAll = titles.commonIsOfAll && !usual;
                append(titles.series[i], texts[i]);
            }
        }
    }
    const auto variants = mapped(keys, [](const SeriesKey& key) {  // without what batchText() says
        Variant variant = key.configuration.variant;
        variant.erase(globalBatchSizeSetting);
        return variant;
    });
    const Variant shared = sharedSettings(mapped(variants, [](const Variant& variant) { return &variant; }));
    const auto features =
        mapped(keys, [&](const SeriesKey& key) { return featuresText(key.configuration, vocabulary); });
    append(titles.common, sharedByAll(features));
    append(titles.common, variantText(shared));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        append(titles.series[i], variantText(without(variants[i], shared)));
    }
    tellApart(titles.series, features);
    tellApart(titles.series, mapped(keys, [&](const SeriesKey& key) {  // MLPerf's trainers are of many
                  return vocabulary.title(WordKind::Framework, key.configuration.framework);
              }));
    const std::array<Describe, 3> whereItIsFrom{
        [](const SeriesKey& key) {
            return key.origin == Origin::Own ? "" : std::string(toString(key.origin));
        },
        [](const SeriesKey& key) { return key.campaign; },
        [](const SeriesKey& key) { return key.configuration.recipe; }};
    for (const Describe& describe : whereItIsFrom) {
        tellApart(titles.series, mapped(keys, describe));
    }
    number(titles.series);
    return titles;
}

}  // namespace dlperf::report
