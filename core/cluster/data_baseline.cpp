// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/data_baseline.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/model/node_name.h"

namespace dlperf::cluster {
namespace {

constexpr double slowReading = 0.5;  // of the others'
constexpr double mostRate = 1e15;    // of anything a second

// "read files 812 bytes 93112322 seconds 5.002341 speed 18.614 MB/s cached 0 unknown 0 unreadable 0 of 900"
std::optional<NodeReading> readingIn(std::string_view line) {
    const auto words = wordsIn(line);
    if (words.size() < 14 || words[0] != "read" || words[1] != "files" || words[3] != "bytes" ||
        words[5] != "seconds" || words[10] != "cached" || words[12] != "unknown") {
        return std::nullopt;
    }
    const auto files = numberIn<std::int64_t>(words[2]);
    const auto bytes = numberIn<std::int64_t>(words[4]);
    const auto seconds = numberIn<double>(words[6]);
    const auto cached = numberIn<std::int64_t>(words[11]);
    const auto unknown = numberIn<std::int64_t>(words[13]);
    if (!files || !bytes || !seconds || !cached || !unknown) {
        return std::nullopt;
    }
    return NodeReading{
        .files = *files, .bytes = *bytes, .seconds = *seconds, .cached = *cached, .unknown = *unknown};
}

// "images 1200 seconds 5.000000 speed 240.000 images/s"
std::optional<double> imageRateIn(std::string_view line) {
    const auto words = wordsIn(line);
    return words.size() >= 7 && words[0] == "images" && words[4] == "speed" && words[6] == "images/s"
               ? numberIn<double>(words[5])
               : std::nullopt;
}

bool isRate(double value) {
    return value > 0 && value < mostRate;  // no number is neither
}

bool isGood(const NodeReading& reading) {
    return reading.files >= 0 && reading.bytes > 0 && isRate(reading.seconds) && reading.cached >= 0 &&
           reading.unknown >= 0 && isRate(reading.imagesPerSecond.value_or(1));
}

std::optional<double> imageRateOf(const NodeReading& node) {
    return node.imagesPerSecond;
}

// "c reads 12 MB/s, 40 % of the others' 30 MB/s"
template <class Sentence>
void addSlow(std::vector<SlowNode>& slow, const DataBaseline& baseline,
             std::optional<double> (*rateOf)(const NodeReading&), const Sentence& sentence) {
    const auto rates = mapped(baseline.nodes, rateOf);
    const auto medians = mediansOfOthers(rates, true);
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const double others = medians[i];
        if (rates[i] && *rates[i] < slowReading * others) {
            const std::string& node = baseline.nodes[i].node;
            slow.push_back({node, sentence(nodeTitle(node), shortFigure(*rates[i]),
                                           shortFigure(100 * *rates[i] / others), shortFigure(others))});
        }
    }
}

Json readingJson(const NodeReading& node) {
    Json json{{"node", node.node}, {"folder", node.folder}};
    if (!node.isMeasured()) {
        json["missing"] = node.missing;
        return json;
    }
    json.update({{"files", node.files},
                 {"bytes", node.bytes},
                 {"seconds", node.seconds},
                 {"mb_s", *readingSpeedOf(node)},
                 {"files_s", *fileRateOf(node)},
                 {"cached", node.cached},
                 {"unknown", node.unknown}});
    if (node.imagesPerSecond) {
        json["images_s"] = *node.imagesPerSecond;
    }
    return json;
}

std::int64_t readCount(JsonReader& reader, const char* field) {
    const Json& value = reader.member(field);
    if (!value.is_null() && (!value.is_number_integer() || value.get<std::int64_t>() < 0)) {
        reader.addError(fmt::format("\"{}\" must be a whole number from 0 up", field));
        return 0;
    }
    return value.is_null() ? 0 : value.get<std::int64_t>();
}

NodeReading readReading(JsonReader& reader) {
    NodeReading node{.node = cleanUtf8(reader.requiredText("node")),
                     .folder = cleanUtf8(reader.text("folder")),
                     .files = readCount(reader, "files"),
                     .bytes = readCount(reader, "bytes"),
                     .seconds = reader.number("seconds").value_or(0),
                     .cached = readCount(reader, "cached"),
                     .unknown = readCount(reader, "unknown"),
                     .imagesPerSecond = reader.number("images_s"),
                     .missing = cleanUtf8(reader.text("missing"))};
    if (node.missing.empty() && !isGood(node)) {
        reader.addError("\"bytes\", \"seconds\" and \"images_s\" must be above zero");
    }
    reader.refuseOthers({"node", "folder", "files", "bytes", "seconds", "mb_s", "files_s", "cached",
                         "unknown", "images_s", "missing"});
    return node;
}

// What the trainer, or what started it, said last.
std::string lastWordsIn(std::string_view log) {
    std::string last;
    for (const std::string_view line : split(log, '\n')) {
        last = trim(line).empty() ? last : cleanUtf8(std::string(trim(line)));
    }
    constexpr std::string_view program = "dlperf-worker: ";
    return last.starts_with(program) ? last.substr(program.size()) : last;
}

}  // namespace

