// SPDX-License-Identifier: Apache-2.0
// What run.json and the scripts beside it add to a report.
#include <algorithm>
#include <map>
#include <set>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/report/report.h"
#include "core/store/run_record.h"

namespace dlperf::report {
namespace {

constexpr std::size_t factsAtMost = 500;
constexpr std::size_t factLength = 300;
constexpr std::uintmax_t scriptBytes = 64U << 10U;

// The list under the field, or nothing.
Json listOf(const Json& json, const char* field) {
    const auto found = json.is_object() ? json.find(field) : json.end();
    return json.is_object() && found != json.end() && found->is_array() ? *found : Json::array();
}

// Facts are lines "key=value"; the same fact of the same node stands in the table once.
class Environment {
public:
    void add(const Json& facts) {
        for (const Json& node : listOf(facts, "nodes")) {
            const std::string name = textOf(node, "name");
            for (const Json& fact : listOf(node, "facts")) {
                if (fact.is_string()) {
                    addFact(name, fact.get<std::string>());
                }
            }
        }
    }
    void fill(Table& table) const {
        for (const auto& [node, facts] : facts_) {
            for (const std::string& fact : facts) {
                if (table.rows.size() >= factsAtMost) {
                    return;
                }
                const std::size_t middle = fact.find('=');
                table.rows.push_back({textCell(node), textCell(fact.substr(0, middle)),
                                      textCell(middle == std::string::npos ? "" : fact.substr(middle + 1))});
            }
        }
    }

private:
    void addFact(const std::string& node, std::string fact) {
        fact.resize(std::min(fact.size(), factLength));
        if (!seen_.insert({node, fact}).second || fact.ends_with('=')) {
            return;
        }
        facts_[node].push_back(std::move(fact));
    }
    std::map<std::string, std::vector<std::string>> facts_;  // by node, in the order of their appearance
    std::set<std::pair<std::string, std::string>> seen_;
};

// The scripts differ by recipe only; should one have changed between campaigns, both are shown.
void addScript(Report& report, const std::filesystem::path& folder, const store::RunRecord& record) {
    const auto text = readFile(folder / "launch.sh", scriptBytes);
    if (!text) {
        return;
    }
    const std::string name = record.result.benchmarkCase.configuration.recipe + "/launch.sh";
    const bool known = std::ranges::any_of(report.scripts, [&](const ReportScript& script) {
        return script.name == name && script.text == *text;
    });
    if (!known) {
        report.scripts.push_back({name, *text});
    }
}

}  // namespace

void addWorkspaceFacts(Report& report, const store::Workspace& workspace) {
    Environment environment;
    for (const RunResult& run : report.runs) {
        const std::filesystem::path folder = workspace.root() / run.folder;
        const auto record =
            run.folder.empty() ? Result<store::RunRecord>(fail("")) : store::readRunRecord(folder);
        if (record) {
            environment.add(record->facts);
            addScript(report, folder, *record);
        }
    }
    environment.fill(report.environment);
}

}  // namespace dlperf::report
