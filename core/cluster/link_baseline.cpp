// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/link_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/baseline.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t mostPoints = 256;  // of a series; the worker measures nine sizes
constexpr int mostRanks = 1 << 20;
constexpr double slowBandwidth = 0.5;  // of the others'
constexpr double slowLatency = 2;      // times the others'

// "all-reduce bytes 4 repetitions 900 median 0.000031 s bandwidth 0.000129 GB/s"
std::optional<LinkPoint> pointIn(std::string_view line) {
    const auto words = wordsIn(line);
    if (words.size() < 8 || words[0] != "all-reduce" || words[1] != "bytes" || words[5] != "median") {
        return std::nullopt;
    }
    const auto bytes = numberIn<std::int64_t>(words[2]);
    const auto seconds = numberIn<double>(words[6]);
    return bytes && seconds ? std::optional(LinkPoint{*bytes, *seconds}) : std::nullopt;
}

// "ring from 0 to 1 bytes 16777216 median 0.131072000 s bandwidth 0.128000 GB/s"
std::optional<RingLink> ringLinkIn(std::string_view line) {
    const auto words = wordsIn(line);
    if (words.size() < 9 || words[0] != "ring" || words[5] != "bytes" || words[7] != "median") {
        return std::nullopt;
    }
    const auto bytes = numberIn<std::int64_t>(words[6]);
    const auto seconds = numberIn<double>(words[8]);
    const bool areRanks = numberIn<int>(words[2]) && numberIn<int>(words[4]);
    return areRanks && bytes && seconds
               ? std::optional(RingLink{std::string(words[2]), std::string(words[4]), {*bytes, *seconds}})
               : std::nullopt;
}

// "1048576  262144  float  sum  -1  27.76  37.78  66.11  0  27.49  38.15  66.76  0": bytes, numbers, type,
// operation and, of newer versions, root; then microseconds, two bandwidths and errors, first out of place
// and then in place.
std::optional<LinkPoint> ncclTestIn(std::string_view line) {
    const auto words = wordsIn(line);
    if ((words.size() != 12 && words.size() != 13) || words[2] != "float" || words[3] != "sum") {
        return std::nullopt;
    }
    const auto bytes = numberIn<std::int64_t>(words[0]);
    const auto microseconds = numberIn<double>(words[words.size() - 4]);
    return bytes && microseconds ? std::optional(LinkPoint{*bytes, *microseconds / 1e6}) : std::nullopt;
}

bool isGood(const LinkPoint& point) {
    return point.bytes > 0 && point.seconds > 0 && std::isfinite(point.seconds);
}

bool isGood(const std::vector<LinkPoint>& points) {
    std::int64_t before = 0;
    return points.size() <= mostPoints && std::ranges::all_of(points, [&](const LinkPoint& point) {
               return std::exchange(before, point.bytes) < point.bytes && isGood(point);
           });
}

double busBandwidth(int ranks, const LinkPoint& point) {
    return 2.0 * (ranks - 1) / ranks * static_cast<double>(point.bytes) / point.seconds / 1e9;
}

Json seriesJson(const LinkBaseline& baseline, const LinkSeries& series) {
    Json json{{"ranks", series.ranks}};
    if (series.points.empty()) {
        json["missing"] = series.missing;
        return json;
    }
    if (const std::string& by = exchangedBy(baseline, series); by != baseline.by) {
        json["by"] = by;
    }
    json["bandwidth_gb_s"] = *bandwidthOf(series);
    json["latency_s"] = *latencyOf(series);
    for (const LinkPoint& point : series.points) {
        json["sizes"].push_back({{"bytes", point.bytes}, {"seconds", point.seconds}});
    }
    return json;
}

LinkPoint readPoint(JsonReader& reader, const Json& json) {
    JsonReader fields(json, {});
    LinkPoint point;
    const Json& bytes = fields.member("bytes");
    const auto seconds = fields.number("seconds");
    if (!bytes.is_number_integer() || !seconds) {
        reader.addError("\"sizes\" must be a list of \"bytes\" and \"seconds\"");
        return point;
    }
    return {bytes.get<std::int64_t>(), *seconds};
}

