// SPDX-License-Identifier: Apache-2.0
#include "core/report/result_filter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/model/campaign.h"

namespace dlperf::report {
namespace {

constexpr const char* reportV1 = "reports/dlperf_benchmark_test_report_v1.md";

bool isFamily(const std::string& model, const std::string& family) {
    return model == family || model.starts_with(family + "-");
}

bool isOfModel(const RunResult& result, const std::string& chosen) {
    return chosen == allModels || isFamily(result.benchmarkCase.configuration.model, chosen);
}

// Of those with a figure: an empty chart is no first look.
const RunResult* newestOwn(const std::vector<RunResult>& results) {
    const RunResult* newest = nullptr;
    for (const RunResult& result : results) {
        if (result.origin == Origin::Own && result.throughput &&
            (newest == nullptr || result.started > newest->started)) {
            newest = &result;
        }
    }
    return newest;
}

bool givesFigure(const RunResult& result) {
    return result.throughput && !result.excluded;
}

std::string lastImport(const std::vector<RunResult>& results) {
    std::pair<std::optional<TimePoint>, std::string> last;
    for (const RunResult& result : results) {
        if (result.origin == Origin::Imported && givesFigure(result)) {
            last = std::max(last, std::pair(result.imported, result.campaign));
        }
    }
    return last.second;
}

std::vector<std::string> featuresOf(const RunResult& result) {
    const auto& features = result.benchmarkCase.configuration.features;
    return features.empty() ? std::vector<std::string>{""}
                            : std::vector<std::string>(features.begin(), features.end());
}

template <class Key>
Key mostFrequent(const std::map<Key, int>& counts) {
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return most == counts.end() ? Key{} : most->first;
}

}  // namespace

Source sourceOf(const RunResult& result) {
    if (result.origin != Origin::Published) {
        return result.origin == Origin::Own ? Source::Own : Source::Imported;
    }
    if (result.campaign.starts_with(reportV1)) {
        return Source::ReportV1;
    }
    return result.campaign.find("README.md") != std::string::npos ? Source::Readmes : Source::OtherReports;
}

bool ResultFilter::passes(const RunResult& result) const {
    const Configuration& configuration = result.benchmarkCase.configuration;
    const auto shown = [this](const std::string& feature) { return !hiddenFeatures.contains(feature); };
    return isOfModel(result, model) && precisions.contains(configuration.precision) &&
           batchSizes.contains(configuration.batchSize) && sources.contains(sourceOf(result)) &&
           (campaigns.empty() || campaigns.contains(result.campaign) ||
            campaigns.contains(seriesCampaign(result))) &&
           std::ranges::all_of(featuresOf(result), shown);
}

bool ResultFilter::passes(const ComparedSeries& series) const {
    const auto any = [&](const auto& holds) { return std::ranges::any_of(series.cells, holds); };
    return (!onlyFindings || any([](const Cell& cell) { return !cell.findings.empty(); })) &&
           (!hideSingles || any([](const Cell& cell) { return cell.repetitions.size() > 1; }));
}

std::vector<std::string> modelChoices(const std::vector<RunResult>& results) {
    std::set<std::string> models;
    for (const RunResult& result : results) {
        models.insert(result.benchmarkCase.configuration.model);
    }
    std::vector<std::string> choices;
    for (const std::string& id : models) {  // sorted: a family stands before its members
        const bool member =
            std::ranges::any_of(choices, [&](const std::string& family) { return isFamily(id, family); });
        if (!member) {
            choices.push_back(id);
        }
    }
    return choices;
}

FilterChoices choicesFor(const std::vector<RunResult>& results, const ResultFilter& filter) {
    FilterChoices choices;
    choices.models = modelChoices(results);
    ResultFilter allFeatures = filter;
    allFeatures.hiddenFeatures.clear();
    for (const RunResult& result : results) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        if (!isOfModel(result, filter.model)) {
            continue;
        }
        ++choices.sources[sourceOf(result)];
        if (!filter.sources.contains(sourceOf(result))) {
            continue;
        }
        ++choices.precisions[configuration.precision];
        ++choices.batchSizes[configuration.batchSize];
        if (filter.passes(result)) {
            choices.topologies.insert(result.benchmarkCase.topology);
        }
        choices.left +=
            filter.passes(result) && !filter.hiddenTopologies.contains(result.benchmarkCase.topology) ? 0 : 1;
        if (allFeatures.passes(result)) {
            for (const std::string& feature : featuresOf(result)) {
                ++choices.features[feature];
            }
        }
    }
    return choices;
}

