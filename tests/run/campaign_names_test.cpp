// SPDX-License-Identifier: Apache-2.0
#include "core/run/campaign_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace dlperf::run {
namespace {

RunState runOf(int batchSize, const Variant& variant = {}) {
    RunState run;
    run.benchmarkCase.configuration.batchSize = batchSize;
    run.benchmarkCase.configuration.precision = "fp32";
    run.benchmarkCase.configuration.variant = variant;
    run.defaults = {{"image_size", "224"}};
    return run;
}

Campaign campaignOf(const std::string& id, const std::string& plan, std::vector<RunState> runs) {
    Campaign campaign;
    campaign.id = id;
    campaign.plan = plan;
    campaign.runs = std::move(runs);
    return campaign;
}

std::string nameAmong(const std::vector<Campaign>& campaigns, std::size_t number) {
    const Campaign& campaign = campaigns[number];
    const std::string name = campaignNames(campaigns).at(campaign.id);
    const std::string usual = campaignTitle(campaign.id, campaign.plan);
    EXPECT_TRUE(name.starts_with(usual)) << name;
    return name.substr(usual.size());
}

TEST(CampaignNames, SayWhatSetsThemApartFromOthersOfTheirPlan) {
    const std::vector campaigns{
        campaignOf("20261121-081530-3fa2", "night", {runOf(32), runOf(32)}),
        campaignOf("20261121-091530-3fa2", "night", {runOf(32, {{"image_size", "32"}})}),
        campaignOf("20261121-101530-3fa2", "night", {runOf(128), runOf(32), runOf(64), runOf(256)}),
        campaignOf("20261121-111530-3fa2", "day", {runOf(512)})};
    EXPECT_EQ(nameAmong(campaigns, 0), ", batch 32, image_size 224");
    EXPECT_EQ(nameAmong(campaigns, 1), ", batch 32, image_size 32");
    EXPECT_EQ(nameAmong(campaigns, 2), ", batch 32 64 128 …, image_size 224");
    EXPECT_EQ(nameAmong(campaigns, 3), "");  // the only one of its plan
}

TEST(CampaignNames, AreShort) {
    RunState other = runOf(64, {{"image_size", "64"}});
    other.benchmarkCase.configuration.precision = "amp";
    other.benchmarkCase.topology = {2, 8};
    other.benchmarkCase.configuration.features = {"dali", "xla"};
    const std::vector campaigns{campaignOf("20261121-081530-3fa2", "", {runOf(32)}),
                                campaignOf("20261121-091530-3fa2", "", {other}), campaignOf("x", "", {})};
    EXPECT_EQ(nameAmong(campaigns, 1), ", amp, batch 64, image_size 64");  // of five settings
    EXPECT_EQ(nameAmong(campaigns, 2), "");
}

TEST(CampaignNames, NoTwoAreCalledTheSame) {
    const std::vector campaigns{campaignOf("20261121-081530-3fa2", "night", {runOf(32)}),
                                campaignOf("20261121-081542-3fa2", "night", {runOf(32)}),
                                campaignOf("20261121-081542-4fa2", "night", {runOf(32)}),
                                campaignOf("20261121-081542-5fa2", "day", {runOf(32)})};
    const auto names = campaignNames(campaigns);
    EXPECT_EQ(names.at(campaigns[0].id), campaignTitle(campaigns[0].id) + ", night");
    EXPECT_EQ(names.at(campaigns[1].id), campaignTitle(campaigns[1].id) + ", night");
    EXPECT_EQ(names.at(campaigns[2].id), campaignTitle(campaigns[1].id) + ", night (2)");
    EXPECT_EQ(names.at(campaigns[3].id), campaignTitle(campaigns[3].id, "day"))
        << "nothing else is called so";
}

TEST(CampaignNames, OneIsMeantByIdNameOrBeginning) {
    const std::map<std::string, std::string> names{{"20261121-081530-3fa2", "night"},
                                                   {"20261121-091530-3fa2", "night"},
                                                   {"20261122-081530-3fa2", "new driver"},
                                                   {"20261122", "20261121-081530-3fa2"}};
    const auto meant = [&](const char* wanted) { return campaignMeant(wanted, names, {}, "w"); };
    EXPECT_EQ(meant("20261121-081530-3fa2").value(), "20261121-081530-3fa2");  // before the one of that name
    EXPECT_EQ(meant("new driver").value(), "20261122-081530-3fa2");
    EXPECT_EQ(meant("20261121-08").value(), "20261121-081530-3fa2");
    EXPECT_EQ(meant("20261122").value(), "20261122");  // an id, though another begins so
    for (const char* several : {"night", "20261121", "2"}) {
        ASSERT_FALSE(meant(several)) << several;
        EXPECT_EQ(meant(several).error().kind, ErrorKind::Input);
        EXPECT_NE(meant(several).error().remedy.find("20261121-091530-3fa2 (night)"), std::string::npos);
    }
    for (const char* none : {"", "driver", "nig", "20261123"}) {
        ASSERT_FALSE(meant(none)) << none;
        EXPECT_NE(meant(none).error().remedy.find("20261122-081530-3fa2 (new driver); "), std::string::npos);
    }
    EXPECT_EQ(campaignMeant("x", {}, {}, "w").error().remedy, "It has none.");
}

TEST(CampaignNames, OneIsMeantByItsPlan) {
    const std::vector campaigns{campaignOf("20261121-081530-3fa2", "night", {runOf(32)}),
                                campaignOf("20261121-081542-3fa2", "night", {runOf(64)}),
                                campaignOf("20261122-081530-3fa2", "nightly", {runOf(32)}),
                                campaignOf("20261123-081530-3fa2", "day, long", {runOf(32)})};
    auto names = campaignNames(campaigns);
    names.at(campaigns[2].id) = "2026-11-22, night, of a new driver";  // as somebody called it
    names.emplace("imported", "imported, night");
    const auto meant = [&](const char* wanted) { return campaignMeant(wanted, names, campaigns, "w"); };
    EXPECT_EQ(meant("nightly").value(), campaigns[2].id);
    EXPECT_EQ(meant("day, long").value(), campaigns[3].id);
    ASSERT_FALSE(meant("night"));  // two of them
    EXPECT_NE(meant("night").error().what.find("any of 2 campaigns"), std::string::npos);
    for (const char* none : {"long", "day"}) {
        EXPECT_FALSE(meant(none)) << none;
    }
}

RunResult measured(const std::string& campaign, const char* time, int batchSize, Origin origin) {
    RunResult result;
    result.campaign = campaign;
    result.benchmarkCase.configuration.batchSize = batchSize;
    result.origin = origin;
    result.throughput = 100;
    (origin == Origin::Imported ? result.imported : result.started) = parseIso8601(time);
    return result;
}

TEST(CampaignNames, TheLastTwoShareACase) {
    const auto import = [](const std::string& name, const char* time, int batchSize) {
        return measured(name, time, batchSize, Origin::Imported);
    };
    const auto own = [](const std::string& id, const char* time, int batchSize) {
        return measured(id, time, batchSize, Origin::Own);
    };
    const auto pairOf = [](const std::vector<RunResult>& results,
                           const std::vector<Campaign>& campaigns = {}) {
        const CampaignPair pair = lastTwo(campaigns, results);
        return pair.before + ">" + pair.after;
    };
    const std::vector<RunResult> imports{
        import("a", "2026-11-23T08:00:00.000Z", 32), import("b", "2026-11-22T08:00:00.000Z", 32),
        import("c", "2026-11-21T08:00:00.000Z", 64), import("d", "2026-11-24T08:00:00.000Z", 64)};
    EXPECT_EQ(pairOf(imports), "c>d");
    EXPECT_EQ(pairOf({imports[0], imports[1], imports[2]}), "b>a");
    EXPECT_EQ(pairOf({imports[0], imports[2]}), ">");
    RunResult failed = import("e", "2026-11-25T08:00:00.000Z", 32);
    failed.throughput.reset();
    EXPECT_EQ(pairOf({imports[0], imports[1], failed}), "b>a");
    std::vector<Campaign> campaigns(2);
    campaigns[0].id = "1";
    campaigns[1].id = "2";
    campaigns[0].plan = campaigns[1].plan = "nightly";
    const std::vector<RunResult> mixed{own("1", "2026-11-20T08:00:00.000Z", 32), imports[0],
                                       own("2", "2026-11-26T08:00:00.000Z", 32)};
    EXPECT_EQ(pairOf(mixed, campaigns), "1>2") << "of the same plan";
    EXPECT_EQ(pairOf(mixed), "a>2");
}

TEST(CampaignNames, TheCampaignBeforeIsTheLastOneOfItsPlan) {
    std::vector<Campaign> campaigns(4);
    const std::array<const char*, 4> plans{"nightly", "other", "nightly", "nightly"};
    for (std::size_t i = 0; i < campaigns.size(); ++i) {
        campaigns[i].id = "2026112" + std::to_string(i);
        campaigns[i].plan = plans[i];
    }
    EXPECT_EQ(campaignBefore(campaigns, "20261123"), "20261122");
    EXPECT_EQ(campaignBefore(campaigns, "20261122"), "20261120");
    EXPECT_EQ(campaignBefore(campaigns, "20261121"), "");
    EXPECT_EQ(campaignBefore(campaigns, "20261120"), "");
    EXPECT_EQ(campaignBefore(campaigns, "import"), "");
    std::ranges::reverse(campaigns);
    EXPECT_EQ(campaignBefore(campaigns, "20261123"), "20261122");
}

TEST(CampaignNames, WhatCompletesACampaignIsNoOtherOne) {
    std::vector campaigns{
        campaignOf("20261120", "nightly", {runOf(32)}), campaignOf("20261121", "nightly", {runOf(32)}),
        campaignOf("20261122", "nightly", {runOf(32)}), campaignOf("20261123", "nightly", {runOf(32)})};
    campaigns[2].runs[0].completes = "20261121";
    EXPECT_EQ(campaigns[2].seriesCampaign(), "20261121");
    EXPECT_EQ(campaignBefore(campaigns, "20261122"), "20261120") << "before what it completes";
    EXPECT_EQ(campaignBefore(campaigns, "20261123"), "20261121");
    std::vector<RunResult> results;
    for (const Campaign& campaign : campaigns) {
        results.push_back(measured(campaign.id, "2026-11-23T08:00:00.000Z", 32, Origin::Own));
    }
    results[2].completes = "20261121";
    results.pop_back();
    const CampaignPair pair = lastTwo(campaigns, results);
    EXPECT_EQ(pair.before + ">" + pair.after, "20261120>20261121");
}

TEST(CampaignNames, ASeriesStandsForItsDeletedCampaign) {
    std::vector campaigns{campaignOf("20261121", "nightly", {runOf(32)}),
                          campaignOf("20261122", "nightly", {runOf(32)}),
                          campaignOf("20261123", "nightly", {runOf(32)})};
    campaigns[0].runs[0].completes = "20261119";
    campaigns[2].runs[0].completes = "20261120";
    std::vector<RunResult> results{measured("20261118", "2026-11-23T08:00:00.000Z", 32, Origin::Imported),
                                   measured("20261121", "2026-11-21T08:00:00.000Z", 32, Origin::Own),
                                   measured("20261123", "2026-11-24T08:00:00.000Z", 32, Origin::Own)};
    results[1].completes = "20261119";
    results[2].completes = "20261120";
    const CampaignPair pair = lastTwo(campaigns, results);
    EXPECT_EQ(pair.before + ">" + pair.after, "20261119>20261120");
    EXPECT_EQ(campaignBefore(campaigns, "20261123"), "20261119") << "the second series began then";
    EXPECT_EQ(campaignBefore(campaigns, "20261122"), "20261120");
    EXPECT_EQ(campaignBefore(campaigns, "20261119"), "");
}

TEST(CampaignNames, WhatIsToComeIsSaidOfCampaignsWithResults) {
    std::vector campaigns{campaignOf("ended", "night", {runOf(32)}),
                          campaignOf("open", "night", {runOf(32), runOf(64)}),
                          campaignOf("others", "night", {runOf(32)})};
    campaigns[0].runs[0].phase = RunPhase::Finished;
    campaigns[1].runs[0].phase = RunPhase::Finished;
    std::vector<RunResult> results(3);
    results[0].campaign = "ended";
    results[1].campaign = "open";
    results[2].campaign = "an import";
    const std::map<std::string, std::string> names{{"ended", "a"}, {"open", "b"}, {"others", "c"}};
    EXPECT_EQ(toComeTexts(campaigns, names, results),
              std::vector<std::string>{"b has not ended: 1 of 2 runs are to come"});
}

TEST(CampaignNames, ImportsAreKnownByTheirResults) {
    std::map<std::string, std::string> names{{"20261121-081530-3fa2", "night"}};
    std::vector<RunResult> results(2);
    results[0].campaign = "theirs";
    results[1].campaign = "20261121-081530-3fa2";
    nameOthers(names, results);
    EXPECT_EQ(names.size(), 2U);
    EXPECT_EQ(names.at("theirs"), "theirs");
    EXPECT_EQ(names.at("20261121-081530-3fa2"), "night");
}

}  // namespace
}  // namespace dlperf::run
