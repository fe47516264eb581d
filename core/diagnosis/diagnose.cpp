// SPDX-License-Identifier: Apache-2.0
#include "core/diagnosis/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/terminal_escape.h"
#include "core/base/text.h"
#include "core/model/node_name.h"

namespace dlperf::diagnosis {
namespace {

constexpr std::size_t mostCaptured = 120;

using Texts = std::map<std::string, std::string>;

// One line of text that a person and a terminal can be shown.
std::string harmless(std::string_view bytes, std::size_t most) {
    std::string text = cleanUtf8(trim(bytes.substr(0, most)));
    std::replace_if(
        text.begin(), text.end(),
        [](char c) {
            const auto byte = static_cast<unsigned char>(c);
            return byte < 0x20 || byte == 0x7f;
        },
        ' ');
    return text;
}

// "{name}" becomes its text; what is put in is not looked at again.
std::string filled(const std::string& text, const Texts& values) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
        const auto value =
            end == std::string::npos ? values.end() : values.find(text.substr(at + 1, end - at - 1));
        if (value == values.end()) {
            result += text[at++];
        } else {
            result += value->second;
            at = end + 1;
        }
    }
    return result;
}

Hint hintOf(const Rule& rule, const std::string& node, Texts values) {
    values["node"] = nodeTitle(node);
    Hint hint;
    hint.rule = rule.id;
    hint.severity = rule.severity;
    hint.node = node;
    hint.what = filled(rule.what, values);
    if (hint.what.starts_with("this ")) {
        hint.what.front() = 'T';
    }
    hint.why = filled(rule.why, values);
    hint.remedy = filled(rule.remedy, values);
    const bool lacks = rule.command.find("{1}") != std::string::npos && values["1"].empty();
    for (auto& [name, value] : values) {
        value = shellQuote(value);
    }
    hint.command = lacks ? std::string() : filled(rule.command, values);
    return hint;
}

}  // namespace

std::string spanOf(double seconds) {
    if (seconds < 10) {
        return fmt::format("{:.2g} s", seconds);
    }
    return seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

LogDiagnosis::LogDiagnosis(Rules rules, std::string node)
    : rules_(std::move(rules)), node_(std::move(node)), told_(rules_->rules().size()) {}

void LogDiagnosis::feed(std::string_view bytes) {
    splitter_.feed(bytes, [this](const analysis::Line& line) { look(line); });
}

void LogDiagnosis::finish() {
    splitter_.finish([this](const analysis::Line& line) { look(line); });
}

void LogDiagnosis::look(const analysis::Line& line) {
    const std::string_view text = analysis::withoutEscapes(line.text.substr(0, mostOfLine), plain_);
    for (const RuleSet::Match& match : rules_->match(text)) {
        if (told_[match.rule]) {
            continue;
        }
        told_[match.rule] = true;
        Hint hint =
            hintOf(rules_->rules()[match.rule], node_, {{"1", harmless(match.captured, mostCaptured)}});
        hint.line = line.number;
        hint.outOfMemory = rules_->rules()[match.rule].outOfMemory;
        hint.evidence = harmless(text, mostEvidence);
        hints_.push_back(std::move(hint));
    }
}

std::vector<Hint> hintsOfExit(const RuleSet& rules, const std::string& node, int exitCode) {
    std::vector<Hint> hints;
    for (const Rule& rule : rules.rules()) {
        if (rule.exitCodes.contains(exitCode)) {
            hints.push_back(hintOf(rule, node, {}));
        }
    }
    return hints;
}

std::optional<Hint> hintOfSilence(const RuleSet& rules, const std::string& node, double silence,
                                  double usualIteration) {
    const Rule* rule = rules.stall();
    const bool known = std::isfinite(usualIteration) && usualIteration > 0 && std::isfinite(silence);
    if (rule == nullptr || !known ||
        silence < std::max<double>(rule->stallSeconds, usualIteration * rule->stallIterations)) {
        return std::nullopt;
    }
    return hintOf(*rule, node, {{"silence", spanOf(silence)}, {"usual", spanOf(usualIteration)}});
}

std::vector<Hint> mostTelling(std::vector<Hint> hints, bool endedOk) {
    std::stable_sort(hints.begin(), hints.end(),
                     [](const Hint& a, const Hint& b) { return a.severity > b.severity; });
    std::set<std::string> told;
    std::erase_if(hints, [&](const Hint& hint) {
        return (endedOk && hint.severity == Severity::Fail) || !told.insert(hint.rule).second;
    });
    return hints;
}

Json toJson(const std::vector<Hint>& hints) {
    Json list = Json::array();
    for (const Hint& hint : hints) {
        list.push_back({{"rule", hint.rule},
                        {"severity", hint.severity == Severity::Fail ? "fail" : "warn"},
                        {"node", hint.node},
                        {"line", hint.line},
                        {"evidence", hint.evidence},
                        {"what", hint.what},
                        {"why", hint.why},
                        {"remedy", hint.remedy},
                        {"command", hint.command}});
    }
    return list;
}

std::vector<Hint> hintsFromJson(const Json& json) {
    std::vector<Hint> hints;
    if (!json.is_array()) {
        return hints;
    }
    for (const Json& item : json) {
        if (!item.is_object()) {
            continue;
        }
        Hint hint;
        hint.rule = textOf(item, "rule");
        hint.severity = textOf(item, "severity") == "warn" ? Severity::Warn : Severity::Fail;
        hint.node = textOf(item, "node");
        const auto line = item.find("line");
        hint.line = line != item.end() && line->is_number_integer() ? line->get<std::int64_t>() : 0;
        hint.evidence = textOf(item, "evidence");
        hint.what = textOf(item, "what");
        hint.why = textOf(item, "why");
        hint.remedy = textOf(item, "remedy");
        hint.command = textOf(item, "command");
        if (!hint.rule.empty() && !hint.what.empty()) {
            hints.push_back(std::move(hint));
        }
    }
    return hints;
}

}  // namespace dlperf::diagnosis
