// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/pause.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/cluster/named_interfaces.h"
#include "core/remote/preflight.h"
#include "core/run/node_files.h"
#include "core/run/node_scripts.h"
#include "core/run/on_all_nodes.h"
#include "core/run/worker_copy.h"

namespace dlperf::run {
namespace {

// The environment as a file of the run's folder: secrets are named, never written.
std::string maskedEnvironment(const std::map<std::string, std::string>& environment,
                              const std::vector<std::string>& secrets) {
    std::string text = exportLines(environment);
    for (const std::string& name : secrets) {
        text += fmt::format("# {} is a secret and was not written here\n", name);
    }
    return text;
}

constexpr std::chrono::milliseconds busyNap{800};  // between two looks at a busy node

// With "anyway" a run may start by a Python that lacks something.
std::string pythonOf(const cluster::RecipeEnvironment& found) {
    return !found.python.empty() ? found.python : found.base.empty() ? "python3" : found.base;
}

// Of all the files together: what the folder's name says.
std::string checksumOf(const std::vector<NodeFile>& files) {
    constexpr std::size_t enough = 16;  // digits
    Sha256 checksum;
    for (const NodeFile& file : files) {
        checksum.add(fmt::format("{} {:o} {}\n", file.name, file.mode, file.sha256));
    }
    return checksum.digits().substr(0, enough);
}

class Preparation {
public:
    Preparation(RunContext& run, const NodeVersions& versions, LockHeartbeats& heartbeats)
        : run_(run),
          versions_(versions),
          heartbeats_(heartbeats),
          startedBefore_(run.nodes.size()),
          workerFolders_(run.nodes.size()),
          environments_(run.nodes.size()),
          recipeFolders_(run.nodes.size()) {}

    using Step = Result<void> (Preparation::*)(const std::stop_token&);

    // Retries a step that failed because a node was not reached: steps may be repeated.
    [[nodiscard]] Result<void> retry(Step step, const std::stop_token& stop) {
        notReachedSince_.reset();
        for (;;) {
            auto done = (this->*step)(stop);
            if (run_.brokenJournal) {
                return Failure(*run_.brokenJournal);
            }
            if (done || done.error().kind != ErrorKind::Transient || stop.stop_requested()) {
                return done;
            }
            notReachedSince_ = notReachedSince_.value_or(Clock::now());
            if (!run_.mayWaitForNodes(Clock::now() - *notReachedSince_)) {
                return done;
            }
            run_.publishProgress(RunPhase::Preparing, describe(done.error()));
            run_.control.wait(std::chrono::seconds(1));
        }
    }

    // A run that waits for one node holds none of the others: two runs that each have one of a pair would
    // wait for each other, and a run that needs only the free one would wait without need.
    [[nodiscard]] Result<void> claim(const std::stop_token& stop) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(run_.task.timeoutSeconds);
        run_.note(event::ClaimBegan{});
        for (;;) {
            const auto claims = claimAll(stop);
            TRY(firstFailure(claims));
            notReachedSince_.reset();
            const auto busy = std::find_if(claims.begin(), claims.end(),
                                           [](const auto& claim) { return !claim->busyWith.empty(); });
            if (busy == claims.end()) {
                keepClaims(claims);
                return {};
            }
            const std::string node = run_.nodes[static_cast<std::size_t>(busy - claims.begin())].name();
            if (std::chrono::steady_clock::now() >= until || stop.stop_requested()) {
                return fail("is busy with " + (*busy)->busyWith, "node " + node,
                            "Wait for it, or see with `dlperf ps` what it is.", ErrorKind::Work);
            }
            releaseClaims(claims);
            stopEarlier(claims);
            run_.publishProgress(RunPhase::Preparing, fmt::format("waits for node {}, which is busy with {}",
                                                                  node, (*busy)->busyWith));
            run_.control.wait(uneven(busyNap));  // two runs that want the same nodes do not stay in step
        }
    }

    // A node may have changed since the plan was checked: what the recipe needs is looked for before each
    // run.
    [[nodiscard]] Result<void> findEnvironments(const std::stop_token& stop) {
        const auto found = onAllNodes(run_.nodes, [&](const NodeRun& node, std::size_t rank) -> Result<void> {
            const auto& needs = node.launch().needs;
            if (!needs || !needs->any() || startedBefore_[rank]) {
                return {};
            }
            environments_[rank] = TRY(
                remote::findEnvironment(node.transport(), node.node(), *needs, cluster::Depth::Files, stop));
            for (const cluster::Check& check : cluster::checkRecipe(*needs, environments_[rank])) {
                if (check.stopsRun && !run_.settings.anyway) {
                    return Failure(cluster::errorOf(check, node.name()));
                }
            }
            return {};
        });
        return firstFailure(found);
    }

