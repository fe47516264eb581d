// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/compute_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/rank_test.h"
#include "core/analysis/slower.h"
#include "core/analysis/summary.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/model/node_name.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t mostRepetitions = 1000;
constexpr int largestProblem = 1 << 20;

// The figures of one repetition; nothing of a node that has none of it, or trained with something else.
std::vector<std::optional<double>> repetitionOf(const std::vector<NodeCompute>& nodes, std::size_t repetition,
                                                const NodeCompute& like) {
    return mapped(nodes, [&](const NodeCompute& node) {
        const bool isAlike = node.batchSize == like.batchSize && node.imageSize == like.imageSize;
        return isAlike && repetition < node.throughputs.size() ? std::optional(node.throughputs[repetition])
                                                               : std::nullopt;
    });
}

std::string slowSentence(const std::string& node, const analysis::Slower& slower) {
    const std::string by = fmt::format("{:.1f}\u00A0%", 100 * slower.by);
    return slower.p ? fmt::format("{} computes {} slower than the others ({})", node, by,
                                  analysis::pText(*slower.p))
                    : fmt::format("{} computes {} slower than the others", node, by);
}

// Seconds of an image, of the node and of the others in each repetition that both have.
std::optional<SlowNode> slowNodeAt(const std::vector<NodeCompute>& nodes, std::size_t place) {
    const NodeCompute& node = nodes[place];
    std::vector<double> own;
    std::vector<double> others;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < node.throughputs.size(); ++i) {
        if (const double other = mediansOfOthers(repetitionOf(nodes, i, node), true)[place]; other > 0) {
            own.push_back(1 / node.throughputs[i]);
            others.push_back(1 / other);
            ratios.push_back(other / node.throughputs[i] - 1);
        }
    }
    const auto slower = analysis::slowerThan(own, others, nodes.size());
    return slower ? std::optional(SlowNode{.node = node.node,
                                           .sentence = slowSentence(nodeTitle(node.node), *slower),
                                           .slower = slower->by,
                                           .slowerInEach = std::move(ratios)})
                  : std::nullopt;
}

Json nodeJson(const NodeCompute& node) {
    Json json{{"node", node.node}};
    if (!node.missing.empty()) {
        json["missing"] = node.missing;
    }
    if (const auto throughput = throughputOf(node)) {
        json.update({{"backend", node.backend},
                     {"batch_size", node.batchSize},
                     {"image_size", node.imageSize},
                     {"throughputs", node.throughputs},
                     {"throughput", *throughput}});
    }
    return json;
}

std::vector<double> readThroughputs(JsonReader& reader) {
    const Json& list = reader.member("throughputs");
    std::vector<double> values;
    const bool isList = list.is_null() || (list.is_array() && list.size() <= mostRepetitions);
    for (std::size_t i = 0; isList && i < list.size(); ++i) {
        const double value = list[i].is_number() ? list[i].get<double>() : 0;
        if (value > 0 && std::isfinite(value)) {
            values.push_back(value);
        }
    }
    if (!isList || values.size() != list.size()) {
        reader.addError("\"throughputs\" must be a list of numbers above zero");
    }
    return values;
}

NodeCompute readNode(JsonReader& reader) {
    NodeCompute node{.node = cleanUtf8(reader.requiredText("node")),
                     .backend = cleanUtf8(reader.text("backend")),
                     .batchSize = reader.integer("batch_size", 0, 0, largestProblem),
                     .imageSize = reader.integer("image_size", 0, 0, largestProblem),
                     .throughputs = readThroughputs(reader),
                     .missing = cleanUtf8(reader.text("missing"))};
    reader.refuseOthers(
        {"node", "backend", "batch_size", "image_size", "throughputs", "throughput", "missing"});
    return node;
}

}  // namespace

std::optional<double> throughputOf(const NodeCompute& node) {
    return node.throughputs.empty() ? std::nullopt : std::optional(analysis::medianOf(node.throughputs));
}

std::vector<SlowNode> slowNodes(const ComputeBaseline& baseline) {
    std::vector<SlowNode> slow;
    for (std::size_t i = 0; i < baseline.nodes.size(); ++i) {
        if (auto node = slowNodeAt(baseline.nodes, i)) {
            slow.push_back(*std::move(node));
        }
    }
    return slow;
}

Json toJson(const ComputeBaseline& baseline) {
    return {{"measured", toIso8601(baseline.measured)},
            {"by", baseline.by},
            {"unit", "images/s"},
            {"nodes", mapped(baseline.nodes, nodeJson)},
            {"slow", mapped(slowNodes(baseline), &SlowNode::sentence)}};
}

Result<ComputeBaseline> computeBaselineFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    ComputeBaseline baseline{.measured = readMeasured(reader),
                             .by = cleanUtf8(reader.text("by")),
                             .nodes = readItems<NodeCompute>(reader, "nodes", readNode)};
    reader.refuseOthers({"measured", "by", "unit", "nodes", "slow"});
    TRY(reader.checked());
    return baseline;
}

Result<ComputeBaseline> readComputeBaseline(const std::filesystem::path& file) {
    const auto json = TRY(readJsonFile(file));
    return computeBaselineFromJson(json, file.string());
}

}  // namespace dlperf::cluster
