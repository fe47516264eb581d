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

constexpr std::array<const char*, 5> sourceNames{"own", "imported", "report-v1", "readmes", "other-reports"};
constexpr std::array<const char*, 5> modeNames{"charts", "pivot", "table", "loss", "before-after"};
constexpr int mostKinds = 16;

std::set<std::string> textSet(JsonReader& reader, const char* field) {
    const auto texts = reader.texts(field);
    return {texts.begin(), texts.end()};
}

// The value of an enum by the field's name for it; `usual` where nothing is written.
template <class Value, class Names>
Value named(JsonReader& reader, const char* field, const Names& names, Value usual) {
    const std::string name = reader.text(field);
    return name.empty() ? usual
                        : static_cast<Value>(reader.placeOf(name, names, static_cast<std::size_t>(usual)));
}

std::vector<PivotField> parseFields(JsonReader& reader, const char* field,
                                    const std::vector<PivotField>& usual) {
    std::vector<PivotField> fields;
    for (const std::string& name : reader.texts(field)) {
        fields.push_back(static_cast<PivotField>(reader.placeOf(name, pivotFieldNames, 0)));
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

Result<BeforeAfterView> parseBeforeAfter(const Json& json, const std::string& where) {
    if (json.is_null()) {
        return BeforeAfterView{};
    }
    JsonReader reader(json, where);
    const BeforeAfterView view{reader.text("before"), reader.text("after"),
                               reader.integer("tolerance", 0, 0, 100), reader.text("sorted_by"),
                               reader.flag("descending", false)};
    TRY(reader.checked());
    return view;
}

Json toJson(const BeforeAfterView& view) {
    return {{"before", view.before},
            {"after", view.after},
            {"tolerance", view.tolerance},
            {"sorted_by", view.sortedBy},
            {"descending", view.descending}};
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
            {"log_figures", view.logFigures},
            {"log_axes", view.logAxes},
            {"setting", view.setting},
            {"table_topology", view.table.topology},
            {"sorted_by", view.table.sortedBy},
            {"descending", view.table.descending},
            {"mode", modeNames.at(static_cast<std::size_t>(view.mode))},
            {"pivot", toJson(view.pivot)},
            {"coloured_by", view.colouredBy ? writtenName(*view.colouredBy) : ""},
            {"before_after", toJson(view.beforeAfter)},
            {"loss_unit", lossUnitNames.at(static_cast<std::size_t>(view.lossUnit))}};
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
    view.logFigures = reader.flag("log_figures", false);
    view.logAxes = reader.flag("log_axes", true);
    view.setting = reader.text("setting");
    view.table = {reader.text("table_topology"), reader.text("sorted_by"), reader.flag("descending", true)};
    view.mode = named(reader, "mode", modeNames, CompareMode::Charts);
    view.pivot = TRY(parsePivot(reader.member("pivot"), where));
    view.beforeAfter = TRY(parseBeforeAfter(reader.member("before_after"), where));
    view.lossUnit = named(reader, "loss_unit", lossUnitNames, LossUnit::Share);
    if (const std::string field = reader.text("coloured_by"); !field.empty()) {
        view.colouredBy = static_cast<PivotField>(reader.placeOf(field, pivotFieldNames, 0));
    }
    return reader.error() != nullptr ? Result<CompareView>(Failure(*reader.error())) : view;
}

StoredViews readViews(const std::filesystem::path& resources, const store::Workspace& workspace) {
    return store::readNamed<CompareView>(workspace.views(), resources / "views", parseView);
}

}  // namespace dlperf::report
