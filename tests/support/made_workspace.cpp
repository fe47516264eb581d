// SPDX-License-Identifier: Apache-2.0
#include "tests/support/made_workspace.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/cluster/cluster.h"
#include "core/launch/plan.h"
#include "core/launch/prepare.h"
#include "core/run/campaign.h"
#include "core/store/notes.h"
#include "core/store/run_record.h"

namespace dlperf::test {
namespace {

namespace fs = std::filesystem;

constexpr int repetitionsOfACase = 5;
constexpr std::chrono::seconds runTime{48};

struct Implementation {
    const char* recipe;
    const char* framework;
    const char* id;
    double perDevice;  // samples per second on one
};

constexpr std::array<Implementation, 10> implementations{{
    {"oneflow-resnet50", "oneflow", "oneflow-benchmark", 395.0},
    {"oneflow-models", "oneflow", "oneflow-models", 390.0},
    {"ngc-pytorch-resnet50", "pytorch", "ngc-pytorch", 360.0},
    {"pytorch-examples", "pytorch", "pytorch-examples", 352.0},
    {"tensorflow1", "tensorflow", "ngc-tensorflow1", 345.0},
    {"tensorflow2", "tensorflow", "tensorflow2-models", 320.0},
    {"ngc-mxnet", "mxnet", "ngc-mxnet", 370.0},
    {"gluon-cv", "mxnet", "gluon-cv", 355.0},
    {"paddle-resnet50", "paddle", "paddle-models", 348.0},
    {"mindspore", "mindspore", "mindspore-model-zoo", 340.0},
}};

// Case number 0 to 1999: topologies innermost.
Case caseOf(int number) {
    constexpr std::array<Topology, 10> topologies{
        {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 8}, {4, 8}, {8, 8}, {16, 8}, {32, 8}, {64, 8}}};
    constexpr std::array<int, 5> batchSizes{32, 64, 96, 128, 256};
    constexpr std::array<const char*, 2> models{"r50", "insightface-r100"};
    constexpr std::array<const char*, 2> precisions{"fp32", "amp"};
    const auto digit = [number](int below, int base) {
        return static_cast<std::size_t>(number / below % base);
    };
    const Implementation& implementation = implementations.at(digit(10, 10));
    Configuration configuration;
    configuration.recipe = implementation.recipe;
    configuration.framework = implementation.framework;
    configuration.implementation = implementation.id;
    configuration.batchSize = batchSizes.at(digit(100, 5));
    configuration.model = models.at(digit(500, 2));
    configuration.precision = precisions.at(digit(1000, 2));
    return {configuration, topologies.at(digit(1, 10))};
}

// Scales worse the larger it gets, and no two repetitions are alike.
double figureOf(const Case& benchmarkCase, double perDevice, int repetition) {
    const double devices = benchmarkCase.topology.worldSize();
    const double spread = 1 + 0.004 * std::sin(devices + 7.0 * repetition);
    const double precision = benchmarkCase.configuration.precision == "amp" ? 2.4 : 1.0;
    return std::round(perDevice * precision * std::pow(devices, 0.97) * spread * 100) / 100;
}

void end(RunResult& result, int number) {
    if (number % 41 == 40) {
        result.outcome = Outcome::Oom;
        result.reason = "out of memory on node001: tried to allocate 512 MiB";
    } else if (number % 17 == 16) {
        result.outcome = Outcome::Failed;
        result.reason = "the trainer ended with code 1: RuntimeError: NCCL error in ProcessGroupNCCL.cpp:784";
    } else {
        result.outcome = Outcome::Ok;
        result.throughput = figureOf(result.benchmarkCase, 360, result.repetition);
    }
}

store::RunRecord recordOf(int number) {
    const Case benchmarkCase = caseOf(number / repetitionsOfACase);
    store::RunRecord record;
    RunResult& result = record.result;
    result.campaign = fmt::format("20261{:03}-090000-made", number / 1000 % 30 + 101);
    result.id = fmt::format("{}/{:04}", result.campaign, number % 1000 + 1);
    result.benchmarkCase = benchmarkCase;
    result.repetition = number % repetitionsOfACase + 1;
    result.format = "pytorch-examples";
    result.range = {20, 120};
    result.started = *parseIso8601("2026-11-01T09:00:00.000Z") + number * runTime;
    result.ended = *result.started + runTime;
    result.folder =
        fmt::format("{}_{}", store::runName(benchmarkCase.configuration, result.repetition), number);
    end(result, number);
    record.recipeTitle = benchmarkCase.configuration.implementation;
    record.plan = "made";
    return record;
}

std::string logOf(const MeasurementRange& window, int lastIteration) {
    std::string log = "# dlperf-worker 0.1.0\n# batch_size: 32\n# world_size: 1\n";
    for (int i = 1; i <= std::min(lastIteration, window.train); ++i) {
        log += fmt::format(
            "iteration {} epoch 0 loss {:.4f} time {:.5f} s data 0.00100 s comm 0.00200 s throughput {:.2f} "
            "images/s\n",
            i, 6.9 - 0.01 * i, 0.1 + 0.002 * std::sin(i), 320 / (1 + 0.02 * std::sin(i)));
    }
    return log;
}

// Where the time goes that the figure says: most is the exchange, and node002 computes slower.
std::string timesOfRanks(const RunResult& result) {
    const Topology& topology = result.benchmarkCase.topology;
    const double batch = result.benchmarkCase.configuration.batchSize;
    const double alone = batch / 360;
    const double iteration = batch * topology.worldSize() / *result.throughput;
    const double excess = topology.worldSize() > 1 ? iteration - alone : 0;
    const double slow = topology.nodes > 1 ? 0.25 * excess : 0;
    std::string lines =
        fmt::format("# ranks: means of iterations {} to {}\n", result.range.warmup + 1, result.range.train);
    for (int rank = 0; rank < topology.worldSize(); ++rank) {
        const double compute = 0.99 * alone + 0.1 * excess + (rank / topology.devices == 1 ? slow : 0);
        const double data = 0.01 * alone + 0.08 * excess;
        lines += fmt::format("# rank {}: compute {:.6f} s data {:.6f} s comm {:.6f} s\n", rank, compute, data,
                             std::max(0.0, iteration - compute - data));
    }
    return lines + fmt::format("# exchange: {:.6f} s\n", std::max(0.0, 0.77 * excess - slow));
}

// What the window tells cause and remedy of.
std::string saidAtTheEnd(const RunResult& result) {
    switch (result.outcome) {
        case Outcome::Ok:
            return timesOfRanks(result);
        case Outcome::Oom:
            return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB\n";
        case Outcome::Failed:
            return "node001:211:342 [0] misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to "
                   "fe80::a480:7fff:fecf:1ed9%veth0<45166> failed : Network is unreachable\n";
        default:
            return {};
    }
}

// Not flushed to disk, as the runner does it: that would take a minute for 10,000 files.
Result<void> write(const fs::path& file, const std::string& bytes) {
    if (auto made = makeFolders(file.parent_path()); !made) {
        return made;
    }
    std::ofstream out(file, std::ios::binary);
    out << bytes;
    return out.flush() ? Result<void>()
                       : fail("could not be written", file.string(), "Check the disk.", ErrorKind::Work);
}

// Lines as run::Journal writes them.
class JournalText {
public:
    void add(const run::Event& event) { text_ += run::toJson(event).dump() + "\n"; }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

Result<void> writeRun(const store::Workspace& workspace, const store::RunRecord& record, int lastIteration) {
    const fs::path folder = workspace.root() / record.result.folder;
    auto written = write(folder / "run.json", store::toJson(record).dump(1) + "\n");
    const std::string log = logOf(record.result.range, lastIteration) + saidAtTheEnd(record.result);
    return written ? write(folder / "node0.log", log) : written;
}

std::string folderOf(const store::Workspace& workspace, const RunResult& result) {
    const fs::path folder = workspace.caseFolder(result.benchmarkCase) /
                            store::runName(result.benchmarkCase.configuration, result.repetition);
    return fs::relative(folder, workspace.root()).string();
}

// A run that began at `time`.
store::RunRecord begunRun(const store::Workspace& workspace, const run::Campaign& campaign,
                          std::size_t number, TimePoint time) {
    const run::RunState& run = campaign.runs[number];
    store::RunRecord record{run.result(), run.recipeTitle, campaign.plan, Json::object()};
    RunResult& result = record.result;
    for (int node = 1; node <= result.benchmarkCase.topology.nodes; ++node) {
        record.facts["nodes"].push_back({{"name", fmt::format("node{:03}", node)}});
    }
    result.folder = folderOf(workspace, result);
    result.started = time;
    return record;
}

void addBegin(JournalText& journal, const RunResult& result, std::size_t number) {
    journal.add({run::event::Began{result.repetition, result.folder}, number, *result.started});
    journal.add({run::event::PhaseReached{run::RunPhase::Running}, number, *result.started});
}

void addEnd(JournalText& journal, run::RunState run, const RunResult& result, std::size_t number) {
    run.result() = result;
    for (const bool named : {false, true}) {
        journal.add({run::endOf(run, named), number, *result.ended});
    }
}

Result<void> writeJournal(const store::Workspace& workspace, const std::string& campaign,
                          const JournalText& journal) {
    return write(run::campaignFolder(workspace, campaign) / "journal.jsonl", journal.text());
}

// What the runner leaves of run number `number`, which began at `time`; it runs still where not `ended`.
Result<void> leaveRun(const store::Workspace& workspace, const run::Campaign& campaign, std::size_t number,
                      TimePoint time, bool ended, JournalText& journal) {
    store::RunRecord record = begunRun(workspace, campaign, number, time);
    RunResult& result = record.result;
    addBegin(journal, result, number);
    if (!ended) {
        return writeRun(workspace, record, result.range.train / 2);
    }
    result.ended = time + runTime;
    end(result, static_cast<int>(number));
    addEnd(journal, campaign.runs[number], result, number);
    if (number % 23 == 22) {
        const store::RunNote note{"", true, "another job ran on the node"};
        if (auto written = store::writeNote(workspace, result.id, note); !written) {
            return written;
        }
    }
    return writeRun(workspace, record, result.range.train);
}

Json planFor(int runs) {
    constexpr int cases = 20;  // 5 topologies, 2 batch sizes, 2 precisions
    return {{"name", "weekend"},
            {"recipes", {"dlperf-worker"}},
            {"topologies", {"1n1g", "1n2g", "1n4g", "1n8g", "2n8g"}},
            {"batch_sizes", {32, 64}},
            {"precisions", {"fp32", "bf16"}},
            {"repetitions", (runs + cases - 1) / cases},
            {"warmup", 20},
            {"train", 120}};
}

Result<run::CampaignInputs> inputsFor(const Json& plan) {
    Json nodes = Json::array();
    for (const char* name : {"node001", "node002"}) {
        nodes.push_back({{"name", name}, {"local", true}, {"devices", 8}});
    }
    auto readPlan = launch::planFromJson(plan, "plan");
    auto cluster = cluster::clusterFromJson({{"name", "made"}, {"nodes", nodes}}, "cluster");
    if (!readPlan || !cluster) {
        return Failure(readPlan ? cluster.error() : readPlan.error());
    }
    auto recipes = launch::readRecipes(std::vector{fs::path(DLPERF_SOURCE_DIR "/resources/recipes")});
    return run::CampaignInputs{std::move(*readPlan), std::move(*cluster), std::move(recipes)};
}

// The campaign of the plan's first runs.
Result<run::Campaign> createFor(const store::Workspace& workspace, const Json& plan, std::size_t most) {
    auto inputs = TRY(inputsFor(plan));
    auto prepared = TRY(launch::prepare(inputs.plan, inputs.cluster, inputs.recipes, Vocabulary{}));
    prepared.runs.resize(std::min(prepared.runs.size(), most));
    return run::createCampaign(workspace, inputs, prepared, {});
}

// What the change did to a case; nothing: it ran out of memory.
std::optional<double> changeOf(const Case& benchmarkCase, bool isAfter) {
    const bool isSmall = benchmarkCase.configuration.batchSize == 32;
    if (!isAfter) {
        return 1;
    }
    switch (benchmarkCase.topology.devices) {
        case 4:
            return isSmall ? 0.97 : 1;
        case 8:
            return isSmall ? std::optional(1.02) : std::nullopt;
        default:
            return 1;
    }
}

// All runs of one night ended, with what is recorded of each.
Result<void> leaveNight(const store::Workspace& workspace, const run::Campaign& campaign, bool isAfter) {
    JournalText journal;
    TimePoint time = now() - std::chrono::hours(isAfter ? 10 : 34);
    for (std::size_t i = 0; i < campaign.runs.size(); ++i, time += runTime) {
        store::RunRecord record = begunRun(workspace, campaign, i, time);
        RunResult& result = record.result;
        result.ended = time + runTime;
        result.versions = {{"nccl", isAfter ? "2.19.4" : "2.18.3"},
                           {"driver", isAfter ? "550.54" : "535.161"}};
        for (Json& node : record.facts["nodes"]) {
            node["facts"] = {"cpu=AMD EPYC 7763, 128 cores",
                             isAfter ? "env=NCCL_ALGO=Tree" : "env=OMP_NUM_THREADS=8"};
        }
        if (const auto change = changeOf(result.benchmarkCase, isAfter)) {
            result.outcome = Outcome::Ok;
            result.throughput = figureOf(result.benchmarkCase, 360 * *change, result.repetition);
        } else {
            result.outcome = Outcome::Oom;
            result.reason = "out of memory on node001: tried to allocate 512 MiB";
        }
        addBegin(journal, result, i);
        addEnd(journal, campaign.runs[i], result, i);
        TRY(writeRun(workspace, record, result.range.train));
    }
    return writeJournal(workspace, campaign.id, journal);
}

}  // namespace

Result<void> makeResults(const store::Workspace& workspace, int count) {
    for (int i = 0; i < count; ++i) {
        store::RunRecord record = recordOf(i);
        const fs::path folder =
            workspace.caseFolder(record.result.benchmarkCase) / std::exchange(record.result.folder, {});
        if (auto written = write(folder / "run.json", store::toJson(record).dump(1) + "\n"); !written) {
            return written;
        }
    }
    return {};
}

Result<void> makeTwoNights(const store::Workspace& workspace) {
    const Json plan{{"name", "nightly"},
                    {"recipes", {"dlperf-worker"}},
                    {"topologies", {"1n1g", "1n2g", "1n4g", "1n8g"}},
                    {"batch_sizes", {32, 64}},
                    {"repetitions", 7},
                    {"warmup", 20},
                    {"train", 120}};
    for (const bool isAfter : {false, true}) {
        const auto campaign = TRY(createFor(workspace, plan, std::numeric_limits<std::size_t>::max()));
        TRY(leaveNight(workspace, campaign, isAfter));
    }
    return {};
}

Result<run::Campaign> makeCampaign(const store::Workspace& workspace, int runs) {
    auto campaign = createFor(workspace, planFor(runs), static_cast<std::size_t>(runs));
    if (!campaign) {
        return campaign;
    }
    JournalText journal;
    const std::size_t running = campaign->runs.size() * 6 / 10;
    TimePoint time = now() - running * runTime - runTime / 2;
    for (std::size_t i = 0; i <= running && i < campaign->runs.size(); ++i, time += runTime) {
        if (auto left = leaveRun(workspace, *campaign, i, time, i < running, journal); !left) {
            return Failure(left.error());
        }
    }
    for (std::size_t i = running + 1; i < campaign->runs.size(); i += 29) {
        journal.add({run::event::SkipChanged{true}, i, time});
    }
    if (auto written = writeJournal(workspace, campaign->id, journal); !written) {
        return Failure(written.error());
    }
    return campaign;
}

Result<run::WorkspaceLock> seemToRun(const store::Workspace& workspace, const run::Campaign& campaign) {
    auto lock = run::WorkspaceLock::take(workspace);
    if (lock) {
        if (auto working = lock->workOn(campaign.id); !working) {
            return Failure(working.error());
        }
    }
    return lock;
}

Result<void> makeCluster(const fs::path& file, int nodes) {
    cluster::Cluster cluster{"made", {}};
    for (int i = 1; i <= nodes; ++i) {
        cluster::Node node;
        node.name = fmt::format("node{:03}", i);
        // Nobody listens there: not reached, at once and by no network.
        node.host = fmt::format("127.1.{}.{}", i / 250, i % 250 + 1);
        node.port = 9;
        node.user = "bench";
        node.devices = 8;
        cluster.nodes.push_back(std::move(node));
    }
    return write(file, cluster::toJson(cluster).dump(1) + "\n");
}

Result<void> breakWorkspace(const store::Workspace& workspace) {
    const std::array<fs::path, 4> torn{
        workspace.campaigns() / "20261120-120000-torn" / "campaign.json",
        workspace.campaigns() / "20261120-120000-torn" / "plan.json",
        workspace.logs() / "pytorch-examples/b128_fp32/1n1g/r50_b128_fp32_1/run.json",
        workspace.notes() / "20261120-120000-torn~0001.json"};
    for (const fs::path& file : torn) {
        if (auto written = write(file, "{\"name\": \"to"); !written) {
            return written;
        }
    }
    return {};
}

}  // namespace dlperf::test
