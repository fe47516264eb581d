// SPDX-License-Identifier: Apache-2.0
#include "core/remote/transport.h"

#include "core/base/file.h"
#include "core/remote/container_transport.h"
#include "core/remote/local_transport.h"
#include "core/remote/ssh_transport.h"

namespace dlperf::remote {
namespace {

constexpr std::size_t chunkBytes = 1U << 20U;
// Whole files pass through memory here; logs, which grow, are followed by the runner instead.
constexpr std::size_t mostBytes = 256U << 20U;

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

Result<void> download(Transport& transport, const std::string& path, const std::filesystem::path& local,
                      const Limits& limits) {
    std::string bytes;
    for (;;) {
        auto chunk = transport.read(path, bytes.size(), chunkBytes, limits);
        if (!chunk) {
            return Failure(chunk.error());
        }
        if (chunk->missing) {
            return fail("there is no such file", transport.name() + ":" + path, {}, ErrorKind::Work);
        }
        if (chunk->bytes.empty()) {
            return writeFileAtomically(local, bytes);
        }
        if (bytes.size() + chunk->bytes.size() > mostBytes) {
            return fail("is too large to be fetched", transport.name() + ":" + path, {}, ErrorKind::Work);
        }
        bytes += chunk->bytes;
    }
}

Result<std::shared_ptr<Transport>> openTransport(const cluster::Node& node) {
    return open(node, {});
}

TransportFactory interactiveTransports(std::shared_ptr<CredentialCache> cache) {
    return [cache = std::move(cache)](const cluster::Node& node) { return open(node, cache); };
}

}  // namespace dlperf::remote