    // Those that the plan names. Which nodes a job has is known only now; nodes of a list were asked before
    // the plan began.
    [[nodiscard]] Result<void> tryInterfaces(const std::stop_token& stop) {
        const Variant& variant = run_.state.benchmarkCase.configuration.variant;
        const auto named = variant.find("DLPERF_INTERFACE");
        if (!run_.state.slurm || named == variant.end() || run_.nodes.size() < 2 ||
            std::ranges::find(startedBefore_, true) != startedBefore_.end()) {
            return {};
        }
        const auto transports = mapped(run_.nodes, [](const NodeRun& node) { return &node.transport(); });
        const auto checks = remote::checkInterfaces(mapped(run_.nodes, &NodeRun::node), transports,
                                                    cluster::interfacesIn(named->second), stop);
        if (!checks) {  // no run stops for what is not known
            run_.note(event::Warned{{"check", reasonOf(checks.error()), "between the nodes"}});
            return {};
        }
        for (const cluster::Check& check : *checks) {
            if (check.stopsRun && !run_.settings.anyway) {
                return Failure(cluster::errorOf(check, {}));
            }
            if (check.verdict != cluster::Verdict::Passed) {
                run_.note(event::Warned{
                    {"check", fmt::format("{}: {}", check.title, check.summary), "between the nodes"}});
            }
        }
        return {};
    }

    [[nodiscard]] Result<void> bringRecipe(const std::stop_token& stop) {
        const auto& files = run_.task.planned.files;
        if (!files) {
            return {};
        }
        const auto toBring = mapped(*files, [](const launch::RecipeFile& file) {
            return nodeFile(file.name, file.bytes, file.executable ? 0755 : 0644);
        });
        const std::string& recipe = run_.task.planned.recipe;
        const std::string place = fmt::format("cache/recipes/{}-{}", recipe, checksumOf(toBring));
        const auto brought =
            onAllNodes(run_.nodes, [&](const NodeRun& node, std::size_t rank) -> Result<void> {
                if (!startedBefore_[rank]) {
                    recipeFolders_[rank] =
                        TRY(bringFiles(node, place, toBring, "the recipe " + recipe, stop));
                }
                return {};
            });
        return firstFailure(brought);
    }

    // Of nodes where the recipe finds no worker; for each run anew, for what was put there may have been
    // removed.
    [[nodiscard]] Result<void> bringWorkers(const std::stop_token& stop) {
        if (std::none_of(run_.nodes.begin(), run_.nodes.end(),
                         [](const NodeRun& node) { return launch::needsWorker(node.launch()); })) {
            return {};
        }
        if (!worker_) {
            worker_ = TRY(readWorker(run_.settings.worker));
        }
        const auto brought =
            onAllNodes(run_.nodes, [&](const NodeRun& node, std::size_t rank) -> Result<void> {
                if (!launch::needsWorker(node.launch()) || startedBefore_[rank]) {
                    return {};
                }
                auto folder = bringWorker(node, *worker_, stop);
                workerFolders_[rank] = folder.value_or("");
                return folder ? Result<void>() : Failure(folder.error());
            });
        return firstFailure(brought);
    }

