// SPDX-License-Identifier: Apache-2.0
// The same cases before and after: what matches, what the rank test says to it, and what does not pass.
#include "core/report/before_after.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <set>

#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::orThrow;
using test::ownRun;
using test::vocabulary;

const std::vector<double> seven{1000, 1001, 1002, 1003, 1004, 1005, 1006};

std::vector<double> scaled(std::vector<double> figures, double factor) {
    for (double& figure : figures) {
        figure *= factor;
    }
    return figures;
}

std::vector<RunResult> runsOf(const std::string& campaign, Topology topology,
                              const std::vector<double>& figures, int batchSize = 128) {
    std::vector<RunResult> runs;
    for (const double figure : figures) {
        RunResult run = ownRun(topology, static_cast<int>(runs.size()) + 1, figure);
        run.campaign = campaign;
        run.id = campaign + "/" + run.id + "b" + std::to_string(batchSize);
        run.benchmarkCase.configuration.batchSize = batchSize;
        runs.push_back(std::move(run));
    }
    return runs;
}

RunResult failedRun(const std::string& campaign, Topology topology, Outcome outcome) {
    RunResult run = runsOf(campaign, topology, {1}).front();
    run.outcome = outcome;
    run.throughput.reset();
    run.reason = "the trainer ended with code 1";
    return run;
}

BeforeAfterSide side(const std::string& name, std::vector<RunResult> results = {}) {
    return {.id = name, .name = name, .results = std::move(results)};
}

BeforeAfterSide operator+(BeforeAfterSide one, const std::vector<RunResult>& runs) {
    one.results.insert(one.results.end(), runs.begin(), runs.end());
    return one;
}

BeforeAfter comparedSides(const BeforeAfterSide& before, const BeforeAfterSide& after) {
    return orThrow(beforeAndAfter(before, after, vocabulary()));
}

TEST(BeforeAfter, ListsCasesAsPeopleCount) {
    std::vector<BeforeAfterSide> sides{side("a"), side("b")};
    for (BeforeAfterSide& one : sides) {
        for (const char* workers : {"16", "8"}) {
            for (const Topology topology : {Topology{2, 1}, Topology{1, 2}, Topology{1, 1}}) {
                auto runs = runsOf(one.name, topology, {100});
                runs.front().benchmarkCase.configuration.variant = {{"workers", workers}};
                runs.front().id += workers;
                one = one + runs;
            }
        }
    }
    std::vector<std::string> cases;
    for (const auto& row : beforeAfterTable(comparedSides(sides[0], sides[1])).rows) {
        cases.push_back(row[0].text.substr(row[0].text.rfind('=') + 1) + " " + row[1].text);
    }
    EXPECT_EQ(cases,
              (std::vector<std::string>{"8 1n1g", "8 1n2g", "8 2n1g", "16 1n1g", "16 1n2g", "16 2n1g"}));
}

// One case, before and after.
BeforeAfterCase caseOf(const std::vector<double>& before, const std::vector<double>& after,
                       const std::string& unit = "images/s") {
    auto was = side("a", runsOf("a", {1, 8}, before));
    auto is = side("b", runsOf("b", {1, 8}, after));
    for (BeforeAfterSide* one : {&was, &is}) {
        for (RunResult& run : one->results) {
            run.unit = unit;
        }
    }
    return comparedSides(was, is).cases.at(0);
}

TEST(BeforeAfter, CasesMatchWhateverTheirCampaignAndOrigin) {
    auto imported = runsOf("b", {1, 8}, seven);
    for (RunResult& run : imported) {
        run.origin = Origin::Imported;
    }
    const auto compared = comparedSides(side("a") + runsOf("a", {1, 8}, seven) + runsOf("a", {1, 1}, {130}),
                                        side("b") + imported + runsOf("b", {1, 1}, {131}));
    ASSERT_EQ(compared.cases.size(), 2U);
    EXPECT_EQ(compared.cases[0].benchmarkCase.topology, (Topology{1, 1}));
    EXPECT_EQ(compared.casesOnBothSides, 2U);
    for (const BeforeAfterCase& one : compared.cases) {
        EXPECT_TRUE(one.difference) << one.missing;
        EXPECT_EQ(one.missing, "");
    }
    EXPECT_NEAR(compared.cases[0].difference->relative, 131.0 / 130 - 1, 1e-12);
    EXPECT_EQ(compared.title, "ResNet50 v1.5, fp32, batch size 128");
}

