// SPDX-License-Identifier: Apache-2.0
// Reads a node's log as it arrives and says what went wrong and what helps. What a log holds may be hostile:
// what is taken from it is bounded, without control characters, and quoted where it gets into a command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/line_reader.h"
#include "core/diagnosis/rules.h"

namespace dlperf::diagnosis {

// One rule that one node's log fits, with its texts filled in.
struct Hint {
    std::string rule;
    Severity severity = Severity::Fail;
    std::string node;
    std::int64_t line = 0;  // where it was first said, from 1; 0: it is not about a line
    std::string evidence;   // that line, cleaned, at most mostEvidence bytes
    std::string what;
    std::string why;
    std::string remedy;
    std::string command;
    bool outOfMemory = false;  // the line means that memory ran out; not kept as JSON
    friend bool operator==(const Hint&, const Hint&) = default;
};

inline constexpr std::size_t mostEvidence = 400;
inline constexpr std::size_t mostOfLine = 4096;  // bytes of a line that are looked at

class LogDiagnosis {
public:
    LogDiagnosis(Rules rules, std::string node);

    // Bytes in any chunks. Each rule gives one hint, at the first line that fits it.
    void feed(std::string_view bytes);
    void finish();
    [[nodiscard]] const std::vector<Hint>& hints() const { return hints_; }

private:
    void look(const analysis::Line& line);

    Rules rules_;
    std::string node_;
    analysis::LineSplitter splitter_;
    std::string plain_;       // the line without escape sequences
    std::vector<bool> told_;  // by rule
    std::vector<Hint> hints_;
};

// Of a trainer that ended by itself with this code.
[[nodiscard]] std::vector<Hint> hintsOfExit(const RuleSet& rules, const std::string& node, int exitCode);

// Something when the node has been silent for longer than the rule about silence lets it. Seconds.
[[nodiscard]] std::optional<Hint> hintOfSilence(const RuleSet& rules, const std::string& node, double silence,
                                                double usualIteration);

// "4.2 s", "35 s", "12 min"
[[nodiscard]] std::string spanOf(double seconds);

// The worst first; of a rule that several nodes fit the first node only. What broke no run that ended ok (a
// port that was taken at the first try) is skipped.
[[nodiscard]] std::vector<Hint> mostTelling(std::vector<Hint> hints, bool endedOk = false);

[[nodiscard]] Json toJson(const std::vector<Hint>& hints);
// What is no hint is skipped: the file may be from another version.
[[nodiscard]] std::vector<Hint> hintsFromJson(const Json& json);

}  // namespace dlperf::diagnosis