std::optional<double> readingSpeedOf(const NodeReading& node) {
    return node.isMeasured() ? std::optional(static_cast<double>(node.bytes) / node.seconds / 1e6)
                             : std::nullopt;
}

std::optional<double> fileRateOf(const NodeReading& node) {
    return node.isMeasured() ? std::optional(static_cast<double>(node.files) / node.seconds) : std::nullopt;
}

std::vector<SlowNode> slowReaders(const DataBaseline& baseline) {
    std::vector<SlowNode> slow;
    addSlow(slow, baseline, readingSpeedOf,
            [](const std::string& node, const std::string& rate, const std::string& share,
               const std::string& others) {
                return fmt::format("{} reads {} MB/s, {} % of the others' {} MB/s", node, rate, share,
                                   others);
            });
    addSlow(slow, baseline, imageRateOf,
            [](const std::string& node, const std::string& rate, const std::string& share,
               const std::string& others) {
                return fmt::format("{} prepares {} images/s, {} % of the others' {} images/s", node, rate,
                                   share, others);
            });
    return slow;
}

Result<NodeReading> parseDataLog(std::string_view log, const std::string& where) {
    std::optional<NodeReading> reading;
    std::optional<double> images;
    for (const std::string_view line : split(log, '\n')) {
        reading = reading ? reading : readingIn(line);
        images = images ? images : imageRateIn(line);
    }
    if (!reading) {
        const std::string last = lastWordsIn(log);
        return fail(last.empty() ? "the log is empty" : last, where, {}, ErrorKind::Work);
    }
    reading->imagesPerSecond = images;
    if (!isGood(*reading)) {
        return fail("the log holds a figure that is not above zero", where, {}, ErrorKind::Work);
    }
    return *reading;
}

Json toJson(const DataBaseline& baseline) {
    return {{"measured", toIso8601(baseline.measured)},
            {"by", baseline.by},
            {"nodes", mapped(baseline.nodes, readingJson)},
            {"slow", mapped(slowReaders(baseline), &SlowNode::sentence)}};
}

Result<DataBaseline> dataBaselineFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    DataBaseline baseline{.measured = readMeasured(reader),
                          .by = cleanUtf8(reader.text("by")),
                          .nodes = readItems<NodeReading>(reader, "nodes", readReading)};
    reader.refuseOthers({"measured", "by", "nodes", "slow"});
    TRY(reader.checked());
    return baseline;
}

Result<DataBaseline> readDataBaseline(const std::filesystem::path& file) {
    const auto json = TRY(readJsonFile(file));
    return dataBaselineFromJson(json, file.string());
}

}  // namespace dlperf::cluster
