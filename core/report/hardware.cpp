// SPDX-License-Identifier: Apache-2.0
#include "core/report/hardware.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/cluster.h"
#include "core/model/node_name.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr std::size_t mostLinkRows = 100;  // of pairs
constexpr std::size_t mostListed = 20;     // in sentences

TableCell hardwareCell(const std::optional<double>& figure, const std::string& reason,
                       std::string (*text)(double)) {
    return figure ? TableCell{.text = text(*figure), .number = figure}
                  : TableCell{.text = "missing", .note = reason};
}

TableCell rateCell(const std::optional<double>& figure, const std::string& reason) {
    return hardwareCell(figure, reason, [](double value) { return grouped(value, 2); });
}

TableCell countCell(std::int64_t count) {
    const auto number = static_cast<double>(count);
    return {.text = grouped(number, 0), .number = number};
}

std::vector<TableCell> linkRow(const std::string& what, const cluster::LinkSeries& series) {
    return {textCell(what), shortCell(cluster::bandwidthOf(series), series.missing),
            shortCell(cluster::latencyMsOf(series), series.missing)};
}

// Those that are looked for, the slowest, where there are many: what is missing is listed apart.
std::vector<cluster::PairBaseline> pairsToShow(std::vector<cluster::PairBaseline> pairs) {
    if (pairs.size() > mostLinkRows) {
        std::erase_if(pairs, [](const cluster::PairBaseline& pair) { return pair.series.points.empty(); });
        std::ranges::stable_sort(
            pairs, {}, [](const cluster::PairBaseline& pair) { return cluster::bandwidthOf(pair.series); });
        pairs.resize(std::min(pairs.size(), mostLinkRows));
    }
    return pairs;
}

std::vector<cluster::RingLink> ringToShow(std::vector<cluster::RingLink> ring) {
    if (ring.size() > mostLinkRows) {
        std::ranges::stable_sort(ring, {},
                                 [](const cluster::RingLink& link) { return cluster::bandwidthOf(link); });
        ring.resize(mostLinkRows);
    }
    return ring;
}

template <class Slow>
void addSlowWords(HardwarePart& part, std::size_t measured, const std::vector<Slow>& slow, const char* some,
                  const char* none) {
    part.slow = mapped(slow, &Slow::sentence);
    if (part.slow.size() > mostListed) {
        part.slow.resize(mostListed);
        part.slow.push_back(fmt::format("and {} more", slow.size() - mostListed));
    }
    if (measured > 1) {
        part.slowHeading = slow.empty() ? none : some;
    }
}

template <class Node>
void addNodes(HardwarePart& part, const std::vector<Node>& nodes,
              const std::vector<cluster::SlowNode>& slow) {
    const auto measured = std::ranges::count_if(nodes, &Node::isMeasured);
    addSlowWords(part, static_cast<std::size_t>(measured), slow,
                 "Slow nodes:", "No node is slow beside the others");
    for (const Node& node : nodes) {
        if (!node.missing.empty()) {
            part.missing.push_back({nodeText(node.node), node.missing});
        }
    }
}

void addMissingLink(HardwarePart& part, const std::string& what, const cluster::LinkSeries& series) {
    if (series.points.empty()) {
        part.missing.push_back({what, series.missing});
    }
}

void addMissingLinks(HardwarePart& part, const cluster::LinkBaseline& baseline) {
    for (const cluster::PairBaseline& pair : baseline.pairs) {
        addMissingLink(part, fmt::format("between {} and {}", pair.from, pair.to), pair.series);
    }
    if (baseline.all) {
        addMissingLink(part, "all nodes together", *baseline.all);
    }
    for (const cluster::NodeBaseline& node : baseline.within) {
        addMissingLink(part, fmt::format("the {} devices of {}", node.series.ranks, nodeTitle(node.node)),
                       node.series);
    }
}

std::vector<TableCell> computeRow(const cluster::NodeCompute& node) {
    std::optional<double> least;
    std::optional<double> most;
    std::string problem;
    if (node.isMeasured()) {
        const auto [low, high] = std::ranges::minmax(node.throughputs);
        least = low;
        most = high;
        problem = fmt::format("{} \u00D7 {} px, {}", node.batchSize, node.imageSize, node.backend);
    }
    return {textCell(nodeTitle(node.node)),
            rateCell(cluster::throughputOf(node), node.missing),
            rateCell(least, node.missing),
            rateCell(most, node.missing),
            countCell(static_cast<std::int64_t>(node.throughputs.size())),
            textCell(problem)};
}

std::vector<TableCell> readingRow(const cluster::NodeReading& node) {
    return {textCell(nodeTitle(node.node)),
            rateCell(cluster::readingSpeedOf(node), node.missing),
            rateCell(cluster::fileRateOf(node), node.missing),
            node.imagesPerSecond ? rateCell(node.imagesPerSecond, {}) : textCell(missingFigure),
            countCell(node.files),
            textCell(node.folder)};
}

std::string wayOf(const cluster::LinkBaseline& baseline) {
    const auto measured = cluster::measuredSeries(baseline);
    const auto gpus = std::ranges::count_if(measured, [&](const cluster::LinkSeries* series) {
        return cluster::isFromGpuToGpu(baseline, *series);
    });
    if (gpus == 0) {
        return "All-reduces by way of the hosts; links from GPU to GPU are not measured";
    }
    const auto hosts = std::ssize(measured) - gpus;
    return hosts == 0 ? "All-reduces from GPU to GPU, by NCCL"
                      : fmt::format("All-reduces from GPU to GPU, by NCCL; {} of {} by way of the hosts",
                                    hosts, measured.size());
}

}  // namespace

