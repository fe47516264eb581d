// SPDX-License-Identifier: Apache-2.0
#include "core/report/loss_estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/median_interval.h"
#include "core/analysis/summary.h"
#include "core/base/mapped.h"
#include "core/model/node_name.h"
#include "core/report/numbers.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

constexpr double backwardPass = 2.0 / 3;  // of computing: see the header

using NodeNames = std::vector<std::string>;

// Sorted, where all runs were on the same ones; else empty.
NodeNames commonNodes(const std::vector<const TimedRun*>& runs) {
    NodeNames common;
    for (const TimedRun* run : runs) {
        NodeNames nodes = run->times.nodes;
        std::ranges::sort(nodes);
        const auto count = static_cast<std::size_t>(run->run->benchmarkCase.topology.nodes);
        if (nodes.size() != count || (!common.empty() && nodes != common)) {
            return {};
        }
        common = std::move(nodes);
    }
    return common;
}

bool isIn(const NodeNames& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

// A node that all wait for.
struct Waiting {
    cluster::SlowNode node;
    double seconds = 0;
    std::vector<double> secondsInEach{};  // in each repetition
    std::string evidence{};
};

// The slowest one that takes part.
std::optional<cluster::SlowNode> slowestOf(const cluster::ComputeBaseline& baseline, const NodeNames& nodes) {
    std::optional<cluster::SlowNode> slowest;
    for (cluster::SlowNode& slow : cluster::slowNodes(baseline)) {
        if (isIn(nodes, slow.node) && slow.slower > (slowest ? slowest->slower : 0)) {
            slowest = std::move(slow);
        }
    }
    return slowest;
}

// The runs on one device as a baseline of the nodes that they were on.
cluster::ComputeBaseline baselineOf(const std::vector<const TimedRun*>& alone) {
    std::map<std::string, std::vector<double>> byNode;
    for (const TimedRun* run : alone) {
        if (run->times.nodes.size() == 1) {
            byNode[run->times.nodes.front()].push_back(*run->run->throughput);
        }
    }
    return {.nodes = mapped(byNode, [](const auto& entry) {
                return cluster::NodeCompute{.node = entry.first, .throughputs = entry.second};
            })};
}

// Beside the median of all runs on one device, which is what the ideal is made of.
std::optional<Waiting> waitingByRuns(const UnsplitRuns& of, const NodeNames& nodes) {
    const cluster::ComputeBaseline baseline = baselineOf(of.alone);
    auto slow = slowestOf(baseline, nodes);
    if (!slow) {
        return std::nullopt;
    }
    const double ideal =
        analysis::medianOf(mapped(of.alone, [](const TimedRun* run) { return *run->run->throughput; }));
    const auto longer = [&](double throughput) { return of.secondsAlone * (ideal / throughput - 1); };
    const auto own = std::ranges::find(baseline.nodes, slow->node, &cluster::NodeCompute::node);
    return Waiting{.node = *std::move(slow),
                   .seconds = longer(*cluster::throughputOf(*own)),
                   .secondsInEach = mapped(own->throughputs, longer),
                   .evidence = "the runs on 1n1g, which were on several nodes"};
}

std::optional<Waiting> waitingByBaseline(const UnsplitRuns& of, const NodeNames& nodes,
                                         const std::optional<cluster::ComputeBaseline>& measured) {
    const TrainedOn on = trainedOn(*of.runs.front()->run);
    if (!measured || on == TrainedOn::Unknown) {
        return std::nullopt;
    }
    cluster::ComputeBaseline baseline = *measured;
    std::erase_if(baseline.nodes, [&](const cluster::NodeCompute& node) {
        return !node.isMeasured() || node.backend != (on == TrainedOn::Processors ? "cpu" : "cuda");
    });
    const NodeNames known = mapped(baseline.nodes, &cluster::NodeCompute::node);
    const NodeNames slow = mapped(cluster::slowNodes(baseline), &cluster::SlowNode::node);
    const bool isIdealOfOthers = std::ranges::all_of(of.alone, [&](const TimedRun* run) {
        const NodeNames& own = run->times.nodes;
        return own.size() == 1 && isIn(known, own.front()) && !isIn(slow, own.front());
    });
    auto slowest = isIdealOfOthers ? slowestOf(baseline, nodes) : std::nullopt;
    if (!slowest) {
        return std::nullopt;
    }
    const auto longer = [&](double slower) { return of.computing * slower; };
    const double seconds = longer(slowest->slower);
    auto each = mapped(slowest->slowerInEach, longer);
    return Waiting{
        .node = *std::move(slowest),
        .seconds = seconds,
        .secondsInEach = std::move(each),
        .evidence = fmt::format("what each node computes alone, measured {}", dayOf(baseline.measured))};
}

// All gradients of an iteration, and the node whose telemetry tells how many; empty: the model does.
struct Gradients {
    double bytes = 0;
    std::string from{};
};

// Of all gradients.
struct Exchange {
    Gradients gradients;
    double seconds = 0;
    bool isLeast = false;  // it may take longer
    std::string by{};      // what exchanged messages where that was measured
};

// By what the node that sent most sent in an iteration. Of n processes in a ring each sends 2 (n - 1) / n
// times all gradients; where several of one node exchange among themselves first, it is fewer bytes a node.
std::optional<Gradients> sentGradients(const UnsplitRuns& of) {
    const Topology& topology = of.runs.front()->run->benchmarkCase.topology;
    std::vector<double> sent;
    std::string sender;
    for (const TimedRun* run : of.runs) {
        const std::vector<NodeNoise>& nodes = run->run->noise;
        const bool isTold = std::ranges::all_of(
            nodes, [](const NodeNoise& node) { return node.inRange && node.sent.value_or(0) > 0; });
        if (topology.nodes == 1 || !isTold || std::cmp_not_equal(nodes.size(), topology.nodes)) {
            return std::nullopt;
        }
        const auto most = std::ranges::max_element(nodes, {}, &NodeNoise::sent);
        sent.push_back(*most->sent);
        sender = most->node;
    }
    const double ranks = topology.worldSize();
    const double bytes = analysis::medianOf(sent) * of.seconds * ranks / (2 * (ranks - 1));
    // Less is no model's: they exchange by a way that is not counted, as on one machine.
    constexpr double fewestBytes = 1e6;
    return bytes < fewestBytes ? std::nullopt : std::optional(Gradients{bytes, std::move(sender)});
}

std::optional<Gradients> gradientsOf(const UnsplitRuns& of, const HardwareBaselines& baselines) {
    const auto bytes = gradientBytes(baselines.models, *of.runs.front()->run);
    return bytes ? std::optional(Gradients{*bytes}) : sentGradients(of);
}

// Without what does not go the way of a run's gradients: by way of the hosts between processors, else from
// GPU to GPU.
cluster::LinkBaseline linksOf(cluster::LinkBaseline links, TrainedOn on) {
    const auto isOther = [&, gpus = on == TrainedOn::Gpus](const cluster::LinkSeries& series) {
        return on == TrainedOn::Unknown || cluster::isFromGpuToGpu(links, series) != gpus;
    };
    std::erase_if(links.pairs, [&](const cluster::PairBaseline& pair) { return isOther(pair.series); });
    std::erase_if(links.within, [&](const cluster::NodeBaseline& node) { return isOther(node.series); });
    if (links.all && isOther(*links.all)) {
        links.all.reset();
    }
    return links;
}

std::optional<double> secondsWithin(const cluster::LinkBaseline& links, const std::string& node, int devices,
                                    double bytes) {
    const auto within = std::ranges::find(links.within, node, &cluster::NodeBaseline::node);
    return within != links.within.end() && within->series.ranks == devices
               ? cluster::expectedSeconds(within->series, bytes)
               : std::nullopt;
}

// All gradients go through each node, whatever the way from one to the next: no exchange is faster than the
// fastest link of the node whose fastest one is slowest. Nothing where a pair was not measured.
std::optional<double> secondsOfPairs(const cluster::LinkBaseline& links, const NodeNames& nodes,
                                     double bytes) {
    std::map<std::string, std::vector<double>> ofNode;
    for (const cluster::PairBaseline& pair : links.pairs) {
        const auto seconds = cluster::expectedSeconds(pair.series, bytes);
        if (seconds && isIn(nodes, pair.from) && isIn(nodes, pair.to)) {
            ofNode[pair.from].push_back(*seconds);
            ofNode[pair.to].push_back(*seconds);
        }
    }
    double slowest = 0;
    for (const std::string& node : nodes) {
        const std::vector<double>& ofPairs = ofNode[node];
        if (ofPairs.size() + 1 != nodes.size()) {
            return std::nullopt;
        }
        slowest = std::max(slowest, *std::ranges::min_element(ofPairs));
    }
    return slowest;
}

std::optional<Exchange> exchangeOf(const UnsplitRuns& of, const NodeNames& nodes,
                                   const HardwareBaselines& baselines) {
    const RunResult& run = *of.runs.front()->run;
    const auto gradients = gradientsOf(of, baselines);
    if (!gradients || !baselines.links) {
        return std::nullopt;
    }
    const cluster::LinkBaseline links = linksOf(*baselines.links, trainedOn(run));
    const auto measured = cluster::measuredSeries(links);
    if (measured.empty()) {
        return std::nullopt;
    }
    const double bytes = gradients->bytes;
    const Topology& topology = run.benchmarkCase.topology;
    const auto found = [&](std::optional<double> seconds, bool isLeast) {
        return seconds ? std::optional(Exchange{*gradients, *seconds, isLeast,
                                                cluster::exchangedBy(links, *measured.front())})
                       : std::nullopt;
    };
    if (topology.nodes == 1) {
        return found(secondsWithin(links, nodes.front(), topology.devices, bytes), false);
    }
    // One process on each node was measured: several exchange among themselves as well.
    const bool areSeveral = topology.devices > 1;
    NodeNames known = links.nodes;
    std::ranges::sort(known);
    if (links.all && known == nodes) {
        if (const auto seconds = cluster::expectedSeconds(*links.all, bytes)) {
            return found(seconds, areSeveral);
        }
    }
    return found(secondsOfPairs(links, nodes, bytes), areSeveral || topology.nodes > 2);
}

// The median of the runs, of each run's nodes the mean; none where one of them does not tell.
std::optional<double> gpuUseOf(const std::vector<const TimedRun*>& runs) {
    std::vector<double> uses;
    for (const TimedRun* run : runs) {
        const std::vector<NodeNoise>& nodes = run->run->noise;
        double sum = 0;
        for (const NodeNoise& node : nodes) {
            if (!node.inRange || !node.gpuUse) {
                return std::nullopt;
            }
            sum += *node.gpuUse;
        }
        if (nodes.empty()) {
            return std::nullopt;
        }
        uses.push_back(sum / static_cast<double>(nodes.size()));
    }
    return uses.empty() ? std::nullopt : std::optional(analysis::medianOf(uses));
}

class Estimator {
public:
    Estimator(const UnsplitRuns& of, const HardwareBaselines& baselines)
        : of_(of), baselines_(baselines), nodes_(commonNodes(of.runs)), left_(of.left) {}

    Estimates estimate() {
        if (nodes_.empty() || of_.seconds <= 0 || left_ <= 0) {
            return {};
        }
        addSlowNode();
        addExchange();
        addReading();
        addUse();
        return std::move(estimates_);
    }

private:
    // `range` in seconds. Nothing explains more than is lost.
    LossPart& add(Cause cause, double seconds, std::optional<analysis::Interval> range) {
        const auto share = [&](double value) { return std::clamp(value, 0.0, left_) / of_.seconds; };
        LossPart part{.cause = cause, .share = share(seconds), .seconds = std::clamp(seconds, 0.0, left_)};
        if (range) {
            part.range = analysis::Interval{share(range->low), share(range->high)};
        }
        left_ -= part.seconds;
        estimates_.parts.push_back(std::move(part));
        return estimates_.parts.back();
    }

    void addSlowNode() {
        auto waiting = waitingByRuns(of_, nodes_);
        waiting = waiting ? waiting : waitingByBaseline(of_, nodes_, baselines_.compute);
        if (waiting && waiting->seconds > 0) {
            waited_ = waiting->seconds;
            LossPart& part =
                add(Cause::SlowRank, waiting->seconds, analysis::spreadOf(waiting->secondsInEach));
            part.where = nodeTitle(waiting->node.node);
            part.words = waiting->node.sentence;
            part.evidence = waiting->evidence;
        }
    }

    void addExchange() {
        const auto exchange = exchangeOf(of_, nodes_, baselines_);
        if (!exchange || left_ <= 0) {
            return;
        }
        // The slowest node's backward pass: it is the last that has gradients to exchange.
        const double hidden = backwardPass * (of_.computing + waited_);
        const double shown = exchange->seconds - hidden;
        const double most = exchange->isLeast ? left_ : std::min(exchange->seconds, left_);
        if (shown <= 0) {
            estimates_.possible.push_back(
                fmt::format("the exchange of gradients could be up to {} of it", milliseconds(most)));
            return;
        }
        const cluster::LinkBaseline& links = *baselines_.links;
        const std::string megabytes = fmt::format("{} MB", grouped(exchange->gradients.bytes / 1e6, 0));
        const std::string takes = milliseconds(exchange->seconds);
        LossPart& part = add(Cause::Communication, shown, analysis::Interval{shown, most});
        part.words = exchange->isLeast ? fmt::format(
                                             "Exchanging {} of gradients takes at least {} over these "
                                             "links, of which computing can hide up to {}",
                                             megabytes, takes, milliseconds(hidden))
                                       : fmt::format(
                                             "Exchanging {} of gradients takes {} over these links, "
                                             "of which computing can hide up to {}",
                                             megabytes, takes, milliseconds(hidden));
        const std::string& sender = exchange->gradients.from;
        part.evidence = sender.empty()
                            ? fmt::format("how long all-reduces take over the links, measured {} ({})",
                                          dayOf(links.measured), exchange->by)
                            : fmt::format(
                                  "what {} sent in the measured iterations, and how long "
                                  "all-reduces take over the links, measured {} ({})",
                                  sender, dayOf(links.measured), exchange->by);
    }

    void addReading() {
        const RunResult& run = first();
        if (!baselines_.data || of_.tellsData || run.unit != "images/s" ||
            dataSource(run.benchmarkCase.configuration) != "real") {
            return;
        }
        const cluster::NodeReading* slowest = nullptr;
        for (const cluster::NodeReading& node : baselines_.data->nodes) {
            if (node.imagesPerSecond && isIn(nodes_, node.node) &&
                (slowest == nullptr || *node.imagesPerSecond < *slowest->imagesPerSecond)) {
                slowest = &node;
            }
        }
        const double taken =
            run.benchmarkCase.topology.devices * run.benchmarkCase.configuration.batchSize / of_.secondsAlone;
        if (slowest != nullptr && *slowest->imagesPerSecond < taken) {
            estimates_.possible.push_back(fmt::format(
                "if the runs read {}, waiting for data could be a part: {} prepared {} images/s of it ({}), "
                "and at the ideal its devices take {}",
                slowest->folder, slowest->node, brief(*slowest->imagesPerSecond), baselines_.data->by,
                brief(taken)));
        }
    }

    // A GPU that waits for data or for the program does nothing; one that exchanges gradients by NCCL works.
    void addUse() {
        constexpr double seen = 0.05;  // a difference of the use that says something
        const auto alone = gpuUseOf(of_.alone);
        const auto together = gpuUseOf(of_.runs);
        if (!alone || !together) {
            return;
        }
        estimates_.possible.push_back(
            *alone - *together < seen
                ? fmt::format(
                      "GPUs work {} of the time and {} on 1n1g, so they do not wait longer for data: it is "
                      "in their computing or in the exchange of gradients",
                      percent(*together), percent(*alone))
                : fmt::format(
                      "GPUs work {} of the time and {} on 1n1g, so they wait: for data, for the program "
                      "or for each other",
                      percent(*together), percent(*alone)));
    }

    [[nodiscard]] const RunResult& first() const { return *of_.runs.front()->run; }

    const UnsplitRuns& of_;
    const HardwareBaselines& baselines_;
    NodeNames nodes_;
    double left_ = 0;    // seconds that nothing explains yet
    double waited_ = 0;  // for the slowest node
    Estimates estimates_;
};

}  // namespace

Estimates estimatesOf(const UnsplitRuns& runs, const HardwareBaselines& baselines) {
    return Estimator(runs, baselines).estimate();
}

}  // namespace dlperf::report
