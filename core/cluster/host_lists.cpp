// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/host_lists.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr int highestPort = 65'535;

bool isPlainIpv6(std::string_view host) {
    return std::count(host.begin(), host.end(), ':') > 1 && !host.starts_with('[');
}

std::optional<int> portOf(std::string_view text) {
    const auto port = toInt(text);
    return port && *port > 0 && *port <= highestPort ? port : std::nullopt;
}

constexpr std::size_t longestName = 56;  // with room for a number

// What may stand in the name of a node; everything else becomes a dash.
std::string plain(std::string_view host) {
    std::string name;
    for (const char c : host.substr(0, longestName)) {
        name += isPlainName(std::string("n") + c) ? c : '-';
    }
    return isPlainName(name) ? name : "n" + name;
}

// A name for a node at this host that no other of the list has: "gpu-01", then "gpu-01-2".
std::string freeName(std::string_view host, const std::vector<Node>& nodes) {
    const std::string name = plain(host);
    std::string free = name;
    for (int number = 2; std::ranges::find(nodes, free, &Node::name) != nodes.end(); ++number) {
        free = name + "-" + std::to_string(number);
    }
    return free;
}

constexpr int mostSlots = 1024;

struct Entry {
    std::string user;
    std::string host;
    std::optional<int> slots;
};

// Nothing for a number of slots that is none.
std::optional<Entry> entryOf(const std::vector<std::string_view>& words) {
    Entry entry;
    std::string_view host = words.front();
    std::string_view slots;
    if (const auto at = host.rfind('@'); at != std::string_view::npos) {
        entry.user = host.substr(0, at);
        host.remove_prefix(at + 1);
    }
    if (const auto end = host.find(']'); host.starts_with('[') && end != std::string_view::npos) {
        slots = host.substr(std::min(end + 2, host.size()));  // behind "]:"
        host = host.substr(1, end - 1);
    } else if (std::count(host.begin(), host.end(), ':') == 1) {  // more of them are an IPv6 address
        slots = host.substr(host.find(':') + 1);
        host = host.substr(0, host.find(':'));
    }
    for (const std::string_view word : words) {
        if (word.starts_with("slots=")) {
            slots = word.substr(6);
        }
    }
    entry.host = host;
    if (!slots.empty()) {
        entry.slots = toInt(slots);
        if (!entry.slots || *entry.slots < 1 || *entry.slots > mostSlots) {
            return std::nullopt;
        }
    }
    return entry;
}

void add(Cluster& cluster, const Entry& entry) {
    const auto same = std::find_if(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
        return node.host == entry.host && node.user == entry.user;
    });
    if (same == cluster.nodes.end()) {
        Node node;
        node.name = freeName(entry.host, cluster.nodes);
        node.host = entry.host;
        node.user = entry.user;
        node.devices = entry.slots;
        cluster.nodes.push_back(std::move(node));
    } else if (entry.slots) {
        same->devices = std::min(mostSlots, same->devices.value_or(0) + *entry.slots);
    }
}

// What launchers would not know of this node; a name that is its host says nothing new.
std::string remarkOf(const Node& node) {
    std::vector<std::string> parts;
    if (node.name != node.host) {
        parts.push_back(node.name);
    }
    if (node.port) {
        parts.push_back(fmt::format("port {}", *node.port));
    }
    if (!node.identityFile.empty()) {
        parts.push_back("key " + firstLine(node.identityFile));
    }
    if (node.inContainer()) {
        parts.push_back("in a container");
    }
    return parts.empty() ? "" : "  # " + join(parts, ", ");
}

constexpr int deepestInclude = 16;  // as in OpenSSH
constexpr int mostFiles = 1000;     // files may include each other
constexpr std::size_t mostHosts = 4096;

// "Host a \"b c\"", "Include=x": the keyword and its arguments.
std::vector<std::string> argumentsOf(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool isQuoted = false;
    const auto end = [&] {
        if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    };
    for (const char c : line) {
        if (c == '"') {
            isQuoted = !isQuoted;
        } else if (c == '#' && !isQuoted && word.empty()) {
            break;
        } else if (!isQuoted && (c == ' ' || c == '\t' || c == '\r' || (c == '=' && words.empty()))) {
            end();
        } else {
            word += c;
        }
    }
    end();
    return words;
}

std::vector<std::filesystem::path> filesOf(const std::string& pattern, const std::filesystem::path& folder) {
    const std::filesystem::path path = expandHome(pattern);
    glob_t found{};
    std::vector<std::filesystem::path> files;
    if (::glob((path.is_absolute() ? path : folder / path).c_str(), 0, nullptr, &found) == 0) {
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    return files;
}

struct Reader {
    std::filesystem::path folder;  // that Include is relative to
    std::vector<std::string> hosts{};
    int files = 0;

    void readLine(std::string_view line, int depth) {
        const auto words = argumentsOf(line);
        const std::string keyword = words.empty() ? "" : lower(words.front());
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (keyword == "include") {
                for (const auto& file : filesOf(words[i], folder)) {
                    (void)read(file, depth + 1);  // what cannot be read is passed over, as ssh does
                }
            } else if (keyword == "host" && words[i].find_first_of("*?!") == std::string::npos &&
                       hosts.size() < mostHosts && std::ranges::find(hosts, words[i]) == hosts.end()) {
                hosts.push_back(words[i]);
            }
        }
    }

    Result<void> read(const std::filesystem::path& file, int depth) {
        if (depth > deepestInclude || ++files > mostFiles) {
            return {};
        }
        const auto text = TRY(readFile(file));
        for (const std::string_view line : split(text, '\n')) {
            readLine(line, depth);
        }
        return {};
    }
};

}  // namespace

