// SPDX-License-Identifier: Apache-2.0
// Published figures: facts with their source, one row of resources/published/*.json each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/store/results.h"

namespace dlperf::store {
namespace {

// A published row on its way to a result, with the part of its source that it stands in.
struct PublishedRow {
    RunResult result;
    std::string printout;  // empty for tables; else the log root or the heading of the printed repetitions
    bool folded = false;   // the printout comes with its fold
};

// What one printout of one source says of one configuration.
using Part = std::tuple<std::string, std::string, Configuration>;
using Members = std::vector<PublishedRow*>;

// Published medians are rounded by one of two rules, which may differ in the last of two places.
constexpr double roundingTolerance = 0.011;

bool counts(const PublishedRow& row) {
    return row.result.throughput && !row.result.excluded;
}

double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Figures by source, case and repetition; repetition 0 is the quoted median.
class Said {
public:
    void add(const Members& members) {
        for (const PublishedRow* row : members) {
            if (counts(*row)) {
                figures_.emplace(nameOf(*row, row->result.repetition), *row->result.throughput);
            }
        }
    }

    bool isContradictedBy(const Members& members) const {
        std::map<Name, std::vector<double>> repetitions;
        for (const PublishedRow* row : members) {
            if (!counts(*row)) {
                continue;
            }
            const auto before = figures_.find(nameOf(*row, row->result.repetition));
            if (before != figures_.end() && before->second != *row->result.throughput) {
                return true;
            }
            if (row->result.repetition > 0) {
                repetitions[nameOf(*row, 0)].push_back(*row->result.throughput);
            }
        }
        return std::ranges::any_of(repetitions, [this](const auto& entry) {
            const auto quoted = figures_.find(entry.first);
            return quoted != figures_.end() && entry.second.size() > 1 &&
                   std::abs(medianOf(entry.second) - quoted->second) > roundingTolerance;
        });
    }

private:
    using Name = std::tuple<std::string, Case, int>;
    // By the campaign as the source names it: rows that have stepped aside are never added.
    static Name nameOf(const PublishedRow& row, int repetition) {
        return {row.result.campaign, row.result.benchmarkCase, repetition};
    }
    std::map<Name, double> figures_;
};

int rankOf(const Members& members) {
    if (members.front()->printout.empty()) {
        return 0;
    }
    const bool folded = std::ranges::any_of(members, [](const auto* row) { return row->folded; });
    return folded ? 1 : 2;
}

// A source may print the same case several times, from logs of different days.
// Tables come first, then printouts that come with their fold, then the others in file order. What a printout
// says of one configuration becomes a campaign of its own ("source, printout") when it contradicts what came
// before, or when its median is not the one that is quoted, so that days are never mixed in one median.
void separatePrintouts(std::vector<PublishedRow>& rows) {
    std::map<Part, Members> parts;
    std::vector<Members*> order;
    for (PublishedRow& row : rows) {
        Members& members = parts[{row.result.campaign, row.printout, row.result.benchmarkCase.configuration}];
        if (members.empty()) {
            order.push_back(&members);
        }
        members.push_back(&row);
    }
    std::ranges::stable_sort(order,
                             [](const Members* a, const Members* b) { return rankOf(*a) < rankOf(*b); });
    Said said;
    for (const Members* members : order) {
        if (rankOf(*members) == 0 || !said.isContradictedBy(*members)) {
            said.add(*members);
            continue;
        }
        for (PublishedRow* row : *members) {
            row->result.campaign += ", " + row->printout;
        }
    }
}

// "workers=8" changes the figure as a recipe's option would; everything else is a feature of the vocabulary.
void readFeatures(const std::vector<std::string>& features, const Vocabulary& vocabulary,
                  Configuration& configuration) {
    for (const std::string& feature : features) {
        const std::size_t middle = feature.find('=');
        if (middle == std::string::npos) {
            configuration.features.push_back(vocabulary.id(WordKind::Feature, feature));
        } else {
            configuration.variant[feature.substr(0, middle)] = feature.substr(middle + 1);
        }
    }
    std::ranges::sort(configuration.features);
}

Case readCase(JsonReader& reader, const Vocabulary& vocabulary) {
    constexpr int anySize = std::numeric_limits<int>::max();
    Case result;
    Configuration& configuration = result.configuration;
    configuration.framework = vocabulary.id(WordKind::Framework, reader.requiredText("framework"));
    configuration.implementation =
        vocabulary.id(WordKind::Implementation, reader.requiredText("implementation"));
    configuration.model = vocabulary.id(WordKind::Model, reader.requiredText("model"));
    configuration.precision = lower(reader.text("precision"));
    configuration.batchSize = reader.integer("batch_size_per_device", 0, 0, anySize);
    readFeatures(reader.texts("features"), vocabulary, configuration);
    result.topology = {reader.integer("nodes", 1, 1, 65536), reader.integer("gpus_per_node", 1, 1, 65536)};
    return result;
}

void readOutcome(JsonReader& reader, RunResult& result) {
    const std::string status = reader.text("status");
    result.outcome = status == "OOM" ? Outcome::Oom : result.throughput ? Outcome::Ok : Outcome::NotRun;
    if (result.outcome == Outcome::NotRun) {
        result.reason = status.empty() ? "not published" : status + " in the source";
    } else if (result.outcome == Outcome::Oom) {
        result.reason = "out of memory";
    }
}

// The part of a source that a row belongs to: "…#logs-20210222/…/bz64" or "… / All Results / 0829 logs".
std::string printoutOf(JsonReader& reader, const std::string& kind) {
    if (kind == "table" || kind == "summary") {
        return {};
    }
    const std::string fold = reader.text("fold");
    std::string heading = reader.text("table");
    if (kind == "latency") {  // "… / vocab size X 2 tests / 1 node 8 devices": what is varied, not where
        const std::size_t at = heading.find(" tests");
        heading = at == std::string::npos ? "" : heading.substr(0, at + std::strlen(" tests"));
    }
    const auto tail = [](const std::string& text, std::string_view mark) {
        const std::size_t at = text.rfind(mark);
        return at == std::string::npos ? text : text.substr(at + mark.size());
    };
    return fold.empty() ? tail(heading, " / ") : tail(fold, "#");
}

// What makes one network of that name another one; in the figures, it is what a recipe's option would be.
void readShape(JsonReader& reader, Configuration& configuration) {
    constexpr std::array<std::pair<const char*, const char*>, 3> names{
        {{"vocab_size", "vocab"}, {"deep_vec_size", "vector"}, {"hidden_units_num", "hidden"}}};
    for (const auto& [field, name] : names) {
        if (const auto number = reader.number(field)) {
            configuration.variant[name] = fmt::format("{:.0f}", *number);
        }
    }
}

PublishedRow readRow(JsonReader& reader, const Vocabulary& vocabulary) {
    const std::string kind = reader.requiredText("kind");
    PublishedRow row;
    RunResult& result = row.result;
    result.origin = Origin::Published;
    result.campaign = reader.requiredText("source");
    result.id =
        fmt::format("{}:{}", result.campaign, reader.integer("line", 0, 0, std::numeric_limits<int>::max()));
    result.benchmarkCase = readCase(reader, vocabulary);
    readShape(reader, result.benchmarkCase.configuration);
    result.unit = reader.text("unit", result.unit);
    result.throughput = reader.number(lowerIsBetter(result.unit) ? "latency_ms" : "throughput");
    result.memoryMb = reader.number("memory_mb");
    result.note = reader.text("note");
    result.quotedSpeedup = reader.number("speedup");
    result.exclusionReason = reader.text("excluded");
    result.excluded = !result.exclusionReason.empty();
    // Repetitions count from 1 here, whatever the source does; see countFromOne().
    result.repetition = reader.integer("repetition", -1, -1, 1'000'000);
    readOutcome(reader, result);
    row.printout = printoutOf(reader, kind);
    row.folded = kind == "fold";
    return row;
}

// Some printed lists count their repetitions from 0, which means "folded" for us.
void countFromOne(std::vector<PublishedRow>& rows) {
    std::set<std::string> fromZero;
    for (const PublishedRow& row : rows) {
        if (row.result.repetition == 0) {
            fromZero.insert(row.result.campaign);
        }
    }
    for (PublishedRow& row : rows) {
        row.result.repetition += fromZero.contains(row.result.campaign) && row.result.repetition >= 0 ? 1 : 0;
        row.result.repetition = std::max(row.result.repetition, 0);
    }
}

// "README.md:124" may quote several figures in one line: the second is "README.md:124:2".
void makeIdsUnique(std::vector<PublishedRow>& rows) {
    std::map<std::string, int> seen;
    for (PublishedRow& row : rows) {
        if (const int count = ++seen[row.result.id]; count > 1) {
            row.result.id += fmt::format(":{}", count);
        }
    }
}

}  // namespace

Result<std::vector<RunResult>> readPublished(const std::filesystem::path& file,
                                             const Vocabulary& vocabulary) {
    const auto json = TRY(readJsonFile(file));
    if (!json.is_array()) {
        return fail("is not a list of published figures", file.string(),
                    "Write [ … ] with one object a figure.");
    }
    std::vector<PublishedRow> rows;
    for (std::size_t i = 0; i < json.size(); ++i) {
        JsonReader reader(json[i], fmt::format("{}, figure {}", file.string(), i + 1));
        PublishedRow row = readRow(reader, vocabulary);
        TRY(reader.checked());
        rows.push_back(std::move(row));
    }
    countFromOne(rows);
    separatePrintouts(rows);
    makeIdsUnique(rows);
    return mapped(rows, [](PublishedRow& row) { return std::move(row.result); });
}

}  // namespace dlperf::store
