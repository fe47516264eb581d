// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/link_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/node_script.h"
#include "core/base/text.h"
#include "core/cluster/free_port.h"

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

}  // namespace

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

std::string connectScript(const std::vector<Peer>& peers) {
    std::string script(node_script::connect);
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

}  // namespace dlperf::cluster
