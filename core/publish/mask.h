// SPDX-License-Identifier: Apache-2.0
// What a published file should not tell: whose machines and accounts it was measured with, and passwords.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace dlperf::publish {

class Mask {
public:
    // The names, addresses and users of a node list: cluster.json, as a campaign keeps it, or the facts of a
    // run. Nodes become node1, node2, …, the same in all that is masked.
    void addCluster(const Json& cluster);
    void addNode(const std::string& name);

    // With what was added replaced where it stands as a whole word (an account not as part of a name with
    // hyphens: dlperf is none in dlperf-worker), homes under /home and /root by ~, the
    // values of variables whose names speak of passwords, tokens or keys by "masked", and without the
    // addresses in the facts of network interfaces.
    [[nodiscard]] std::string operator()(std::string_view text) const;

private:
    [[nodiscard]] const std::string* insteadOf(const std::string& word) const;  // null: not known
    void addMachine(const Json& node);
    void add(const std::string& word, const std::string& instead);
    [[nodiscard]] std::string withoutWords(std::string_view text) const;

    std::vector<std::pair<std::string, std::string>> words_;  // the longest first
    int nodes_ = 0;
};

}  // namespace dlperf::publish