// `names`: fields that say whose series it is.
LinkSeries readSeries(JsonReader& reader, const std::vector<std::string_view>& names) {
    LinkSeries series;
    series.ranks = reader.integer("ranks", 2, 2, mostRanks);
    series.missing = cleanUtf8(reader.text("missing"));
    series.by = cleanUtf8(reader.text("by"));
    const Json& sizes = reader.member("sizes");
    if (!sizes.is_null() && (!sizes.is_array() || sizes.size() > mostPoints)) {
        reader.addError("\"sizes\" must be a list of \"bytes\" and \"seconds\"");
        return series;
    }
    for (const Json& size : sizes) {
        series.points.push_back(readPoint(reader, size));
    }
    if (!isGood(series.points)) {
        reader.addError("\"sizes\" do not rise, or have a time that is not above zero");
    }
    std::vector<std::string_view> known{"ranks", "missing", "by", "sizes", "bandwidth_gb_s", "latency_s"};
    known.insert(known.end(), names.begin(), names.end());
    reader.refuseOthers(known);
    return series;
}

}  // namespace

std::optional<double> bandwidthOf(const LinkSeries& series) {
    return series.points.empty() ? std::nullopt
                                 : std::optional(busBandwidth(series.ranks, series.points.back()));
}

std::optional<double> latencyOf(const LinkSeries& series) {
    return series.points.empty() ? std::nullopt : std::optional(series.points.front().seconds);
}

std::optional<double> latencyMsOf(const LinkSeries& series) {
    const auto seconds = latencyOf(series);
    return seconds ? std::optional(1000 * *seconds) : std::nullopt;
}

std::optional<double> expectedSeconds(const LinkSeries& series, double bytes) {
    const std::vector<LinkPoint>& points = series.points;
    const auto above = std::ranges::find_if(
        points, [&](const LinkPoint& point) { return static_cast<double>(point.bytes) >= bytes; });
    if (points.empty() || above == points.begin()) {
        return latencyOf(series);
    }
    const LinkPoint& below = *std::prev(above);
    const auto from = static_cast<double>(below.bytes);
    if (above == points.end()) {
        return below.seconds * bytes / from;
    }
    const double share = (bytes - from) / (static_cast<double>(above->bytes) - from);
    return below.seconds + share * (above->seconds - below.seconds);
}

double bandwidthOf(const RingLink& link) {
    return static_cast<double>(link.point.bytes) / link.point.seconds / 1e9;
}

