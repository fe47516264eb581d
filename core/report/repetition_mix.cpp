// SPDX-License-Identifier: Apache-2.0
#include "core/report/repetition_mix.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::report {
namespace {

constexpr std::size_t partsNamed = 4;  // of a mix: the rest stands in the report's table
constexpr std::size_t rowsAtMost = 500;

using Counts = std::map<std::string, int>;  // runs by version

// "2.1.0 (3 runs)"
std::string counted(const std::string& what, int runs) {
    return fmt::format("{} ({} run{})", what, runs, runs == 1 ? "" : "s");
}

std::string describe(const std::string& part, const Counts& counts) {
    return part + " " +
           join(mapped(counts, [](const auto& entry) { return counted(entry.first, entry.second); }), ", ");
}

}  // namespace

std::string versionMix(const std::vector<const RunResult*>& runs) {
    std::map<std::string, Counts> parts;
    for (const RunResult* run : runs) {
        for (const auto& [part, version] : run->versions) {
            ++parts[part][version];
        }
    }
    std::vector<std::string> texts;
    std::size_t more = 0;
    for (const auto& [part, counts] : parts) {
        if (counts.size() < 2) {
            continue;
        }
        if (texts.size() < partsNamed) {
            texts.push_back(describe(part, counts));
        } else {
            ++more;
        }
    }
    if (more > 0) {
        texts.push_back(fmt::format("and {} more", more));
    }
    return join(texts, "; ");
}

Table versionTable(const std::vector<RunResult>& runs, const Vocabulary& vocabulary) {
    std::map<std::pair<std::string, std::string>, Counts> parts;  // by framework and part
    for (const RunResult& run : runs) {
        const std::string framework =
            vocabulary.title(WordKind::Framework, run.benchmarkCase.configuration.framework);
        for (const auto& [part, version] : run.versions) {
            ++parts[{framework, part}][version];
        }
    }
    Table table;
    table.columns = {{"Framework"}, {"Part"}, {"Version"}, {"Runs", true}};
    for (const auto& [key, counts] : parts) {
        for (const auto& [version, count] : counts) {
            if (table.rows.size() < rowsAtMost) {
                table.rows.push_back({textCell(key.first),
                                      textCell(key.second),
                                      textCell(version),
                                      {.text = std::to_string(count), .number = count}});
            }
        }
    }
    return table;
}

std::string changedRange(const std::vector<const RunResult*>& runs) {
    std::map<std::pair<MeasurementRange, MeasurementRange>, int> changes;
    for (const RunResult* run : runs) {
        if (run->originalRange) {
            ++changes[{*run->originalRange, run->range}];
        }
    }
    const auto text = [](const auto& change) {
        const auto& [before, after] = change.first;
        return fmt::format("{} -> {}, changed afterwards ({} run{})", toString(before), toString(after),
                           change.second, change.second == 1 ? "" : "s");  // as one text, for translations
    };
    return join(mapped(changes, text), "; ");
}

}  // namespace dlperf::report
