// SPDX-License-Identifier: Apache-2.0
#include "app/command_words.h"

#include "app/man_page.h"
#include "app/program.h"
#include "core/base/text.h"

namespace dlperf::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CommandWords : public testing::Test {
protected:
    CommandWords() {
        CLI::App* run = app.add_subcommand("run", "Run a plan");
        run->add_option("PLAN", text, "The plan")->type_name("FILE")->required();
        run->add_option("-w,--workspace", text, "Keeps runs")->type_name("FOLDER");
        run->add_option("--theme", text, "The look")->check(CLI::IsMember({"light", "dark"}));
        run->add_flag("--detach", flag, "In a process of its own");
        app.add_subcommand("report", "Write a report");
        app.require_subcommand(1);
        app.footer("Exit status: 0 done.\nSee also: ls(1)");
    }
    // What stays of the candidates after what was typed, as a shell has it.
    std::vector<std::string> offered(const std::vector<std::string>& words) {
        std::vector<std::string> found;
        for (const std::string& line : completions(app, words)) {
            const std::string word = line.substr(0, line.find('\t'));
            if (word.starts_with(words.back()) || word.starts_with(":")) {
                found.push_back(word);
            }
        }
        return found;
    }

    CLI::App app{"Measures.", "tool"};
    std::string text;
    bool flag = false;
};

TEST_F(CommandWords, AShellIsOfferedWhatMayComeNext) {
    EXPECT_THAT(offered({"r"}), ElementsAre("run", "report"));
    EXPECT_THAT(offered({"run", "--d"}), ElementsAre("--detach"));
    EXPECT_THAT(offered({"run", ""}), ElementsAre(":file"));
    EXPECT_THAT(offered({"run", "plan.json", ""}), IsEmpty());
    EXPECT_THAT(offered({"run", "--workspace", ""}), ElementsAre(":folder"));
    EXPECT_THAT(offered({"run", "-w", ""}), ElementsAre(":folder"));
    EXPECT_THAT(offered({"run", "--theme", "d"}), ElementsAre("dark"));
    EXPECT_THAT(offered({"run", "--workspace=w", ""}), ElementsAre(":file"));
    EXPECT_THAT(offered({"nothing", ""}), IsEmpty());
    EXPECT_THAT(offered({}), IsEmpty());
}

TEST_F(CommandWords, WhatIsNotKnownGetsTheNearest) {
    EXPECT_EQ(unknownWord(app, {"rnu"}), "there is no command rnu; did you mean run?");
    EXPECT_EQ(unknownWord(app, {"run", "--workspce", "x"}),
              "there is no option --workspce; did you mean --workspace?");
    EXPECT_EQ(unknownWord(app, {"run", "--workspce=x"}),
              "there is no option --workspce; did you mean --workspace?");
    EXPECT_EQ(unknownWord(app, {"entirely"}), "there is no command entirely");
    EXPECT_FALSE(unknownWord(app, {"run", "--theme", "--dark", "plan", "-wx", "--", "--plan"}));
}

TEST_F(CommandWords, HelpIsAlsoACommand) {
    std::vector<std::string> words{"tool", "help", "run"};
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    testing::internal::CaptureStdout();
    EXPECT_EQ(parseCommandLine(app, static_cast<int>(argv.size()), argv.data()), 0);
    EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("--workspace"));
}

TEST_F(CommandWords, TheManualPageHasAllThatHelpHas) {
    const std::string page = manPage(app);
    EXPECT_THAT(page, HasSubstr(".SS \\fBtool run\\fR [\\fIOPTIONS\\fR] \\fIPLAN\\fR\nRun a plan."));
    EXPECT_THAT(page, HasSubstr("\\fB\\-w\\fR, \\fB\\-\\-workspace\\fR \\fIFOLDER\\fR\nKeeps runs"));
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-theme\\fR \\fIlight|dark\\fR"));
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n0 done."));
    EXPECT_THAT(page, Not(HasSubstr("\n.SS \\fBtool help")));
}

TEST(NearestOf, CountsLettersThatDiffer) {
    EXPECT_EQ(nearestOf("fsat", {"slow", "fast"}), "fast");
    EXPECT_EQ(nearestOf("workspace", {"workspce"}), "workspce");
    EXPECT_EQ(nearestOf("a", {"run"}), "");
    EXPECT_EQ(nearestOf("", {}), "");
    EXPECT_EQ(nearestOf(std::string(1'000'000, 'x'), {"run"}), "");
}

}  // namespace
}  // namespace dlperf::app
