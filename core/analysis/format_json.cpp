// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/format_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/analysis/capture.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

template <class Enum>
using Named = std::pair<std::string_view, Enum>;

// In the order of the alphabet, for messages list them.
constexpr Named<Quantity> quantityNames[]{{"batch-milliseconds", Quantity::BatchMilliseconds},
                                          {"device-batches", Quantity::DeviceBatches},
                                          {"epoch-milliseconds", Quantity::EpochMilliseconds},
                                          {"interval-seconds", Quantity::IntervalSeconds},
                                          {"latency", Quantity::Latency},
                                          {"node-speed", Quantity::NodeSpeed},
                                          {"seconds", Quantity::Seconds},
                                          {"speed", Quantity::Speed},
                                          {"worker-speed", Quantity::WorkerSpeed}};
constexpr Named<Clock> clockNames[]{{"datetime-comma", Clock::DateTimeComma},
                                    {"datetime-dot", Clock::DateTimeDot},
                                    {"datetime-millis", Clock::DateTimeMillis},
                                    {"epoch-seconds", Clock::EpochSeconds},
                                    {"epoch-seconds-third", Clock::EpochSecondsThird},
                                    {"none", Clock::None},
                                    {"time-of-day", Clock::TimeOfDay}};
constexpr Named<RangeRule> ruleNames[]{
    {"between-means", RangeRule::BetweenMeans},        {"between-stamps", RangeRule::BetweenStamps},
    {"latency-between", RangeRule::LatencyBetween},    {"mean-of-intervals", RangeRule::MeanOfIntervals},
    {"mean-of-latencies", RangeRule::MeanOfLatencies}, {"mean-of-speeds", RangeRule::MeanOfSpeeds},
    {"sum-of-durations", RangeRule::SumOfDurations},   {"sum-of-epochs", RangeRule::SumOfEpochs},
    {"sum-of-intervals", RangeRule::SumOfIntervals}};
constexpr Named<Quotient> quotientNames[]{{"batch-over-mean", Quotient::BatchOverMean},
                                          {"samples-over-total", Quotient::SamplesOverTotal}};
constexpr Named<BadLine> badLineNames[]{
    {"ends-log", BadLine::EndsLog}, {"ignored", BadLine::Ignored}, {"noted", BadLine::Noted}};
constexpr Named<ShortRun> shortRunNames[]{{"aborts", ShortRun::Aborts},
                                          {"mean-of-part", ShortRun::MeanOfPart},
                                          {"unknown", ShortRun::Unknown},
                                          {"zero", ShortRun::Zero}};
constexpr Named<HeaderStyle> headerStyleNames[]{{"hash-colon", HeaderStyle::HashColon},
                                                {"name-equals", HeaderStyle::NameEquals},
                                                {"none", HeaderStyle::None}};

constexpr const char* remedy = "`dlperf formats --json` shows rows that work.";

template <class Enum, std::size_t count>
Enum choice(JsonReader& reader, const char* field, const Named<Enum> (&names)[count], Enum fallback) {
    const std::string word = reader.text(field);
    if (word.empty()) {
        return fallback;
    }
    const auto* const found = std::ranges::find(names, word, &Named<Enum>::first);
    if (found != std::end(names)) {
        return found->second;
    }
    std::string list;
    for (const auto& [name, value] : names) {
        list.append(list.empty() ? "" : ", ").append(name);
    }
    reader.addError(fmt::format("\"{}\" must be one of {}", field, list), remedy);
    return fallback;
}

// "python:2" or "numpy:4".
std::optional<FigureRounding> rounding(JsonReader& reader, const char* field) {
    const std::string word = reader.text(field);
    if (word.empty()) {
        return std::nullopt;
    }
    const auto parts = split(word, ':');
    const int decimals = parts.size() == 2 ? toInt(parts[1]).value_or(-1) : -1;
    const bool known = parts[0] == "python" || parts[0] == "numpy";
    if (known && decimals >= 0 && decimals <= 15) {
        return FigureRounding{parts[0] == "python" ? Rounding::Python : Rounding::Numpy, decimals};
    }
    reader.addError(fmt::format("\"{}\" must be like \"python:2\" or \"numpy:2\"", field), remedy);
    return std::nullopt;
}