TEST(BeforeAfter, AnImportedLogMatchesWhateverRecipeMadeIt) {
    auto imported = runsOf("b", {1, 8}, seven);
    auto launched = runsOf("a", {1, 8}, seven);
    for (RunResult& run : imported) {
        run.benchmarkCase.configuration.recipe.clear();
        run.origin = Origin::Imported;
    }
    for (const bool importedFirst : {false, true}) {
        const auto first = side("a", importedFirst ? imported : launched);
        const auto second = side("b", importedFirst ? launched : imported);
        const BeforeAfter compared = comparedSides(first, second);
        ASSERT_EQ(compared.cases.size(), 1U);
        EXPECT_TRUE(compared.cases[0].difference);
        EXPECT_EQ(compared.cases[0].benchmarkCase.configuration.recipe,
                  launched[0].benchmarkCase.configuration.recipe);
    }
    auto other = launched;
    for (RunResult& run : other) {
        run.benchmarkCase.configuration.recipe = "another";
    }
    EXPECT_EQ(comparedSides(side("a", launched), side("b", other)).cases.size(), 2U);
}

TEST(BeforeAfter, OtherOptionsAndBatchSizesAreOtherCases) {
    auto small = runsOf("b", {1, 8}, seven);
    for (RunResult& run : small) {
        run.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    }
    const auto compared = comparedSides(side("a") + runsOf("a", {1, 8}, seven),
                                        side("b") + small + runsOf("b", {1, 8}, seven, 256));
    ASSERT_EQ(compared.cases.size(), 3U);
    EXPECT_EQ(compared.casesOnBothSides, 0U);
    std::set<std::string> titles;
    for (const BeforeAfterCase& one : compared.cases) {
        EXPECT_EQ(one.missing, one.before ? "only before" : "only after");
        titles.insert(one.title);
    }
    EXPECT_EQ(titles.size(), 3U);
    EXPECT_TRUE(environmentTexts(compared).at(0).starts_with("no case is on both sides"));
}

TEST(BeforeAfter, HowTheModelIsTrainedMakesNoOtherCase) {
    const auto of = [](const char* campaign, const Variant& variant) {
        auto runs = runsOf(campaign, {1, 8}, seven);
        for (RunResult& run : runs) {
            run.benchmarkCase.configuration.variant = variant;
            run.defaults = {{"image_size", "224"}, {"workers", "4"}};
        }
        return runs;
    };
    const auto compared =
        comparedSides(side("a") + of("a", {{"image_size", "64"}, {"NCCL_ALGO", "Ring"}}),
                      side("b") + of("b", {{"image_size", "64"}, {"workers", "8"}, {"NCCL_ALGO", "Tree"}}));
    ASSERT_EQ(compared.cases.size(), 1U);
    EXPECT_EQ(compared.cases[0].benchmarkCase.configuration.variant, (Variant{{"image_size", "64"}}));
    EXPECT_TRUE(compared.cases[0].difference);
    const auto texts = environmentTexts(compared);
    EXPECT_EQ(texts.at(0), "option workers: 4 -> 8");
    EXPECT_EQ(texts.at(1), "variable NCCL_ALGO: Ring -> Tree");
    // Which of two was meant?
    const auto several = comparedSides(
        side("a") + of("a", {}), side("b") + of("b", {{"workers", "8"}}) + of("b", {{"workers", "16"}}));
    EXPECT_EQ(several.cases.size(), 3U);
    // Those that are on both sides are compared with themselves.
    const auto both = comparedSides(side("a") + of("a", {}) + of("a", {{"workers", "8"}}),
                                    side("b") + of("b", {}) + of("b", {{"workers", "16"}}));
    ASSERT_EQ(both.cases.size(), 3U);
    EXPECT_EQ(both.casesOnBothSides, 1U);
}

