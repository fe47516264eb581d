// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/link_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/cluster/free_port.h"

namespace dlperf::cluster {
namespace {

// {0} word, {1} what prints a free port. The first program that listens is taken.
constexpr const char* listenText = R"sh(
exec 2>/dev/null
DLPERF_WORD={0}; export DLPERF_WORD
free_port() {{ sh -c {1}; }}
by_python3() {{ exec timeout 120 python3 -c '
import os, socket, sys
port = int(sys.argv[1])
try:
    listener = socket.socket(socket.AF_INET6)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::", port))
except OSError:
    listener = socket.socket()
    listener.bind(("", port))
listener.listen(128)
while True:
    peer = listener.accept()[0]
    try:
        peer.sendall(os.environ["DLPERF_WORD"].encode() + b"\n")
    except OSError:
        pass
    peer.close()
' "$1"; }}
by_perl() {{ exec timeout 120 perl -e '
use Socket;
$SIG{{PIPE}} = "IGNORE";
my $listener;
socket($listener, PF_INET, SOCK_STREAM, 0) && bind($listener, sockaddr_in($ARGV[0], INADDR_ANY)) && listen($listener, 128) or exit 1;
while (1) {{ my $peer; accept($peer, $listener) or next; syswrite($peer, "$ENV{{DLPERF_WORD}}\n"); close($peer); }}
' "$1"; }}
by_socat() {{ exec timeout 120 socat "TCP-LISTEN:$1,fork" 'SYSTEM:echo "$DLPERF_WORD"'; }}
# Another program may have taken the port in the meantime: only the own word counts.
listens() {{ [ "$(timeout 2 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && read -r word <&3 && echo "$word"' own "$1")" = "$DLPERF_WORD" ]; }}
found=
for tool in python3 python3 perl perl socat; do
  command -v "$tool" >/dev/null || continue
  found=yes port=$(free_port)
  [ -n "$port" ] || {{ echo full; exit 0; }}
  (trap '' HUP; "by_$tool" "$port") </dev/null >/dev/null 2>&1 &
  nap=0
  while [ "$nap" -lt 50 ] && kill -0 $!; do
    listens "$port" && {{ echo "port $port"; echo "pid $!"; exit 0; }}
    nap=$((nap + 1)); sleep 0.1 || sleep 1
  done
  kill $!
done
[ -n "$found" ] || echo no_tool
)sh";

// reach INDEX ADDRESS PORT SSH_PORT prints lines "link", "way" and "ssh"; each in one piece, for many run at
// once.
constexpr const char* connectFunctions = R"sh(
exec 2>/dev/null
export LC_ALL=C
one_line() { printf %s "$1" | tail -c 300 | tr '\n\r' '  '; }
way() {
  case $2 in *[!0-9.]*) address=$(getent ahosts "$2" | sed -n '1s/ .*//p');; *) address=$2;; esac
  device=$(ip -o route get "${address:-$2}" | sed -n '1s/.* dev \([^ ]*\).*/\1/p')
  [ -z "$device" ] || printf 'way %s %s\n' "$1" "$device"
}
connect() {
  said=$(timeout 10 bash -c 'exec 3<>"/dev/tcp/$1/$2" && read -r word <&3 && printf "%s\n" "$word"' link "$2" "$3" 2>&1)
  printf 'link %s %s %s\n' "$1" "$?" "$(one_line "$said")"
}
try_ssh() {
  said=$(timeout 15 ssh -o BatchMode=yes -o ConnectTimeout=5 -o StrictHostKeyChecking=yes -p "$3" -- "$2" true </dev/null 2>&1)
  printf 'ssh %s %s %s\n' "$1" "$?" "$(one_line "$said")"
}
reach() {
  way "$1" "$2"
  [ "$3" = 0 ] || connect "$1" "$2" "$3"
  [ "$4" = 0 ] || try_ssh "$1" "$2" "$4"
}
)sh";

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
    return fmt::format(fmt::runtime(listenText), shellQuote(word), shellQuote(freePortScript(seed)));
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
    std::string script = connectFunctions;
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