TableCell shortCell(const std::optional<double>& figure, const std::string& reason) {
    return hardwareCell(figure, reason, cluster::shortFigure);
}

HardwarePart hardwarePart(const cluster::LinkBaseline& baseline) {
    HardwarePart part{
        .title = "Links between the nodes",
        .measured = baseline.measured,
        .method = wayOf(baseline),
        .table = {.columns = {{"Link"}, {"GB/s", true}, {"Latency, ms", true}}},
    };
    const auto pairs = pairsToShow(baseline.pairs);
    for (const cluster::PairBaseline& pair : pairs) {
        part.table.rows.push_back(linkRow(fmt::format("{} – {}", pair.from, pair.to), pair.series));
    }
    if (baseline.all) {
        part.table.rows.push_back(
            linkRow(fmt::format("All {} nodes together", baseline.nodes.size()), *baseline.all));
    }
    const auto ring = ringToShow(baseline.ring);
    for (const cluster::RingLink& link : ring) {
        part.table.rows.push_back(
            {textCell(fmt::format("{} to {}, while all nodes exchange", link.from, link.to)),
             shortCell(cluster::bandwidthOf(link), {}), textCell(missingFigure)});
    }
    for (const cluster::NodeBaseline& node : baseline.within) {
        part.table.rows.push_back(linkRow(
            fmt::format("The {} devices of {}", node.series.ranks, nodeTitle(node.node)), node.series));
        if (node.ncclTests) {
            part.table.rows.push_back(linkRow(
                fmt::format("By nccl-tests, the {} devices of {}", node.series.ranks, nodeTitle(node.node)),
                *node.ncclTests));
        }
    }
    if (pairs.size() < baseline.pairs.size()) {
        part.notes.push_back(
            fmt::format("Of {} pairs these are the {} slowest", baseline.pairs.size(), pairs.size()));
    }
    if (ring.size() < baseline.ring.size()) {
        part.notes.push_back(fmt::format("Of the {} links of the ring these are the {} slowest",
                                         baseline.ring.size(), ring.size()));
    }
    const auto measured = std::ranges::count_if(
        baseline.pairs, [](const cluster::PairBaseline& pair) { return !pair.series.points.empty(); });
    addSlowWords(part, static_cast<std::size_t>(measured), cluster::slowLinks(baseline),
                 "Slow links:", "No link is slow beside the others");
    addMissingLinks(part, baseline);
    return part;
}

HardwarePart hardwarePart(const cluster::ComputeBaseline& baseline) {
    HardwarePart part{
        .title = "What each node computes",
        .measured = baseline.measured,
        .method = "Training on one device of each node, the median of the repetitions",
        .table = {.columns = {{"Node"},
                              {"images/s", true},
                              {"least", true},
                              {"most", true},
                              {"repetitions", true},
                              {"batch and image, by"}},
                  .rows = mapped(baseline.nodes, computeRow)},
    };
    addNodes(part, baseline.nodes, cluster::slowNodes(baseline));
    return part;
}

HardwarePart hardwarePart(const cluster::DataBaseline& baseline) {
    HardwarePart part{
        .title = "How fast each node reads its folder",
        .measured = baseline.measured,
        .method = "Reading the folder of data by four threads, on all nodes at the same time",
        .table = {.columns = {{"Node"},
                              {"MB/s", true},
                              {"files/s", true},
                              {"images/s", true},
                              {"files", true},
                              {"folder"}},
                  .rows = mapped(baseline.nodes, readingRow)},
    };
    std::vector<std::string> helped;
    for (const cluster::NodeReading& node : baseline.nodes) {
        if (node.mayBeCached()) {
            helped.push_back(node.node);
        }
    }
    if (!helped.empty()) {
        part.notes.push_back(fmt::format(
            "{}: files may have been in the page cache, which makes reading fast", cluster::named(helped)));
    }
    addNodes(part, baseline.nodes, cluster::slowReaders(baseline));
    return part;
}

std::vector<HardwarePart> hardwareParts(const HardwareBaselines& baselines) {
    std::vector<HardwarePart> parts;
    const auto add = [&](const auto& baseline) {
        if (baseline) {
            parts.push_back(hardwarePart(*baseline));
        }
    };
    add(baselines.links);
    add(baselines.compute);
    add(baselines.data);
    return parts;
}

std::vector<std::string> missingTexts(const std::vector<MissingPart>& missing) {
    std::vector<std::string> texts;
    for (const MissingPart& one : missing) {
        if (texts.size() == mostListed) {
            texts.push_back(fmt::format("and {} more", missing.size() - mostListed));
            break;
        }
        texts.push_back(fmt::format("{}: {}", one.what, one.reason));
    }
    return texts;
}

Json toJson(const HardwareBaselines& baselines) {
    Json json = Json::object();
    const auto add = [&](const char* name, const auto& baseline) {
        if (baseline) {
            json[name] = cluster::toJson(*baseline);
        }
    };
    add("links", baselines.links);
    add("compute", baselines.compute);
    add("data", baselines.data);
    if (!baselines.unreadable.empty()) {
        json["problems"] = baselines.unreadable;
    }
    return json;
}

}  // namespace dlperf::report
