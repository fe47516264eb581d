// SPDX-License-Identifier: Apache-2.0
#include "ui/models/compare_view.h"

#include <algorithm>
#include <limits>

#include "core/base/file.h"
#include "core/store/names.h"

namespace dlperf::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 5> sourceNames{"own", "imported", "report-v1", "readmes", "other-reports"};
constexpr int mostKinds = 16;

fs::path fileOf(const store::Workspace& workspace, const QString& name) {
    return workspace.views() / store::pathComponent(store::encodedName(name.toStdString(), " _") + ".json");
}

std::set<std::string> textSet(JsonReader& reader, const char* field) {
    const auto texts = reader.texts(field);
    return {texts.begin(), texts.end()};
}

ResultFilter parseFilter(JsonReader& reader) {
    ResultFilter filter;
    filter.model = reader.text("model");
    filter.precisions = textSet(reader, "precisions");
    const auto sizes = reader.integers("batch_sizes", 0, std::numeric_limits<int>::max());
    filter.batchSizes = {sizes.begin(), sizes.end()};
    for (const std::string& text : reader.texts("hidden_topologies")) {
        if (const auto topology = parseTopology(text)) {
            filter.hiddenTopologies.insert(*topology);
        } else {
            reader.addError("\"" + text + "\" is no topology", "Write it like 2n8g.");
        }
    }
    for (const std::string& text : reader.texts("sources")) {
        const auto* found = std::ranges::find(sourceNames, text);
        if (found == sourceNames.end()) {
            reader.addError("\"" + text + "\" is no source of figures");
        } else {
            filter.sources.insert(static_cast<Source>(std::distance(sourceNames.begin(), found)));
        }
    }
    filter.hiddenFeatures = textSet(reader, "hidden_features");
    filter.onlyFindings = reader.flag("only_findings", false);
    filter.hideSingles = reader.flag("hide_single_runs", false);
    return filter;
}

constexpr const char* reportV1 = "reports/dlperf_benchmark_test_report_v1.md";

bool isFamily(const std::string& model, const std::string& family) {
    return model == family || model.starts_with(family + "-");
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

bool hasFigure(const RunResult& result) {
    return result.throughput && !result.excluded;
}

std::string lastImport(const std::vector<RunResult>& results) {
    std::string last;
    for (const RunResult& result : results) {
        if (result.origin == Origin::Imported && hasFigure(result)) {
            last = std::max(last, result.campaign);
        }
    }
    return last;
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

Json toJson(const CompareView& view) {
    Json topologies = Json::array();
    for (const Topology& topology : view.filter.hiddenTopologies) {
        topologies.push_back(toString(topology));
    }
    Json sources = Json::array();
    for (const Source source : view.filter.sources) {
        sources.push_back(sourceNames.at(static_cast<std::size_t>(source)));
    }
    return {{"model", view.filter.model},
            {"precisions", view.filter.precisions},
            {"batch_sizes", view.filter.batchSizes},
            {"hidden_topologies", topologies},
            {"sources", sources},
            {"hidden_features", view.filter.hiddenFeatures},
            {"only_findings", view.filter.onlyFindings},
            {"hide_single_runs", view.filter.hideSingles},
            {"hidden_series", view.hidden},
            {"speedup_base", view.speedupBase},
            {"baseline", view.baseline},
            {"spread", view.spread == report::Spread::Confidence ? "confidence" : "min-max"},
            {"throughput", view.throughput},
            {"scaling", view.scaling},
            {"log_axes", view.logAxes},
            {"setting", view.setting},
            {"table_topology", view.table.topology},
            {"sorted_by", view.table.sortedBy},
            {"descending", view.table.descending}};
}

Result<CompareView> parseView(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    CompareView view;
    view.filter = parseFilter(reader);
    view.hidden = textSet(reader, "hidden_series");
    view.speedupBase = reader.text("speedup_base");
    view.baseline = reader.text("baseline");
    const std::string spread = reader.text("spread");
    view.spread = spread == "confidence" ? report::Spread::Confidence : report::Spread::MinToMax;
    if (!spread.empty() && spread != "confidence" && spread != "min-max") {
        reader.addError("\"" + spread + "\" is no spread", "Write min-max or confidence.");
    }
    view.throughput = reader.integer("throughput", 0, 0, mostKinds);
    view.scaling = reader.integer("scaling", 0, 0, mostKinds);
    view.logAxes = reader.flag("log_axes", true);
    view.setting = reader.text("setting");
    view.table = {reader.text("table_topology"), reader.text("sorted_by"), reader.flag("descending", true)};
    return reader.error() != nullptr ? Result<CompareView>(Failure(*reader.error())) : view;
}

StoredViews readViews(const store::Workspace& workspace) {
    StoredViews stored;
    std::error_code none;  // no folder: no views
    for (const auto& entry : fs::directory_iterator(workspace.views(), none)) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        const auto json = readJsonFile(entry.path());
        const auto view = json ? parseView(*json, entry.path().string()) : Failure(json.error());
        if (view) {
            const std::string name = json->value("name", entry.path().stem().string());
            stored.views[QString::fromStdString(name)] = *view;
        } else {
            stored.problems.push_back(view.error());
        }
    }
    return stored;
}

Result<void> writeView(const store::Workspace& workspace, const QString& name, const CompareView& view) {
    TRY(makeFolders(workspace.views()));
    Json json = toJson(view);
    json["name"] = name.toStdString();
    return writeFileAtomically(fileOf(workspace, name), json.dump(1) + "\n");
}

Result<void> removeView(const store::Workspace& workspace, const QString& name) {
    std::error_code error;
    const fs::path file = fileOf(workspace, name);
    fs::remove(file, error);
    return error ? fail("the view cannot be deleted: " + error.message(), file.string(),
                        "Check the permissions of its folder.", ErrorKind::Work)
                 : Result<void>();
}

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
    return isFamily(configuration.model, model) && precisions.contains(configuration.precision) &&
           batchSizes.contains(configuration.batchSize) && sources.contains(sourceOf(result)) &&
           std::ranges::all_of(featuresOf(result), shown);
}

