// SPDX-License-Identifier: Apache-2.0
#include "core/run/environments.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <utility>

#include "core/base/file.h"
#include "core/base/node_script.h"
#include "core/base/pause.h"
#include "core/base/text.h"
#include "core/model/case.h"
#include "core/remote/local_transport.h"
#include "core/remote/preflight.h"
#include "core/run/node_files.h"
#include "core/run/node_monitor.h"
#include "core/run/run_stages.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int indexNotReached = 69;  // exit code of make_environment.sh
constexpr std::size_t logChunkBytes = 64U << 10U;
constexpr std::size_t linesOfFailure = 6;  // of the log's end, for the message
constexpr auto pollInterval = 300ms;
constexpr const char* ownWorkDir = "~/dlperf";  // of this machine, where wheels are made

Failure cancelled(const NodeRun& job) {
    return fail("was cancelled", "node " + job.name(), {}, ErrorKind::Work);
}

// An id that no run of a campaign has, and no other preparation.
std::string newId() {
    std::random_device random;
    return fmt::format("prepare-{:08x}{:08x}/0001", random(), random());
}

// The lines of a log as they come: the newest for progress, the last ones for a failure.
class LogLines {
public:
    explicit LogLines(std::function<void(const std::string&)> publish) : publish_(std::move(publish)) {}

    void add(std::string_view bytes) {
        rest_ += bytes;
        const std::size_t end = rest_.find_last_of("\r\n");
        if (end == std::string::npos) {
            rest_.resize(std::min(rest_.size(), logChunkBytes));
            return;
        }
        for (const std::string_view line : wordsIn(std::string_view(rest_).substr(0, end), "\r\n")) {
            last_.push_back(firstLine(line));
        }
        rest_.erase(0, end + 1);
        if (last_.size() > linesOfFailure) {
            last_.erase(last_.begin(), last_.end() - linesOfFailure);
        }
        if (!last_.empty()) {
            publish_(last_.back());
        }
    }
    [[nodiscard]] std::string end() const { return join(last_, "\n"); }

private:
    std::function<void(const std::string&)> publish_;
    std::string rest_;
    std::vector<std::string> last_;
};

// What a job is: the script in the trainer's place, what it gets, and the pinned packages beside it.
struct Job {
    std::string_view script;
    std::map<std::string, std::string> environment;
    std::string requirements;
};

// A job on a node, from the claim to the end.
class JobRun {
public:
    JobRun(NodeRun node, const Settings& settings, std::chrono::seconds timeout,
           std::function<void(EnvironmentPhase, const std::string&)> publish)
        : node_(std::move(node)),
          settings_(settings),
          until_(Clock::now() + timeout),
          timeout_(timeout),
          publish_(std::move(publish)),
          lines_([this](const std::string& line) { publish_(EnvironmentPhase::Working, line); }) {}

    // The script's exit code. An error when it could not be started, did not end in time or was cancelled.
    [[nodiscard]] Result<int> run(const Job& job, const std::stop_token& stop) {
        auto code = started(job, stop);
        const auto left =
            node_.folder().empty() ? Result<std::vector<std::string>>() : stopOnNode(node_, settings_);
        heartbeat_.reset();
        if (left && left->empty()) {  // a node that could not be asked may still work
            (void)node_.release();
            (void)node_.removeFiles();
        }
        return code;
    }
    [[nodiscard]] std::string logEnd() const { return lines_.end(); }

private:
    [[nodiscard]] Result<int> started(const Job& job, const std::stop_token& stop) {
        const std::string home = TRY(claim(stop));
        heartbeat_ = std::make_unique<LockHeartbeat>(node_, settings_.heartbeat);
        std::map<std::string, std::string> environment = job.environment;
        environment["DLPERF_RUN_DIR"] = node_.trainerFolder();
        environment["HOME"] = home;
        TRY(node_.place({std::string(job.script), environment}, stop));
        TRY(node_.transport().upload(job.requirements, node_.folder() + "/requirements.txt", 0644,
                                     {remote::Limits{}.deadline, stop}));
        const Identity identity = TRY(node_.start(stop));
        return follow(identity, stop);
    }

    // The node's home folder, once no run has the node.
    [[nodiscard]] Result<std::string> claim(const std::stop_token& stop) {
        for (;;) {
            const Claim claim = TRY(node_.claim(stop));
            if (claim.busyWith.empty()) {
                return claim.home;
            }
            TRY(mayGoOn(stop));
            publish_(EnvironmentPhase::Waiting, "the node is busy with " + claim.busyWith);
            (void)pause(1s, stop);
        }
    }

