// SPDX-License-Identifier: Apache-2.0
#include "core/remote/held_nodes.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "core/base/pause.h"
#include "core/remote/slurm_job.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto lookEvery = 2s;
constexpr auto leaseOfQuestions = 300s;  // when our program is gone

std::string newJobId() {
    std::random_device random;
    return fmt::format("check-{:08x}{:08x}", random(), random());
}

std::shared_ptr<const SlurmJob> endedWithIt(SlurmJob job) {
    return {new SlurmJob(std::move(job)), [](const SlurmJob* held) {
                (void)held->end();
                delete held;
            }};
}

}  // namespace

Result<HeldNodes> holdNodes(const cluster::Cluster& cluster, const TransportFactory& transports,
                            const std::function<void(const std::string&)>& tell,
                            const std::stop_token& stop) {
    if (!cluster.slurm) {
        return HeldNodes{cluster, transports, nullptr};
    }
    const auto login = TRY(transports(*cluster.slurm->login));
    const JobRequest request{
        .id = newJobId(), .nodes = static_cast<int>(cluster.nodes.size()), .lease = leaseOfQuestions};
    TRY(testJob(cluster, *login, request.nodes, stop));
    const auto job = endedWithIt(TRY(SlurmJob::submit(cluster, login, request, stop)));
    for (std::string told;;) {
        const auto status = TRY(job->look(stop));
        if (status.runs()) {
            auto nodes = cluster::nodesOfJob(cluster, job->number(), job->folder(), status.hosts);
            return HeldNodes{{cluster.name, std::move(nodes), cluster.slurm}, jobTransports(login), job};
        }
        if (!status.waits() || status.waitsInVain()) {
            return fail(whyEnded(job->number(), status).reason, "node " + login->name(),
                        "Look at it with `sacct -j " + job->number() + "`.", ErrorKind::Work);
        }
        if (std::string now = describeWait(job->number(), status); now != told) {
            tell(now);
            told = std::move(now);
        }
        if (!pause(lookEvery, stop)) {
            return fail("was interrupted", {}, {}, ErrorKind::Work);
        }
    }
}

}  // namespace dlperf::remote
