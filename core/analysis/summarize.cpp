// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/analyze.h"
#include "core/analysis/format_row.h"

namespace dlperf::analysis {
namespace {

constexpr const char* baseTopology = "1n1g";

// A case while its logs are gathered: indexes into Analysis::logs, in fold order.
struct Gathered {
    std::size_t model = 0;
    std::size_t position = 0;  // in the model's cases
    std::vector<std::size_t> logs;
    std::map<int, std::size_t> repetitions;  // their places in `logs`
};

// Flavours of one format differ by their lines, not by their users.
const std::string& family(const Format& format) {
    return format.flavourOf.empty() ? format.name : format.flavourOf;
}

// The name of a log's top-level object, and what made it another than the model's.
struct ObjectName {
    std::string text;
    bool isSibling = false;      // another batch size or precision came first
    bool isOtherFormat = false;  // another format came first
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
    // "r50", or "r50 b256 fp16" for what stands beside the folder's first batch size and precision, or
    // "r50 paddle-resnet50" for what is of another format than the first: figures of different rules do not
    // meet.
    ObjectName objectName(const AnalyzedLog& log) {
        const std::pair kind{log.shape.batchSize, log.precision};
        ObjectName name{log.model};
        name.isOtherFormat =
            family(*formats_.try_emplace(log.model, log.format).first->second) != family(*log.format);
        if (name.isOtherFormat) {
            name.text += " " + log.format->name;
        }
        const auto [entry, isFirst] = first_.try_emplace({name.text, log.topologyName}, kind);
        name.isSibling = !isFirst && entry->second != kind;
        if (name.isSibling) {
            name.text += fmt::format(" b{}", log.shape.batchSize);
        }
        if (name.isSibling && !log.precision.empty()) {
            name.text += " " + log.precision;
        }
        return name;
    }

    std::size_t modelOf(const ObjectName& name, const AnalyzedLog& log) {
        const auto [entry, isNew] = models_.try_emplace(name.text, analysis_.models.size());
        if (isNew) {
            analysis_.models.push_back({name.text, log.format, {}});
        }
        return entry->second;
    }

    void noteName(const ObjectName& name, const AnalyzedLog& log) {
        const std::string where = log.topologyName + ", " + log.model;
        if (name.isOtherFormat) {
            note("mixed-formats",
                 fmt::format("logs of {} stand beside those of {} and are reported as \"{}\"",
                             log.format->title, formats_.at(log.model)->title, name.text),
                 where);
        }
        if (name.isSibling && !log.format->batchesShareFolder) {
            note("mixed-folder",
                 fmt::format("batch size {} {} stands beside others here and is reported as \"{}\"; DLPerf's "
                             "extractor lets them overwrite each other",
                             log.shape.batchSize, log.precision, name.text),
                 where);
        }
    }

    Gathered& caseOf(std::size_t index) {
        const AnalyzedLog& log = analysis_.logs[index];
        const ObjectName name = objectName(log);
        const std::size_t model = modelOf(name, log);
        const auto [entry, isNew] = places_.try_emplace({model, log.topologyName}, cases_.size());
        if (isNew) {
            auto& cases = analysis_.models[model].cases;
            cases_.push_back({model, cases.size(), {}, {}});
            cases.push_back({log.topologyName, index, log.shape, log.precision, {}, {}, {}});
            noteName(name, log);
        }
        return cases_[entry->second];
    }

    // The same repetition again replaces the earlier log, in its place; only runs with a figure take part.
    void gather(std::size_t index) {
        auto& logs = analysis_.logs;
        Gathered& gathered = caseOf(index);
        if (!logs[index].figure.value) {
            return;
        }
        logs[index].folded = true;
        const auto [entry, isNew] =
            gathered.repetitions.try_emplace(logs[index].repetition, gathered.logs.size());
        if (isNew || logs[index].format->header.namesCase) {
            gathered.logs.push_back(index);
            return;
        }
        std::size_t& same = gathered.logs[entry->second];
        note("repeated-repetition",
             fmt::format("is repetition {} as {} is; {:.2f} counts, {:.2f} does not", logs[index].repetition,
                         logs[index].file, *logs[index].figure.value, *logs[same].figure.value),
             logs[same].file);
        logs[same].folded = false;
        same = index;
    }

    void foldCase(Gathered& gathered) {
        const ModelSummary& model = analysis_.models[gathered.model];
        CaseSummary& summary = analysis_.models[gathered.model].cases[gathered.position];
        for (const std::size_t index : gathered.logs) {
            summary.figures.push_back(*analysis_.logs[index].figure.value);
        }
        summary.fold = fold(summary.figures, model.format->fold);
    }

    // 1n1g of the same object; where batch sizes share folders, 1n1g of the same batch size, whatever its
    // object.
    const CaseSummary* baseOf(const ModelSummary& model, const CaseSummary& summary) const {
        const bool anyObject = model.format->batchesShareFolder;
        for (const ModelSummary& one : analysis_.models) {
            if (one.format != model.format || (!anyObject && one.name != model.name)) {
                continue;
            }
            for (const CaseSummary& base : one.cases) {
                const bool suits = !anyObject || base.shape.batchSize == summary.shape.batchSize;
                if (suits && base.topologyName == baseTopology) {
                    return &base;
                }
            }
        }
        return nullptr;
    }

    void addSpeedups(ModelSummary& model) {
        if (measuresLatency(*model.format)) {
            return;
        }
        for (CaseSummary& summary : model.cases) {
            const CaseSummary* base = baseOf(model, summary);
            if (base == nullptr || base->fold.count == 0) {
                noteMissingBase(model, summary, base);
                continue;
            }
            summary.speedup = speedup(summary.fold, base->fold, model.format->fold);
            if (summary.shape.batchSize != base->shape.batchSize || summary.precision != base->precision) {
                note("mixed-speedup",
                     fmt::format("the speedup compares batch size {} {} with {} {} at 1n1g",
                                 summary.shape.batchSize, summary.precision, base->shape.batchSize,
                                 base->precision),
                     model.name + ", " + summary.topologyName);
            }
        }
    }

    void noteMissingBase(const ModelSummary& model, const CaseSummary& summary, const CaseSummary* base) {
        if (summary.fold.count == 0) {  // nothing is missed
            return;
        }
        note("no-base",
             base == nullptr
                 ? "there is no 1n1g, so there is no speedup; DLPerf's extractor writes 1.0 (OneFlow's 0.0)"
                 : "no 1n1g run has a figure, so there is no speedup; DLPerf's extractor folds zeros",
             model.name + ", " + summary.topologyName);
    }

    void note(std::string kind, std::string what, std::string where) {
        analysis_.findings.push_back({std::move(kind), std::move(what), std::move(where)});
    }

    Analysis& analysis_;
    std::vector<Gathered> cases_;
    std::map<std::string, std::size_t> models_;                          // their places by name
    std::map<std::pair<std::size_t, std::string>, std::size_t> places_;  // of cases_, by model and topology
    // The first batch size and precision of each model's topology folder.
    std::map<std::pair<std::string, std::string>, std::pair<int, std::string>> first_;
    std::map<std::string, const Format*> formats_;  // the first of each model
};

}  // namespace

void summarize(Analysis& analysis) {
    Summarizer(analysis).run();
}

}  // namespace dlperf::analysis
