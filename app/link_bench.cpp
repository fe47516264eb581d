// SPDX-License-Identifier: Apache-2.0
#include "app/link_bench.h"

#include <fmt/format.h>

#include <iostream>
#include <set>
#include <utility>
#include <vector>

#include "app/told.h"
#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::app {
namespace {

constexpr const char* linkRecipe = "dlperf-links";
constexpr std::uintmax_t mostLogBytes = 1U << 20U;

// One run to come.
struct LinkRun {
    std::string title;               // "between a and b"
    std::vector<std::string> nodes;  // empty: as many as the topology has
    Topology topology;
    cluster::LinkSeries* series = nullptr;                    // where it belongs
    std::vector<std::string*> namesOfSlurm{};                 // of a job's nodes, by rank
    std::optional<cluster::LinkSeries>* ncclTests = nullptr;  // where theirs belongs, within a node
};

// What there is to measure, each missing so far.
cluster::LinkBaseline emptyBaseline(const cluster::Cluster& cluster) {
    cluster::LinkBaseline baseline;
    const auto nothing = [](int ranks) { return cluster::LinkSeries{ranks, {}, "was not measured"}; };
    const bool named = !cluster.slurm;  // a job's nodes are Slurm's choice
    for (const cluster::Node& node : cluster.nodes) {
        for (std::size_t i = 0; named && i < baseline.nodes.size(); ++i) {
            baseline.pairs.push_back({baseline.nodes[i], node.name, nothing(2)});
        }
        if (node.devices.value_or(1) > 1 && (named || baseline.within.empty())) {
            baseline.within.push_back({node.name, nothing(*node.devices)});
        }
        baseline.nodes.push_back(node.name);
    }
    const auto count = static_cast<int>(cluster.nodes.size());
    if (count > (named ? 2 : 1)) {
        baseline.all = nothing(count);
    }
    return baseline;
}

std::vector<LinkRun> runsOf(cluster::LinkBaseline& baseline, bool slurm) {
    std::vector<LinkRun> runs;
    for (cluster::PairBaseline& pair : baseline.pairs) {
        runs.push_back({fmt::format("between {} and {}", pair.from, pair.to),
                        {pair.from, pair.to},
                        Topology{2, 1},
                        &pair.series});
    }
    if (baseline.all) {
        runs.push_back({fmt::format("all {} nodes together", baseline.nodes.size()),
                        slurm ? std::vector<std::string>() : baseline.nodes, Topology{baseline.all->ranks, 1},
                        &*baseline.all});
        for (std::string& node : baseline.nodes) {
            runs.back().namesOfSlurm.push_back(&node);
        }
    }
    for (cluster::NodeBaseline& node : baseline.within) {
        runs.push_back({fmt::format("the {} devices of {}", node.series.ranks, slurm ? "a node" : node.node),
                        slurm ? std::vector<std::string>() : std::vector{node.node},
                        Topology{1, node.series.ranks},
                        &node.series,
                        {&node.node},
                        &node.ncclTests});
    }
    return runs;
}

// By the nodes' names in place of their ranks.
std::vector<cluster::RingLink> ringOf(std::vector<cluster::RingLink> links,
                                      const std::vector<std::string>& nodes) {
    for (cluster::RingLink& link : links) {
        for (std::string* end : {&link.from, &link.to}) {
            const auto rank = numberIn<std::size_t>(*end);
            *end = rank && *rank < nodes.size() ? nodes[*rank] : std::string();
        }
    }
    std::erase_if(links, [](const auto& link) { return link.from.empty() || link.to.empty(); });
    return links;
}

// Of what exchanged the messages, each once.
std::string namesOfComm(const cluster::LinkBaseline& baseline) {
    std::set<std::string> names;
    for (const cluster::LinkSeries* series : cluster::measuredSeries(baseline)) {
        names.insert(series->by);
    }
    return join({names.begin(), names.end()}, "; ");
}

class LinkBench {
public:
    LinkBench(BenchRuns& runs, std::string backend) : runs_(runs), backend_(std::move(backend)) {}

    [[nodiscard]] Result<cluster::LinkBaseline> measure() {
        const cluster::Cluster& cluster = runs_.cluster();
        auto baseline = emptyBaseline(cluster);
        const std::vector<LinkRun> runs = runsOf(baseline, cluster.slurm.has_value());
        if (runs.empty()) {
            return fail("there is no link to measure: it is one node with one device", cluster.name,
                        "Name a cluster file with two nodes or more.");
        }
        bool any = false;
        std::string why;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            TRY(measureOne(baseline, runs[i],
                           fmt::format("[{}/{}] {}", i + 1, runs.size(), told(runs[i].title))));
            any = any || !runs[i].series->points.empty();
            why = runs[i].series->missing;
        }
        if (!any) {
            return fail("no link could be measured: " + why, cluster.name, {}, ErrorKind::Work);
        }
        baseline.measured = now();
        baseline.by = namesOfComm(baseline);
        return baseline;
    }

private:
    [[nodiscard]] Result<void> measureOne(cluster::LinkBaseline& baseline, const LinkRun& wanted,
                                          const std::string& title) {
        launch::Plan plan = runs_.planOf(wanted.title, wanted.nodes, wanted.topology);
        plan.options[linkRecipe] = {{"backend", {backend_}}};
        const auto run = runs_.run(plan, title);
        TRY(runs_.checkNotCancelled());
        if (!run) {
            wanted.series->missing = describe(run.error());
            return {};
        }
        const run::RunState& ended = *run;
        for (std::size_t rank = 0; runs_.cluster().slurm && rank < ended.nodes.size(); ++rank) {
            if (rank < wanted.namesOfSlurm.size()) {
                *wanted.namesOfSlurm[rank] = ended.nodes[rank];
            }
        }
        cluster::LinkSeries& series = *wanted.series;
        if (ended.outcome != Outcome::Ok) {
            series.missing = reasonOf(ended);
            return {};
        }
        const auto file = runs_.logOf(ended, 0);
        const auto text = readFile(file, mostLogBytes);
        auto log = text ? cluster::parseLinkLog(*text, file.string()) : Failure(text.error());
        if (!log) {
            series.missing = describe(log.error());
            return {};
        }
        series.points = std::move(log->points);
        series.missing.clear();
        if (baseline.all && wanted.series == &*baseline.all) {
            baseline.ring = ringOf(log->ring, baseline.nodes);
        }
        if (wanted.ncclTests != nullptr && !log->ncclTests.empty()) {
            *wanted.ncclTests = cluster::LinkSeries{.ranks = series.ranks,
                                                    .points = std::move(log->ncclTests),
                                                    .by = "nccl-tests, all_reduce_perf in place"};
        }
        series.by = std::move(log->by);
        return {};
    }

    BenchRuns& runs_;
    std::string backend_;
};

}  // namespace

Result<cluster::LinkBaseline> measureLinks(const BenchOptions& options, const std::string& backend) {
    auto runs = TRY(BenchRuns::open(options, linkRecipe, &store::Workspace::linkRuns));
    if (runs.cluster().slurm) {
        std::cerr << told("note: Slurm chooses the nodes of a job, so pairs are not measured one by one")
                  << '\n';
    }
    auto baseline = TRY(LinkBench(runs, backend).measure());
    TRY(cluster::writeLinkBaseline(runs.workspace().linkBaseline(), baseline));
    return baseline;
}

}  // namespace dlperf::app