TEST(BeforeAfter, TheRankTestJudges) {
    const auto worse = caseOf(seven, scaled(seven, 0.97));
    EXPECT_EQ(worse.difference->verdict, analysis::Verdict::Different);
    EXPECT_LT(*worse.difference->p, 0.001);  // 2 of 3432 arrangements
    EXPECT_NEAR(worse.worseBy(), 0.03, 1e-12);
    EXPECT_EQ(regressionOf(worse, 0.02), Regression::Worse);
    EXPECT_FALSE(regressionOf(worse, 0.03));  // by 3 % is not by more than 3 %

    const std::vector<double> wild{940, 1001, 1050, 930, 1004, 945, 948};
    const auto alike = caseOf(seven, wild);
    EXPECT_EQ(alike.difference->verdict, analysis::Verdict::Alike);
    EXPECT_GT(alike.worseBy(), 0.05);
    EXPECT_FALSE(regressionOf(alike, 0.02));

    const auto few = caseOf({1000, 1001, 1002}, {900, 901, 902});
    EXPECT_EQ(regressionOf(few, 0.02), Regression::TooFewRuns);
    EXPECT_FALSE(regressionOf(few, 0.2));
    EXPECT_FALSE(regressionOf(caseOf({900, 901, 902}, {1000, 1001, 1002}), 0.02));
    EXPECT_EQ(regressionOf(caseOf({1000, 1001, 1002, 1003}, {900, 901, 902, 903}), 0.02), Regression::Worse);
}

TEST(BeforeAfter, ATimeThatRisesIsWorse) {
    const auto slower = caseOf(seven, scaled(seven, 1.05), "ms");
    EXPECT_GT(slower.difference->relative, 0);
    EXPECT_NEAR(slower.worseBy(), 0.05, 1e-12);
    EXPECT_EQ(regressionOf(slower, 0.02), Regression::Worse);
    EXPECT_FALSE(regressionOf(caseOf(seven, scaled(seven, 0.9), "ms"), 0));
    EXPECT_FALSE(regressionOf(caseOf(seven, scaled(seven, 1.05)), 0));
    EXPECT_EQ(regressionOf(caseOf(seven, scaled(seven, 0.9)), 0), Regression::Worse);
}

TEST(BeforeAfter, AFigureThatIsGoneDoesNotPass) {
    const auto before = side("a") + runsOf("a", {1, 1}, seven) + runsOf("a", {1, 2}, seven) +
                        runsOf("a", {1, 4}, seven) + std::vector{failedRun("a", {1, 8}, Outcome::Failed)} +
                        runsOf("a", {2, 8}, seven);
    auto otherUnit = runsOf("b", {2, 8}, seven);
    for (RunResult& run : otherUnit) {
        run.unit = "ms";
    }
    const auto compared = comparedSides(
        before,
        side("b") +
            std::vector{failedRun("b", {1, 1}, Outcome::Oom), failedRun("b", {1, 2}, Outcome::Failed)} +
            runsOf("b", {1, 8}, seven) + runsOf("b", {4, 8}, seven) + otherUnit);
    std::vector<std::string> missing;
    for (const BeforeAfterCase& one : compared.cases) {
        missing.push_back(one.missing);
    }
    EXPECT_EQ(missing,
              (std::vector<std::string>{
                  "no figure after: OOM", "no figure after: 1 of 1 failed: the trainer ended with code 1",
                  "only before", "no figure before: 1 of 1 failed: the trainer ended with code 1",
                  "units differ: images/s, ms", "only after"}));
    std::vector<bool> fails;
    for (const BeforeAfterCase& one : compared.cases) {
        fails.push_back(regressionOf(one, 1) == Regression::NoFigure);
    }
    EXPECT_EQ(fails, (std::vector<bool>{true, true, true, false, true, false}));
    const auto texts = regressionTexts(compared, 0.02);
    ASSERT_EQ(texts.size(), 4U);
    EXPECT_EQ(texts[0],
              "dlperf-worker, 1n1g: had a figure before, and there is none to compare with it: no figure "
              "after: OOM");
}

TEST(BeforeAfter, AZeroIsNoFigure) {
    EXPECT_EQ(regressionOf(caseOf(seven, std::vector<double>(7, 0)), 0.5), Regression::NoFigure);
    EXPECT_EQ(caseOf(seven, {0}).missing, "no figure after: 0");
    EXPECT_FALSE(regressionOf(caseOf({0}, seven), 0));
}

TEST(BeforeAfter, NothingThatCouldFailIsNoPass) {
    const auto compared = comparedSides(side("a") + std::vector{failedRun("a", {1, 1}, Outcome::Failed)},
                                        side("b") + runsOf("b", {1, 1}, seven));
    EXPECT_EQ(regressionTexts(compared, 0.02),
              std::vector<std::string>{"no case had a figure before: nothing can be judged"});
}

