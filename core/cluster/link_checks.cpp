// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/link_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/cluster/named.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t mostLines = 20;  // of evidence

std::string evidenceOf(const std::vector<std::string>& lines) {
    const std::vector<std::string> first(
        lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), mostLines)));
    return join(first, "\n") +
           (lines.size() > mostLines ? fmt::format("\nand {} more", lines.size() - mostLines) : "");
}

constexpr const char* noToolRemedy = "Install one of them";
constexpr const char* noToolCommand = "sudo apt-get install python3-minimal";

Check checkMasterPort(const std::string& node, const NodeLinks& first) {
    if (first.listener.port > 0) {
        return passed("Master port", fmt::format("{} is free on {}", first.listener.port, node));
    }
    if (first.listener.noTool || !first.error.what.empty()) {
        return {"Master port",
                Verdict::Warning,
                fmt::format("could not be tried on {}", node),
                first.listener.noTool ? "It needs python3, perl or socat there to listen on a port."
                                      : first.error.what,
                {},
                first.listener.noTool ? noToolRemedy : first.error.remedy,
                first.listener.noTool ? noToolCommand : ""};
    }
    return {"Master port",
            Verdict::Failed,
            fmt::format("none is free on {}", node),
            "The processes of a run meet at a port of the first node.",
            {},
            "End what holds so many ports there",
            "ss -ltnp"};
}

// All that was tried, by how it went; each as a line of evidence.
struct Tries {
    std::vector<const Connection*> failed;
    std::vector<const Connection*> wrong;
    std::vector<std::string> untried;  // nodes that could not listen or be asked
    std::size_t reached = 0;
};

Tries triesOf(const std::vector<NodeAnswer>& nodes, const std::vector<NodeLinks>& links) {
    Tries tries;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (nodes[i].facts && links[i].listener.port == 0) {
            tries.untried.push_back(nodes[i].node.name);
        }
        for (const Connection& link : links[i].links) {
            if (link.state == Connection::State::Reached) {
                ++tries.reached;
            } else if (link.state == Connection::State::WrongNode) {
                tries.wrong.push_back(&link);
            } else if (link.state == Connection::State::Failed) {
                tries.failed.push_back(&link);
            }
        }
    }
    return tries;
}

std::string lineOf(const Connection& link) {
    return fmt::format("{} to {} ({} port {}): {}", link.from, link.to, link.address, link.port, link.said);
}

std::string linesOf(const std::vector<const Connection*>& links) {
    std::vector<std::string> lines;
    std::ranges::transform(links, std::back_inserter(lines),
                           [](const Connection* link) { return lineOf(*link); });
    return evidenceOf(lines);
}

Check checkConnections(const Tries& tries) {
    const std::size_t all = tries.reached + tries.failed.size() + tries.wrong.size();
    if (!tries.wrong.empty()) {
        const Connection& link = *tries.wrong.front();
        return {"Connections",
                Verdict::Failed,
                fmt::format("{} leads {} elsewhere than to {}", link.address, link.from, link.to),
                "The address by which nodes reach each other ends at another machine, or where it is asked: "
                "names that "
                "/etc/hosts gives to 127.0.1.1 do that.",
                linesOf(tries.wrong),
                "Name the right one as \"address\" in the node's settings",
                fmt::format("getent ahosts {}", shellQuote(link.address))};
    }
    if (!tries.failed.empty()) {
        const Connection& link = *tries.failed.front();
        return {"Connections",
                Verdict::Failed,
                fmt::format("{} of {} fail: {} to {}, {}", tries.failed.size(), all, link.from, link.to,
                            link.said),
                "The processes of a run connect to each other on free ports; where a firewall or an address "
                "is in the "
                "way, the start hangs or fails.",
                linesOf(tries.failed),
                "Open the ports between the nodes, or name their right \"address\"",
                fmt::format("bash -c 'exec 3<>/dev/tcp/{}/{}'", link.address, link.port)};
    }
    if (all == 0 || !tries.untried.empty()) {
        return {"Connections",
                Verdict::Warning,
                tries.untried.empty() ? "could not be tried"
                                      : fmt::format("could not be tried to {}", named(tries.untried)),
                "It needs python3, perl or socat to listen on a port, and bash to connect.",
                {},
                noToolRemedy,
                noToolCommand};
    }
    return passed("Connections", fmt::format("{} made, with the first node and along the ring", all));
}

// The interface that most ways from this node begin at; empty where none is known.
std::string wayOf(const NodeLinks& links) {
    std::map<std::string, int> counts;
    for (const Connection& link : links.links) {
        if (!link.interface.empty() && link.interface != "lo") {
            ++counts[link.interface];
        }
    }
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? "" : most->first;
}

bool isLinkLocal(const InterfaceFacts& interface) {
    const auto addresses = split(interface.addresses, ' ');
    return std::all_of(addresses.begin(), addresses.end(),
                       [](std::string_view one) { return one.empty() || one.starts_with("fe80:"); });
}

