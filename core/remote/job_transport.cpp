// SPDX-License-Identifier: Apache-2.0
#include "core/remote/job_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "core/base/node_script.h"
#include "core/base/text.h"
#include "core/remote/slurm_job.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using node_script::set;

// Exit codes of job_command.sh beside those of the command.
constexpr int jobOver = 237;
constexpr int notWritten = 238;
// A job that is being ended has its last word only when all of it is gone.
constexpr auto longestEnd = 15s;
constexpr auto endNap = 500ms;

std::string newId() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

JobTransport::JobTransport(std::string name, std::shared_ptr<Transport> login, cluster::JobSeat seat)
    : ShellTransport("Check the work folder's permissions"),
      name_(std::move(name)),
      login_(std::move(login)),
      seat_(std::move(seat)),
      workFolder_(seat_.folder.substr(0, seat_.folder.rfind("/jobs/")) + "/") {}

Result<CommandResult> JobTransport::run(const Command& command, const Limits& limits) {
    if (over_) {
        return runAfterItsEnd(command, limits);
    }
    const auto seconds =
        std::max<std::int64_t>(std::chrono::ceil<std::chrono::seconds>(limits.deadline).count(), 1);
    // One byte more than is kept tells that there was more.
    const std::string script =
        set("folder", seat_.folder) + set("index", std::to_string(seat_.index)) + set("job", seat_.job) +
        set("id", newId()) + set("text", command.script) + set("seconds", std::to_string(seconds)) +
        set("most", std::to_string(command.maxOutput + 1)) + std::string(node_script::job_command);
    auto result = TRY(login_->run({script, command.input, command.maxOutput}, limits));
    if (result.exitCode == notWritten) {
        return fail("the job's folder cannot be written to: " + firstLine(result.errors),
                    login_->name() + ":" + seat_.folder, "Check its permissions and the free space.",
                    ErrorKind::Transient);
    }
    if (result.exitCode == jobOver) {
        over_ = true;
        return runAfterItsEnd(command, limits);
    }
    return result;
}

Result<CommandResult> JobTransport::runAfterItsEnd(const Command& command, const Limits& limits) {
    if (command.begins) {
        return fail(fmt::format("Slurm job {} has ended, so nothing is started there", seat_.job),
                    "node " + name_, "Run it again: it gets another job.", ErrorKind::Work);
    }
    return login_->run(command, limits);
}

Result<void> JobTransport::upload(std::string_view bytes, const std::string& path, unsigned mode,
                                  const Limits& limits) {
    return isShared(path) ? login_->upload(bytes, path, mode, limits)
                          : ShellTransport::upload(bytes, path, mode, limits);
}

Result<FileChunk> JobTransport::read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                     const Limits& limits) {
    return isShared(path) ? login_->read(path, offset, maxBytes, limits)
                          : ShellTransport::read(path, offset, maxBytes, limits);
}

cluster::Route JobTransport::route() const {
    cluster::Route route = login_->route();
    route.way = "Slurm job " + seat_.job;
    return route;
}

std::optional<Withdrawal> JobTransport::withdrawn() {
    const SlurmJob job(login_, seat_.job, seat_.folder);
    const auto until = std::chrono::steady_clock::now() + longestEnd;
    for (;;) {
        const auto status = job.look({});
        if (!status || status->runs()) {
            return std::nullopt;
        }
        if (status->state != "COMPLETING" || status->reason == "TimeLimit" ||
            std::chrono::steady_clock::now() >= until) {
            over_ = true;
            return whyEnded(seat_.job, *status);
        }
        std::this_thread::sleep_for(endNap);
    }
}

}  // namespace dlperf::remote