std::string hostText(const Node& node) {
    if (node.local) {
        return {};
    }
    if (node.seat) {
        return node.seat->job.empty() ? "of a Slurm job" : "of Slurm job " + node.seat->job;
    }
    std::string text = node.user.empty() ? "" : node.user + "@";
    if (!node.port) {
        return text + node.host;
    }
    const std::string host = isPlainIpv6(node.host) ? "[" + node.host + "]" : node.host;
    return text + fmt::format("{}:{}", host, *node.port);
}

std::string oddOfHost(std::string_view text) {
    if (text.starts_with('-')) {
        return "a dash at its start";
    }
    const auto odd = std::ranges::find_if(
        text, [](char c) { return c <= ' ' || c == 127 || c == ',' || c == '\'' || c == '"' || c == '\\'; });
    if (odd == text.end()) {
        return {};
    }
    return *odd == ' '                 ? "a space"
           : (*odd & 0x80) != 0        ? "a character beyond ASCII"
           : *odd < ' ' || *odd == 127 ? "a control character"
           : *odd == ','               ? "a comma"
           : *odd == '\\'              ? "a backslash"
                                       : "a quotation mark";
}

Result<Node> withHost(Node node, std::string_view text) {
    std::string_view rest = trim(text);
    node.local = rest.empty();
    node.user.clear();
    node.port.reset();
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        node.user = rest.substr(0, at);
        rest.remove_prefix(at + 1);
    }
    if (const auto colon = rest.rfind(':');
        colon != std::string_view::npos && !isPlainIpv6(rest) && !rest.ends_with(']')) {
        node.port = portOf(rest.substr(colon + 1));
        if (!node.port) {
            return fail(fmt::format("\"{}\" is no port", rest.substr(colon + 1)), "Host",
                        "Write a number from 1 to 65535 behind the colon, or no colon.");
        }
        rest = rest.substr(0, colon);
    }
    if (rest.starts_with('[') && rest.ends_with(']')) {
        rest = rest.substr(1, rest.size() - 2);
    }
    node.host = rest;
    if (!node.local && node.host.empty()) {
        return fail(fmt::format("\"{}\" names no host", trim(text)), "Host",
                    "Write a name of your SSH configuration, or user@host:port.");
    }
    for (const std::string* said : {&node.user, &node.host}) {
        if (const std::string odd = oddOfHost(*said); !odd.empty()) {
            return fail(fmt::format("\"{}\": {} cannot be there", refusedName(*said), odd), "Host",
                        "Write a name of your SSH configuration, or user@host:port.");
        }
    }
    return node;
}

Result<Cluster> clusterFromHostfile(std::string_view text, const std::string& where) {
    Cluster cluster{"hosts", {}};
    int number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        const auto words = wordsIn(line.substr(0, line.find('#')), " \t,");
        for (auto host = words.begin(); host != words.end();) {  // with what has a "=" behind it
            const auto next = std::find_if(host + 1, words.end(), [](std::string_view word) {
                return word.find('=') == std::string_view::npos;
            });
            const auto entry = entryOf({host, next});
            if (!entry || entry->host.empty() || toInt(entry->host)) {
                return fail(fmt::format("line {} names no host with its slots: {}", number, firstLine(line)),
                            where, "Write a host a line: \"node1 slots=8\".");
            }
            add(cluster, *entry);
            host = next;
        }
    }
    return clusterFromJson(toJson(cluster), where);
}

std::string hostfileOf(const Cluster& cluster) {
    std::string text = fmt::format("# {}\n", firstLine(cluster.name));
    for (const Node& node : cluster.nodes) {
        text += node.user.empty() ? "" : node.user + "@";
        text += node.local ? "localhost" : node.host;
        text += node.devices ? fmt::format(" slots={}", *node.devices) : "";
        text += remarkOf(node) + "\n";
    }
    return text;
}

Result<Cluster> clusterFromSsh(const std::filesystem::path& config) {
    Reader reader{config.parent_path()};
    TRY(reader.read(config, 0));
    if (reader.hosts.empty()) {
        return fail("names no host", config.string(),
                    "Write a line \"Host NAME\" for each node, without a * or ?.");
    }
    Cluster cluster{"ssh", {}};
    for (const std::string& host : reader.hosts) {
        Node node;
        node.name = freeName(host, cluster.nodes);
        node.host = host;
        cluster.nodes.push_back(std::move(node));
    }
    return clusterFromJson(toJson(cluster), config.string());
}

}  // namespace dlperf::cluster