void showAll(ResultFilter& filter, const std::vector<RunResult>& results) {
    const FilterChoices choices = choicesFor(results, filter);
    for (const auto& [precision, count] : choices.precisions) {
        filter.precisions.insert(precision);
    }
    for (const auto& [batchSize, count] : choices.batchSizes) {
        filter.batchSizes.insert(batchSize);
    }
    filter.hiddenTopologies.clear();
    filter.hiddenFeatures.clear();
    filter.campaigns.clear();
    filter.onlyFindings = filter.hideSingles = false;
}

ResultFilter firstFilter(const std::vector<RunResult>& results) {
    ResultFilter filter;
    const RunResult* newest = newestOwn(results);
    if (newest == nullptr && makeVisible(filter, lastImport(results), results)) {
        return filter;
    }
    if (newest == nullptr) {
        filter.model = "r50";
        filter.precisions = {"fp32"};
        filter.batchSizes = {128};
        filter.sources = {Source::ReportV1};
        return filter;
    }
    filter.model = newest->benchmarkCase.configuration.model;
    filter.sources = {Source::Own};
    for (const RunResult& result : results) {
        if (result.origin == Origin::Own && seriesCampaign(result) == seriesCampaign(*newest)) {
            filter.precisions.insert(result.benchmarkCase.configuration.precision);
            filter.batchSizes.insert(result.benchmarkCase.configuration.batchSize);
        }
    }
    return filter;
}

void makeVisible(ResultFilter& filter, Source source, const std::vector<RunResult>& results) {
    ResultFilter alone = filter;
    alone.sources = {source};
    if (std::ranges::any_of(results, [&](const RunResult& result) { return alone.passes(result); })) {
        return;
    }
    // DLPerf's reports compare fp32 at batch size 128: where there is that, it says more than the frequent.
    const auto precisions = choicesFor(results, alone).precisions;
    if (precisions.empty()) {
        return;
    }
    const std::string precision = precisions.contains("fp32") ? "fp32" : mostFrequent(precisions);
    std::map<int, int> batchSizes;
    bool times = false;  // these were measured over the batch size
    for (const RunResult& result : results) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        if (isOfModel(result, filter.model) && sourceOf(result) == source &&
            configuration.precision == precision) {
            ++batchSizes[configuration.batchSize];
            times = times || lowerIsBetter(result.unit);
        }
    }
    filter.precisions.insert(precision);
    filter.batchSizes.insert(batchSizes.contains(128) && !times ? 128 : mostFrequent(batchSizes));
}

bool makeVisible(ResultFilter& filter, const std::string& import, const std::vector<RunResult>& results) {
    const auto isOfIt = [&](const RunResult& result) {
        return result.origin == Origin::Imported && isOfCampaign(result.campaign, import) &&
               givesFigure(result);
    };
    const auto any = std::ranges::find_if(results, isOfIt);
    if (any == results.end()) {
        return false;
    }
    if (!isOfModel(*any, filter.model)) {
        filter.model = any->benchmarkCase.configuration.model;
    }
    if (!std::ranges::all_of(results, [&](const RunResult& result) {
            return !isOfIt(result) || isOfModel(result, filter.model);
        })) {
        filter.model = allModels;
    }
    filter.sources.insert(Source::Imported);
    filter.onlyFindings = filter.hideSingles = false;
    for (const RunResult& result : results) {
        if (isOfIt(result)) {
            filter.precisions.insert(result.benchmarkCase.configuration.precision);
            filter.batchSizes.insert(result.benchmarkCase.configuration.batchSize);
            filter.hiddenTopologies.erase(result.benchmarkCase.topology);
            if (!filter.campaigns.empty()) {
                filter.campaigns.insert(result.campaign);
            }
            for (const std::string& feature : featuresOf(result)) {
                filter.hiddenFeatures.erase(feature);
            }
        }
    }
    return true;
}

}  // namespace dlperf::report