TEST(BeforeAfter, ACaseOfSeveralCampaignsIsRefused) {
    const auto both = side("there") + runsOf("x", {1, 1}, seven) + runsOf("y", {1, 1}, seven);
    const auto compared = beforeAndAfter(both, side("b") + runsOf("b", {1, 1}, seven), vocabulary());
    ASSERT_FALSE(compared);
    EXPECT_EQ(compared.error().kind, ErrorKind::Input);
    EXPECT_EQ(compared.error().where, "there");
    EXPECT_NE(compared.error().what.find("several campaigns: x and y"), std::string::npos);
    EXPECT_NE(compared.error().remedy.find("--workspace"), std::string::npos);
}

TEST(BeforeAfter, SentencesSayByHowMuch) {
    const auto sentence = [](const std::vector<double>& before, const std::vector<double>& after) {
        return regressionTexts(comparedSides(side("a", runsOf("a", {1, 8}, before)),
                                             side("b", runsOf("b", {1, 8}, after))),
                               0.005)
            .at(0);
    };
    EXPECT_EQ(
        sentence(seven, {970, 971, 972, 973, 974}),
        "dlperf-worker, 1n8g: worse by 3.09\u00A0%, 0.5\u00A0% at most is allowed; different (p = 0.003, "
        "7 and 5 runs)");
    EXPECT_EQ(
        sentence({1000, 1000}, {900}),
        "dlperf-worker, 1n8g: worse by 10\u00A0%, 0.5\u00A0% at most is allowed; too few runs to say (2 "
        "and 1; 4 and 4 at least)");
}

TEST(BeforeAfter, LimitsArePercent) {
    EXPECT_DOUBLE_EQ(parseLimit("2%").value(), 0.02);
    EXPECT_DOUBLE_EQ(parseLimit("2").value(), 0.02);
    EXPECT_DOUBLE_EQ(parseLimit("0.5 %").value(), 0.005);
    EXPECT_DOUBLE_EQ(parseLimit("0").value(), 0);
    EXPECT_DOUBLE_EQ(parseLimit("100").value(), 1);
    for (const char* wrong : {"", "%", "-1", "101", "nan", "inf", "2%%", "0,5", "two", "2 3", "1e3"}) {
        EXPECT_FALSE(parseLimit(wrong)) << wrong;
    }
}

TEST(BeforeAfter, TheTableHoldsEveryCase) {
    auto after = side("b") + runsOf("b", {1, 8}, scaled(seven, 0.97));
    after.results.push_back(failedRun("b", {1, 8}, Outcome::Failed));
    after.results.push_back(failedRun("b", {1, 1}, Outcome::Oom));
    const auto compared =
        comparedSides(side("a") + runsOf("a", {1, 8}, seven) + runsOf("a", {1, 1}, {130}), after);
    EXPECT_EQ(
        toTerminal(beforeAfterTable(compared)),
        "Case           Topology    Before   After  Difference  Runs        Verdict\n"
        "-------------  --------  --------  ------  ----------  ----------  ---------------------------\n"
        "dlperf-worker  1n1g        130.00     OOM           –  1 / 0 of 1  no figure after: OOM\n"
        "dlperf-worker  1n8g      1,003.00  972.91      −3.0\u00A0%  7 / 7 of 8  different, worse, p < "
        "0.001\n");
}