    [[nodiscard]] Result<int> follow(const Identity& identity, const std::stop_token& stop) {
        auto reached = Clock::now();
        for (std::uint64_t offset = 0;;) {
            const auto code = node_.exitCode(stop);
            const auto chunk = node_.transport().read(node_.logPath(), offset, logChunkBytes,
                                                      {remote::Limits{}.deadline, stop});
            TRY(mayGoOn(stop));
            if (!code || !chunk) {
                const Error& error = code ? chunk.error() : code.error();
                if (error.kind != ErrorKind::Transient || Clock::now() - reached > settings_.lostAfter) {
                    return Failure(error);
                }
                publish_(EnvironmentPhase::Waiting, error.what);
                (void)pause(1s, stop);
                continue;
            }
            reached = Clock::now();
            offset += chunk->bytes.size();
            lines_.add(chunk->bytes);
            if (*code && chunk->bytes.empty()) {
                return **code;
            }
            if (chunk->bytes.empty()) {
                TRY(checkAlive(identity, stop));
                (void)pause(pollInterval, stop);
            }
        }
    }

    // A job that is gone without an exit code was killed.
    [[nodiscard]] Result<void> checkAlive(const Identity& identity, const std::stop_token& stop) {
        const auto alive = node_.alive(identity, stop);
        const auto code = node_.exitCode(stop);  // afterwards: it may have ended in between
        if (alive && !*alive && code && !*code) {
            return fail("the preparation is gone and left no exit code", "node " + node_.name(),
                        "Prepare again.", ErrorKind::Work);
        }
        return {};
    }

    [[nodiscard]] Result<void> mayGoOn(const std::stop_token& stop) const {
        if (stop.stop_requested()) {
            return cancelled(node_);
        }
        if (Clock::now() >= until_) {
            return fail(fmt::format("the preparation did not end within {} s", timeout_.count()),
                        "node " + node_.name(), "Allow it more time with --timeout.", ErrorKind::Work);
        }
        return {};
    }

    NodeRun node_;
    const Settings& settings_;
    Clock::time_point until_;
    std::chrono::seconds timeout_;
    std::function<void(EnvironmentPhase, const std::string&)> publish_;
    LogLines lines_;
    std::unique_ptr<LockHeartbeat> heartbeat_;
};

// "…/cache/python/<sum>-cp311-x86_64" -> "<sum>-cp311-x86_64", and its "3.11" and "x86_64"
struct EnvironmentName {
    std::string name;
    std::string version;
    std::string machine;
};

EnvironmentName nameOf(const std::string& folder) {
    EnvironmentName named{fs::path(folder).filename().string(), {}, {}};
    const auto parts = split(named.name, '-');
    if (parts.size() >= 3 && parts[1].starts_with("cp") && parts[1].size() > 3) {
        named.version = fmt::format("{}.{}", parts[1].substr(2, 1), parts[1].substr(3));
        named.machine = named.name.substr(parts[0].size() + parts[1].size() + 2);
    }
    return named;
}

// Wheels are made where a package index is reached: here.
class Wheelhouse {
public:
    Wheelhouse(const remote::TransportFactory& transports, const Settings& settings,
               std::chrono::seconds timeout)
        : transports_(transports), settings_(settings), timeout_(timeout) {}