namespace {

using TwoNodes = std::pair<std::string_view, std::string_view>;

// Whichever way it goes.
TwoNodes betweenNodes(std::string_view from, std::string_view to) {
    return std::minmax(from, to);
}

std::vector<SlowLink> sharedWays(const LinkBaseline& baseline) {
    std::map<TwoNodes, const PairBaseline*> pairOf;
    for (const PairBaseline& pair : baseline.pairs) {
        pairOf.try_emplace(betweenNodes(pair.from, pair.to), &pair);
    }
    std::vector<SlowLink> shared;
    for (const RingLink& link : baseline.ring) {
        const auto pair = pairOf.find(betweenNodes(link.from, link.to));
        // A ring goes by way of the hosts.
        const bool isBeside = pair != pairOf.end() && !isFromGpuToGpu(baseline, pair->second->series);
        const auto alone = isBeside ? bandwidthOf(pair->second->series) : std::nullopt;
        if (alone && bandwidthOf(link) < slowBandwidth * *alone) {
            shared.push_back(
                {link.from, link.to,
                 fmt::format("{} to {}: {} GB/s while all nodes exchange, {} GB/s alone; others "
                             "share its way",
                             link.from, link.to, shortFigure(bandwidthOf(link)), shortFigure(*alone)),
                 true});
        }
    }
    return shared;
}

// The pairs' figures, but those of what goes another way.
std::vector<std::optional<double>> figuresOf(const LinkBaseline& baseline, bool gpus,
                                             std::optional<double> (*figure)(const LinkSeries&)) {
    return mapped(baseline.pairs, [&](const PairBaseline& pair) {
        return isFromGpuToGpu(baseline, pair.series) == gpus ? figure(pair.series) : std::nullopt;
    });
}

std::vector<SlowLink> slowPairs(const LinkBaseline& baseline, bool gpus) {
    const auto bandwidths = figuresOf(baseline, gpus, bandwidthOf);
    const auto latencies = figuresOf(baseline, gpus, latencyOf);
    const auto usualBandwidths = mediansOfOthers(bandwidths, true);
    const auto usualLatencies = mediansOfOthers(latencies, false);
    std::vector<SlowLink> slow;
    for (std::size_t i = 0; i < baseline.pairs.size(); ++i) {
        const PairBaseline& pair = baseline.pairs[i];
        const double others = usualBandwidths[i];
        if (bandwidths[i] && *bandwidths[i] < slowBandwidth * others) {
            slow.push_back({pair.from, pair.to,
                            fmt::format("{} and {}: {} GB/s, {} % of the others' {} GB/s", pair.from, pair.to,
                                        shortFigure(*bandwidths[i]),
                                        shortFigure(100 * *bandwidths[i] / others), shortFigure(others)),
                            false});
        }
        const double quick = usualLatencies[i];
        if (latencies[i] && quick > 0 && *latencies[i] > slowLatency * quick) {
            slow.push_back(
                {pair.from, pair.to,
                 fmt::format("{} and {}: {} ms for the smallest message, {} times the others' {} ms",
                             pair.from, pair.to, shortFigure(1000 * *latencies[i]),
                             shortFigure(*latencies[i] / quick), shortFigure(1000 * quick)),
                 false});
        }
    }
    return slow;
}

}  // namespace

const std::string& exchangedBy(const LinkBaseline& baseline, const LinkSeries& series) {
    return series.by.empty() ? baseline.by : series.by;
}

bool isFromGpuToGpu(const LinkBaseline& baseline, const LinkSeries& series) {
    return exchangedBy(baseline, series).starts_with("nccl");
}

std::vector<const LinkSeries*> measuredSeries(const LinkBaseline& baseline) {
    std::vector<const LinkSeries*> measured;
    const auto add = [&](const LinkSeries& series) {
        if (!series.points.empty()) {
            measured.push_back(&series);
        }
    };
    for (const PairBaseline& pair : baseline.pairs) {
        add(pair.series);
    }
    if (baseline.all) {
        add(*baseline.all);
    }
    for (const NodeBaseline& node : baseline.within) {
        add(node.series);
    }
    return measured;
}

std::vector<SlowLink> slowLinks(const LinkBaseline& baseline) {
    std::vector<SlowLink> slow = slowPairs(baseline, true);
    std::ranges::move(slowPairs(baseline, false), std::back_inserter(slow));
    std::ranges::move(sharedWays(baseline), std::back_inserter(slow));
    return slow;
}

Result<LinkLog> parseLinkLog(std::string_view log, const std::string& where) {
    LinkLog found;
    for (const std::string_view line : split(log, '\n')) {
        constexpr std::string_view comm = "# comm: ";
        if (line.starts_with(comm) && found.by.empty()) {
            found.by = firstLine(line.substr(comm.size()));
        } else if (const auto point = pointIn(line)) {
            found.points.push_back(*point);
        } else if (auto link = ringLinkIn(line); link && isGood(link->point)) {
            found.ring.push_back(*std::move(link));
        } else if (const auto test = ncclTestIn(line)) {
            found.ncclTests.push_back(*test);
        }
    }
    if (found.points.empty()) {
        return fail("holds no measured link", where, {}, ErrorKind::Work);
    }
    if (!isGood(found.points)) {
        return fail("holds sizes that do not rise, or a time that is not above zero", where, {},
                    ErrorKind::Work);
    }
    if (!isGood(found.ncclTests)) {
        found.ncclTests.clear();
    }
    return found;
}

