// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/list_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/file.h"

namespace dlperf::cluster {
namespace {

namespace fs = std::filesystem;

Node* nodeNamed(Cluster& list, const std::string& name) {
    const auto found = std::ranges::find(list.nodes, name, &Node::name);
    return found == list.nodes.end() ? nullptr : &*found;
}

bool areSame(const Node* a, const Node* b) {
    return a == nullptr || b == nullptr ? a == b : toJson(*a) == toJson(*b);
}

// To a name that is free. The file stays until another takes its place: who reads meanwhile would find no
// list.
Result<fs::path> putAside(const fs::path& file, const std::string& ending) {
    fs::path aside = file.string() + ending;
    std::error_code error;
    for (int number = 2; fs::exists(aside, error); ++number) {
        aside = file.string() + ending + std::to_string(number);
    }
    fs::create_hard_link(file, aside, error);
    if (error) {  // a disk without links
        fs::rename(file, aside, error);
    }
    return error ? failBecause(error.message(), "the node list cannot be put aside", file.string(),
                               "Check the permissions of the workspace.", ErrorKind::Work)
                 : Result<fs::path>(std::move(aside));
}

Result<Cluster> parse(const std::string& bytes, const fs::path& file) {
    const auto json = TRY(parseJson(bytes, file.string()));
    return clusterFromJson(json, file.string());
}

}  // namespace

std::optional<Cluster> bothChanges(const Cluster& before, const Cluster& after, const Cluster& there) {
    Cluster was = before;
    Cluster wanted = after;
    Cluster both = there;
    if (was.slurm || wanted.slurm || both.slurm || was.name != wanted.name || was.name != both.name) {
        return std::nullopt;
    }
    std::vector<std::string> names;  // in the order of the list, so that new nodes keep theirs
    for (const Cluster* list : {&after, &before}) {
        for (const Node& node : list->nodes) {
            names.push_back(node.name);
        }
    }
    for (const std::string& name : names) {
        const Node* from = nodeNamed(was, name);
        const Node* to = nodeNamed(wanted, name);
        Node* theirs = nodeNamed(both, name);
        if (areSame(from, to) || areSame(theirs, to)) {
            continue;
        }
        if (!areSame(theirs, from)) {
            return std::nullopt;
        }
        if (to == nullptr) {
            std::erase_if(both.nodes, [&](const Node& node) { return node.name == name; });
        } else if (theirs == nullptr) {
            both.nodes.push_back(*to);
        } else {
            *theirs = *to;
        }
    }
    // Two good changes may make one bad list, of nodes that share a folder.
    return clusterFromJson(toJson(both), {}) ? std::optional(std::move(both)) : std::nullopt;
}

Result<SavedList> saveChange(const fs::path& file, const Cluster& before, const Cluster& after) {
    const FileLock guard = TRY(guardOf(file));
    SavedList saved{.list = after};
    std::error_code error;
    if (fs::exists(file, error)) {
        const auto bytes = readFile(file);
        const auto there = bytes ? parse(*bytes, file) : Failure(bytes.error());
        if (!there) {
            saved.aside = TRY(putAside(file, ".unreadable"));
        } else if (toJson(*there) != toJson(before) && toJson(*there) != toJson(after)) {
            saved.found = *bytes;
            if (auto both = bothChanges(before, after, *there)) {
                saved.list = *std::move(both);
            } else {
                saved.aside = TRY(putAside(file, ".other"));
            }
        }
    }
    TRY(writeFileAtomically(file, toJson(saved.list).dump(2) + "\n"));
    return saved;
}

}  // namespace dlperf::cluster