    // The wheels for an environment of this name.
    [[nodiscard]] Result<std::vector<fs::path>> make(
        const cluster::RecipeNeeds& needs, const cluster::RecipeEnvironment& found,
        const std::function<void(EnvironmentPhase, const std::string&)>& publish,
        const std::stop_token& stop) const {
        const EnvironmentName name = nameOf(found.folder);
        cluster::Node here;
        here.name = "wheels";
        here.local = true;
        here.workDir = ownWorkDir;
        auto transport = TRY(transports_(here));
        TRY(checkMachine(name.machine));
        const std::string base = TRY(pythonHere(*transport, here, needs, found.kind, name.version, stop));
        const fs::path folder = expandHome(ownWorkDir) / "cache/wheels" / name.name;
        JobRun run(NodeRun(std::move(transport), here, {}, newId()), settings_, timeout_, publish);
        const int code = TRY(run.run({node_script::make_wheels,
                                      {{"MAKE_BASE", base}, {"MAKE_FOLDER", folder.string()}},
                                      needs.python->requirements.at(found.kind)},
                                     stop));
        if (code != 0) {
            return failBecause(run.logEnd(), "wheels could not be made on this machine", {},
                               "See whether it reaches a package index.", ErrorKind::Work);
        }
        std::vector<fs::path> wheels = entriesOf(folder);
        std::erase_if(wheels, [](const fs::path& file) { return file.extension() != ".whl"; });
        return wheels;
    }

private:
    [[nodiscard]] static Result<void> checkMachine(const std::string& machine) {
        utsname name{};
        ::uname(&name);
        return machine == name.machine
                   ? Result<void>()
                   : fail(fmt::format("reaches no package index, and wheels for {} cannot be made on this {}",
                                      machine, name.machine),
                          {}, "Let the node reach an index, or run this on a machine like it.",
                          ErrorKind::Work);
    }
    [[nodiscard]] static Result<std::string> pythonHere(remote::Transport& transport,
                                                        const cluster::Node& here, cluster::RecipeNeeds needs,
                                                        const std::string& kind, const std::string& version,
                                                        const std::stop_token& stop) {
        needs.python->versions = "==" + version;
        needs.options["python"] = "";
        needs.options["backend"] = kind;
        needs.source.reset();
        needs.data.reset();
        auto found = TRY(remote::findEnvironment(transport, here, needs, cluster::Depth::Files, stop));
        return found.base.empty() || found.noVenv
                   ? fail(fmt::format(
                              "reaches no package index, and this machine has no Python {} with venv to make "
                              "wheels by",
                              version),
                          {},
                          fmt::format("Install it here: sudo apt-get install python{0} python{0}-venv",
                                      version),
                          ErrorKind::Work)
                   : Result<std::string>(std::move(found.base));
    }

    const remote::TransportFactory& transports_;
    const Settings& settings_;
    std::chrono::seconds timeout_;
};

cluster::RecipeNeeds besideWhatIsPrepared(cluster::RecipeNeeds needs,
                                          const cluster::RecipeEnvironment& found) {
    if (found.toPrepare()) {
        needs.python.reset();
    }
    return needs;
}

// An error of the first check that stops a run.
Result<void> checkFound(const cluster::RecipeNeeds& needs, const cluster::RecipeEnvironment& found,
                        const std::string& node) {
    for (const cluster::Check& check : cluster::checkRecipe(needs, found)) {
        if (check.stopsRun) {
            return Failure(cluster::errorOf(check, node));
        }
    }
    return {};
}

// One recipe on one node.
class Environment {
public:
    Environment(std::shared_ptr<remote::Transport> transport, cluster::Node node,
                const cluster::RecipeNeeds& needs, const remote::TransportFactory& transports,
                const Settings& settings, std::chrono::seconds timeout, const PublishEnvironment& publish)
        : transport_(std::move(transport)),
          node_(std::move(node)),
          needs_(needs),
          wheelhouse_(transports, settings, timeout),
          settings_(settings),
          timeout_(timeout),
          publish_([this, &publish](EnvironmentPhase phase, const std::string& message) {
              publish({node_.name, needs_.recipe, phase, message});
          }) {}

    // The Python that is ready; empty for a recipe that needs none.
    [[nodiscard]] Result<std::string> prepare(const std::stop_token& stop) {
        publish_(EnvironmentPhase::Looking, "");
        TRY(look(cluster::Depth::Files, stop));
        // Before gigabytes are fetched for a node that has no GPU.
        cluster::RecipeNeeds rest = besideWhatIsPrepared(needs_, found_);
        rest.source.reset();
        TRY(checkFound(rest, found_, node_.name));
        if (!found_.missingSource.empty()) {
            TRY(copySource(stop));
        }
        if (needs_.python && found_.python.empty() && found_.toPrepare()) {
            TRY(makeEnvironment(stop));
        }
        TRY(look(cluster::Depth::Imports, stop));
        TRY(checkFound(needs_, found_, node_.name));
        return found_.python;
    }

private:
    [[nodiscard]] Result<void> look(cluster::Depth depth, const std::stop_token& stop) {
        found_ = TRY(remote::findEnvironment(*transport_, node_, needs_, depth, stop));
        return {};
    }

