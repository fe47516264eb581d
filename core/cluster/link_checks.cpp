// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/link_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/mapped.h"
#include "core/base/node_script.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t atOnce = 64;
constexpr int timedOut = 124;

// The rest of a line behind its first words.
std::string_view behind(std::string_view line, int words) {
    for (; words > 0; --words) {
        const std::size_t end = std::min(line.find(' '), line.size());
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return line;
}

// bash says "link: connect: Connection refused", "link: line 1: /dev/tcp/…: Connection refused" and more.
std::string reasonOf(int code, std::string_view said) {
    if (code == timedOut) {
        return "no answer within 10 s";
    }
    const std::string text(trim(said));
    for (const char* known :
         {"Connection refused", "No route to host", "Network is unreachable", "Connection timed out",
          "Name or service not known", "Temporary failure in name resolution", "Connection reset by peer"}) {
        if (text.find(known) != std::string::npos) {
            return known;
        }
    }
    return text.empty() ? "the connection was closed without a word" : firstLine(text);
}

void takeAnswer(Connection& link, const Peer& peer, std::string_view kind, std::string_view rest) {
    if (kind == "way") {
        link.interface = firstLine(rest);
        return;
    }
    const int code = toInt(rest.substr(0, rest.find(' '))).value_or(1);
    const std::string_view said = trim(behind(rest, 1));
    if (kind == "ssh") {
        link.sshTried = true;
        link.sshCode = code;
        link.sshSaid = firstLine(said);
    } else if (kind == "link" && code == 0) {
        // Before the word may stand what the user's shell complains about when it starts.
        const bool own = said.ends_with(peer.word);
        link.state = own ? Connection::State::Reached : Connection::State::WrongNode;
        link.said =
            own ? "" : fmt::format("another program or node answers there, with \"{}\"", firstLine(said));
    } else if (kind == "link") {
        link.state = code == 127 || said.find("bash: not found") != std::string_view::npos
                         ? Connection::State::Untried
                         : Connection::State::Failed;
        link.said = reasonOf(code, said);
    }
}

constexpr std::size_t mostLines = 20;  // of evidence

std::string evidenceOf(const std::vector<std::string>& lines) {
    return joinSome(lines, mostLines, "\n", "\n");
}

constexpr const char* noToolRemedy = "Install one of them";
constexpr const char* noToolCommand = "sudo apt-get install python3-minimal";

Check checkMasterPort(const std::string& node, const NodeLinks& first) {
    if (first.listener.port > 0) {
        return passed("Master port", fmt::format("{} is free on {}", first.listener.port, node));
    }
    if (first.listener.noTool || !first.error.what.empty()) {
        return warning("Master port", fmt::format("could not be tried on {}", node),
                       first.listener.noTool ? "It needs python3, perl or socat there to listen on a port."
                                             : first.error.what,
                       first.listener.noTool ? noToolRemedy : first.error.remedy,
                       first.listener.noTool ? noToolCommand : "");
    }
    return failed("Master port", fmt::format("none is free on {}", node),
                  "The processes of a run meet at a port of the first node.",
                  "End what holds so many ports there", "ss -ltnp");
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
    return evidenceOf(mapped(links, [](const Connection* link) { return lineOf(*link); }));
}

Check checkConnections(const Tries& tries) {
    const std::size_t all = tries.reached + tries.failed.size() + tries.wrong.size();
    if (!tries.wrong.empty()) {
        const Connection& link = *tries.wrong.front();
        return failed("Connections",
                      fmt::format("{} leads {} elsewhere than to {}", link.address, link.from, link.to),
                      "The address by which nodes reach each other ends at another machine, or where it is "
                      "asked: names that /etc/hosts gives to 127.0.1.1 do that.",
                      "Name the right one as \"address\" in the node's settings",
                      fmt::format("getent ahosts {}", shellQuote(link.address)), linesOf(tries.wrong));
    }
    if (!tries.failed.empty()) {
        const Connection& link = *tries.failed.front();
        return failed("Connections",
                      fmt::format("{} of {} fail: {} to {}, {}", tries.failed.size(), all, link.from, link.to,
                                  link.said),
                      "The processes of a run connect to each other on free ports; where a firewall or an "
                      "address is in the way, the start hangs or fails.",
                      "Open the ports between the nodes, or name their right \"address\"",
                      fmt::format("bash -c 'exec 3<>/dev/tcp/{}/{}'", link.address, link.port),
                      linesOf(tries.failed));
    }
    if (all == 0 || !tries.untried.empty()) {
        return warning("Connections",
                       tries.untried.empty() ? "could not be tried"
                                             : fmt::format("could not be tried to {}", named(tries.untried)),
                       "It needs python3, perl or socat to listen on a port, and bash to connect.",
                       noToolRemedy, noToolCommand);
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

bool isMissing(const NodeAnswer& answer) {
    const auto& interfaces = answer.facts->interfaces;
    return !answer.node.interface.empty() && !interfaces.empty() &&
           std::ranges::find(interfaces, answer.node.interface, &InterfaceFacts::name) == interfaces.end();
}

// Debian gives a machine's own name to 127.0.1.1. Gloo, MPI and the like listen at the address of that name,
// which no other node reaches then; NCCL asks the interfaces instead.
bool nameIsLoopback(const NodeFacts& facts) {
    const auto& own = facts.ownAddresses;
    return facts.gpus.empty() && !own.empty() && std::ranges::all_of(own, [](const std::string& address) {
               return address.starts_with("127.") || address == "::1";
           });
}

// What is wrong with a node's choice of interface, or could go wrong without one; empty when all is well.
std::string interfaceTrouble(const NodeAnswer& answer, const std::string& way, bool severalMachines) {
    const std::string chosen = chosenInterface(answer.node);
    if (chosen.empty()) {
        if (severalMachines && nameIsLoopback(*answer.facts)) {
            return fmt::format("its own name, {}, leads to {}", answer.facts->host,
                               answer.facts->ownAddresses.front());
        }
        const auto others = misleading(*answer.facts, way);
        return others.empty() ? ""
                              : fmt::format("{} may be taken for the network{}", named(others),
                                            way.empty() ? "" : " instead of " + way);
    }
    if (isMissing(answer)) {
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
    std::set<std::string> machines;
    bool missing = false;
    for (const NodeAnswer& node : nodes) {
        if (node.facts) {
            machines.insert(node.facts->machine);
            missing = missing || isMissing(node);
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].facts) {
            continue;
        }
        const std::string way = wayOf(links[i]);
        const std::string trouble = interfaceTrouble(nodes[i], way, machines.size() > 1);
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
    Check check = warning(
        "Network interface",
        troubled.size() == 1 ? lines.front() : fmt::format("to look at on {}", named(troubled)),
        "NCCL and Gloo choose an interface by themselves; at a virtual one (veth, docker0, "
        "virbr0), an fe80 address or a loopback the nodes do not find each other, although ssh "
        "and ping work.",
        "Name it as \"interface\" in the node's settings: recipes give it to NCCL",
        fmt::format("export NCCL_SOCKET_IFNAME={}", all.empty() ? "…" : all.front()), evidenceOf(lines));
    if (missing) {
        check.verdict = Verdict::Failed;
        check.stopsRun = true;
    }
    return check;
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
    return failed("SSH between nodes", fmt::format("{} of {} fail: {}", lines.size(), tried, lines.front()),
                  "A launcher on the first node (mpirun, horovodrun) starts the processes of the others over "
                  "SSH, without a password and with a host key that it knows. In containers a server of "
                  "their own has to listen.",
                  "Put the first node's key among the authorized keys of the others, and log in once",
                  fmt::format("ssh-copy-id {}", shellQuote(first->address)), evidenceOf(lines));
}

}  // namespace

std::string freePortScript(unsigned seed, const PortFiles& files) {
    using node_script::set;
    return set("seed", std::to_string(seed)) + set("ephemeral", files.ephemeral) + set("used", files.used) +
           set("used6", files.used6) + std::string(node_script::free_port);
}

std::string listenScript(const std::string& word, unsigned seed) {
    using node_script::set;
    return set("DLPERF_WORD", word) + set("free_port_script", freePortScript(seed)) +
           std::string(node_script::listen);
}

Listener parseListener(std::string_view printed) {
    Listener listener;
    for (const std::string_view line : split(printed, '\n')) {
        if (line.starts_with("port ")) {
            listener.port = toInt(line.substr(5)).value_or(0);
        } else if (line.starts_with("pid ") && toInt(line.substr(4)).value_or(0) > 1) {
            listener.pid = line.substr(4);
        }
        listener.noTool = listener.noTool || line == "no_tool";
    }
    return listener;
}

std::string endListenerScript(const std::string& pid) {
    return "kill " + shellQuote(pid) + " 2>/dev/null; exit 0";
}

std::string connectScript(const std::vector<Peer>& peers, const Node& node) {
    std::string script = exportLines(node.env) + node_script::set("node_setup", node.setup) +
                         "export node_setup\n" + std::string(node_script::connect);
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const Peer& peer = peers[i];
        script += fmt::format("reach {} {} {} {} &\n", i, shellQuote(peer.address), peer.port, peer.sshPort);
        if ((i + 1) % atOnce == 0) {
            script += "wait\n";
        }
    }
    return script + "wait\n";
}

std::vector<Connection> parseLinks(const std::string& from, const std::vector<Peer>& peers,
                                   std::string_view printed) {
    std::vector<Connection> links;
    for (const Peer& peer : peers) {
        Connection link;
        link.from = from;
        link.to = peer.name;
        link.address = peer.address;
        link.port = peer.port;
        links.push_back(std::move(link));
    }
    for (const std::string_view line : split(printed, '\n')) {
        const std::string_view rest = behind(line, 1);
        const int index = toInt(rest.substr(0, rest.find(' '))).value_or(-1);
        if (index >= 0 && static_cast<std::size_t>(index) < links.size()) {
            const auto at = static_cast<std::size_t>(index);
            takeAnswer(links[at], peers[at], line.substr(0, line.find(' ')), behind(rest, 1));
        }
    }
    return links;
}

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