TEST(BeforeAfter, CountsAreToldInWords) {
    const auto before = side("a") + runsOf("a", {1, 1}, seven) + runsOf("a", {1, 2}, seven) +
                        runsOf("a", {1, 4}, seven) + runsOf("a", {1, 8}, {1000}) +
                        runsOf("a", {2, 8}, seven) + runsOf("a", {4, 8}, seven);
    const auto after = side("b") + runsOf("b", {1, 1}, scaled(seven, 0.97)) +
                       runsOf("b", {1, 2}, scaled(seven, 1.02)) + runsOf("b", {1, 4}, seven) +
                       runsOf("b", {1, 8}, {900}) + std::vector{failedRun("b", {2, 8}, Outcome::Oom)};
    const auto compared = comparedSides(before, after);
    EXPECT_EQ(
        countsText(compared, 0),
        "6 cases: 1 slower, 1 faster, 1 no difference seen, 1 too few runs to say, 1 without a figure, 1 "
        "only on one side");
    EXPECT_EQ(
        countsText(compared, 0.03),
        "6 cases: 1 slower within the tolerance, 1 faster, 1 no difference seen, 1 too few runs to say, "
        "1 without a figure, 1 only on one side");
    std::vector<std::string> words;
    for (const BeforeAfterCase& one : compared.cases) {
        words.push_back(changeText(one, 0));
        EXPECT_EQ(changeOf(one, 0) == Change::Slower, regressionOf(one, 0) == Regression::Worse);
    }
    EXPECT_EQ(words,
              (std::vector<std::string>{"slower", "faster", "no difference seen", "too few runs to say",
                                        "no figure after: OOM", "only before"}));
    const auto time = caseOf(seven, scaled(seven, 1.05), "ms");
    EXPECT_EQ(changeOf(time, 0), Change::Slower);
    EXPECT_EQ(changeOf(caseOf(seven, scaled(seven, 0.95), "ms"), 0), Change::Faster);
}

TEST(BeforeAfter, ADifferenceHasItsInterval) {
    const auto one = caseOf(seven, scaled(seven, 0.97));
    ASSERT_TRUE(one.interval);
    EXPECT_LE(one.interval->low, one.difference->relative);
    EXPECT_GE(one.interval->high, one.difference->relative);
    // No further off than the extremes of both sides are.
    EXPECT_GE(one.interval->low, 970.0 / 1006 - 1);
    EXPECT_LE(one.interval->high, 0.97 * 1006 / 1000 - 1);
    EXPECT_FALSE(caseOf({1000, 1001, 1002, 1003}, seven).interval);
}

TEST(BeforeAfter, DifferencesAreDotsByTopology) {
    const auto compared =
        comparedSides(side("a") + runsOf("a", {1, 1}, seven) + runsOf("a", {1, 8}, seven) +
                          runsOf("a", {1, 8}, seven, 256) + runsOf("a", {4, 8}, seven),
                      side("b") + runsOf("b", {1, 1}, scaled(seven, 0.97)) + runsOf("b", {1, 8}, seven) +
                          runsOf("b", {1, 8}, scaled(seven, 1.02), 256));
    const ChartSpec chart = differenceDots(compared, 0);
    EXPECT_TRUE(showsOffsets(chart));
    EXPECT_EQ(chart.x.categories, (std::vector<std::string>{"1n1g", "1n8g"}));  // 4n8g has nothing to show
    ASSERT_EQ(chart.series.size(), 2U);
    EXPECT_NE(chart.series[0].fill, chart.series[1].fill);  // one framework: told apart by position
    ASSERT_EQ(chart.series[0].points.size(), 2U);
    const Point& slower = chart.series[0].points[0];
    EXPECT_NEAR(slower.y, -3, 1e-9);
    EXPECT_LT(*slower.low, slower.y + 1e-9);
    EXPECT_EQ(slower.finding, "slower");
    EXPECT_NE(slower.tip.find("−3.0\u00A0%\nslower\np < 0.001, 7 and 7 runs"), std::string::npos)
        << slower.tip;
    EXPECT_EQ(chart.series[0].points[1].finding, "");
    EXPECT_EQ(chart.series[1].points[0].x, 1);
    EXPECT_EQ(differenceDots(compared, 0.05).series[0].points[0].finding, "");
}

TEST(BeforeAfter, WhatSetsTheCasesApartIsSaid) {
    auto small = runsOf("b", {1, 8}, seven, 256);
    for (RunResult& run : small) {
        run.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    }
    const auto compared = comparedSides(side("a") + runsOf("a", {1, 8}, seven), side("b") + small);
    const auto texts = environmentTexts(compared);
    ASSERT_EQ(texts.size(), 3U);
    EXPECT_EQ(texts[1], "batch size: 128 -> 256");
    EXPECT_EQ(texts[2], "options and variables: none -> image_size=64");
    EXPECT_EQ(environmentTable(compared).rows.size(), 2U);
    EXPECT_EQ(environmentNotes(compared).size(), 1U);
}

