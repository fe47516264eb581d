// SPDX-License-Identifier: Apache-2.0
#include "core/report/analysis_report.h"

#include <gtest/gtest.h>

#include "core/analysis/format_row.h"

namespace dlperf::report {
namespace {

analysis::CaseSummary summaryOf(int nodes, int devices, int batch, std::optional<double> figure) {
    analysis::CaseSummary summary;
    summary.shape.topology = {nodes, devices};
    summary.shape.batchSize = batch;
    summary.fold.count = figure ? 1 : 0;
    summary.fold.average = summary.fold.median = summary.speedup = figure;
    return summary;
}

analysis::Analysis analysisOf(const char* format, const std::string& model,
                              std::vector<analysis::CaseSummary> cases) {
    analysis::Analysis analysis;
    analysis.format = analysis::findFormat(format);
    analysis.models.push_back({model, analysis.format, std::move(cases)});
    return analysis;
}

TEST(AnalysisTable, GoesByBatchAndSize) {
    const Table table = tableOf(analysisOf("paddle-resnet50", "r50",
                                           {summaryOf(2, 8, 96, 3200), summaryOf(1, 8, 96, std::nullopt),
                                            summaryOf(1, 1, 96, 333.33), summaryOf(1, 1, 128, 400.5)}));
    EXPECT_EQ(
        toTerminal(table),
        "model  num_nodes  gpu_num_per_node  batch_size_per_device  runs  average  median images/s  speedup\n"
        "-----  ---------  ----------------  ---------------------  ----  -------  ---------------  -------\n"
        "r50            1                 1                    128     1   400.50           400.50   400.50\n"
        "r50            1                 1                     96     1   333.33           333.33   333.33\n"
        "r50            1                 8                     96     0\n"
        "r50            2                 8                     96     1  3200.00          3200.00  "
        "3200.00\n");
    EXPECT_EQ(
        toCsv(table).substr(0, toCsv(table).find("r50,1,8")),
        "model,num_nodes,gpu_num_per_node,batch_size_per_device,runs,average,median images/s,speedup\r\n"
        "r50,1,1,128,1,400.5,400.5,400.5\r\nr50,1,1,96,1,333.33,333.33,333.33\r\n");
}

TEST(AnalysisTable, RoundsWhatIsFoldedUnrounded) {
    const Table table = tableOf(analysisOf("oneflow-resnet50", "r50", {summaryOf(1, 1, 96, 379.055555)}));
    EXPECT_EQ(table.rows[0][6].number, 379.06);
}

TEST(AnalysisTable, HostileNamesStayInTheirCells) {
    const Table table =
        tableOf(analysisOf("paddle-resnet50", "=cmd\x1b[31m|b,\"c\"\xFF", {summaryOf(1, 1, 96, 1.0)}));
    EXPECT_EQ(toTerminal(table).find('\x1b'), std::string::npos);
    EXPECT_NE(toMarkdown(table).find("\\|b,"), std::string::npos);
    EXPECT_EQ(toCsv(table).find("\n=cmd"), std::string::npos);
    EXPECT_EQ(toCsv(table).find('\xFF'), std::string::npos);
}

}  // namespace
}  // namespace dlperf::report