// What NCCL or Gloo may take for the network, although the way to the other nodes is another one.
std::vector<std::string> misleading(const NodeFacts& facts, const std::string& way) {
    std::vector<std::string> found;
    for (const InterfaceFacts& interface : facts.interfaces) {
        const bool isCandidate =
            interface.up && !interface.addresses.empty() && interface.name != "lo" && interface.name != way;
        if (isCandidate && (interface.isVirtual || isLinkLocal(interface))) {
            found.push_back(interface.name);
        }
    }
    return found;
}

std::string chosenInterface(const Node& node) {
    const auto variable = node.env.find("NCCL_SOCKET_IFNAME");
    return node.interface.empty() && variable != node.env.end() ? variable->second : node.interface;
}

// What is wrong with a node's choice of interface, or could go wrong without one; empty when all is well.
std::string interfaceTrouble(const NodeAnswer& answer, const std::string& way) {
    const auto& interfaces = answer.facts->interfaces;
    const std::string chosen = chosenInterface(answer.node);
    if (chosen.empty()) {
        const auto others = misleading(*answer.facts, way);
        return others.empty() ? ""
                              : fmt::format("{} may be taken for the network{}", named(others),
                                            way.empty() ? "" : " instead of " + way);
    }
    const auto found = std::ranges::find(interfaces, answer.node.interface, &InterfaceFacts::name);
    if (!answer.node.interface.empty() && !interfaces.empty() && found == interfaces.end()) {
        return fmt::format("has no interface {}", chosen);
    }
    if (!answer.node.interface.empty() && !way.empty() && way != chosen) {
        return fmt::format("the way to the other nodes begins at {}, not at {}", way, chosen);
    }
    return {};
}

Check checkInterfaces(const std::vector<NodeAnswer>& nodes, const std::vector<NodeLinks>& links) {
    std::vector<std::string> troubled;
    std::vector<std::string> lines;
    std::set<std::string> ways;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].facts) {
            continue;
        }
        const std::string way = wayOf(links[i]);
        const std::string trouble = interfaceTrouble(nodes[i], way);
        if (!way.empty()) {
            ways.insert(way);
        }
        if (!trouble.empty()) {
            troubled.push_back(nodes[i].node.name);
            lines.push_back(fmt::format("{}: {}", nodes[i].node.name, trouble));
        }
    }
    const std::vector<std::string> all(ways.begin(), ways.end());
    if (troubled.empty()) {
        return passed("Network interface", all.empty() ? "nothing that misleads" : join(all, ", "));
    }
    return {"Network interface",
            Verdict::Warning,
            troubled.size() == 1 ? lines.front() : fmt::format("to look at on {}", named(troubled)),
            "NCCL and Gloo choose an interface by themselves; at a virtual one (veth, docker0, virbr0) or an "
            "fe80 address "
            "the nodes do not find each other, although ssh and ping work.",
            evidenceOf(lines),
            "Name it as \"interface\" in the node's settings: recipes give it to NCCL",
            fmt::format("export NCCL_SOCKET_IFNAME={}", all.empty() ? "…" : all.front())};
}

std::optional<Check> checkSsh(const std::vector<NodeLinks>& links) {
    std::vector<std::string> lines;
    const Connection* first = nullptr;
    std::size_t tried = 0;
    for (const NodeLinks& node : links) {
        for (const Connection& link : node.links) {
            tried += link.sshTried ? 1 : 0;
            if (link.sshTried && link.sshCode != 0) {
                first = first == nullptr ? &link : first;
                lines.push_back(fmt::format(
                    "{} to {}: {}", link.from, link.to,
                    link.sshSaid.empty() ? fmt::format("exit code {}", link.sshCode) : link.sshSaid));
            }
        }
    }
    if (tried == 0) {
        return std::nullopt;
    }
    if (first == nullptr) {
        return passed("SSH between nodes", fmt::format("from the first node to {} others", tried));
    }
    return Check{
        "SSH between nodes",
        Verdict::Failed,
        fmt::format("{} of {} fail: {}", lines.size(), tried, lines.front()),
        "A launcher on the first node (mpirun, horovodrun) starts the processes of the others over SSH, "
        "without "
        "a password and with a host key that it knows. In containers a server of their own has to listen.",
        evidenceOf(lines),
        "Put the first node's key among the authorized keys of the others, and log in once",
        fmt::format("ssh-copy-id {}", shellQuote(first->address))};
}

}  // namespace

std::vector<Check> checkLinks(const std::vector<NodeAnswer>& nodes, const std::vector<NodeLinks>& links) {
    const auto first =
        std::ranges::find_if(nodes, [](const NodeAnswer& node) { return node.facts.has_value(); });
    if (first == nodes.end()) {
        return {};
    }
    std::vector<Check> checks{
        checkMasterPort(first->node.name, links[static_cast<std::size_t>(first - nodes.begin())])};
    const auto reached =
        std::ranges::count_if(nodes, [](const NodeAnswer& node) { return node.facts.has_value(); });
    if (reached > 1) {
        checks.push_back(checkConnections(triesOf(nodes, links)));
        checks.push_back(checkInterfaces(nodes, links));
        if (auto ssh = checkSsh(links)) {
            checks.push_back(*std::move(ssh));
        }
    }
    return checks;
}

}  // namespace dlperf::cluster
