// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_record.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/store/run_findings.h"

namespace dlperf::store {
namespace {

constexpr int anyInt = std::numeric_limits<int>::max();

std::filesystem::path fileOf(const std::filesystem::path& runFolder) {
    return runFolder / "run.json";
}

Json timeToJson(const std::optional<TimePoint>& time) {
    return time ? Json(toIso8601(*time)) : Json();
}

std::optional<TimePoint> readTime(JsonReader& reader, const char* field) {
    const std::string text = reader.text(field);
    const auto time = parseIso8601(text);
    if (!text.empty() && !time) {
        reader.addError("\"" + std::string(field) + "\" is no time such as 2026-11-21T09:15:02.123Z");
    }
    return time;
}

std::optional<double> readFigure(JsonReader& reader, const char* field) {
    const Json& value = reader.member(field);
    if (value.is_null()) {
        return std::nullopt;
    }
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
        reader.addError("\"" + std::string(field) + "\" must be a number");
        return std::nullopt;
    }
    return value.get<double>();
}

// A word of a closed set; a missing one takes the fallback.
template <class Value, class Parse>
Value readWord(JsonReader& reader, const char* field, Value fallback, Parse parse) {
    const std::string text = reader.text(field);
    if (text.empty()) {
        return fallback;
    }
    const auto value = parse(text);
    if (!value) {
        reader.addError("\"" + text + "\" is no " + field);
    }
    return value.value_or(fallback);
}

std::map<std::string, std::string> readTexts(JsonReader& reader, const char* field) {
    const Json& json = reader.member(field);
    std::map<std::string, std::string> texts;
    if (json.is_null()) {
        return texts;
    }
    if (!json.is_object()) {
        reader.addError(fmt::format("\"{}\" must be an object", field));
        return texts;
    }
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) {
            reader.addError(fmt::format("\"{}\" must hold texts", field));
            return texts;
        }
        texts[key] = value.get<std::string>();
    }
    return texts;
}

// Findings are facts like others in the file, and the only ones that the index keeps.
Json factsWithFindings(const RunRecord& record) {
    Json facts = record.facts;
    if (!record.result.findings.empty()) {
        facts["findings"] = findingsJson(record.result.findings);
    }
    return facts;
}

Case readCase(JsonReader& reader) {
    Case result;
    Subject& subject = result.subject;
    subject.recipe = reader.text("recipe");
    subject.framework = reader.text("framework");
    subject.implementation = reader.text("implementation");
    subject.model = reader.text("model");
    subject.precision = reader.text("precision");
    subject.features = reader.texts("features");
    subject.variant = readTexts(reader, "variant");
    subject.batchSize = reader.integer("batch_size", 0, 0, anyInt);
    result.topology =
        readWord(reader, "topology", Topology{}, [](const std::string& text) { return parseTopology(text); });
    return result;
}

}  // namespace

Json toJson(const RunRecord& record) {
    const RunResult& result = record.result;
    const Subject& subject = result.benchmarkCase.subject;
    return {{"id", result.id},
            {"campaign", result.campaign},
            {"plan", record.plan},
            {"recipe", subject.recipe},
            {"recipe_title", record.recipeTitle},
            {"framework", subject.framework},
            {"implementation", subject.implementation},
            {"model", subject.model},
            {"precision", subject.precision},
            {"features", subject.features},
            {"variant", subject.variant},
            {"batch_size", subject.batchSize},
            {"topology", toString(result.benchmarkCase.topology)},
            {"repetition", result.repetition},
            {"origin", toString(result.origin)},
            {"outcome", toString(result.outcome)},
            {"reason", result.reason},
            {"throughput", result.throughput ? Json(*result.throughput) : Json()},
            {"unit", result.unit},
            {"format", result.format},
            {"warmup", result.window.warmup},
            {"train", result.window.train},
            {"started", timeToJson(result.started)},
            {"ended", timeToJson(result.ended)},
            {"versions", result.versions},
            {"facts", factsWithFindings(record)}};
}

Result<RunRecord> runRecordFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    RunRecord record;
    RunResult& result = record.result;
    result.id = reader.requiredText("id");
    result.campaign = reader.text("campaign");
    record.plan = reader.text("plan");
    record.recipeTitle = reader.text("recipe_title");
    result.benchmarkCase = readCase(reader);
    result.repetition = reader.integer("repetition", 0, 0, anyInt);
    result.origin = readWord(reader, "origin", Origin::Own, parseOrigin);
    result.outcome = readWord(reader, "outcome", Outcome::NotRun, parseOutcome);
    result.reason = reader.text("reason");
    result.throughput = readFigure(reader, "throughput");
    result.unit = reader.text("unit", result.unit);
    result.format = reader.text("format");
    result.window = {reader.integer("warmup", 0, 0, anyInt), reader.integer("train", 0, 0, anyInt)};
    result.started = readTime(reader, "started");
    result.ended = readTime(reader, "ended");
    result.versions = readTexts(reader, "versions");
    if (const Json& facts = reader.member("facts"); facts.is_object()) {
        record.facts = facts;
        result.findings = readFindings(facts.value("findings", Json::array()));
    } else if (!facts.is_null()) {
        reader.addError("\"facts\" must be an object");
    }
    if (reader.error() != nullptr) {
        return Failure(*reader.error());
    }
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
    const auto json = readJsonFile(fileOf(runFolder));
    if (!json) {
        return Failure(json.error());
    }
    auto record = runRecordFromJson(*json, fileOf(runFolder).string());
    if (record && !json->contains("outcome")) {
        return fail("has no \"outcome\"", fileOf(runFolder).string());
    }
    return record;
}

}  // namespace dlperf::store