TEST(BeforeAfter, ASideIsACampaignOfItsWorkspace) {
    const auto same = beforeAndAfter(side("a", runsOf("a", {1, 8}, seven)),
                                     side("a", runsOf("a", {1, 8}, seven)), vocabulary());
    ASSERT_FALSE(same);
    EXPECT_EQ(same.error().what, "before and after are the same");
    const auto empty = beforeAndAfter(side("a", runsOf("a", {1, 8}, seven)), side("b"), vocabulary());
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().kind, ErrorKind::Work);
    EXPECT_EQ(empty.error().where, "b");
}

TEST(BeforeAfter, ForProgramsThereIsJson) {
    const auto compared = comparedSides(side("a") + runsOf("a", {1, 8}, seven) + runsOf("a", {1, 1}, {130}),
                                        side("b") + runsOf("b", {1, 8}, scaled(seven, 0.97)));
    const Json json = toJson(compared, 0.02);
    EXPECT_EQ(json.at("before").at("id"), "a");
    EXPECT_EQ(json.at("passed"), false);
    EXPECT_DOUBLE_EQ(json.at("fail_below").get<double>(), 0.02);
    const Json& lost = json.at("cases").at(0);
    EXPECT_TRUE(lost.at("after").is_null());
    EXPECT_TRUE(lost.at("difference").is_null());
    EXPECT_EQ(lost.at("missing"), "only before");
    EXPECT_EQ(lost.at("regression"), "no-figure");
    const Json& worse = json.at("cases").at(1);
    EXPECT_EQ(worse.at("regression"), "worse");
    EXPECT_EQ(worse.at("before").at("median"), 1003.0);
    EXPECT_EQ(worse.at("before").at("runs"), 7);
    EXPECT_EQ(worse.at("difference").at("verdict"), "different");
    EXPECT_NEAR(worse.at("difference").at("worse_by").get<double>(), 0.03, 1e-9);
    EXPECT_LT(worse.at("difference").at("interval").at(0).get<double>(), -0.0299);
    const Json free = toJson(compared, std::nullopt);
    EXPECT_TRUE(free.at("passed").is_null());
    EXPECT_TRUE(free.at("fail_below").is_null());
    EXPECT_TRUE(free.at("cases").at(1).at("regression").is_null());
}

// What a run's record holds of its nodes.
Json factsOf(const std::vector<std::string>& nodes, const std::vector<std::string>& lines) {
    Json facts{{"nodes", Json::array()}};
    for (const std::string& node : nodes) {
        facts["nodes"].push_back({{"name", node}, {"facts", lines}});
    }
    return facts;
}

TEST(RecordedEnvironment, IsReadFromTheFactsOfARun) {
    const auto machines = machinesOf(
        factsOf({"n1", "n2"}, {"system=Linux", "cpu=EPYC, 64 cores", "gpu=0, H100, 535.1",
                               "gpu=1, H100, 535.1", "env=NCCL_ALGO=a=b", "python_torch=2.1", "odd"}));
    EXPECT_EQ(machines, (RecordedTexts{{"cpu", "EPYC, 64 cores"},
                                       {"gpus", "2 H100"},
                                       {"nodes", "n1, n2"},
                                       {"variable NCCL_ALGO", "a=b"}}));
    Json mixed = factsOf({"n1", "n2"}, {"cpu=EPYC"});
    mixed["nodes"][1]["facts"] = {"cpu=Xeon"};
    EXPECT_EQ(machinesOf(mixed).at("cpu"), "EPYC (n1), Xeon (n2)");
    for (const char* nothing : {"{}", "[]", "3", R"({"nodes": 3})", R"({"nodes": [3, {"facts": [null]}]})"}) {
        EXPECT_TRUE(machinesOf(Json::parse(nothing)).empty()) << nothing;
    }
}

BeforeAfterSide with(BeforeAfterSide one, const std::map<std::string, std::string>& versions,
                     const Json& facts) {
    for (RunResult& run : one.results) {
        run.versions = versions;
        if (const auto machines = machinesOf(facts); !machines.empty()) {
            one.machines[run.id] = machines;
        }
    }
    return one;
}

