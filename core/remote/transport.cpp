// SPDX-License-Identifier: Apache-2.0
#include "core/remote/transport.h"

#include <fmt/format.h>

#include "core/remote/local_transport.h"
#include "core/remote/shell_transport.h"
#include "core/remote/ssh_transport.h"

namespace dlperf::remote {
namespace {

std::shared_ptr<Transport> open(const cluster::Node& node, const std::shared_ptr<CredentialCache>& cache) {
    std::shared_ptr<Transport> transport;
    if (node.local) {
        transport = std::make_shared<LocalTransport>(node.name);
    } else {
        transport = std::make_shared<SshTransport>(node, cache);
    }
    if (!node.container.empty()) {
        transport = std::make_shared<ContainerTransport>(std::move(transport), node.container);
    }
    return transport;
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

}  // namespace dlperf::remote
