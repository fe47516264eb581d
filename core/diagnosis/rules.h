// SPDX-License-Identifier: Apache-2.0
// What logs say when something goes wrong, and what helps. The rules are data, resources/diagnosis.json:
//
//   {"rules": [{"id": "port-in-use", "severity": "fail", "patterns": ["Address already in use"],
//               "except": ["…"], "exit_codes": [127], "out_of_memory": false, "what": "…", "why": "…",
//               "remedy": "…", "command": "…", "source": "where the text was seen"}]}
//
// A pattern is RE2 on the bytes of one line. In the texts {node} is the node's name and {1} what the
// pattern's first group holds. One rule may say "stall": {"seconds": 30, "iterations": 20}: it is about
// silence that is longer than both, with {silence} and {usual}.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace dlperf::diagnosis {

enum class Severity { Warn, Fail };

struct Rule {
    std::string id;
    Severity severity = Severity::Fail;
    std::vector<std::string> patterns;
    std::vector<std::string> except;  // a line that holds one of these is not meant
    std::set<int> exitCodes;          // of a trainer that ended by itself
    bool outOfMemory = false;         // its lines mean that memory ran out
    bool isStall = false;
    int stallSeconds = 0;     // silence that a checkpoint or an evaluation may take too
    int stallIterations = 0;  // that would have had their time
    std::string what;         // one sentence
    std::string why;          // one sentence
    std::string remedy;       // sentences
    std::string command;      // to be copied; may be empty
};

class RuleSet {
public:
    // Input errors name the rule and what is wrong with it.
    [[nodiscard]] static Result<RuleSet> fromFile(const std::filesystem::path& path);
    [[nodiscard]] static Result<RuleSet> fromJson(const Json& json, const std::string& where);

    [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }
    struct Match {
        std::size_t rule = 0;
        std::string captured;  // the bytes of its first group; may be empty
    };
    // The rules that a line fits, each once, in their order. Any thread may ask.
    [[nodiscard]] std::vector<Match> match(std::string_view line) const;
    [[nodiscard]] const Rule* stall() const;

private:
    struct Patterns;  // compiled
    std::vector<Rule> rules_;
    std::shared_ptr<const Patterns> patterns_;
};

using Rules = std::shared_ptr<const RuleSet>;

// Those of the program's own resources.
[[nodiscard]] Result<Rules> readRules();

}  // namespace dlperf::diagnosis
