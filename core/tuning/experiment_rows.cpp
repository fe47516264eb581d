// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/resources.h"
#include "core/tuning/experiments.h"

namespace dlperf::tuning {
namespace {

constexpr std::array triedCauses{report::Cause::Communication, report::Cause::DataLoading,
                                 report::Cause::SlowRank,      report::Cause::Computation,
                                 report::Cause::Jitter,        report::Cause::Unknown};

void readCauses(JsonReader& reader, ExperimentRow& row) {
    for (const std::string& name : reader.texts("causes")) {
        const auto cause =
            std::ranges::find_if(triedCauses, [&](report::Cause one) { return report::keyOf(one) == name; });
        if (cause == triedCauses.end()) {
            reader.addError(fmt::format("\"{}\" is no cause that something can be tried against", name));
            return;
        }
        row.causes.push_back(*cause);
    }
    if (row.causes.empty()) {
        reader.addError("needs \"causes\"");
    }
}

// Names, each with one text or a list of them.
template <class Values>
std::map<std::string, Values> readMap(JsonReader& reader, const char* field) {
    std::map<std::string, Values> values;
    const Json& json = reader.member(field);
    if (json.is_null()) {
        return values;
    }
    try {
        values = json.get<std::map<std::string, Values>>();
    } catch (const Json::exception&) {
        reader.addError(fmt::format("\"{}\" has values of another kind", field));
    }
    return values;
}

Result<ExperimentRow> readRow(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    ExperimentRow row;
    readCauses(reader, row);
    row.title = reader.requiredText("title");
    row.why = reader.requiredText("why");
    row.options = readMap<std::string>(reader, "options");
    row.env = readMap<std::vector<std::string>>(reader, "env");
    row.features = reader.texts("features");
    row.doublesBatch = reader.text("batch_size") == "x2";
    row.takesOtherInterface = reader.text("interface") == "another";
    if (!reader.member("gpus").is_null()) {
        row.gpus = reader.flag("gpus", false);
    }
    row.severalNodes = reader.flag("several_nodes", false);
    row.realData = reader.flag("real_data", false);
    row.idleProcessors = reader.flag("idle_processors", false);
    row.when = readMap<std::vector<std::string>>(reader, "when");
    (void)reader.text("source");  // for who reads the file
    reader.refuseOthers({"causes", "title", "why", "options", "env", "features", "batch_size", "interface",
                         "gpus", "several_nodes", "real_data", "idle_processors", "when", "source"});
    const bool isPair = std::ranges::all_of(row.env, [](const auto& one) { return one.second.size() == 2; });
    const int changes = static_cast<int>(!row.options.empty()) + static_cast<int>(!row.env.empty()) +
                        static_cast<int>(!row.features.empty()) + static_cast<int>(row.doublesBatch) +
                        static_cast<int>(row.takesOtherInterface);
    if (changes != 1 || row.env.size() > 1 || !isPair) {
        reader.addError("changes no setting, or several",
                        R"(It has one of "options", "env", "features", "batch_size" and "interface".)");
    }
    TRY(reader.checked());
    return row;
}

}  // namespace

Result<std::vector<ExperimentRow>> experimentRows(const Json& json, const std::string& where) {
    if (!json.is_array()) {
        return fail("is no list of experiments", where, "Write [{\"causes\": …}, …].");
    }
    std::vector<ExperimentRow> rows;
    rows.reserve(json.size());
    for (const Json& item : json) {
        rows.push_back(TRY(readRow(item, fmt::format("{}, row {}", where, rows.size() + 1))));
    }
    return rows;
}

Result<std::vector<ExperimentRow>> readExperimentRows() {
    const auto file = TRY(resourceFolder()) / "experiments.json";
    return experimentRows(TRY(readJsonFile(file)), file.string());
}

}  // namespace dlperf::tuning
