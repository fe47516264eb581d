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
            {"log_axes", view.logAxes}};
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
    if (auto made = makeFolders(workspace.views()); !made) {
        return made;
    }
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

}  // namespace dlperf::ui