    [[nodiscard]] Result<void> allocatePort(const std::stop_token& stop) {
        if (run_.state.masterPort) {
            return {};
        }
        const auto port = TRY(run_.nodes.front().freePort(std::random_device{}() % 100'000, stop));
        run_.note(event::PortAllocated{port});
        return {};
    }

    [[nodiscard]] Result<void> deploy(const std::stop_token& stop) {
        (void)writeVersions(run_.task.folder, versions_);  // what is known by now; a resume needs it
        const auto placed = onAllNodes(run_.nodes, [&](NodeRun& node, std::size_t rank) -> Result<void> {
            const NodeClaim& claim = run_.state.claims.at(rank);
            if (startedBefore_[rank] || !node.launch().startsScript) {
                return {};
            }
            const cluster::RecipeEnvironment& found = environments_[rank];
            const auto environment = launch::settle(
                node.launch(), {run_.state.id, node.trainerFolder(), claim.home, *run_.state.masterPort,
                                run_.state.repetition, workerFolders_[rank], recipeFolders_[rank],
                                pythonOf(found), found.source});
            const auto copy = run_.task.folder / fmt::format("node{}.env", rank);
            TRY(writeFileAtomically(copy, maskedEnvironment(environment, node.launch().secrets), 0600));
            if (!run_.task.versions.contains(node.name())) {
                TRY(node.placeVersions(stop));
            }
            return node.place(
                {run_.task.planned.script, environment, run_.task.planned.neededPackages,
                 run_.task.planned.logFile, std::chrono::ceil<std::chrono::seconds>(run_.settings.lease),
                 std::chrono::seconds(run_.task.timeoutSeconds) + run_.settings.limitMargin},
                stop);
        });
        TRY(firstFailure(placed));
        return writeFileAtomically(run_.task.folder / "launch.sh", run_.task.planned.script, 0755);
    }

    [[nodiscard]] Result<void> tryWorkers(const std::stop_token& stop) {
        const auto tried = onAllNodes(run_.nodes, [&](const NodeRun& node, std::size_t rank) {
            const bool brought = !workerFolders_[rank].empty();
            // This machine's own starts, but it may lack what a GPU needs.
            const bool own = !brought && !startedBefore_[rank] && cudaUseOf(node.launch()) != CudaUse::No &&
                             run_.task.planned.usesWorker;
            if (!node.launch().startsScript || (!brought && !own)) {
                return Result<void>();
            }
            return tryWorker(node, brought ? worker_->machine : "", stop);
        });
        return firstFailure(tried);
    }

    [[nodiscard]] Result<void> start(const std::stop_token& stop) {
        if (!run_.state.startBegan) {
            run_.note(event::StartBegan{});
        }
        const auto started =
            onAllNodes(run_.nodes, [&](NodeRun& node, std::size_t rank) -> Result<std::optional<Identity>> {
                const auto before = run_.state.trainers.find(rank);
                if (before != run_.state.trainers.end()) {
                    return before->second;
                }
                if (!node.launch().startsScript) {
                    return std::nullopt;
                }
                auto identity = node.start(stop);
                return identity ? Result<std::optional<Identity>>(*identity) : Failure(identity.error());
            });
        for (std::size_t rank = 0; rank < started.size(); ++rank) {
            if (started[rank] && *started[rank] && !run_.state.trainers.contains(rank)) {
                run_.note(event::Started{rank, **started[rank]});
            }
        }
        return firstFailure(started);
    }

private:
    [[nodiscard]] std::vector<Result<Claim>> claimAll(const std::stop_token& stop) {
        return onAllNodes(run_.nodes, [&](NodeRun& node, std::size_t rank) -> Result<Claim> {
            const auto before = run_.state.claims.find(rank);
            if (run_.state.trainers.contains(rank) && before != run_.state.claims.end()) {
                node.adopt(before->second.folder);  // its trainer was started: nothing is left to claim
                return Claim{before->second, true};
            }
            return node.claim(stop);
        });
    }

    // A run that is over and still has a node was given up while the node was away.
    void stopEarlier(const std::vector<Result<Claim>>& claims) {
        (void)onAllNodes(run_.nodes, [&](const NodeRun& node, std::size_t rank) {
            const Claim& claim = *claims[rank];
            if (claim.holder.empty() || claim.holder == run_.state.id || !run_.task.isOver(claim.holder)) {
                return Result<void>();
            }
            NodeRun earlier = node.ofRun(claim.holder, claim.holderFolder);
            const auto left = stopOnNode(earlier, run_.settings);
            return left && left->empty() ? earlier.release() : Result<void>();
        });
    }

    // But for nodes where an earlier runner has started the trainer.
    void releaseClaims(const std::vector<Result<Claim>>& claims) {
        (void)onAllNodes(run_.nodes, [&](NodeRun& node, std::size_t rank) {
            const Claim& claim = *claims[rank];
            return claim.busyWith.empty() && !claim.started ? node.release() : Result<void>();
        });
    }

    void keepClaims(const std::vector<Result<Claim>>& claims) {
        for (std::size_t rank = 0; rank < claims.size(); ++rank) {
            startedBefore_[rank] = claims[rank]->started;
            if (!run_.state.claims.contains(rank)) {  // GPU processes seen later may be our own
                run_.note(event::Claimed{rank, *claims[rank]});
            }
            if (!heartbeats_[rank]) {
                heartbeats_[rank] =
                    std::make_unique<LockHeartbeat>(run_.nodes[rank], run_.settings.heartbeat);
            }
        }
    }

    using Clock = std::chrono::steady_clock;

    RunContext& run_;
    const NodeVersions& versions_;
    LockHeartbeats& heartbeats_;
    std::optional<Clock::time_point> notReachedSince_;  // by the step at hand
    std::vector<bool> startedBefore_;                   // by rank: an earlier runner started the trainer
    std::optional<WorkerFiles> worker_;                 // once it was brought to a node
    std::vector<std::string> workerFolders_;            // by rank; empty where none was brought
    std::vector<cluster::RecipeEnvironment> environments_;
    std::vector<std::string> recipeFolders_;
};

}  // namespace

Result<void> prepareRun(RunContext& run, const NodeVersions& versions, LockHeartbeats& heartbeats) {
    const std::stop_token stop = run.control.runStop(run.state.id);
    run.publishProgress(RunPhase::Preparing);
    Preparation preparation(run, versions, heartbeats);
    for (const auto step : {&Preparation::claim, &Preparation::findEnvironments, &Preparation::tryInterfaces,
                            &Preparation::bringRecipe, &Preparation::bringWorkers, &Preparation::allocatePort,
                            &Preparation::deploy, &Preparation::tryWorkers, &Preparation::start}) {
        TRY(preparation.retry(step, stop));
    }
    return {};
}

}  // namespace dlperf::run
