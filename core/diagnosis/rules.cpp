// SPDX-License-Identifier: Apache-2.0
#include "core/diagnosis/rules.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <utility>

#include "core/analysis/capture.h"
#include "core/base/resources.h"

namespace dlperf::diagnosis {
namespace {

constexpr int mostExitCode = 255;

void readStall(const Json& json, const std::string& where, Rule& rule, JsonReader& rules) {
    if (json.is_null()) {
        return;
    }
    JsonReader reader(json, where + ", stall");
    rule.isStall = true;
    rule.stallSeconds = reader.integer("seconds", 30, 0, 86'400);
    rule.stallIterations = reader.integer("iterations", 20, 1, 1'000'000);
    reader.refuseOthers({"seconds", "iterations"});
    if (reader.error() != nullptr) {
        rules.addError(describe(*reader.error()));
    }
}

Result<Rule> readRule(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Rule rule;
    rule.id = reader.requiredText("id");
    const std::string severity = reader.text("severity", "fail");
    if (severity != "fail" && severity != "warn") {
        reader.addError("\"severity\" must be \"fail\" or \"warn\"");
    }
    rule.severity = severity == "warn" ? Severity::Warn : Severity::Fail;
    rule.patterns = reader.texts("patterns");
    rule.except = reader.texts("except");
    const std::vector<int> codes = reader.integers("exit_codes", 1, mostExitCode);
    rule.exitCodes = {codes.begin(), codes.end()};
    rule.outOfMemory = reader.flag("out_of_memory", false);
    readStall(reader.member("stall"), where, rule, reader);
    rule.what = reader.requiredText("what");
    rule.why = reader.text("why");
    rule.remedy = reader.requiredText("remedy");
    rule.command = reader.text("command");
    (void)reader.text("source");  // for who reads the file
    reader.refuseOthers({"id", "severity", "patterns", "except", "exit_codes", "out_of_memory", "stall",
                         "what", "why", "remedy", "command", "source"});
    if (rule.patterns.empty() && rule.exitCodes.empty() && !rule.isStall) {
        reader.addError("needs a pattern or an exit code");
    }
    return reader.error() == nullptr ? Result<Rule>(std::move(rule)) : Failure(*reader.error());
}

}  // namespace

struct RuleSet::Patterns {
    struct One {
        std::size_t rule = 0;
        std::unique_ptr<RE2> expression;
    };
    RE2::Set any{analysis::byBytes(), RE2::UNANCHORED};  // one look at a line for all of them
    std::vector<One> all;                                // by their number in `any`

    [[nodiscard]] Result<void> add(std::size_t rule, const std::string& pattern, const std::string& where) {
        std::string problem;
        if (pattern.empty() || any.Add(pattern, &problem) < 0) {
            return fail(fmt::format("the pattern \"{}\" is wrong: {}", pattern,
                                    pattern.empty() ? "it is empty" : problem),
                        where, "Write a regular expression that RE2 understands.");
        }
        all.push_back({rule, std::make_unique<RE2>(pattern, analysis::byBytes())});
        return {};
    }
};

Result<RuleSet> RuleSet::fromFile(const std::filesystem::path& path) {
    const auto json = readJsonFile(path);
    return json ? fromJson(*json, path.string()) : Failure(json.error());
}

Result<RuleSet> RuleSet::fromJson(const Json& json, const std::string& where) {
    if (!json.is_object() || !json.value("rules", Json()).is_array()) {
        return fail("has no list of rules", where, "Write {\"rules\": [ … ]}.");
    }
    RuleSet set;
    auto patterns = std::make_shared<Patterns>();
    for (const Json& item : json["rules"]) {
        const std::string place = fmt::format("{}, rule {}", where, set.rules_.size() + 1);
        auto rule = TRY(readRule(item, place));
        if (std::any_of(set.rules_.begin(), set.rules_.end(),
                        [&](const Rule& other) { return other.id == rule.id; })) {
            return fail(fmt::format("\"{}\" is there twice", rule.id), place, "Give it another id.");
        }
        for (const std::string& pattern : rule.patterns) {
            TRY(patterns->add(set.rules_.size(), pattern, place + " (" + rule.id + ")"));
        }
        set.rules_.push_back(std::move(rule));
    }
    if (!patterns->all.empty() && !patterns->any.Compile()) {
        return fail("its patterns are too large together", where, "Make them simpler.");
    }
    set.patterns_ = std::move(patterns);
    return set;
}

std::vector<RuleSet::Match> RuleSet::match(std::string_view line) const {
    std::vector<Match> matches;
    std::vector<int> numbers;
    if (patterns_->all.empty() ||
        !patterns_->any.Match(re2::StringPiece(line.data(), line.size()), &numbers)) {
        return matches;
    }
    std::sort(numbers.begin(), numbers.end());
    for (const int number : numbers) {
        const Patterns::One& one = patterns_->all[static_cast<std::size_t>(number)];
        const std::vector<std::string>& except = rules_[one.rule].except;
        const bool meant = std::none_of(except.begin(), except.end(), [&](const std::string& text) {
            return line.find(text) != std::string_view::npos;
        });
        if (!meant || (!matches.empty() && matches.back().rule == one.rule)) {
            continue;
        }
        Match match{one.rule, {}};
        if (one.expression->NumberOfCapturingGroups() > 0) {
            RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), *one.expression, &match.captured);
        }
        matches.push_back(std::move(match));
    }
    return matches;
}

const Rule* RuleSet::stall() const {
    const auto found =
        std::find_if(rules_.begin(), rules_.end(), [](const Rule& rule) { return rule.isStall; });
    return found == rules_.end() ? nullptr : &*found;
}

Result<Rules> readRules() {
    const auto resources = TRY(resourceFolder());
    auto rules = RuleSet::fromFile(resources / "diagnosis.json");
    return rules ? Result<Rules>(std::make_shared<const RuleSet>(std::move(*rules))) : Failure(rules.error());
}

}  // namespace dlperf::diagnosis
