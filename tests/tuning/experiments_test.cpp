// SPDX-License-Identifier: Apache-2.0
// What to try against a loss: plans of the program's own rows, held against what a run of them would be.
#include "core/tuning/experiments.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "tests/report/fixture.h"

namespace dlperf::tuning {
namespace {

namespace test = report::test;
using report::Cause;
using test::orThrow;
using test::vocabulary;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<Cause> causes{Cause::Communication, Cause::DataLoading, Cause::SlowRank, Cause::Computation,
                                Cause::Jitter};

std::vector<report::LossPart> partsOf(const std::vector<Cause>& some, double share = 0.1) {
    return mapped(some, [&](Cause cause) { return report::LossPart{.cause = cause, .share = share}; });
}

const launch::RecipeBook& recipes() {
    static const auto book = launch::readRecipes({test::resources() / "recipes"});
    return book;
}

launch::Plan planOf(const launch::Recipe& recipe, const Json& changes = Json::object()) {
    Json json{{"name", "night"},
              {"recipes", {recipe.name}},
              {"topologies", {"1n1g", "2n4g"}},
              {"batch_sizes", {8}},
              {"precisions", {recipe.precisions.front()}},
              {"warmup", 3},
              {"train", 13}};
    json.update(changes);
    return orThrow(launch::planFromJson(json, "plan.json"));
}

launch::PreparedPlan prepared(const launch::Plan& plan) {
    Json nodes = Json::array();
    for (const char* host : {"10.0.0.1", "10.0.0.2"}) {
        nodes.push_back({{"name", host}, {"host", host}, {"devices", 4}});
    }
    return orThrow(launch::prepare(
        plan, orThrow(cluster::clusterFromJson({{"name", "lab"}, {"nodes", nodes}}, "cluster.json")),
        recipes(), vocabulary()));
}

// The case of such a plan that loses.
Loser loserOf(const launch::Plan& plan, bool hasGpus) {
    return {prepared(plan).runs.back().benchmarkCase, hasGpus, {}, true};
}

std::vector<Experiment> experimentsOf(const std::string& recipe, const std::vector<Cause>& some, bool hasGpus,
                                      const Json& changes = Json::object(),
                                      const std::vector<NetworkInterface>& interfaces = {}) {
    const launch::Recipe* found = recipes().find(recipe);
    const launch::Plan plan = planOf(*found, changes);
    Loser loser = loserOf(plan, hasGpus);
    loser.interfaces = interfaces;
    return experimentsFor(partsOf(some), loser, *found, plan, orThrow(readExperimentRows()));
}

// Both cases, five times each, are all that the plan of each runs.
void expectRun(const std::vector<Experiment>& experiments, const std::string& recipe) {
    std::map<Cause, int> perCause;
    for (const Experiment& experiment : experiments) {
        EXPECT_LE(++perCause[experiment.cause], 3) << recipe;
        const auto read = launch::planFromJson(launch::toJson(experiment.plan), experiment.plan.name);
        ASSERT_TRUE(read) << describe(read.error());
        const launch::PreparedPlan runs = prepared(*read);
        EXPECT_THAT(runs.skipped, IsEmpty());
        std::set<Case> cases;
        for (const launch::PlannedRun& run : runs.runs) {
            cases.insert(run.benchmarkCase);
            EXPECT_EQ(run.range, (MeasurementRange{3, 13}));
        }
        EXPECT_EQ(cases, (std::set<Case>{experiment.before, experiment.after}))
            << recipe << ", " << experiment.change;
        EXPECT_EQ(runs.runs.size(), 10U);
    }
}

TEST(Experiments, OfEachRecipeAreWhatTheirPlanRuns) {
    std::set<std::string> titles;
    for (const launch::Recipe& recipe : recipes().recipes) {
        std::vector<Json> plans{Json::object()};
        if (recipe.name == "dlperf-worker") {
            plans.push_back({{"options", {{recipe.name, {{"launcher", "mpirun"}}}}}});
        }
        for (const Json& changes : plans) {
            for (const bool hasGpus : {true, false}) {
                for (const auto& interfaces : {std::vector<NetworkInterface>(), {{"eth0"}, {"ib0"}}}) {
                    const auto experiments = experimentsOf(recipe.name, causes, hasGpus, changes, interfaces);
                    expectRun(experiments, recipe.name);
                    const auto some = mapped(experiments, &Experiment::title);
                    titles.insert(some.begin(), some.end());
                }
            }
        }
    }
    // No row is there for nothing.
    std::set<std::string> all;
    for (const ExperimentRow& row : orThrow(readExperimentRows())) {
        all.insert(row.title);
    }
    EXPECT_EQ(titles, all);
}

TEST(Experiments, StartFromTheValuesOfTheCase) {
    const auto experiments =
        experimentsOf("dlperf-worker", {Cause::DataLoading}, false,
                      {{"options", {{"dlperf-worker", {{"workers", "4"}, {"data", "~/imagenet"}}}}}});
    EXPECT_THAT(mapped(experiments, &Experiment::change),
                ElementsAre("workers: 4 -> 8", "data: ~/imagenet -> "));
    EXPECT_EQ(experiments[0].before.configuration.variant.at("workers"), "4");
    EXPECT_EQ(experiments[0].after.configuration.variant.at("workers"), "8");
    EXPECT_EQ(experiments[0].plan.options.at("dlperf-worker").at("data"),
              std::vector<std::string>{"~/imagenet"});
}

TEST(Experiments, AreAgainstWhatTakesMostFirst) {
    std::vector<report::LossPart> parts = partsOf({Cause::Communication, Cause::DataLoading});
    parts[1].share = 0.2;
    const launch::Recipe* recipe = recipes().find("pytorch-examples");
    const launch::Plan plan = planOf(*recipe);
    const auto rows = orThrow(readExperimentRows());
    const auto both = experimentsFor(parts, loserOf(plan, true), *recipe, plan, rows);
    ASSERT_GE(both.size(), 2U);
    EXPECT_EQ(both.front().cause, Cause::DataLoading);
    EXPECT_EQ(both.back().cause, Cause::Communication);
    parts[1].share = 0.005;
    for (const Experiment& one : experimentsFor(parts, loserOf(plan, true), *recipe, plan, rows)) {
        EXPECT_EQ(one.cause, Cause::Communication);
    }
}

const auto loadsMore = testing::Contains(testing::Field(&Experiment::change, HasSubstr("workers: ")));
const auto computesMore = testing::Contains(testing::Field(&Experiment::change, HasSubstr("threads: ")));

Json workerOptions(const Json& options) {
    return {{"options", {{"dlperf-worker", options}}}};
}

TEST(Experiments, LoadFasterOnlyWhereRunsReadData) {
    const Json reads = workerOptions({{"data", "~/imagenet"}, {"workers", "1"}});
    const Json makes = workerOptions({{"workers", "1"}});
    const auto against = [](const std::vector<Cause>& some, const Json& changes) {
        return experimentsOf("dlperf-worker", some, false, changes);
    };
    EXPECT_THAT(against({Cause::DataLoading}, reads), loadsMore);
    EXPECT_THAT(against({Cause::DataLoading}, makes), IsEmpty());
    EXPECT_THAT(against({Cause::Jitter}, reads), testing::Not(loadsMore)) << "none waits for data";
    EXPECT_THAT(against({Cause::Unknown}, reads), loadsMore);
    EXPECT_THAT(against({Cause::Unknown}, makes), IsEmpty());
}

TEST(Experiments, LoadNoFasterWhereLogsSayThatNoneWaitsForData) {
    std::vector<report::LossPart> parts = partsOf({Cause::Unknown});
    const launch::Recipe* recipe = recipes().find("dlperf-worker");
    const launch::Plan plan = planOf(*recipe, workerOptions({{"data", "~/imagenet"}, {"workers", "1"}}));
    const auto tried = [&] {
        return experimentsFor(parts, loserOf(plan, false), *recipe, plan, orThrow(readExperimentRows()));
    };
    EXPECT_THAT(tried(), loadsMore);
    parts.push_back({.cause = Cause::DataLoading, .share = 0});
    EXPECT_THAT(tried(), IsEmpty());
}

TEST(Experiments, ComputeWithMoreThreadsOnlyWhereProcessorsIdle) {
    const launch::Recipe* recipe = recipes().find("dlperf-worker");
    const launch::Plan plan = planOf(*recipe);
    Loser loser = loserOf(plan, false);
    const auto tried = [&] {
        return experimentsFor(partsOf({Cause::Computation}), loser, *recipe, plan,
                              orThrow(readExperimentRows()));
    };
    EXPECT_THAT(tried(), computesMore);
    loser.hasIdleProcessors = false;
    EXPECT_THAT(tried(), testing::Not(computesMore));
}

TEST(Experiments, LeaveAChosenVariableAlone) {
    const auto changes = [](const Json& plan) {
        return mapped(experimentsOf("pytorch-examples", {Cause::Communication}, true, plan),
                      &Experiment::change);
    };
    EXPECT_THAT(changes(Json::object()), testing::Contains("NCCL_ALGO: Ring -> Tree"));
    EXPECT_THAT(changes({{"env", {{"NCCL_ALGO", "Tree"}}}}),
                testing::Not(testing::Contains(HasSubstr("NCCL_ALGO"))));
}

TEST(Experiments, AnotherInterfaceIsTriedWhereTheNodesHaveOne) {
    const auto ofInterfaces = [](const std::vector<NetworkInterface>& interfaces, const Json& plan) {
        return experimentsOf("pytorch-examples", {Cause::Communication}, true, plan, interfaces);
    };
    const auto isOther = testing::Field(&Experiment::change, HasSubstr("INTERFACE"));
    const auto tried = [&](bool isOneNetwork) {
        return testing::Contains(testing::AllOf(
            testing::Field(&Experiment::change, "DLPERF_INTERFACE: eth0 -> ib0"),
            testing::Field(&Experiment::why, isOneNetwork ? testing::Not(HasSubstr("not recorded"))
                                                          : testing::Matcher<std::string>(HasSubstr(
                                                                "joins the nodes is not recorded")))));
    };
    EXPECT_THAT(ofInterfaces({{"eth0"}, {"ib0"}, {"eth1"}}, Json::object()), tried(false));
    EXPECT_THAT(ofInterfaces({{"eth0", true}, {"ib0", true}}, Json::object()), tried(true));
    const auto isNone = testing::Not(testing::Contains(isOther));
    EXPECT_THAT(ofInterfaces({{"eth0"}}, Json::object()), isNone);
    EXPECT_THAT(ofInterfaces({{"eth0"}, {"ib0"}}, {{"env", {{"NCCL_SOCKET_IFNAME", "eth2"}}}}), isNone);
}

using Lines = std::vector<std::string>;

// What two nodes recorded: names, those known to be of one network with a star.
Lines interfacesOfTwo(const Lines& a, const Lines& b) {
    using report::NodeFact;
    std::vector<NodeFact> facts{{"a", "cpu", "x"}, {"b", "cpu", "x"}};
    for (const std::string& value : a) {
        facts.push_back({"a", "interface", value});
    }
    for (const std::string& value : b) {
        facts.push_back({"b", "interface", value});
    }
    return mapped(interfacesOf(facts),
                  [](const NetworkInterface& one) { return one.name + (one.isOneNetwork ? "*" : ""); });
}

TEST(Interfaces, AreTheUsedOneAndWhatMayBeFaster) {
    EXPECT_THAT(interfacesOfTwo(
                    {"eth0 10000 used", "ib0 100000", "eth1 10000", "eth2 1000", "tun0 -1", "only_a 40000"},
                    {"eth0 10000 used", "ib0 100000", "eth1 10000", "eth2 1000", "tun0 -1"}),
                ElementsAre("eth0", "tun0", "ib0", "eth1"));
    EXPECT_THAT(interfacesOfTwo({"eth0 10000 used", "ib0 100000"}, {"eth0 10000 used", "ib0 1000"}),
                ElementsAre("eth0"))
        << "one node's is slow";
    EXPECT_THAT(interfacesOfTwo({"eth0 10000 used", "ib0 100000"}, {"eth0 10000", "ib0 100000 used"}),
                IsEmpty())
        << "they do not use the same";
    EXPECT_THAT(interfacesOfTwo({"eth0 10000", "ib0 100000"}, {"eth0 10000", "ib0 100000"}), IsEmpty());
    EXPECT_THAT(interfacesOfTwo({"eth0 10000 used"}, {}), IsEmpty()) << "an earlier version's record";
    EXPECT_THAT(interfacesOfTwo({"eth0", " ", ""}, {"eth0", "used"}), IsEmpty());
    EXPECT_THAT(interfacesOf({}), IsEmpty());
}

// Of two nodes whose way to each other is eth0, and that have the others as well.
Lines besideUsed(Lines a, Lines b) {
    a.emplace_back("eth0 10000 used 10.0.0.1/24");
    b.emplace_back("eth0 10000 used 10.0.0.2/24");
    return interfacesOfTwo(a, b);
}

TEST(Interfaces, OfDifferentNetworksAreNone) {
    const auto isNone = ElementsAre("eth0*");
    const auto isOne = ElementsAre("eth0*", "ib0*");
    EXPECT_THAT(besideUsed({"ib0 100000 10.1.0.1/24"}, {"ib0 100000 10.1.0.77/24"}), isOne);
    EXPECT_THAT(besideUsed({"ib0 100000 10.1.0.1/24"}, {"ib0 100000 10.2.0.1/24"}), isNone);
    EXPECT_THAT(besideUsed({"ib0 100000 10.1.0.1/24"}, {"ib0 100000 10.1.0.2/16"}), isNone);
    EXPECT_THAT(besideUsed({"ib0 100000 10.1.0.1/32"}, {"ib0 100000 10.1.0.2/32"}), isNone);
    EXPECT_THAT(besideUsed({"ib0 100000 10.0.3.1/24"}, {"ib0 100000 10.0.3.1/24"}), isNone)
        << "a bridge of each node by itself";
    EXPECT_THAT(besideUsed({"ib0 100000 10.1.0.1/24 fd00:0::1/64"}, {"ib0 100000 10.2.0.1/24 fd00::5/64"}),
                isOne)
        << "one of its networks is enough";
    EXPECT_THAT(besideUsed({"eth1 10000 10.1.0.1/24", "ib0 100000"},
                           {"eth1 10000 10.1.0.2/24", "ib0 100000 $(reboot)/24"}),
                ElementsAre("eth0*", "eth1*", "ib0"))
        << "the one that is known to join the nodes first";
}

TEST(Experiments, WrongRowsAreRefused) {
    const auto problem = [](const Json& row) {
        const auto rows = experimentRows(Json::array({row}), "rows.json");
        return rows ? std::string() : describe(rows.error());
    };
    const Json right{{"causes", {"jitter"}}, {"title", "t"}, {"why", "w"}, {"options", {{"workers", "x2"}}}};
    EXPECT_EQ(problem(right), "");
    const auto changed = [&](const char* field, const Json& value) {
        Json row = right;
        row[field] = value;
        return problem(row);
    };
    EXPECT_THAT(changed("causes", {"noise"}), HasSubstr("\"noise\" is no cause"));
    EXPECT_THAT(changed("causes", Json::array()), HasSubstr("needs \"causes\""));
    EXPECT_THAT(changed("env", {{"A", {"1", "2"}}}), HasSubstr("changes no setting, or several"));
    EXPECT_THAT(changed("options", {{"workers", 2}}), HasSubstr("values of another kind"));
    EXPECT_THAT(changed("optoins", 1), HasSubstr("optoins"));
    EXPECT_FALSE(experimentRows(Json::object(), "rows.json"));
}

class Answers : public testing::Test {
protected:
    Answers() {
        experiment_.before = test::ownRun({2, 4}, 1, 1).benchmarkCase;
        experiment_.after = experiment_.before;
        experiment_.after.configuration.variant["workers"] = "16";
    }
    void run(const std::string& campaign, const Case& benchmarkCase, const std::vector<double>& figures) {
        for (const double figure : figures) {
            RunResult one = test::ownRun(benchmarkCase.topology, 1, figure);
            one.benchmarkCase = benchmarkCase;
            one.campaign = campaign;
            one.id = campaign + "/" + std::to_string(results_.size());
            one.repetition = static_cast<int>(results_.size()) + 1;
            results_.push_back(std::move(one));
        }
    }
    std::string answer() {
        const auto found = answerTo(experiment_, results_, vocabulary(), {});
        return found ? answerText(*found) : "none";
    }