// The object in the field, if there is one; an error names the field. Fields that
// are none of `known` are spelling mistakes.
template <class Read>
void readObject(JsonReader& outer, const char* field, const std::vector<std::string_view>& known, Read read) {
    static const Json none = Json::object();
    const Json& member = outer.member(field);
    JsonReader reader(member.is_null() ? none : member, field);
    read(reader);
    reader.refuseOthers(known);
    if (reader.error() != nullptr) {
        const std::string& help = reader.error()->remedy;
        outer.addError(fmt::format("in \"{}\": {}", reader.error()->where, reader.error()->what),
                       help.empty() ? remedy : help);
    }
}

void checkPattern(JsonReader& reader, const std::string& text) {
    const RE2 pattern(text, patternOptions());
    if (!pattern.ok()) {
        reader.addError("RE2 refuses the pattern: " + pattern.error(), remedy);
    } else if (pattern.NumberOfCapturingGroups() < 1) {
        reader.addError("the pattern has no group", "Put the number in round brackets.");
    }
}

std::string patternFrom(JsonReader& reader, const char* field) {
    std::string pattern = reader.text(field);
    if (!pattern.empty()) {
        checkPattern(reader, pattern);
    }
    return pattern;
}

Capture captureFrom(JsonReader& reader) {
    constexpr int mostWords = 1000;
    Capture capture;
    capture.after = reader.text("after");
    capture.last = reader.flag("last", false);
    capture.word = reader.integer("word", 0, 0, mostWords);
    capture.before = reader.text("before");
    capture.pattern = patternFrom(reader, "pattern");
    if (!capture.after.empty() && capture.word > 0) {
        reader.addError("one of \"after\" and \"word\" is enough", remedy);
    }
    if (!capture.printed() && !(capture.before.empty() && capture.pattern.empty())) {
        reader.addError("\"after\" or \"word\" is missing", remedy);
    }
    return capture;
}

// The fields of a capture, and these.
std::vector<std::string_view> withCapture(std::vector<std::string_view> more = {}) {
    more.insert(more.end(), {"after", "last", "word", "before", "pattern"});
    return more;
}

Capture readCapture(JsonReader& outer, const char* field) {
    Capture capture;
    readObject(outer, field, withCapture(), [&](JsonReader& reader) { capture = captureFrom(reader); });
    return capture;
}

constexpr int largest = 1'000'000;

void readRange(JsonReader& reader, Format& row) {
    row.range = {reader.integer("warmup", 20, 0, largest), reader.integer("train", 120, 1, largest)};
    row.lowestWarmup = reader.integer("lowest_warmup", 0, 0, largest);
    row.warmupMultipleOf = reader.integer("warmup_multiple_of", 1, 1, largest);
    row.trainMultipleOf = reader.integer("train_multiple_of", 1, 1, largest);
    row.lines.stride = reader.integer("stride", 1, 1, largest);
    row.lines.skipped = reader.integer("skipped", 0, 0, largest);
    row.lines.least = reader.integer("least", 0, 0, largest);
    row.lines.leastIsSubtracted = reader.flag("least_is_subtracted", false);
    row.lines.shift = reader.integer("shift", 0, -1, 1);
    row.lines.openEnd = reader.flag("open_end", false);
    row.lines.countsLines = reader.flag("counts_lines", false);
    if (row.range.train <= row.range.warmup) {
        reader.addError("\"train\" must be above \"warmup\"", remedy);
    }
}

// A list of texts that all stand in a counted line, or several such lists.
std::vector<std::vector<std::string>> markersFrom(JsonReader& reader) {
    const Json& list = reader.member("contain");
    const bool nested = list.is_array() && !list.empty() && list.front().is_array();
    std::vector<std::vector<std::string>> markers;
    if (!nested) {
        markers.push_back(reader.texts("contain"));
    }
    for (const Json& texts : nested ? list : Json::array()) {
        const Json alternative{{"contain", texts}};
        JsonReader one(alternative, {});
        markers.push_back(one.texts("contain"));
    }
    const auto none = [](const auto& texts) {
        return texts.empty() || std::find(texts.begin(), texts.end(), "") != texts.end();
    };
    if (std::any_of(markers.begin(), markers.end(), none)) {
        reader.addError("\"contain\" must be the texts that every counted line holds", remedy);
    }
    return markers;
}

void readLines(JsonReader& reader, Format& row) {
    const std::string start = reader.text("start");
    row.markerStartsLine = !start.empty();
    if (row.markerStartsLine) {
        row.markers = {{start}};
    } else {
        row.markers = markersFrom(reader);
    }
    row.everyRankPrints = reader.flag("every_rank", false);
    row.exactCount = reader.flag("exact_count", false);
    row.oddText = reader.text("odd_text");
}

