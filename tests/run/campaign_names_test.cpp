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
    const auto meant = [&](const char* wanted) { return campaignMeant(wanted, names, "w"); };
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
    EXPECT_EQ(campaignMeant("x", {}, "w").error().remedy, "It has none.");
}

TEST(CampaignNames, TheCampaignBeforeIsTheLastOneOfItsPlan) {
    std::vector<Campaign> campaigns(4);
    const std::array<const char*, 4> plans{"nightly", "other", "nightly", "nightly"};
    for (std::size_t i = 0; i < campaigns.size(); ++i) {
        campaigns[i].id = "2026112" + std::to_string(i);
        campaigns[i].plan = plans[i];
    }
    EXPECT_EQ(campaignBefore(campaigns, "20261123")->id, "20261122");
    EXPECT_EQ(campaignBefore(campaigns, "20261122")->id, "20261120");
    EXPECT_EQ(campaignBefore(campaigns, "20261121"), nullptr);
    EXPECT_EQ(campaignBefore(campaigns, "20261120"), nullptr);
    EXPECT_EQ(campaignBefore(campaigns, "import"), nullptr);
    std::ranges::reverse(campaigns);
    EXPECT_EQ(campaignBefore(campaigns, "20261123")->id, "20261122");
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