    [[nodiscard]] NodeRun newJob() const {
        launch::NodeLaunch launch;
        launch.node = node_.name;
        launch.environment = node_.env;
        launch.setup = node_.setup;
        return {transport_, node_, std::move(launch), newId()};
    }

    [[nodiscard]] Result<void> makeEnvironment(const std::stop_token& stop) {
        std::string ended = TRY(install("", stop));
        if (ended == notReached) {
            const auto wheels = bringWheels(stop);
            if (!wheels) {  // they go once another node that shares the disk is done
                TRY(look(cluster::Depth::Files, stop));
                return found_.python.empty() ? Failure(wheels.error()) : Result<void>();
            }
            ended = TRY(install(*wheels, stop));
        }
        return ended.empty()
                   ? Result<void>()
                   : failBecause(ended, "the environment of " + needs_.recipe + " could not be made",
                                 "node " + node_.name, "The end of its log stands above.", ErrorKind::Work);
    }

    static constexpr const char* notReached = "the package index is not reached";

    // Empty when it is made, else why not: the end of its log, or `notReached`.
    [[nodiscard]] Result<std::string> install(const std::string& wheels, const std::stop_token& stop) {
        JobRun run(newJob(), settings_, timeout_, publish_);
        auto environment = node_.env;
        environment.insert({{"MAKE_BASE", found_.base},
                            {"MAKE_FOLDER", found_.folder},
                            {"MAKE_IMPORTS", join(needs_.python->imports, " ")},
                            {"MAKE_WHEELS", wheels}});
        const int code = TRY(run.run(
            {node_script::make_environment, environment, needs_.python->requirements.at(found_.kind)}, stop));
        return code == 0 ? std::string() : code == indexNotReached ? std::string(notReached) : run.logEnd();
    }

    // The folder on the node in which the wheels are.
    [[nodiscard]] Result<std::string> bringWheels(const std::stop_token& stop) {
        publish_(EnvironmentPhase::Working,
                 "the node reaches no package index: wheels are made on this machine");
        const auto wheels = TRY(wheelhouse_.make(needs_, found_, publish_, stop));
        const std::string place = "cache/wheels/" + fs::path(found_.folder).filename().string();
        const NodeRun node = newJob();
        for (std::size_t i = 0; i < wheels.size(); ++i) {
            const std::string title =
                fmt::format("copies {} ({} of {})", wheels[i].filename().string(), i + 1, wheels.size());
            TRY(bringLargeFile(
                node, place, wheels[i],
                [&](std::uintmax_t there, std::uintmax_t all) {
                    publish_(EnvironmentPhase::Working,
                             fmt::format("{}, {} of {} MB", title, there / 1'000'000, all / 1'000'000));
                },
                stop));
        }
        return (fs::path(found_.folder).parent_path().parent_path() / "wheels" /
                fs::path(found_.folder).filename())
            .string();
    }

    // From this machine's checkout, at the recipe's commit; nothing where there is none: the check says what
    // to do.
    [[nodiscard]] Result<void> copySource(const std::stop_token& stop) {
        const std::string& commit = needs_.source->commit;
        const fs::path checkout = expandHome(needs_.option(needs_.source->option));
        std::error_code error;
        if (commit.empty() || !fs::is_directory(checkout, error)) {
            return {};
        }
        const auto folder = TRY(TemporaryFolder::make("dlperf-source-"));
        const fs::path archive = folder.path() / (commit + ".tar.gz");
        publish_(EnvironmentPhase::Working, "copies the checkout " + checkout.string());
        const auto made = TRY(remote::runChild(
            {fmt::format("git -C {} archive --format=tar.gz -o {} {}", shellQuote(checkout.string()),
                         shellQuote(archive.string()), commit),
             {}},
            {10min, stop}, checkout.string()));
        if (made.exitCode != 0) {
            return failBecause(firstLine(made.errors),
                               "this machine's checkout does not have commit " + commit, checkout.string(),
                               "Fetch it there.", ErrorKind::Work);
        }
        const NodeRun node = newJob();
        const auto brought = bringLargeFile(
            node, "cache/source", archive, [](std::uintmax_t, std::uintmax_t) {}, stop);
        const std::string script =
            node_script::set("work", node.workDir()) + std::string(node_script::work_folder) +
            node_script::set("commit", commit) + std::string(node_script::unpack_source);
        const auto unpacked = TRY(node.transport().run({script, {}}, {10min, stop}));
        TRY(look(cluster::Depth::Files, stop));
        // Maybe by another node that shares the disk: then its archive goes.
        if (unpacked.exitCode == 0) {
            return {};
        }
        return brought ? failBecause(firstLine(unpacked.errors), "the checkout cannot be unpacked there",
                                     "node " + node_.name, {}, ErrorKind::Work)
                       : brought;
    }

