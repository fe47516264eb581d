// SPDX-License-Identifier: Apache-2.0
#include "app/import_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "app/run_inputs.h"
#include "core/base/text.h"
#include "core/report/table.h"

namespace dlperf::app {
namespace {

using imports::Proposal;
using imports::Verdict;
using OrderedJson = nlohmann::ordered_json;

std::string known(const std::string& text) {
    return text.empty() ? "?" : text;
}

// "PyTorch examples": the words that the user may correct, in one line.
std::string caseOf(const Proposal& proposal) {
    if (proposal.format == nullptr) {
        return "";
    }
    const Subject& subject = proposal.subject;
    std::string text =
        fmt::format("{} {} b{} {} {}", known(subject.implementation), known(subject.model),
                    subject.batchSize > 0 ? std::to_string(subject.batchSize) : "?", known(subject.precision),
                    proposal.topology ? toString(*proposal.topology) : "?");
    for (const std::string& feature : subject.features) {
        text += " +" + feature;
    }
    return proposal.repetition ? text + fmt::format(", repetition {}", *proposal.repetition) : text;
}

std::string remarkOf(const Proposal& proposal) {
    std::vector<std::string> parts;
    if (proposal.verdict != Verdict::New) {
        parts.emplace_back(toString(proposal.verdict));
    }
    if (proposal.verdict == Verdict::Duplicate) {
        parts.back() += " of " + proposal.sameAs;
    } else if (proposal.format != nullptr && !proposal.missing.empty()) {
        parts.push_back("not known: " + join(proposal.missing, ", "));
    }
    parts.insert(parts.end(), proposal.notes.begin(), proposal.notes.end());
    return join(parts, "; ");
}

OrderedJson textOrNull(const std::string& text) {
    return text.empty() ? OrderedJson() : OrderedJson(text);
}

OrderedJson caseJson(const Proposal& proposal) {
    const Subject& subject = proposal.subject;
    return {{"framework", textOrNull(subject.framework)},
            {"implementation", textOrNull(subject.implementation)},
            {"model", textOrNull(subject.model)},
            {"precision", textOrNull(subject.precision)},
            {"batch_size", subject.batchSize > 0 ? OrderedJson(subject.batchSize) : OrderedJson()},
            {"topology", proposal.topology ? OrderedJson(toString(*proposal.topology)) : OrderedJson()},
            {"features", subject.features},
            {"repetition", proposal.repetition ? OrderedJson(*proposal.repetition) : OrderedJson()}};
}

OrderedJson logJson(const Proposal& proposal) {
    OrderedJson json{{"log", proposal.name},
                     {"verdict", toString(proposal.verdict)},
                     {"format", proposal.format != nullptr ? OrderedJson(analysis::name(*proposal.format))
                                                           : OrderedJson()},
                     {"why", proposal.why},
                     {"case", caseJson(proposal)},
                     {"missing", proposal.missing},
                     {"notes", proposal.notes}};
    if (!proposal.sameAs.empty()) {
        json["same_as"] = proposal.sameAs;
    }
    if (!proposal.target.empty()) {
        json["file"] = "logs/" + proposal.target.string();
    }
    return json;
}

void addOutcome(OrderedJson& json, const imports::SavedLog& log) {
    json["run"] = log.result.id;
    json["outcome"] = toString(log.result.outcome);
    json["throughput"] = log.result.throughput ? OrderedJson(*log.result.throughput) : OrderedJson();
    json["figure"] = log.figure ? OrderedJson(*log.figure) : OrderedJson();
    json["unit"] = log.result.unit;
    json["excluded"] = log.result.excluded;
    json["sha256"] = log.checksum;
}

}  // namespace

std::string planTable(const imports::ImportPlan& plan) {
    report::Table table;
    table.columns = {{"Log"}, {"Format"}, {"Case"}, {"Remarks"}, {"Why"}};
    for (const Proposal& proposal : plan.proposals) {
        table.rows.push_back(
            {report::textCell(printable(proposal.name)),
             report::textCell(proposal.format != nullptr ? analysis::name(*proposal.format) : "?"),
             report::textCell(printable(caseOf(proposal))), report::textCell(printable(remarkOf(proposal))),
             report::textCell(printable(proposal.why))});
    }
    return report::toTerminal(table);
}

std::string outcomeJson(const imports::ImportPlan& plan, const imports::Imported* imported) {
    OrderedJson logs = OrderedJson::array();
    for (const Proposal& proposal : plan.proposals) {
        logs.push_back(logJson(proposal));
    }
    OrderedJson leftOut = OrderedJson::array();
    for (const Error& problem : imported != nullptr ? imported->problems : plan.remarks) {
        leftOut.push_back(cleanUtf8(describe(problem)));
    }
    if (imported != nullptr) {
        for (const imports::SavedLog& log : imported->saved) {
            addOutcome(logs[log.proposal], log);
        }
    }
    return OrderedJson{{"name", plan.name},
                       {"imported", imported != nullptr ? imported->logs : 0},
                       {"duplicates", plan.count(Verdict::Duplicate)},
                       {"logs", logs},
                       {"left_out", leftOut}}
        .dump(2);
}

}  // namespace dlperf::app
