// SPDX-License-Identifier: Apache-2.0
#include "core/remote/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <random>
#include <set>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/cluster.h"
#include "core/cluster/named_interfaces.h"
#include "core/remote/last_check.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;
using Transports = std::vector<std::shared_ptr<Transport>>;

// More than the script allows driver (4 x 20 s), data set (20 s) and setup (90 s) together.
constexpr Milliseconds probeTimeout{200'000};
constexpr Milliseconds shortTimeout{10'000};
constexpr Milliseconds listenTimeout{40'000};
constexpr Milliseconds environmentTimeout{930'000};  // more than the script allows itself
constexpr Milliseconds linkTimeout{60'000};
constexpr int sshPort = 22;

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// On a session that stands, so that only the way there and back is in doubt.
std::optional<cluster::Clock> askClock(Transport& transport, const std::stop_token& stop) {
    const double asked = now();
    const auto printed = transport.run({cluster::clockScript, {}}, {shortTimeout, stop});
    return printed ? cluster::clockOf(printed->output, asked, now()) : std::nullopt;
}

Result<cluster::NodeFacts> probe(Transport& transport, const cluster::Node& node,
                                 const cluster::ProbeQuestions& questions,
                                 const std::filesystem::path& lastChecks, const std::stop_token& stop) {
    const auto printed =
        TRY(transport.run({cluster::probeScript(node, questions), {}}, {probeTimeout, stop}));
    cluster::NodeFacts facts = cluster::parseProbe(printed.output);
    facts.clock = askClock(transport, stop);
    facts.route = transport.route();
    if (!lastChecks.empty()) {
        tellChanges(lastChecks, node, facts);
    }
    return facts;
}

cluster::Check reachedBy(const Transport& transport, double seconds) {
    const cluster::Route route = transport.route();
    if (route.way.empty()) {
        return cluster::passed("Reachable", "this machine");
    }
    const char* ssh = route.place.empty() ? "" : "over SSH, ";
    return cluster::passed("Reachable", fmt::format("{}by {}, in {:.2f} s", ssh, route.way, seconds));
}

// Asked for nothing yet: how long that takes is the time to reach the node.
Result<void> reach(Transport& transport, NodePreflight& node, const std::stop_token& stop) {
    const auto begin = Clock::now();
    (void)TRY(transport.run({"exit 0", {}}, {Limits{}.deadline, stop}));
    node.reachedAfter = std::chrono::duration<double>(Clock::now() - begin).count();
    node.checks = {reachedBy(transport, *node.reachedAfter)};
    return {};
}

// One recipe after the other: imports are work for the disk.
Result<void> askForRecipes(NodePreflight& node, Transport& transport,
                           const std::vector<cluster::RecipeNeeds>& recipes, const std::stop_token& stop) {
    for (const cluster::RecipeNeeds& needs : recipes) {
        auto found = TRY(findEnvironment(transport, node.answer.node, needs, cluster::Depth::Imports, stop));
        std::ranges::move(cluster::checkRecipe(needs, found), std::back_inserter(node.checks));
        node.environments.push_back(std::move(found));
    }
    return {};
}

void askNode(NodePreflight& node, Transport& transport, const PreflightQuestions& questions,
             std::size_t index, const std::stop_token& stop) {
    const cluster::Needs needs = questions.needs.empty() ? cluster::Needs() : questions.needs[index];
    auto facts =
        probe(transport, node.answer.node, {needs.commands, questions.countData}, questions.lastChecks, stop);
    if (!facts) {
        node.answer.error = facts.error();
        node.reachedAfter.reset();
        node.checks = {cluster::notReached(node.answer.error)};
        return;
    }
    node.answer.facts = *std::move(facts);
    (void)resolveAddress(node.answer.node, {Limits{}.deadline, stop});  // it was reached all the same
    std::ranges::move(cluster::checkNode(node.answer.node, *node.answer.facts, needs),
                      std::back_inserter(node.checks));
    if (questions.recipes.empty()) {
        return;
    }
    if (const auto asked = askForRecipes(node, transport, questions.recipes[index], stop); !asked) {
        node.checks.push_back(cluster::notReached(asked.error()));
    }
}

// The transports of the nodes that could be reached; null for the others.
Transports reachAll(Preflight& found, const std::stop_token& stop, const TransportFactory& transports) {
    Transports opened(found.nodes.size());
    onAll(found.nodes.size(), [&](std::size_t i) {
        NodePreflight& node = found.nodes[i];
        const auto transport = transports(node.answer.node);
        const auto reached = transport ? reach(**transport, node, stop) : Failure(transport.error());
        if (reached) {
            opened[i] = *transport;
        } else {
            node.answer.error = reached.error();
            node.checks = {cluster::notReached(node.answer.error)};
        }
    });
    return opened;
}

// All are reached before the first is asked: what they have to do then must not make others late that share
// their machine.
Transports askAll(Preflight& found, const PreflightQuestions& questions, const std::stop_token& stop,
                  const TransportFactory& transports) {
    Transports opened = reachAll(found, stop, transports);
    onAll(found.nodes.size(), [&](std::size_t i) {
        NodePreflight& node = found.nodes[i];
        if (opened[i] && !questions.reachOnly) {
            askNode(node, *opened[i], questions, i, stop);
        }
        if (questions.answered) {
            questions.answered(i);
        }
    });
    return opened;
}

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
        transport.run({cluster::listenScript(peer.word, random() % 100'000), {}}, {listenTimeout, stop});
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

std::vector<cluster::Connection> connectToPeers(Transport& transport, const cluster::Node& node,
                                                const std::vector<cluster::Peer>& peers, Error& error,
                                                const std::stop_token& stop) {
    if (peers.empty()) {
        return {};
    }
    const auto printed = transport.run({cluster::connectScript(peers, node), {}}, {linkTimeout, stop});
    if (!printed) {
        error = printed.error();
    }
    return cluster::parseLinks(node.name, peers, printed ? printed->output : "");
}

// The same nodes by their addresses on the interface; without those that have none there or do not listen.
std::vector<cluster::Peer> peersOver(const std::string& interface, const cluster::NodeFacts& from,
                                     const std::vector<cluster::NodeAnswer>& nodes,
                                     const std::vector<std::size_t>& others,
                                     const std::vector<cluster::Peer>& peers) {
    std::vector<cluster::Peer> over;
    for (const std::size_t other : others) {
        const auto address = cluster::addressOver(interface, from, *nodes[other].facts);
        if (address && peers[other].port != 0) {
            over.push_back(peers[other]);
            over.back().address = *address;
        }
    }
    return over;
}

cluster::LinksOver linksOver(const std::string& interface, const cluster::NodeAnswer& node,
                             Transport& transport, const std::vector<cluster::Peer>& peers,
                             const std::stop_token& stop) {
    cluster::LinksOver over;
    over.links = connectToPeers(transport, node.node, peers, over.error, stop);
    if (over.error.what.empty() && !cluster::addressOver(interface, *node.facts, *node.facts)) {
        const auto said = transport.run({cluster::interfaceScript(interface), {}}, {shortTimeout, stop});
        over.error =
            said ? Error{firstLine(said->output), node.node.name, {}, ErrorKind::Work} : said.error();
    }
    return over;
}

// Lets the nodes connect to each other: all with the first, the first with all, and each with the next. By
// node, in their order; skips those without facts, whose transport is null. With SSH the first node also
// tries to log in to the others. The same over each of the interfaces. Ends within about 90 s, when all is
// well in less than one; an interface that leads nowhere takes a minute more.
std::vector<cluster::NodeLinks> probeLinks(const std::vector<cluster::NodeAnswer>& nodes,
                                           const std::vector<Transport*>& transports, bool withSsh,
                                           const std::vector<std::string>& interfaces,
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
        const auto others = neighbours(asked.nodes, position);
        for (const std::size_t other : others) {
            peers.push_back(asked.peers[other]);
            peers.back().sshPort = withSsh && position == 0 ? nodes[other].node.port.value_or(sshPort) : 0;
        }
        cluster::NodeLinks& own = links[node];
        own.links = connectToPeers(*transports[node], nodes[node].node, peers, own.error, stop);
        for (const std::string& interface : interfaces) {
            peers = peersOver(interface, *nodes[node].facts, nodes, others, asked.peers);
            own.over[interface] = linksOver(interface, nodes[node], *transports[node], peers, stop);
        }
    });
    onAsked([&](std::size_t, std::size_t node) {
        if (!links[node].listener.pid.empty()) {
            (void)transports[node]->run({cluster::endListenerScript(links[node].listener.pid), {}},
                                        {listenTimeout, stop});
        }
    });
    return links;
}

std::vector<Transport*> pointersTo(const Transports& transports) {
    return mapped(transports, [](const std::shared_ptr<Transport>& one) { return one.get(); });
}

std::vector<cluster::Check> checksOver(const std::vector<std::string>& interfaces,
                                       const std::vector<cluster::NodeAnswer>& nodes,
                                       const std::vector<cluster::NodeLinks>& links) {
    std::vector<cluster::Check> checks;
    for (const std::string& interface : interfaces) {
        std::ranges::move(cluster::checkNamedInterface(interface, nodes, links), std::back_inserter(checks));
    }
    return checks;
}

}  // namespace

Result<cluster::RecipeEnvironment> findEnvironment(Transport& transport, const cluster::Node& node,
                                                   const cluster::RecipeNeeds& needs, cluster::Depth depth,
                                                   const std::stop_token& stop) {
    const auto printed =
        TRY(transport.run({cluster::environmentScript(node, needs, depth), {}}, {environmentTimeout, stop}));
    return cluster::parseEnvironment(printed.output);
}

Preflight preflight(const cluster::Cluster& cluster, const PreflightQuestions& questions,
                    const std::stop_token& stop, const TransportFactory& transports) {
    Preflight found;
    for (const cluster::Node& node : cluster.nodes) {
        found.nodes.push_back({{node, {}, {}}, {}, {}});
    }
    const Transports opened = askAll(found, questions, stop, transports);
    if (questions.reachOnly) {
        return found;
    }
    const auto answers = mapped(found.nodes, &NodePreflight::answer);
    found.between = cluster::checkCluster(answers);
    if (questions.links && !stop.stop_requested()) {
        const bool ssh = std::ranges::any_of(questions.needs, &cluster::Needs::sshBetweenNodes);
        const auto links = probeLinks(answers, pointersTo(opened), ssh, questions.interfaces, stop);
        std::ranges::move(cluster::checkLinks(answers, links), std::back_inserter(found.between));
        std::ranges::move(checksOver(questions.interfaces, answers, links),
                          std::back_inserter(found.between));
    }
    return found;
}

Result<std::vector<cluster::Check>> checkInterfaces(const std::vector<cluster::Node>& nodes,
                                                    const std::vector<Transport*>& transports,
                                                    const std::vector<std::string>& interfaces,
                                                    const std::stop_token& stop) {
    auto answers = mapped(nodes, [](const cluster::Node& node) { return cluster::NodeAnswer{node, {}}; });
    onAll(nodes.size(), [&](std::size_t i) {
        auto facts = probe(*transports[i], nodes[i], {}, {}, stop);
        if (facts) {
            answers[i].facts = *std::move(facts);
        } else {
            answers[i].error = std::move(facts).error();
        }
    });
    for (const cluster::NodeAnswer& answer : answers) {
        if (!answer.facts) {
            return Failure(answer.error);
        }
    }
    return checksOver(interfaces, answers, probeLinks(answers, transports, false, interfaces, stop));
}

std::vector<cluster::Check> checkBetween(std::vector<cluster::NodeAnswer> nodes, const std::stop_token& stop,
                                         const TransportFactory& transports) {
    Transports opened(nodes.size());
    onAll(nodes.size(), [&](std::size_t i) {
        auto transport = nodes[i].facts ? transports(nodes[i].node) : Failure(nodes[i].error);
        if (transport) {
            opened[i] = *std::move(transport);
            (void)resolveAddress(nodes[i].node, {Limits{}.deadline, stop});
        } else {
            nodes[i].facts.reset();
        }
    });
    std::vector<cluster::Check> checks = cluster::checkCluster(nodes);
    std::ranges::move(cluster::checkLinks(nodes, probeLinks(nodes, pointersTo(opened), false, {}, stop)),
                      std::back_inserter(checks));
    return checks;
}

Result<cluster::NodeFacts> probeNode(const cluster::Node& node, const std::filesystem::path& lastChecks,
                                     const std::stop_token& stop, const TransportFactory& transports) {
    const auto transport = transports(node);
    return transport ? probe(**transport, node, {}, lastChecks, stop) : Failure(transport.error());
}

}  // namespace dlperf::remote
