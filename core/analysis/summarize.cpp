// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/summarize.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {
namespace {

constexpr const char* baseTopology = "1n1g";

// A case while its logs are gathered: indexes into Analysis::logs, in fold order.
struct Gathered {
    std::size_t model = 0;
    std::size_t position = 0;  // in the model's cases
    std::vector<std::size_t> logs;
};

class Summarizer {
public:
    explicit Summarizer(Analysis& analysis) : analysis_(analysis) {}

    void run() {
        for (std::size_t i = 0; i < analysis_.logs.size(); ++i) {
            gather(i);
        }
        for (Gathered& gathered : cases_) {
            foldCase(gathered);
        }
        for (ModelSummary& model : analysis_.models) {
            addSpeedups(model);
        }
    }

private:
    std::string objectName(const AnalyzedLog& log);
    Gathered& caseOf(const AnalyzedLog& log);
    void gather(std::size_t index);
    void foldCase(Gathered& gathered);
    const CaseSummary* baseOf(const ModelSummary& model, const CaseSummary& summary) const;
    void addSpeedups(ModelSummary& model);
    void noteMissingBase(const ModelSummary& model, const CaseSummary& summary, const CaseSummary* base);
    void note(std::string kind, std::string what, std::string where) {
        analysis_.findings.push_back({std::move(kind), std::move(what), std::move(where)});
    }

    Analysis& analysis_;
    std::vector<Gathered> cases_;
    // The first batch size and precision of each model's topology folder.
    std::map<std::pair<std::string, std::string>, std::pair<int, std::string>> first_;
};

// "r50", or "r50 b256 fp16" for what stands beside the folder's first batch size and precision.
std::string Summarizer::objectName(const AnalyzedLog& log) {
    const std::pair kind{log.shape.batchSize, log.precision};
    const auto [entry, isFirst] = first_.try_emplace({log.model, log.topologyName}, kind);
    if (isFirst || entry->second == kind) return log.model;
    std::string name = fmt::format("{} b{}", log.model, log.shape.batchSize);
    if (!log.precision.empty()) name += " " + log.precision;
    return name;
}

Gathered& Summarizer::caseOf(const AnalyzedLog& log) {
    const std::string name = objectName(log);
    auto& models = analysis_.models;
    auto model =
        std::find_if(models.begin(), models.end(), [&](const auto& one) { return one.name == name; });
    if (model == models.end()) {
        model = models.insert(models.end(), {name, {}});
    }
    const auto modelIndex = static_cast<std::size_t>(model - models.begin());
    for (Gathered& gathered : cases_) {
        if (gathered.model == modelIndex &&
            model->cases[gathered.position].topologyName == log.topologyName) {
            return gathered;
        }
    }
    cases_.push_back({modelIndex, model->cases.size(), {}});
    model->cases.push_back({log.topologyName, log.shape, log.precision, {}, {}, {}});
    if (name != log.model && !analysis_.format->batchesShareFolder) {
        note("mixed-folder",
             fmt::format(
                 "batch size {} {} stands beside others here and is reported as \"{}\"; DLPerf's extractor "
                 "lets them overwrite each other",
                 log.shape.batchSize, log.precision, name),
             log.topologyName + ", " + log.model);
    }
    return cases_.back();
}

// The same repetition again replaces the earlier log, in its place; only runs with a figure take part.
void Summarizer::gather(std::size_t index) {
    auto& logs = analysis_.logs;
    Gathered& gathered = caseOf(logs[index]);
    if (!logs[index].figure.value) return;
    logs[index].folded = true;
    const auto same = std::find_if(gathered.logs.begin(), gathered.logs.end(), [&](std::size_t other) {
        return logs[other].repetition == logs[index].repetition;
    });
    if (same == gathered.logs.end() || analysis_.format->header.namesCase) {
        gathered.logs.push_back(index);
        return;
    }
    note("repeated-repetition",
         fmt::format("is repetition {} as {} is; {:.2f} counts, {:.2f} does not", logs[index].repetition,
                     logs[index].file, *logs[index].figure.value, *logs[*same].figure.value),
         logs[*same].file);
    logs[*same].folded = false;
    *same = index;
}

void Summarizer::foldCase(Gathered& gathered) {
    CaseSummary& summary = analysis_.models[gathered.model].cases[gathered.position];
    for (const std::size_t index : gathered.logs) {
        summary.figures.push_back(*analysis_.logs[index].figure.value);
    }
    summary.fold = fold(summary.figures, analysis_.format->fold);
}

// 1n1g of the same object; where batch sizes share folders, 1n1g of the same batch size, whatever its object.
const CaseSummary* Summarizer::baseOf(const ModelSummary& model, const CaseSummary& summary) const {
    const bool anyObject = analysis_.format->batchesShareFolder;
    for (const ModelSummary& one : analysis_.models) {
        if (!anyObject && one.name != model.name) continue;
        for (const CaseSummary& base : one.cases) {
            const bool suits = !anyObject || base.shape.batchSize == summary.shape.batchSize;
            if (suits && base.topologyName == baseTopology) return &base;
        }
    }
    return nullptr;
}

void Summarizer::addSpeedups(ModelSummary& model) {
    for (CaseSummary& summary : model.cases) {
        const CaseSummary* base = baseOf(model, summary);
        if (base == nullptr || base->fold.count == 0) {
            noteMissingBase(model, summary, base);
            continue;
        }
        summary.speedup = speedup(summary.fold, base->fold, analysis_.format->fold);
        if (summary.shape.batchSize != base->shape.batchSize || summary.precision != base->precision) {
            note("mixed-speedup",
                 fmt::format("the speedup compares batch size {} {} with {} {} at 1n1g",
                             summary.shape.batchSize, summary.precision, base->shape.batchSize,
                             base->precision),
                 model.name + ", " + summary.topologyName);
        }
    }
}

void Summarizer::noteMissingBase(const ModelSummary& model, const CaseSummary& summary,
                                 const CaseSummary* base) {
    if (summary.fold.count == 0) return;  // nothing is missed
    note("no-base",
         base == nullptr
             ? "there is no 1n1g, so there is no speedup; DLPerf's extractor writes 1.0 (OneFlow's 0.0)"
             : "no 1n1g run has a figure, so there is no speedup; DLPerf's extractor folds zeros",
         model.name + ", " + summary.topologyName);
}

}  // namespace

void summarize(Analysis& analysis) {
    Summarizer(analysis).run();
}

}  // namespace dlperf::analysis