TEST(BeforeAfter, SaysWhatElseChanged) {
    const auto before = with(side("a") + runsOf("a", {1, 1}, seven) + runsOf("a", {1, 8}, seven),
                             {{"nccl", "2.18"}, {"driver", "535"}, {"mpi", "4"}},
                             factsOf({"n1"}, {"cpu=EPYC", "env=NCCL_ALGO=Ring"}));
    auto after =
        with(side("b") + runsOf("b", {1, 1}, seven) + runsOf("b", {1, 8}, seven),
             {{"nccl", "2.19"}, {"driver", "535"}}, factsOf({"n2"}, {"cpu=EPYC", "env=NCCL_PROTO=LL"}));
    after.results.back().versions["driver"] = "550";  // one of seven
    after.results.front().range = {50, 150};
    EXPECT_EQ(
        environmentTexts(comparedSides(before, after)),
        (std::vector<std::string>{"driver: 535 -> 535; 550 (1 of 2 cases)",
                                  "measured iterations: 20:120 -> 20:120; 50:150 (1 of 2 cases)",
                                  "mpi: 4 -> none", "nccl: 2.18 -> 2.19", "nodes: n1 -> n2",
                                  "variable NCCL_ALGO: Ring -> none", "variable NCCL_PROTO: none -> LL"}));
}

TEST(BeforeAfter, ARecipeWithOtherDefaultsIsSaidToBeOne) {
    const auto of = [](const char* campaign, const Variant& defaults) {
        auto one = side(campaign) + runsOf(campaign, {1, 1}, seven);
        for (RunResult& run : one.results) {
            run.benchmarkCase.configuration.variant = {{"image_size", "64"}};
            run.defaults = defaults;
        }
        return one;
    };
    const auto changes = [&](const Variant& before, const Variant& after) {
        return environmentTexts(comparedSides(of("a", before), of("b", after))).at(0);
    };
    EXPECT_EQ(changes({{"image_size", "224"}, {"workers", "4"}}, {{"image_size", "256"}, {"workers", "8"}}),
              "option workers: 4 -> 8");
    EXPECT_EQ(changes({}, {{"workers", "8"}}),
              "nothing to compare: of no case did both sides record versions or machines");
}

TEST(BeforeAfter, WhatWasNotRecordedIsNoDifference) {
    const auto bare = side("a") + runsOf("a", {1, 1}, seven);
    const auto known =
        with(side("b") + runsOf("b", {1, 1}, seven), {{"nccl", "2.19"}}, factsOf({"n1"}, {"cpu=EPYC"}));
    EXPECT_EQ(environmentTexts(comparedSides(bare, known)),
              std::vector<std::string>{
                  "nothing to compare: of no case did both sides record versions or machines"});
    // What an earlier version did not ask for.
    const auto quota = [](const char* campaign, const std::vector<std::string>& facts) {
        return with(side(campaign) + runsOf(campaign, {1, 1}, seven), {}, factsOf({"n1"}, facts));
    };
    EXPECT_EQ(environmentTexts(
                  comparedSides(quota("a", {"cpu=EPYC"}), quota("b", {"cpu=EPYC", "cpu_quota=2.50 of 16"}))),
              std::vector<std::string>{"no difference recorded"});
    EXPECT_EQ(environmentTexts(comparedSides(quota("a", {"cpu=EPYC", "cpu_quota=none"}),
                                             quota("b", {"cpu=EPYC", "cpu_quota=2.50 of 16"}))),
              std::vector<std::string>{"cpu_quota: none -> 2.50 of 16"});
    auto same = known;
    same.id = "the same again";
    EXPECT_EQ(environmentTexts(comparedSides(known, same)),
              std::vector<std::string>{"no difference recorded"});
    // A run that failed is asked only where no other can be.
    auto half = known;
    half.id = "half";
    half.results.push_back(failedRun("b", {1, 1}, Outcome::Failed));
    half.results.back().id = "other";
    half.results.back().versions = {{"nccl", "1"}};
    EXPECT_EQ(environmentTexts(comparedSides(known, half)),
              std::vector<std::string>{"no difference recorded"});
    const auto failed =
        with(side("c") + std::vector{failedRun("c", {1, 1}, Outcome::Failed)}, {{"nccl", "2.20"}}, {});
    EXPECT_EQ(environmentTexts(comparedSides(known, failed)).front(), "nccl: 2.19 -> 2.20");
}