bool ResultFilter::passes(const report::ComparedSeries& series) const {
    const auto any = [&](const auto& holds) { return std::ranges::any_of(series.cells, holds); };
    return (!onlyFindings || any([](const report::Cell& cell) { return !cell.findings.empty(); })) &&
           (!hideSingles || any([](const report::Cell& cell) { return cell.repetitions.size() > 1; }));
}

std::vector<std::string> modelChoices(const std::vector<RunResult>& results) {
    std::set<std::string> ids;
    for (const RunResult& result : results) {
        ids.insert(result.benchmarkCase.configuration.model);
    }
    std::vector<std::string> choices;
    for (const std::string& id : ids) {  // sorted: a family stands before its members
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
        if (!isFamily(configuration.model, filter.model)) {
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
        if (allFeatures.passes(result)) {
            for (const std::string& feature : featuresOf(result)) {
                ++choices.features[feature];
            }
        }
    }
    return choices;
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
        if (result.origin == Origin::Own && result.campaign == newest->campaign) {
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
        if (isFamily(configuration.model, filter.model) && sourceOf(result) == source &&
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
        return result.origin == Origin::Imported && result.campaign == import && hasFigure(result);
    };
    const auto any = std::ranges::find_if(results, isOfIt);
    if (any == results.end()) {
        return false;
    }
    const std::string& model = any->benchmarkCase.configuration.model;
    filter.model = isFamily(model, filter.model) ? filter.model : model;
    filter.sources.insert(Source::Imported);
    filter.onlyFindings = filter.hideSingles = false;
    for (const RunResult& result : results) {
        if (isOfIt(result) && isFamily(result.benchmarkCase.configuration.model, filter.model)) {
            filter.precisions.insert(result.benchmarkCase.configuration.precision);
            filter.batchSizes.insert(result.benchmarkCase.configuration.batchSize);
            filter.hiddenTopologies.erase(result.benchmarkCase.topology);
            for (const std::string& feature : featuresOf(result)) {
                filter.hiddenFeatures.erase(feature);
            }
        }
    }
    return true;
}

}  // namespace dlperf::ui
