// SPDX-License-Identifier: Apache-2.0
#include "core/remote/probe_links.h"

#include <fmt/format.h>

#include <random>
#include <set>

#include "core/cluster/address.h"
#include "core/remote/on_all.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;

constexpr Milliseconds listenTime = 40s;
constexpr Milliseconds linkConnectTime = 60s;
constexpr int sshPort = 22;

using Transports = std::vector<std::shared_ptr<Transport>>;

// Words that no other program says, and no other check's listener.
std::string wordOf(std::size_t index) {
    std::random_device random;
    return fmt::format("dlperf-{}-{:08x}{:08x}", index, random(), random());
}

struct Asked {
    std::vector<std::size_t> nodes;    // those that were reached
    std::vector<cluster::Peer> peers;  // of all nodes, each as the others see it
};

Asked askedOf(const std::vector<cluster::NodeAnswer>& nodes) {
    Asked asked;
    std::vector<const cluster::Node*> reached;
    asked.peers.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].facts) {
            asked.nodes.push_back(i);
            reached.push_back(&nodes[i].node);
        }
    }
    const auto addresses = cluster::addressesOf(reached);
    for (std::size_t i = 0; i < asked.nodes.size(); ++i) {
        asked.peers[asked.nodes[i]] = {reached[i]->name, addresses[i], 0, wordOf(i), 0};
    }
    return asked;
}

void listen(Transport& transport, const cluster::Peer& peer, cluster::NodeLinks& links,
            const std::stop_token& stop) {
    std::random_device random;
    const auto printed =
        transport.run({cluster::listenScript(peer.word, random() % 100'000), {}}, {listenTime, stop});
    if (printed) {
        links.listener = cluster::parseListener(printed->output);
    } else {
        links.error = printed.error();
    }
}

// The first node with all others, these with the first, and each with the next.
std::vector<std::size_t> neighbours(const std::vector<std::size_t>& nodes, std::size_t position) {
    std::set<std::size_t> chosen;
    if (position == 0) {
        chosen.insert(nodes.begin() + 1, nodes.end());
    } else {
        chosen = {nodes.front(), nodes[(position + 1) % nodes.size()]};
    }
    return {chosen.begin(), chosen.end()};
}

void connect(Transport& transport, const cluster::Node& node, const std::vector<cluster::Peer>& peers,
             cluster::NodeLinks& links, const std::stop_token& stop) {
    if (peers.empty()) {
        return;
    }
    const auto printed = transport.run({cluster::connectScript(peers), {}}, {linkConnectTime, stop});
    links.links = cluster::parseLinks(node.name, peers, printed ? printed->output : "");
    if (!printed) {
        links.error = printed.error();
    }
}

}  // namespace

std::vector<cluster::NodeLinks> probeLinks(const std::vector<cluster::NodeAnswer>& nodes,
                                           const Transports& transports, bool withSsh,
                                           const std::stop_token& stop) {
    std::vector<cluster::NodeLinks> links(nodes.size());
    Asked asked = askedOf(nodes);
    const auto onAsked = [&](const std::function<void(std::size_t position, std::size_t node)>& work) {
        onAll(asked.nodes.size(), [&](std::size_t position) { work(position, asked.nodes[position]); });
    };
    onAsked([&](std::size_t, std::size_t node) {
        listen(*transports[node], asked.peers[node], links[node], stop);
    });
    for (const std::size_t node : asked.nodes) {
        asked.peers[node].port = links[node].listener.port;
    }
    onAsked([&](std::size_t position, std::size_t node) {
        std::vector<cluster::Peer> peers;
        for (const std::size_t other : neighbours(asked.nodes, position)) {
            peers.push_back(asked.peers[other]);
            peers.back().sshPort = withSsh && position == 0 ? nodes[other].node.port.value_or(sshPort) : 0;
        }
        connect(*transports[node], nodes[node].node, peers, links[node], stop);
    });
    onAsked([&](std::size_t, std::size_t node) {
        if (!links[node].listener.pid.empty()) {
            (void)transports[node]->run({cluster::endListenerScript(links[node].listener.pid), {}},
                                        {listenTime, stop});
        }
    });
    return links;
}

}  // namespace dlperf::remote