TEST(BeforeAfter, DisturbedRunsAreSaid) {
    auto runs = runsOf("b", {1, 1}, seven);
    runs[1].findings =
        runs[2].findings = {{"other-processes", "other programs took 1.4 of 2 cores", "node a"}};
    runs[3].findings = {{"torn-line", "the last line is not whole", ""}};
    runs[2].excluded = true;
    const auto compared = comparedSides(side("a") + runsOf("a", {1, 1}, seven), side("b") + runs);
    EXPECT_EQ(compared.disturbedBefore, "");
    EXPECT_EQ(
        compared.disturbedAfter,
        "1 of 6 runs were disturbed, repeat them on idle nodes: repetition 2, node a: other programs took "
        "1.4 of 2 cores");
    EXPECT_EQ(environmentNotes(compared).front(), "after: " + compared.disturbedAfter);
    EXPECT_EQ(toJson(compared, 0.02).at("disturbed_after"), compared.disturbedAfter);
}

TEST(BeforeAfter, LongTextsShowWhereTheyDiffer) {
    std::vector<std::string> nodes;
    for (int i = 0; i < 64; ++i) {
        nodes.push_back("node" + std::to_string(i));
    }
    const auto of = [&](const char* campaign) {
        return with(side(campaign) + runsOf(campaign, {1, 1}, seven), {}, factsOf(nodes, {"cpu=EPYC"}));
    };
    const auto before = of("a");
    nodes[60] = "spare";
    const auto texts = environmentTexts(comparedSides(before, of("b")));
    EXPECT_EQ(texts, std::vector<std::string>{"nodes: …node60, node61, node62, node63 -> …spare, node61, "
                                              "node62, node63"});
}

TEST(BeforeAfter, TheListOfChangesIsBounded) {
    std::map<std::string, std::string> versions;
    for (int i = 0; i < 250; ++i) {
        versions["part" + std::to_string(i)] = "1";
    }
    const auto before = with(side("a") + runsOf("a", {1, 1}, seven), versions, {});
    const auto compared =
        comparedSides(before, with(side("b") + runsOf("b", {1, 1}, seven), {{"other", "1"}}, {}));
    EXPECT_EQ(compared.environment.size(), 200U);
    EXPECT_EQ(environmentTexts(compared).back(), "and 51 more");
}

struct Rates {
    double different = 0;  // of all pairs: the rank test says so
    double failing = 0;    // of all pairs: with a limit of 2 %
};

// 1,000 pairs of a case with 7 repetitions each, normal noise of 1 %.
Rates simulated(double planted, unsigned seed) {
    constexpr int pairs = 1000;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1, 0.01);
    const auto figures = [&](double level) {
        std::vector<double> list(7);
        std::ranges::generate(list, [&] { return level * noise(random); });
        return list;
    };
    Rates rates;
    for (int i = 0; i < pairs; ++i) {
        const auto before = figures(1000);
        const auto one = caseOf(before, figures(1000 * (1 + planted)));
        rates.different += one.difference->verdict == analysis::Verdict::Different ? 1 : 0;
        rates.failing += regressionOf(one, 0.02) ? 1 : 0;
    }
    return {rates.different / pairs, rates.failing / pairs};
}

// Three standard errors of a rate over the pairs.
double threeErrors(double rate) {
    return 3 * std::sqrt(rate * (1 - rate) / 1000);
}

// The rates to expect of what was planted are those of 200,000 pairs of numpy's noise, by scipy 1.17.1's
// stats.mannwhitneyu(a, b, method="exact"): 0.9980 are different, and 0.9431 by medians more than 2 % apart.
// Without it 130 of the 3,432 arrangements of 7 and 7 ranks have p <= 0.05; with the limit 0.0005 are left.
TEST(BeforeAfter, FindsWhatWasPlantedAndSeldomMore) {
    const Rates quiet = simulated(0, 20261121);
    const Rates planted = simulated(-0.03, 20261122);
    std::cout << "false alarms: " << quiet.different << " (" << quiet.failing << " with a limit of 2 %); "
              << "-3 % found: " << planted.different << " (" << planted.failing << ")\n";
    EXPECT_LE(quiet.different, analysis::significance + threeErrors(analysis::significance));
    EXPECT_NEAR(quiet.different, 130.0 / 3432, threeErrors(130.0 / 3432));
    EXPECT_LE(quiet.failing, 0.0005 + threeErrors(0.0005));
    EXPECT_NEAR(planted.different, 0.9980, threeErrors(0.9980));
    EXPECT_NEAR(planted.failing, 0.9431, threeErrors(0.9431));
}

}  // namespace
}  // namespace dlperf::report
