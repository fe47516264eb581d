// SPDX-License-Identifier: Apache-2.0
// Published figures: facts with their source, one row of resources/published/*.json each.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/results.h"

namespace dlperf::store {
namespace {

// A row on its way to a result, with the part of its source that it stands in.
struct Row {
    RunResult result;
    std::string printout;  // empty for tables; else the log root or the heading of the printed repetitions
    bool folded = false;   // the printout comes with its fold
};

// "workers=8" changes the figure as a recipe's option would; everything else is a feature of the vocabulary.
void readFeatures(const std::vector<std::string>& features, const Vocabulary& vocabulary, Subject& subject) {
    for (const std::string& feature : features) {
        const std::size_t middle = feature.find('=');
        if (middle == std::string::npos) {
            subject.features.push_back(vocabulary.id(WordKind::Feature, feature));
        } else {
            subject.variant[feature.substr(0, middle)] = feature.substr(middle + 1);
        }
    }
    std::sort(subject.features.begin(), subject.features.end());
}

Case readCase(JsonReader& reader, const Vocabulary& vocabulary) {
    constexpr int anyInt = std::numeric_limits<int>::max();
    Case result;
    Subject& subject = result.subject;
    subject.framework = vocabulary.id(WordKind::Framework, reader.requiredText("framework"));
    subject.implementation = vocabulary.id(WordKind::Implementation, reader.requiredText("implementation"));
    subject.model = vocabulary.id(WordKind::Model, reader.requiredText("model"));
    subject.precision = lower(reader.text("precision"));
    subject.batchSize = reader.integer("batch_size_per_device", 0, 0, anyInt);
    readFeatures(reader.texts("features"), vocabulary, subject);
    result.topology = {reader.integer("nodes", 1, 1, 65536), reader.integer("gpus_per_node", 1, 1, 65536)};
    return result;
}

std::optional<double> readNumber(JsonReader& reader, const char* field) {
    const Json& value = reader.member(field);
    if (!value.is_null() && !value.is_number()) {
        reader.addError(fmt::format("\"{}\" must be a number", field));
    }
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

void readOutcome(JsonReader& reader, RunResult& result) {
    const std::string status = reader.text("status");
    result.outcome = status == "OOM" ? Outcome::Oom : result.throughput ? Outcome::Ok : Outcome::NotRun;
    if (result.outcome == Outcome::NotRun) {
        result.reason = "not published";
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
    const std::string heading = reader.text("table");
    const auto tail = [](const std::string& text, std::string_view mark) {
        const std::size_t at = text.rfind(mark);
        return at == std::string::npos ? text : text.substr(at + mark.size());
    };
    return fold.empty() ? tail(heading, " / ") : tail(fold, "#");
}

std::optional<Row> readRow(JsonReader& reader, const Vocabulary& vocabulary) {
    const std::string kind = reader.requiredText("kind");
    if (kind == "latency") {
        return std::nullopt;  // milliseconds, lower is better: no throughput
    }
    Row row;
    RunResult& result = row.result;
    result.origin = Origin::Published;
    result.campaign = reader.requiredText("source");
    result.id =
        fmt::format("{}:{}", result.campaign, reader.integer("line", 0, 0, std::numeric_limits<int>::max()));
    result.benchmarkCase = readCase(reader, vocabulary);
    result.throughput = readNumber(reader, "throughput");
    result.quotedSpeedup = readNumber(reader, "speedup");
    result.unit = reader.text("unit", result.unit);
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
void countFromOne(std::vector<Row>& rows) {
    std::set<std::string> fromZero;
    for (const Row& row : rows) {
        if (row.result.repetition == 0) {
            fromZero.insert(row.result.campaign);
        }
    }
    for (Row& row : rows) {
        row.result.repetition += fromZero.contains(row.result.campaign) && row.result.repetition >= 0 ? 1 : 0;
        row.result.repetition = std::max(row.result.repetition, 0);
    }
}

// A source may print the same case several times, from logs of different days. Its tables come first, then
// printouts that come with their fold, then the others; a printout that says something else of a case than
// what came before is a campaign of its own, so that days are never mixed in one median.
void separatePrintouts(std::vector<Row>& rows) {
    using Printout = std::pair<std::string, std::string>;  // source and part
    std::map<Printout, std::vector<Row*>> members;
    std::map<Printout, bool> folded;
    std::vector<Printout> order;
    for (Row& row : rows) {
        const Printout key{row.result.campaign, row.printout};
        if (members[key].empty()) {
            order.push_back(key);
        }
        members[key].push_back(&row);
        folded[key] = folded[key] || row.folded;
    }
    std::stable_sort(order.begin(), order.end(), [&](const Printout& a, const Printout& b) {
        const auto rank = [&](const Printout& key) { return key.second.empty() ? 0 : folded[key] ? 1 : 2; };
        return rank(a) < rank(b);
    });
    std::map<std::tuple<std::string, Case, int>, double> said;
    for (const Printout& key : order) {
        const auto name = [&](const Row& row) {
            return std::make_tuple(key.first, row.result.benchmarkCase, row.result.repetition);
        };
        const auto counts = [](const Row* row) { return row->result.throughput && !row->result.excluded; };
        const bool differs = std::any_of(members[key].begin(), members[key].end(), [&](const Row* row) {
            const auto before = said.find(name(*row));
            return counts(row) && before != said.end() && before->second != *row->result.throughput;
        });
        for (Row* row : members[key]) {
            if (differs && !key.second.empty()) {
                row->result.campaign += ", " + key.second;
            } else if (counts(row)) {
                said.emplace(name(*row), *row->result.throughput);
            }
        }
    }
}

// "README.md:124" may quote several figures in one line: the second is "README.md:124:2".
void makeIdsUnique(std::vector<Row>& rows) {
    std::map<std::string, int> seen;
    for (Row& row : rows) {
        if (const int count = ++seen[row.result.id]; count > 1) {
            row.result.id += fmt::format(":{}", count);
        }
    }
}

}  // namespace

Result<std::vector<RunResult>> readPublished(const std::filesystem::path& file,
                                             const Vocabulary& vocabulary) {
    const auto json = readJsonFile(file);
    if (!json) {
        return Failure(json.error());
    }
    if (!json->is_array()) {
        return fail("is not a list of published figures", file.string(),
                    "Write [ … ] with one object a figure.");
    }
    std::vector<Row> rows;
    for (std::size_t i = 0; i < json->size(); ++i) {
        JsonReader reader((*json)[i], fmt::format("{}, figure {}", file.string(), i + 1));
        auto row = readRow(reader, vocabulary);
        if (reader.error() != nullptr) {
            return Failure(*reader.error());
        }
        if (row) {
            rows.push_back(*std::move(row));
        }
    }
    countFromOne(rows);
    separatePrintouts(rows);
    makeIdsUnique(rows);
    std::vector<RunResult> results;
    results.reserve(rows.size());
    for (Row& row : rows) {
        results.push_back(std::move(row.result));
    }
    return results;
}

}  // namespace dlperf::store
