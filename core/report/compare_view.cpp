// SPDX-License-Identifier: Apache-2.0
#include "core/report/compare_view.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/store/names.h"

namespace dlperf::report {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 5> sourceNames{"own", "imported", "report-v1", "readmes", "other-reports"};
constexpr std::array<const char*, 3> modeNames{"charts", "pivot", "table"};
constexpr int mostKinds = 16;

fs::path fileOf(const store::Workspace& workspace, const std::string& name) {
    return workspace.views() / store::pathComponent(store::encodedName(name, " _") + ".json");
}

std::set<std::string> textSet(JsonReader& reader, const char* field) {
    const auto texts = reader.texts(field);
    return {texts.begin(), texts.end()};
}

// The value of an enum by one of its names; `usual` where nothing is written.
template <class Value, class Names>
Value valueNamed(JsonReader& reader, const std::string& name, const Names& names, Value usual) {
    const auto* found = std::ranges::find(names, std::string_view(name));
    if (found == names.end()) {
        if (!name.empty()) {
            reader.addError(
                "\"" + name + "\" is not known here",
                "Write one of " + join(std::vector<std::string>(names.begin(), names.end()), ", ") + ".");
        }
        return usual;
    }
    return static_cast<Value>(found - names.begin());
}

template <class Value, class Names>
Value named(JsonReader& reader, const char* field, const Names& names, Value usual) {
    return valueNamed(reader, reader.text(field), names, usual);
}

std::vector<PivotField> parseFields(JsonReader& reader, const char* field,
                                    const std::vector<PivotField>& usual) {
    std::vector<PivotField> fields;
    for (const std::string& name : reader.texts(field)) {
        fields.push_back(valueNamed(reader, name, pivotFieldNames, PivotField::Topology));
    }
    return fields.empty() ? usual : fields;
}

Result<PivotLayout> parsePivot(const Json& json, const std::string& where) {
    PivotLayout layout;
    if (json.is_null()) {
        return layout;
    }
    JsonReader reader(json, where);
    layout.rows = parseFields(reader, "rows", layout.rows);
    layout.columns = parseFields(reader, "columns", layout.columns);
    layout.value = named(reader, "value", pivotValueNames, layout.value);
    layout.shade = named(reader, "shade", pivotShadeNames, layout.shade);
    layout.comparedTo = reader.text("compared_to");
    if (const auto twice = namedTwice(layout)) {
        reader.addError("\"" + std::string(writtenName(*twice)) + "\" stands twice in the pivot table",
                        "Name each field once.");
    }
    TRY(reader.checked());
    return layout;
}

Json toJson(const PivotLayout& layout) {
    const auto names = [](const std::vector<PivotField>& fields) { return mapped(fields, writtenName); };
    return {{"rows", names(layout.rows)},
            {"columns", names(layout.columns)},
            {"value", pivotValueNames.at(static_cast<std::size_t>(layout.value))},
            {"shade", pivotShadeNames.at(static_cast<std::size_t>(layout.shade))},
            {"compared_to", layout.comparedTo}};
}

// Into the views that are stored already.
void readFolder(const fs::path& folder, StoredViews& stored) {
    std::error_code none;  // no folder: no views
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        const auto json = readJsonFile(entry.path());
        const auto view = json ? parseView(*json, entry.path().string()) : Failure(json.error());
        if (view) {
            const std::string name = textOf(*json, "name");
            stored.views.insert_or_assign(name.empty() ? entry.path().stem().string() : name, *view);
        } else {
            stored.problems.push_back(view.error());
        }
    }
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
    filter.campaigns = textSet(reader, "campaigns");
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
            {"campaigns", view.filter.campaigns},
            {"hidden_features", view.filter.hiddenFeatures},
            {"only_findings", view.filter.onlyFindings},
            {"hide_single_runs", view.filter.hideSingles},
            {"hidden_series", view.hidden},
            {"speedup_base", view.speedupBase},
            {"baseline", view.baseline},
            {"spread", view.spread == Spread::Confidence ? "confidence" : "min-max"},
            {"throughput", view.throughput},
            {"scaling", view.scaling},
            {"log_axes", view.logAxes},
            {"setting", view.setting},
            {"table_topology", view.table.topology},
            {"sorted_by", view.table.sortedBy},
            {"descending", view.table.descending},
            {"mode", modeNames.at(static_cast<std::size_t>(view.mode))},
            {"pivot", toJson(view.pivot)},
            {"coloured_by", view.colouredBy ? writtenName(*view.colouredBy) : ""}};
}

Result<CompareView> parseView(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    CompareView view;
    view.filter = parseFilter(reader);
    view.hidden = textSet(reader, "hidden_series");
    view.speedupBase = reader.text("speedup_base");
    view.baseline = reader.text("baseline");
    const std::string spread = reader.text("spread");
    view.spread = spread == "confidence" ? Spread::Confidence : Spread::MinToMax;
    if (!spread.empty() && spread != "confidence" && spread != "min-max") {
        reader.addError("\"" + spread + "\" is no spread", "Write min-max or confidence.");
    }
    view.throughput = reader.integer("throughput", 0, 0, mostKinds);
    view.scaling = reader.integer("scaling", 0, 0, mostKinds);
    view.logAxes = reader.flag("log_axes", true);
    view.setting = reader.text("setting");
    view.table = {reader.text("table_topology"), reader.text("sorted_by"), reader.flag("descending", true)};
    view.mode = named(reader, "mode", modeNames, CompareMode::Charts);
    view.pivot = TRY(parsePivot(reader.member("pivot"), where));
    if (const std::string field = reader.text("coloured_by"); !field.empty()) {
        view.colouredBy = valueNamed(reader, field, pivotFieldNames, PivotField::Framework);
    }
    return reader.error() != nullptr ? Result<CompareView>(Failure(*reader.error())) : view;
}

StoredViews readViews(const fs::path& resources, const store::Workspace& workspace) {
    StoredViews builtIn;
    readFolder(resources / "views", builtIn);
    StoredViews stored;
    readFolder(workspace.views(), stored);
    for (auto& [name, view] : builtIn.views) {
        if (stored.views.try_emplace(name, view).second) {
            stored.builtIn.insert(name);
        }
    }
    std::ranges::move(builtIn.problems, std::back_inserter(stored.problems));
    return stored;
}

Result<void> writeView(const store::Workspace& workspace, const std::string& name, const CompareView& view) {
    TRY(makeFolder(workspace.views()));
    Json json = toJson(view);
    json["name"] = name;
    return writeFileAtomically(fileOf(workspace, name), json.dump(1) + "\n");
}

Result<void> removeView(const store::Workspace& workspace, const std::string& name) {
    std::error_code error;
    const fs::path file = fileOf(workspace, name);
    fs::remove(file, error);
    return error ? fail("the view cannot be deleted: " + error.message(), file.string(),
                        "Check the permissions of its folder.", ErrorKind::Work)
                 : Result<void>();
}

}  // namespace dlperf::report