Json toJson(const LinkBaseline& baseline) {
    Json pairs = Json::array();
    for (const PairBaseline& pair : baseline.pairs) {
        pairs.push_back(seriesJson(baseline, pair.series));
        pairs.back().update({{"from", pair.from}, {"to", pair.to}});
    }
    Json ring = Json::array();
    for (const RingLink& link : baseline.ring) {
        ring.push_back({{"from", link.from},
                        {"to", link.to},
                        {"bytes", link.point.bytes},
                        {"seconds", link.point.seconds},
                        {"bandwidth_gb_s", bandwidthOf(link)}});
    }
    Json within = Json::array();
    for (const NodeBaseline& node : baseline.within) {
        within.push_back(seriesJson(baseline, node.series));
        within.back()["node"] = node.node;
        if (node.ncclTests) {
            within.back()["nccl_tests"] = seriesJson(baseline, *node.ncclTests);
        }
    }
    return {{"measured", toIso8601(baseline.measured)},
            {"by", baseline.by},
            {"nodes", baseline.nodes},
            {"pairs", std::move(pairs)},
            {"all", baseline.all ? seriesJson(baseline, *baseline.all) : Json()},
            {"ring", std::move(ring)},
            {"within", std::move(within)},
            {"slow", mapped(slowLinks(baseline), &SlowLink::sentence)}};
}

Result<LinkBaseline> linkBaselineFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    LinkBaseline baseline;
    baseline.measured = readMeasured(reader);
    baseline.by = cleanUtf8(reader.text("by"));
    baseline.nodes = mapped(reader.texts("nodes"), cleanUtf8);
    baseline.pairs = readItems<PairBaseline>(reader, "pairs", [](JsonReader& item) {
        return PairBaseline{cleanUtf8(item.requiredText("from")), cleanUtf8(item.requiredText("to")),
                            readSeries(item, {"from", "to"})};
    });
    if (const Json& all = reader.member("all"); !all.is_null()) {
        JsonReader item(all, where + ", all");
        baseline.all = readSeries(item, {});
        TRY(item.checked());
    }
    baseline.ring = readItems<RingLink>(reader, "ring", [](JsonReader& item) {
        RingLink link{cleanUtf8(item.requiredText("from")), cleanUtf8(item.requiredText("to")), {}};
        link.point = {item.integer("bytes", 0, 1, std::numeric_limits<int>::max()),
                      item.number("seconds").value_or(0)};
        if (!isGood(link.point)) {
            item.addError("\"bytes\" and \"seconds\" must be above zero");
        }
        item.refuseOthers({"from", "to", "bytes", "seconds", "bandwidth_gb_s"});
        return link;
    });
    baseline.within = readItems<NodeBaseline>(reader, "within", [&](JsonReader& item) {
        NodeBaseline node{cleanUtf8(item.requiredText("node")), readSeries(item, {"node", "nccl_tests"})};
        if (const Json& tests = item.member("nccl_tests"); !tests.is_null()) {
            JsonReader own(tests, where + ", nccl_tests");
            node.ncclTests = readSeries(own, {});
            if (auto checked = own.checked(); !checked) {
                item.addError(describe(checked.error()));
            }
        }
        return node;
    });
    reader.refuseOthers({"measured", "by", "nodes", "pairs", "all", "ring", "within", "slow"});
    TRY(reader.checked());
    return baseline;
}

Result<LinkBaseline> readLinkBaseline(const std::filesystem::path& file) {
    const auto json = TRY(readJsonFile(file));
    return linkBaselineFromJson(json, file.string());
}

Result<void> writeLinkBaseline(const std::filesystem::path& file, const LinkBaseline& baseline) {
    return writeBaseline(file, toJson(baseline));
}

}  // namespace dlperf::cluster
