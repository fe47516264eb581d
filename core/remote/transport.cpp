// SPDX-License-Identifier: Apache-2.0
#include "core/remote/transport.h"

#include <fmt/format.h>

#include "core/remote/job_transport.h"
#include "core/remote/local_transport.h"
#include "core/remote/shell_transport.h"
#include "core/remote/ssh_transport.h"

namespace dlperf::remote {
namespace {

std::shared_ptr<Transport> inContainer(std::shared_ptr<Transport> host, const cluster::Node& node) {
    if (!node.image.empty()) {
        return std::make_shared<ContainerTransport>(std::move(host), node);
    }
    return node.container.empty() ? host
                                  : std::make_shared<ContainerTransport>(std::move(host), node.container);
}

Result<std::shared_ptr<Transport>> open(const cluster::Node& node,
                                        const std::shared_ptr<CredentialCache>& cache) {
    if (node.seat) {
        return fail("comes with a Slurm job, and is not reached before it has one", "node " + node.name, {},
                    ErrorKind::Work);
    }
    std::shared_ptr<Transport> transport;
    if (node.local) {
        transport = std::make_shared<LocalTransport>(node.name);
    } else {
        transport = std::make_shared<SshTransport>(node, cache);
    }
    return inContainer(std::move(transport), node);
}

}  // namespace

Failure endedEarly(const Limits& limits, const std::string& where) {
    return fail(
        limits.stop.stop_requested()
            ? "the call was stopped"
            : fmt::format("no answer within {:.1f} s", static_cast<double>(limits.deadline.count()) / 1000),
        where, "Check the machine and the network.", ErrorKind::Transient);
}

Result<std::shared_ptr<Transport>> openTransport(const cluster::Node& node) {
    return open(node, {});
}

TransportFactory interactiveTransports(std::shared_ptr<CredentialCache> cache) {
    return [cache = std::move(cache)](const cluster::Node& node) { return open(node, cache); };
}

TransportFactory jobTransports(std::shared_ptr<Transport> login) {
    return [login = std::move(login)](const cluster::Node& node) -> Result<std::shared_ptr<Transport>> {
        return inContainer(std::make_shared<JobTransport>(node.name, login, *node.seat), node);
    };
}

}  // namespace dlperf::remote