    std::shared_ptr<remote::Transport> transport_;
    cluster::Node node_;
    const cluster::RecipeNeeds& needs_;
    Wheelhouse wheelhouse_;
    const Settings& settings_;
    std::chrono::seconds timeout_;
    std::function<void(EnvironmentPhase, const std::string&)> publish_;
    cluster::RecipeEnvironment found_;
};

EnvironmentProgress endOf(const std::string& node, const std::string& recipe,
                          const Result<std::string>& prepared) {
    return prepared ? EnvironmentProgress{node, recipe, EnvironmentPhase::Ready, *prepared}
                    : EnvironmentProgress{node, recipe, EnvironmentPhase::Failed, reasonOf(prepared.error()),
                                          prepared.error().remedy};
}

}  // namespace

const char* toString(EnvironmentPhase phase) {
    constexpr std::array<const char*, 6> names{"looking", "to prepare", "waiting",
                                               "working", "ready",      "failed"};
    return names.at(static_cast<std::size_t>(phase));
}

namespace {

using PerRecipe = std::function<EnvironmentProgress(const std::shared_ptr<remote::Transport>&,
                                                    const cluster::Node&, const cluster::RecipeNeeds&)>;

// All nodes at the same time, their recipes one after the other.
std::vector<EnvironmentProgress> forEachRecipe(const launch::PlanNodes& plan,
                                               const remote::TransportFactory& transports,
                                               const PerRecipe& work) {
    std::vector<std::vector<EnvironmentProgress>> ends(plan.cluster.nodes.size());
    remote::onAll(plan.cluster.nodes.size(), [&](std::size_t i) {
        const cluster::Node& node = plan.cluster.nodes[i];
        const auto transport = transports(node);
        for (const cluster::RecipeNeeds& needs : plan.recipes[i]) {
            ends[i].push_back(transport ? work(*transport, node, needs)
                                        : endOf(node.name, needs.recipe, Failure(transport.error())));
        }
    });
    std::vector<EnvironmentProgress> all;
    for (std::vector<EnvironmentProgress>& ofNode : ends) {
        std::ranges::move(ofNode, std::back_inserter(all));
    }
    return all;
}

EnvironmentProgress stateOf(const cluster::Node& node, const cluster::RecipeNeeds& needs,
                            const cluster::RecipeEnvironment& found) {
    if (const auto checked = checkFound(besideWhatIsPrepared(needs, found), found, node.name); !checked) {
        return {node.name, needs.recipe, EnvironmentPhase::Failed, checked.error().what,
                checked.error().remedy};
    }
    return found.toPrepare()
               ? EnvironmentProgress{node.name, needs.recipe, EnvironmentPhase::ToPrepare, ""}
               : EnvironmentProgress{node.name, needs.recipe, EnvironmentPhase::Ready, found.python};
}

}  // namespace

std::vector<EnvironmentProgress> findEnvironments(const launch::PlanNodes& plan,
                                                  const remote::TransportFactory& transports,
                                                  const std::stop_token& stop) {
    return forEachRecipe(plan, transports, [&](const auto& transport, const auto& node, const auto& needs) {
        const auto found = remote::findEnvironment(*transport, node, needs, cluster::Depth::Files, stop);
        return found ? stateOf(node, needs, *found) : endOf(node.name, needs.recipe, Failure(found.error()));
    });
}

std::vector<EnvironmentProgress> prepareEnvironments(const launch::PlanNodes& plan,
                                                     const remote::TransportFactory& transports,
                                                     const Settings& settings, std::chrono::seconds timeout,
                                                     const PublishEnvironment& publish,
                                                     const std::stop_token& stop) {
    return forEachRecipe(plan, transports, [&](const auto& transport, const auto& node, const auto& needs) {
        const auto prepared =
            Environment(transport, node, needs, transports, settings, timeout, publish).prepare(stop);
        EnvironmentProgress end = endOf(node.name, needs.recipe, prepared);
        publish(end);
        return end;
    });
}

}  // namespace dlperf::run