    Experiment experiment_;
    std::vector<RunResult> results_;
};

TEST_F(Answers, NeedBothCasesInOneCampaign) {
    run("c1", experiment_.before, {100, 101, 102, 103, 104});
    run("c2", experiment_.after, {110, 111, 112, 113, 114});
    EXPECT_EQ(answer(), "none");
}

TEST_F(Answers, AreWhatTheRankTestSays) {
    run("c1", experiment_.before, {100, 101, 102, 103, 104});
    run("c1", experiment_.after, {110, 111, 112, 113, 114});
    EXPECT_EQ(answer(), "Helped by 9.8\u00A0% (p = 0.008)");
    run("c2", experiment_.before, {110, 111, 112, 113, 114});
    run("c2", experiment_.after, {100, 101, 102, 103, 104});
    EXPECT_EQ(answer(), "Cost 8.9\u00A0% (p = 0.008)") << "the latest campaign's";
    run("c3", experiment_.before, {100, 101, 102, 103, 104});
    run("c3", experiment_.after, {100.5, 101.5, 102.5, 99, 104.5});
    EXPECT_THAT(answer(), HasSubstr("No difference seen: "));
    run("c4", experiment_.before, {100});
    run("c4", experiment_.after, {104});
    EXPECT_THAT(answer(), HasSubstr("Too few runs to tell: +4.0"));
}

}  // namespace
}  // namespace dlperf::tuning
