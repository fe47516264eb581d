// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/import_ssh.h"

#include <glob.h>

#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cluster/free_name.h"

namespace dlperf::cluster {
namespace {

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
        const auto text = readFile(file);
        if (!text) {
            return Failure(text.error());
        }
        for (const std::string_view line : split(*text, '\n')) {
            readLine(line, depth);
        }
        return {};
    }
};

}  // namespace

Result<Cluster> clusterFromSsh(const std::filesystem::path& config) {
    Reader reader{config.parent_path()};
    if (auto read = reader.read(config, 0); !read) {
        return Failure(read.error());
    }
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
