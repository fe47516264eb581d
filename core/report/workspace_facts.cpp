// SPDX-License-Identifier: Apache-2.0
// What run.json and the scripts beside it add to a report.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/json.h"
#include "core/base/regular_file.h"
#include "core/base/subnet.h"
#include "core/base/text.h"
#include "core/report/recorded_environment.h"
#include "core/report/report.h"
#include "core/store/run_record.h"

namespace dlperf::report {
namespace {

constexpr std::size_t factsAtMost = 500;
constexpr std::uintmax_t scriptBytes = 64U << 10U;

// Addresses of networks are nobody's business who reads a report.
std::string shownValue(const NodeFact& fact) {
    if (fact.key != "interface") {
        return fact.value;
    }
    std::vector<std::string> words;
    for (const std::string_view word : split(fact.value, ' ')) {
        if (!subnetOf(word)) {
            words.emplace_back(word);
        }
    }
    return join(words, " ");
}

// What tells machines apart tells people nothing.
bool isShown(const NodeFact& fact) {
    return fact.key != "machine";
}

// The same fact of the same node stands in the table once.
class Environment {
public:
    void add(const Json& facts) {
        for (NodeFact& fact : nodeFacts(facts)) {
            fact.value = shownValue(fact);
            if (isShown(fact) && seen_.insert(fact).second) {
                facts_[fact.node].push_back(std::move(fact));
            }
        }
    }
    void fill(Table& table) const {
        for (const auto& [node, facts] : facts_) {
            for (const NodeFact& fact : facts) {
                if (table.rows.size() >= factsAtMost) {
                    return;
                }
                table.rows.push_back({textCell(node), textCell(fact.key), textCell(fact.value)});
            }
        }
    }

private:
    std::map<std::string, std::vector<NodeFact>> facts_;  // by node, in the order of their appearance
    std::set<NodeFact> seen_;
};

// The scripts differ by recipe only; should one have changed between campaigns, both are shown.
void addScript(Report& report, const std::filesystem::path& folder, const store::RunRecord& record) {
    const auto text = readFile(folder / "launch.sh", scriptBytes, Links::Refuse);
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
    report.hardware = readHardwareBaselines(workspace);
}

}  // namespace dlperf::report
