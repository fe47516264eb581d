// SPDX-License-Identifier: Apache-2.0
// The folds that DLPerf published with their repetitions: average, median and speedup come out as printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/analysis/summary.h"
#include "core/base/json.h"

namespace dlperf::analysis {
namespace {

struct PublishedCase {
    Json printed;  // the row of kind "fold"
    std::vector<double> runs;
};

using Cases = std::map<std::string, PublishedCase>;  // by topology

std::string topologyOf(const Json& row) {
    return std::to_string(row["nodes"].get<int>()) + "n" + std::to_string(row["gpus_per_node"].get<int>()) +
           "g";
}

std::map<std::string, Cases> publishedFolds() {
    const Json rows = readJsonFile(DLPERF_SOURCE_DIR "/resources/published/dlperf.json").value();
    std::map<std::string, Cases> folds;
    for (const Json& row : rows) {
        const std::string kind = row.value("kind", "");
        if (!row.contains("fold") || row["fold"].is_null()) {
            continue;
        }
        PublishedCase& one = folds[row["fold"].get<std::string>()][topologyOf(row)];
        if (kind == "fold") {
            one.printed = row;
        } else if (kind == "repetition" && !row.contains("overwritten_by_log")) {
            one.runs.push_back(row["throughput"].get<double>());
        }
    }
    // One log root is quoted with its repetitions only.
    std::erase_if(folds, [](const auto& item) {
        return std::all_of(item.second.begin(), item.second.end(),
                           [](const auto& one) { return one.second.printed.is_null(); });
    });
    return folds;
}

// The average is numpy's in the scripts that read speeds, Python's in those that read the clock; 4 decimals
// in those for BERT on NGC TensorFlow 1.x.
FoldRule ruleOf(const PublishedCase& one) {
    const std::string implementation = one.printed["implementation"];
    const bool readsSpeeds = implementation.starts_with("Paddle") || implementation.starts_with("gluon") ||
                             implementation.starts_with("insightface") || implementation == "oneflow_face";
    FoldRule rule;
    rule.average = readsSpeeds ? Rounding::Numpy : Rounding::Python;
    rule.averageDecimals =
        implementation == "NGC TensorFlow 1.x" && one.printed["model"] == "BERT base" ? 4 : 2;
    rule.median = one.printed["median_rounding"] == "P" ? Rounding::Python : Rounding::Numpy;
    rule.speedup = Rounding::Numpy;
    return rule;
}

TEST(PublishedFolds, ComeOutAsPrinted) {
    int checked = 0;
    for (const auto& [name, cases] : publishedFolds()) {
        const auto base = cases.find("1n1g");
        ASSERT_NE(base, cases.end()) << name;
        const Fold baseFold = fold(base->second.runs, ruleOf(base->second));
        for (const auto& [topology, one] : cases) {
            ASSERT_FALSE(one.printed.is_null()) << name << ' ' << topology;
            const FoldRule rule = ruleOf(one);
            const Fold folded = fold(one.runs, rule);
            EXPECT_EQ(folded.average, one.printed["average_speed"].get<double>()) << name << ' ' << topology;
            EXPECT_EQ(folded.median, one.printed["median_speed"].get<double>()) << name << ' ' << topology;
            EXPECT_EQ(speedup(folded, baseFold, rule), one.printed["speedup"].get<double>())
                << name << ' ' << topology;
            ++checked;
        }
    }
    EXPECT_EQ(checked, 104);
}

}  // namespace
}  // namespace dlperf::analysis
