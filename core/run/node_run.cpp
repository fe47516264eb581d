// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_run.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "core/base/node_script.h"
#include "core/base/text.h"
#include "core/cluster/link_checks.h"
#include "core/run/container_image.h"
#include "core/run/node_scripts.h"
#include "core/run/versions.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t smallFile = 64U << 10U;
constexpr std::size_t versionsFile = 512U << 10U;         // with the diffs of some checkouts
constexpr remote::Milliseconds checksumDeadline = 30min;  // logs may be large, disks slow

remote::Limits within(const std::stop_token& stop) {
    return remote::Limits{remote::Limits{}.deadline, stop};
}

// Who has a node, from what a script printed; between two steps of a claim nobody is named.
std::string describeHolder(const std::string& output) {
    const std::string run = firstLine(output);
    return run.empty() ? "another run" : "run " + run;
}

std::optional<std::uint64_t> toCount(const std::string& text) {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional<std::uint64_t>(value);
}

}  // namespace

NodeRun::NodeRun(std::shared_ptr<remote::Transport> transport, cluster::Node node, launch::NodeLaunch launch,
                 std::string runId)
    : transport_(std::move(transport)),
      node_(std::move(node)),
      launch_(std::move(launch)),
      runId_(std::move(runId)),
      workDir_(node_.runsIn()) {}

Result<std::string> NodeRun::shell(const std::string& script, const std::stop_token& stop) {
    const auto result = transport_->run({script, {}}, within(stop));
    return result ? checked(*result) : Failure(result.error());
}

Result<std::string> NodeRun::checked(const remote::CommandResult& result) const {
    if (result.exitCode != 0) {
        return fail(
            fmt::format("a step failed with exit code {}: {}", result.exitCode, firstLine(result.errors)),
            "node " + name(), "Check the node's work_dir, its permissions and its free space.",
            ErrorKind::Work);
    }
    return result.output;
}

Result<Claim> NodeRun::claim(const std::stop_token& stop) {
    const auto result = TRY(transport_->run({claimScript(workDir_, runId_, node_.name), {}}, within(stop)));
    Claim claim;
    switch (result.exitCode) {
        case 0:
            folder_ = claim.folder = lineOf(result.output, "folder");
            claim.home = lineOf(result.output, "home");
            startedBefore_ = claim.started = !linesOf(result.output, "started").empty();
            claim.gpuProcesses = linesOf(result.output, "gpu");
            return claim;
        case nodeBusy:
            claim.busyWith = describeHolder(result.output);
            claim.holder = firstLine(result.output);
            claim.holderFolder = lineOf(result.output, "folder");
            return claim;
        case toolMissing:
            return fail(fmt::format("\"{}\" is not there", firstLine(result.output)), "node " + name(),
                        "Install it.", ErrorKind::Work);
        default:
            return fail("the run's folder cannot be made: " + firstLine(result.errors), "node " + name(),
                        fmt::format("Check work_dir {}, its permissions and its free space.", workDir_),
                        ErrorKind::Work);
    }
}

NodeRun NodeRun::ofRun(const std::string& runId, const std::string& folder) const {
    NodeRun other = *this;
    other.runId_ = runId;
    other.folder_ = folder;
    return other;
}

Failure NodeRun::lost(const std::string& holder) const {
    return fail(fmt::format("{} has taken the node meanwhile", describeHolder(holder)), "node " + name(),
                "Wait for it, then `dlperf retry`.", ErrorKind::Work);
}

Result<void> NodeRun::refresh(const std::stop_token& stop) {
    const auto result = TRY(transport_->run({refreshScript(workDir_, runId_, node_.name), {}}, within(stop)));
    return result.exitCode == lockLost ? lost(result.output) : Result<void>();
}

Result<int> NodeRun::freePort(unsigned seed, const std::stop_token& stop) {
    const auto output = TRY(shell(cluster::freePortScript(seed), stop));
    const auto port = toInt(trim(output));
    return port ? Result<int>(*port)
                : fail("no free port was found", "node " + name(), "End what holds so many ports there.",
                       ErrorKind::Work);
}

Result<std::string> NodeRun::secretLines() const {
    std::map<std::string, std::string> secrets;
    for (const std::string& variable : launch_.secrets) {
        const char* value = std::getenv(variable.c_str());
        if (value == nullptr) {
            return fail(fmt::format("the secret {} is not set", variable), "node " + name(),
                        fmt::format("Set {} in the environment of `dlperf run`.", variable), ErrorKind::Work);
        }
        secrets[variable] = value;
    }
    return exportLines(secrets);
}

Result<void> NodeRun::place(const Deployment& deployment, const std::stop_token& stop) {
    const auto secrets = TRY(secretLines());
    struct File {
        const char* name;
        std::string text;
        unsigned mode;
    };
    std::vector<File> files{
        {"launch.sh", deployment.script, 0755},
        {"node.env", exportLines(deployment.environment), 0600},
        {"facts.sh", factsText(deployment.pythonPackages, launch_.secrets), 0644},
        {"telemetry.sh", std::string(node_script::telemetry), 0644},
        {"watch.sh", watchText(), 0644},
        {"lease", fmt::format("{} {}\n", deployment.lease.count(), deployment.limit.count()), 0644},
        {"run.sh", std::string(node_script::run), 0755}};
    if (!launch_.secrets.empty()) {
        files.push_back({"secret.env", secrets, 0600});
    }
    if (!launch_.setup.empty()) {
        files.push_back({"setup.sh", launch_.setup + "\n", 0644});
    }
    if (!deployment.logFile.empty()) {
        files.push_back({"log_file", deployment.logFile + "\n", 0644});
    }
    for (const File& file : files) {
        TRY(transport_->upload(file.text, folder_ + "/" + file.name, file.mode, within(stop)));
    }
    return {};
}