// The number that the trainer prints for its first iteration; "offset" is what rows of before say instead.
void readFirstCounted(JsonReader& reader, Format& row) {
    row.indexOffset = reader.integer("offset", 0, -largest, largest);
    if (reader.member("first_counted").is_null()) {
        return;
    }
    if (!reader.member("offset").is_null()) {
        reader.addError("one of \"first_counted\" and \"offset\" is enough", remedy);
    }
    row.indexOffset = 1 - reader.integer("first_counted", 1, 0, largest);
}

void readIndex(JsonReader& reader, Format& row) {
    constexpr int none = -1;
    row.index = captureFrom(reader);
    row.indexFactor = readCapture(reader, "factor");
    row.indexOptional = reader.flag("optional", false);
    const int above = reader.integer("above", none, 0, largest);
    if (above != none) {
        row.indexAbove = above;
    }
    row.indexMultipleOf = reader.integer("multiple_of", 1, 1, largest);
    readFirstCounted(reader, row);
    row.numbering = reader.flag("numbers_lines", false) ? Numbering::Printed : Numbering::Counted;
}

void readValue(JsonReader& reader, Format& row) {
    row.value = captureFrom(reader);
    row.quantity = choice(reader, "is", quantityNames, Quantity::Seconds);
    row.valueRounding = rounding(reader, "round");
    row.dropsLeadingDigits = reader.flag("one_digit", false);
    if (!reader.member("mean_since").is_null()) {
        row.meanSince = reader.integer("mean_since", 0, 0, 1000);
    }
}

void readFold(JsonReader& reader, Format& row) {
    const FoldRule usual = row.fold;
    const auto average =
        rounding(reader, "average").value_or(FigureRounding{Rounding::Python, usual.averageDecimals});
    row.fold.average = average.rule;
    row.fold.averageDecimals = average.decimals;
    const auto median =
        rounding(reader, "median").value_or(FigureRounding{Rounding::Numpy, usual.medianDecimals});
    row.fold.median = median.rule;
    row.fold.medianDecimals = median.decimals;
    row.fold.speedup = rounding(reader, "speedup").value_or(FigureRounding{Rounding::Numpy, 2}).rule;
    row.fold.roundOnlyOnOutput = reader.flag("on_output", false);
}

// "image_size": ["224"]
void readOptions(JsonReader& outer, const char* field,
                 std::map<std::string, std::vector<std::string>>& values) {
    const Json& options = outer.member(field);
    if (options.is_null()) {
        return;
    }
    JsonReader reader(options, {});
    for (const auto& [key, usual] : options.items()) {
        values[key] = reader.texts(key.c_str());
    }
    if (reader.error() != nullptr) {
        outer.addError(fmt::format("in \"{}\": {}", field, reader.error()->what), remedy);
    }
}

void readHeader(JsonReader& reader, Format& row) {
    row.header.style = choice(reader, "style", headerStyleNames, HeaderStyle::None);
    row.header.batchSize = reader.text("batch_size");
    row.header.totalBatchSize = reader.text("total_batch_size");
    row.header.nodes = reader.text("nodes");
    row.header.devices = reader.text("devices");
    row.header.worldSize = reader.text("world_size");
    row.header.precision = reader.text("precision");
    readOptions(reader, "options", row.header.options);
    readOptions(reader, "asked", row.header.asked);
    row.header.workerDevices = patternFrom(reader, "worker_devices");
    row.header.accumulation = patternFrom(reader, "accumulation");
    row.header.required = reader.flag("required", false);
    row.header.namesCase = reader.flag("names_case", false);
}

void readSaid(JsonReader& reader, Format& row) {
    row.said.batchSize = patternFrom(reader, "batch_size");
    row.said.totalBatchSize = patternFrom(reader, "total_batch_size");
    row.said.workerBatchSize = patternFrom(reader, "worker_batch_size");
    row.said.nodes = patternFrom(reader, "nodes");
    row.said.devices = patternFrom(reader, "devices");
    row.said.precision = patternFrom(reader, "precision");
    row.said.model = patternFrom(reader, "model");
    row.said.figure = patternFrom(reader, "figure");
    const Json& models = reader.member("models");
    if (!models.is_null() && !models.is_object()) {
        reader.addError("\"models\" must give the trainer's words ids of the vocabulary", remedy);
        return;
    }
    for (const auto& [word, id] : models.items()) {
        row.said.models[word] = textOf(models, word.c_str());
    }
}

