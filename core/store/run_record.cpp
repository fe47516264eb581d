// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_record.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/store/fields.h"

namespace dlperf::store {
namespace {

constexpr double mostThroughput = 1e15;  // far above what anything trains; more is a damaged number

std::filesystem::path fileOf(const std::filesystem::path& runFolder) {
    return runFolder / "run.json";
}

template <class Fields, class Record>
void listRecord(Fields& fields, Record& record) {
    auto& result = record.result;
    auto& configuration = result.benchmarkCase.configuration;
    fields("id", result.id);
    fields("campaign", result.campaign);
    fields("plan", record.plan);
    fields("recipe_title", record.recipeTitle);
    fields("recipe", configuration.recipe);
    fields("framework", configuration.framework);
    fields("implementation", configuration.implementation);
    fields("model", configuration.model);
    fields("precision", configuration.precision);
    fields("features", configuration.features);
    fields("variant", configuration.variant);
    fields("defaults", result.defaults);
    fields("batch_size", configuration.batchSize);
    fields("topology", result.benchmarkCase.topology);
    fields("repetition", result.repetition);
    fields("origin", result.origin);
    fields("outcome", result.outcome);
    fields("reason", result.reason);
    fields("throughput", result.throughput);
    fields("unit", result.unit);
    fields("memory_mb", result.memoryMb);
    fields("format", result.format);
    fields("warmup", result.range.warmup);
    fields("train", result.range.train);
    fields("started", result.started);
    fields("ended", result.ended);
    fields("versions", result.versions);
    fields("noise", result.noise);
}

}  // namespace

// Findings are facts like others in the file, and the only ones that the index keeps.
Json toJson(const RunRecord& record) {
    WriteFields fields;
    listRecord(fields, record);
    if (record.result.imported) {  // nothing of none, as most have
        fields("imported", record.result.imported);
    }
    if (!record.result.completes.empty()) {
        fields("completes", record.result.completes);
    }
    Json& facts = fields.json()["facts"] = record.facts;
    if (!record.result.findings.empty()) {
        facts["findings"] = findingsJson(record.result.findings);
    }
    return std::move(fields.json());
}

Result<RunRecord> runRecordFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    RunRecord record;
    (void)reader.requiredText("id");
    ReadFields fields(reader);
    listRecord(fields, record);
    fields("imported", record.result.imported);
    fields("completes", record.result.completes);
    if (const Json& facts = reader.member("facts"); facts.is_object()) {
        record.facts = facts;
        JsonReader factReader(facts, where);
        ReadFields factFields(factReader);
        factFields("findings", record.result.findings);
    } else if (!facts.is_null()) {
        reader.addError("\"facts\" must be an object");
    }
    if (record.result.throughput == 0.0) {  // as imports wrote it once
        record.result.throughput.reset();
        record.result.outcome = Outcome::Short;
        record.result.reason = "the times in the measurement range give no finite speed above zero";
    }
    if (const std::string& first = record.result.completes; !first.empty() && !isPlainName(first)) {
        reader.addError(fmt::format("\"completes\" is {}, which is no campaign's id", refusedName(first)));
    }
    if (const auto figure = record.result.throughput; figure && !(*figure > 0 && *figure <= mostThroughput)) {
        reader.addError("\"throughput\" must be a positive number, at most 1e15");
    }
    TRY(reader.checked());
    return record;
}

std::string recordText(const RunRecord& record) {
    // What remote programs printed may be no UTF-8; it must not keep the record from being written.
    return toJson(record).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> writeRunRecord(const std::filesystem::path& runFolder, const RunRecord& record) {
    return writeFileAtomically(fileOf(runFolder), recordText(record));
}

Result<RunRecord> readRunRecord(const std::filesystem::path& runFolder) {
    const auto json = TRY(readJsonFile(fileOf(runFolder)));
    auto record = runRecordFromJson(json, fileOf(runFolder).string());
    if (record && !json.contains("outcome")) {
        return fail("has no \"outcome\"", fileOf(runFolder).string());
    }
    if (record && record->result.outcome == Outcome::Ok && !record->result.throughput) {
        return fail("has the outcome ok and no \"throughput\"", fileOf(runFolder).string());
    }
    return record;
}

std::filesystem::path nodeLog(const std::filesystem::path& runFolder, std::size_t rank) {
    const auto own = runFolder / ("node" + std::to_string(rank) + ".log");
    const auto beside = std::filesystem::path(runFolder.string() + ".log");
    std::error_code missing;
    return rank == 0 && !std::filesystem::exists(own, missing) && std::filesystem::exists(beside, missing)
               ? beside
               : own;
}

}  // namespace dlperf::store