Result<void> NodeRun::placeVersions(const std::stop_token& stop) {
    return transport_->upload(std::string(node_script::versions), folder_ + "/versions.sh", 0644,
                              within(stop));
}

Result<Identity> NodeRun::start(const std::stop_token& stop) {
    remote::Command command{startScript(workDir_, runId_, node_.name), {}};
    command.begins = !startedBefore_;
    const auto result = TRY(transport_->run(command, within(stop)));
    if (result.exitCode == lockLost) {
        return lost(result.output);
    }
    const auto output = TRY(checked(result));
    const auto identity = parseIdentity(output);
    return identity ? Result<Identity>(*identity)
                    : fail("the trainer's identity is not known", "node " + name(), {}, ErrorKind::Work);
}

Result<std::optional<int>> NodeRun::exitCode(const std::stop_token& stop) {
    const auto chunk = TRY(transport_->read(folder_ + "/exit", 0, smallFile, within(stop)));
    return chunk.missing ? std::nullopt : toInt(trim(chunk.bytes));
}

Result<std::optional<int>> NodeRun::lastExitCode(const std::stop_token& stop) {
    return toInt(trim(TRY(shell(exitCodeScript(folder_), stop))));
}

Result<bool> NodeRun::alive(const Identity& identity, const std::stop_token& stop) {
    const auto boot = transport_->read("/proc/sys/kernel/random/boot_id", 0, smallFile, within(stop));
    const auto stat =
        transport_->read(fmt::format("/proc/{}/stat", identity.pid), 0, smallFile, within(stop));
    if (!boot || !stat) {
        return Failure(boot ? stat.error() : boot.error());
    }
    return !stat->missing && isAlive(identity, boot->bytes, stat->bytes);
}

Result<std::vector<std::string>> NodeRun::signal(const std::string& name, bool spareWrapper,
                                                 remote::Milliseconds deadline) {
    const auto result =
        transport_->run({signalScript(folder_, runId_, name, spareWrapper), {}}, {deadline, {}});
    const auto output = TRY(result ? checked(*result) : Failure(result.error()));
    std::vector<std::string> pids;
    for (const std::string_view line : split(output, '\n')) {
        if (!line.empty()) {
            pids.emplace_back(line);
        }
    }
    return pids;
}

Result<Collected> NodeRun::collect() {
    auto result = TRY(transport_->run({collectScript(folder_), {}}, {checksumDeadline, {}}));
    const std::string& text = result.output;
    if (result.exitCode != 0) {
        return fail("the run's folder is gone: " + firstLine(result.errors), "node " + this->name(), {},
                    ErrorKind::Work);
    }
    Collected collected;
    collected.exitCode = toInt(lineOf(text, "exit"));
    collected.endedBy = lineOf(text, "ended");
    collected.oomKills = toCount(lineOf(text, "oom_kills")).value_or(0);
    collected.logBytes = toCount(lineOf(text, "size")).value_or(0);
    collected.sha256 = lineOf(text, "sha256").substr(0, 64);
    collected.freeKib = toCount(lineOf(text, "free_kib"));
    collected.gpuProcesses = linesOf(text, "gpu");
    if (const auto clock = numberIn<std::int64_t>(lineOf(text, "clock"))) {
        collected.ahead =
            std::chrono::seconds(*clock) - std::chrono::floor<std::chrono::seconds>(now()).time_since_epoch();
    }
    return collected;
}

Result<std::string> NodeRun::facts() {
    auto chunk = transport_->read(folder_ + "/facts", 0, smallFile, {});
    return chunk ? Result<std::string>(std::move(chunk->bytes)) : Failure(chunk.error());
}

Result<Json> NodeRun::versions() {
    const auto chunk = TRY(transport_->read(folder_ + "/versions", 0, versionsFile, {}));
    if (chunk.bytes.empty()) {
        return Json();
    }
    Json versions = versionsToJson(chunk.bytes);
    if (Json image = askImage(); !image.empty()) {
        versions["image"] = std::move(image);
    }
    return versions;
}

// What the runtime does not say is skipped: no run is worse for it.
Json NodeRun::askImage() const {
    const auto script = imageScript(node_);
    const auto printed = script ? transport_->runOutside({*script, {}}, {}) : Failure(Error{});
    return printed ? imageFrom(printed->output) : Json();
}

Result<void> NodeRun::release() {
    const auto output = shell(releaseScript(workDir_, runId_, node_.name));
    return output ? Result<void>() : Failure(output.error());
}

Result<void> NodeRun::removeFiles() {
    const auto output = shell(removeScript(folder_));
    return output ? Result<void>() : Failure(output.error());
}

}  // namespace dlperf::run