void readObjects(JsonReader& reader, Format& row) {
    readObject(reader, "window",
               {"warmup", "train", "lowest_warmup", "warmup_multiple_of", "train_multiple_of", "stride",
                "skipped", "least", "least_is_subtracted", "shift", "open_end", "counts_lines"},
               [&](JsonReader& inner) { readRange(inner, row); });
    readObject(reader, "lines", {"start", "contain", "every_rank", "exact_count", "odd_text"},
               [&](JsonReader& inner) { readLines(inner, row); });
    readObject(reader, "index",
               withCapture({"factor", "optional", "above", "multiple_of", "first_counted", "offset",
                            "numbers_lines"}),
               [&](JsonReader& inner) { readIndex(inner, row); });
    readObject(reader, "value", withCapture({"is", "round", "one_digit", "mean_since"}),
               [&](JsonReader& inner) { readValue(inner, row); });
    row.loss = readCapture(reader, "loss");
    row.data = readCapture(reader, "data");
    readObject(reader, "fold", {"average", "median", "speedup", "on_output"},
               [&](JsonReader& inner) { readFold(inner, row); });
    readObject(reader, "header",
               {"style", "batch_size", "total_batch_size", "nodes", "devices", "world_size", "precision",
                "options", "asked", "worker_devices", "accumulation", "required", "names_case"},
               [&](JsonReader& inner) { readHeader(inner, row); });
    readObject(reader, "said",
               {"batch_size", "total_batch_size", "worker_batch_size", "nodes", "devices", "precision",
                "model", "models", "figure"},
               [&](JsonReader& inner) { readSaid(inner, row); });
}

void readRule(JsonReader& reader, Format& row) {
    row.clock = choice(reader, "clock", clockNames, Clock::None);
    row.everyLineStamped = reader.flag("every_line_stamped", false);
    row.rule = choice(reader, "rule", ruleNames, RangeRule::SumOfDurations);
    row.quotient = choice(reader, "quotient", quotientNames, Quotient::BatchOverMean);
    row.lineSpeed = rounding(reader, "line_speed");
    row.figure = rounding(reader, "figure");
    row.stopsAtEnd = !reader.flag("reads_on", false);
    row.badLine = choice(reader, "bad_line", badLineNames, BadLine::EndsLog);
    row.shortRun = choice(reader, "short_run", shortRunNames, ShortRun::Zero);
    row.batchesShareFolder = reader.flag("batches_share_folder", false);
    row.logsLieFlat = reader.flag("logs_lie_flat", false);
}

// The rule that takes such a value where another one does not.
const char* ruleFor(Quantity quantity) {
    switch (quantity) {
        case Quantity::IntervalSeconds:
            return "\"sum-of-intervals\"";
        case Quantity::EpochMilliseconds:
            return "\"sum-of-epochs\"";
        case Quantity::Latency:
            return "\"mean-of-latencies\"";
        default:
            return "\"sum-of-intervals\" where a line tells of all iterations since the line before, else "
                   "\"mean-of-speeds\"";
    }
}

// With such a value the rule gives no figure, or a wrong one.
bool isUnfit(const Format& row) {
    switch (row.rule) {
        case RangeRule::MeanOfSpeeds:
            return row.quantity == Quantity::IntervalSeconds || row.quantity == Quantity::EpochMilliseconds ||
                   row.quantity == Quantity::Latency;
        case RangeRule::SumOfEpochs:
            return row.quantity != Quantity::EpochMilliseconds;
        case RangeRule::MeanOfIntervals:
            return row.quantity != Quantity::IntervalSeconds;
        case RangeRule::MeanOfLatencies:
            return row.quantity != Quantity::Latency;
        default:
            return false;  // checkRule() says it
    }
}

// A row must be able to measure something.
void checkRule(JsonReader& reader, const Format& row) {
    const bool byClock = row.rule == RangeRule::BetweenStamps || row.rule == RangeRule::LatencyBetween;
    if (byClock && row.clock == Clock::None) {
        reader.addError("the rule needs a \"clock\"", remedy);
    }
    if (!byClock && !row.value.printed()) {
        reader.addError("the rule needs a \"value\"", remedy);
    }
    const bool needsIndex = row.numbering == Numbering::Printed || row.indexAbove.has_value() ||
                            row.indexMultipleOf != 1 || row.indexFactor.printed();
    if (needsIndex && !row.index.printed()) {
        reader.addError("the \"index\" lacks its place (\"after\" or \"word\")", remedy);
    }
    if (row.rule == RangeRule::SumOfDurations && row.quantity != Quantity::Seconds) {
        reader.addError(fmt::format("the rule sums seconds; for this value take {}", ruleFor(row.quantity)),
                        remedy);
    }
    const bool byNumber = row.rule == RangeRule::BetweenMeans || row.rule == RangeRule::SumOfIntervals;
    const bool isLatency = row.quantity == Quantity::Latency || row.quantity == Quantity::EpochMilliseconds;
    const bool isInterval = row.quantity == Quantity::IntervalSeconds && row.rule == RangeRule::BetweenMeans;
    if (byNumber && row.numbering != Numbering::Printed) {
        reader.addError("the rule needs an \"index\" that says \"numbers_lines\"", remedy);
    }
    if (row.meanSince && (row.rule != RangeRule::SumOfIntervals || row.quantity != Quantity::Seconds)) {
        reader.addError("\"mean_since\" needs seconds and the rule \"sum-of-intervals\"", remedy);
    }
    if (byNumber && (isLatency || isInterval)) {
        reader.addError("the rule needs a speed, or the seconds of an iteration", remedy);
    }
}

void readNames(JsonReader& reader, Format& row) {
    row.name = reader.requiredText("name");
    if (!isPlainName(row.name)) {
        reader.addError("\"name\" must be letters, digits, dots and dashes", "Choose another name.");
    }
    row.title = reader.text("title", row.name);
    row.unit = reader.text("unit", "samples/s");
    row.fold = foldRuleOf(row.unit);
    row.implementation = reader.text("implementation");
    row.source = reader.text("source");
    row.model = reader.text("model");
    row.recognisedBy = reader.texts("recognised_by");
    row.secondTo = reader.text("second_to");
    row.flavourOf = reader.text("flavour_of");
}

Result<Format> rowFrom(const Json& json, const std::string& where) {
    Format row;
    JsonReader reader(json, where);
    readNames(reader, row);
    readObjects(reader, row);
    readRule(reader, row);
    checkRule(reader, row);
    reader.refuseOthers({"name",         "title",
                         "unit",         "implementation",
                         "source",       "model",
                         "window",       "recognised_by",
                         "second_to",    "flavour_of",
                         "lines",        "index",
                         "value",        "loss",
                         "data",         "fold",
                         "header",       "clock",
                         "said",         "rule",
                         "quotient",     "every_line_stamped",
                         "line_speed",   "figure",
                         "reads_on",     "bad_line",
                         "short_run",    "batches_share_folder",
                         "logs_lie_flat"});
    TRY(reader.checked());
    row.written = json.dump();
    return row;
}

}  // namespace

Result<std::vector<Format>> formatsFromJson(std::string_view text, const std::string& where) {
    constexpr std::size_t mostRows = 1000;
    const auto json = TRY(parseJson(text, where));
    const Json list = json.is_array() ? json : Json::array({json});
    if (list.empty() || list.size() > mostRows) {
        return fail(fmt::format("holds {} formats, not 1 to {}", list.size(), mostRows), where,
                    "Write one object, or a list of them.");
    }
    std::vector<Format> rows;
    std::set<std::string> names;
    for (const Json& one : list) {
        const std::string name = one.is_object() ? cleanUtf8(textOf(one, "name")) : std::string();
        auto row = TRY(rowFrom(one, name.empty() ? fmt::format("{}, format {}", where, rows.size() + 1)
                                                 : fmt::format("{}, format {}", where, name)));
        if (!names.insert(row.name).second) {
            return fail("there are two formats named " + row.name, where, "Give each a name of its own.");
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<std::vector<Format>> readFormats(const std::filesystem::path& file) {
    const auto text = TRY(readFile(file));
    if (text.size() > mostFormatBytes) {
        return fail("is larger than 1 MiB", file.string(), "Name a file with formats in it.");
    }
    return formatsFromJson(text, file.string());
}

Result<std::vector<Format>> readNewFormats(const std::filesystem::path& file) {
    auto rows = TRY(readFormats(file));
    const auto unfit = std::ranges::find_if(rows, isUnfit);
    if (unfit != rows.end()) {
        return fail(fmt::format("the rule cannot take what \"is\" says of the value; for this value take {}",
                                ruleFor(unfit->quantity)),
                    fmt::format("{}, format {}", file.string(), unfit->name), remedy);
    }
    return rows;
}

}  // namespace dlperf::analysis
