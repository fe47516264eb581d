// SPDX-License-Identifier: Apache-2.0
// What a recipe needs of a node: the script is run here, on folders of the test's own, and its checks are
// read.
#include "core/cluster/recipe_needs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "core/remote/local_transport.h"
#include "tests/support/folder.h"

namespace dlperf::cluster {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class RecipeNeedsTest : public testing::Test {
protected:
    RecipeNeedsTest() {
        node_.name = "a";
        node_.workDir = (folder_.path() / "it's here").string();
        needs_.recipe = "toy";
    }

    RecipeEnvironment look(Depth depth = Depth::Files) const {
        const auto printed = remote::runChild({environmentScript(node_, needs_, depth), {}}, {}, "a");
        EXPECT_TRUE(printed && printed->exitCode == 0)
            << (printed ? printed->errors : describe(printed.error()));
        return parseEnvironment(printed ? printed->output : "");
    }
    // What stops a run on this node, as it is told.
    std::string refusal(Depth depth = Depth::Files) const {
        std::string text;
        for (const Check& check : checkRecipe(needs_, look(depth))) {
            text += check.stopsRun ? describe(errorOf(check, "a")) + "\n" : "";
        }
        return text;
    }
    // Runs what the remedy says to paste.
    static int paste(const std::string& command) {
        const auto result = remote::runChild({command, {}}, {}, "a");
        return result ? result->exitCode : -1;
    }
    // A program that answers as a Python of this version would and has no modules of its own.
    std::string fakePython(const std::string& name, const std::string& version) const {
        folder_.write(
            name, "#!/bin/sh\nexec python3 -c \"import sys; sys.version_info = (" + version +
                      ", 0, 'final', 0); sys.argv = ['-'] + sys.argv[2:]; exec(sys.stdin.read())\" \"$@\"\n");
        const fs::path path = folder_.path() / name;
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

    test::Folder folder_;
    Node node_;
    RecipeNeeds needs_;
};

TEST_F(RecipeNeedsTest, APythonThatFindsTheImportsIsTaken) {
    needs_.python = PythonNeeds{">=3.6", {}, {"json", "xml.dom"}, {}};
    const RecipeEnvironment found = look(Depth::Imports);
    EXPECT_TRUE(fs::path(found.python).is_absolute()) << found.python;
    EXPECT_THAT(refusal(Depth::Imports), IsEmpty());
}

TEST_F(RecipeNeedsTest, AModuleThatIsMissingIsNamedWithWhatInstallsIt) {
    needs_.python = PythonNeeds{"", {}, {"json", "no_such_module"}, {}};
    EXPECT_THAT(refusal(), HasSubstr("does not have no_such_module"));
    EXPECT_THAT(refusal(), HasSubstr("-m pip install no_such_module"));
    needs_.python->remedy = "sudo apt-get install python3-torch";
    EXPECT_THAT(refusal(), HasSubstr("option \"python\": sudo apt-get install python3-torch"));
    needs_.python->remedy = "pip install torch==1.6.0";
    EXPECT_THAT(refusal(), HasSubstr("/bin/python"));
    EXPECT_THAT(refusal(), HasSubstr(" -m pip install torch==1.6.0"));
}

TEST_F(RecipeNeedsTest, TheSystemsOwnPythonGetsAnEnvironmentBesideIt) {
    needs_.python = PythonNeeds{"", {}, {"no_such_module"}, {}};
    RecipeEnvironment found;
    found.kind = "cpu";
    found.base = "/usr/bin/python3";
    found.missing = "no_such_module";
    const std::string told = describe(errorOf(checkRecipe(needs_, found).at(0), "a"));
    EXPECT_THAT(told, HasSubstr("'/usr/bin/python3' -m venv --system-site-packages ~/dlperf-toy && "
                                "~/dlperf-toy/bin/python -m pip install no_such_module"));
    EXPECT_THAT(told, HasSubstr("name ~/dlperf-toy/bin/python by the option \"python\""));
    found.base = "/opt/python/bin/python3";
    EXPECT_THAT(describe(errorOf(checkRecipe(needs_, found).at(0), "a")),
                HasSubstr(": '/opt/python/bin/python3' -m pip install no_such_module"));
}

TEST_F(RecipeNeedsTest, APythonOfAnEarlierVersionIsNamed) {
    RecipeEnvironment found;
    found.kind = "cpu";
    found.noPython = true;
    const auto remedy = [&](const std::string& versions) {
        needs_.python = PythonNeeds{versions, {}, {}, {}};
        return checkRecipe(needs_, found).at(0).command;
    };
    EXPECT_EQ(remedy(">=3.5,<3.9"), "pyenv install 3.8");
    EXPECT_EQ(remedy("<=3.10"), "pyenv install 3.10");
    EXPECT_EQ(remedy("==3.7"), "pyenv install 3.7");
    EXPECT_EQ(remedy(">=3.9"), "sudo apt-get install python3 python3-venv");
}

TEST_F(RecipeNeedsTest, AModuleThatIsThereAndBreaksIsToldInItsOwnWords) {
    folder_.write("modules/brittle.py", "raise ImportError('libfoo.so.1: cannot open shared object file')\n");
    node_.env["PYTHONPATH"] = (folder_.path() / "modules").string();
    needs_.python = PythonNeeds{"", {}, {"brittle"}, {}};
    EXPECT_THAT(refusal(Depth::Files), IsEmpty()) << "before a run nothing is imported";
    EXPECT_THAT(refusal(Depth::Imports), HasSubstr("cannot import brittle"));
    EXPECT_THAT(look(Depth::Imports).broken, HasSubstr("libfoo.so.1"));
}

TEST_F(RecipeNeedsTest, ThePythonOfTheOptionIsTheOnlyOneAsked) {
    needs_.python = PythonNeeds{">=3.7,<3.9", {{"cpu", "x==1\n"}}, {}, {}};
    needs_.options = {{"python", fakePython("python", "3, 8")}, {"backend", "cpu"}};
    EXPECT_THAT(refusal(), IsEmpty()) << "a Python of the user's own is prepared by the user";
    needs_.options["python"] = fakePython("python", "3, 11");
    EXPECT_THAT(refusal(), HasSubstr("does not serve"));
    needs_.options["python"] = "/no/such/python";
    EXPECT_THAT(refusal(), HasSubstr("/no/such/python does not serve"));
}

TEST_F(RecipeNeedsTest, VersionsAreComparedAsNumbers) {
    needs_.python = PythonNeeds{">=3.9", {}, {}, {}};
    needs_.options["python"] = fakePython("python", "3, 10");
    EXPECT_THAT(refusal(), IsEmpty());
    needs_.python->versions = "<3.9";
    EXPECT_THAT(refusal(), HasSubstr("does not serve"));
    needs_.python->versions = "==3.10";
    EXPECT_THAT(refusal(), IsEmpty());
}

TEST_F(RecipeNeedsTest, RequirementsAreToBePreparedUntilTheyAre) {
    needs_.python = PythonNeeds{">=3.6", {{"cpu", "x==1\n"}, {"cuda", "x==2\n"}}, {"x"}, {}};
    needs_.options["backend"] = "cpu";
    const RecipeEnvironment before = look();
    EXPECT_EQ(before.kind, "cpu");
    EXPECT_THAT(before.folder, HasSubstr("/cache/python/" + checksumOf("x==1\n") + "-cp3"));
    EXPECT_TRUE(before.toPrepare() || before.noVenv);
    fs::create_directories(fs::path(before.folder) / "bin");
    fs::create_symlink("/usr/bin/env", fs::path(before.folder) / "bin/python");
    EXPECT_TRUE(look().python.empty()) << "a folder that was never completed is none";
    fs::remove(fs::path(before.folder) / "bin/python");
    fs::create_symlink(before.base, fs::path(before.folder) / "bin/python");
    folder_.write(fs::relative(fs::path(before.folder) / "complete", folder_.path()).string(), "now\n");
    EXPECT_EQ(look().python, before.folder + "/bin/python");
}

TEST_F(RecipeNeedsTest, NothingIsPreparedInAContainer) {
    needs_.python = PythonNeeds{"", {{"cpu", "x==1\n"}}, {"json"}, {}};
    needs_.options["backend"] = "cpu";
    node_.container = {"docker", "exec", "-i", "pt"};
    EXPECT_FALSE(look().python.empty());
    EXPECT_TRUE(look().folder.empty());
}

TEST_F(RecipeNeedsTest, AGpuThatIsMissingStopsTheRun) {
    node_.env["PATH"] = "/usr/bin:/bin";  // where nvidia-smi is not, or finds none
    needs_.gpus = true;
    if (paste("nvidia-smi -L | grep -q '^GPU '") != 0) {
        EXPECT_THAT(refusal(), HasSubstr("there is none"));
    }
    folder_.write("bin/nvidia-smi", "#!/bin/sh\necho 'GPU 0: NVIDIA H100 (UUID: GPU-1)'\n");
    fs::permissions(folder_.path() / "bin/nvidia-smi", fs::perms::owner_all);
    node_.env["PATH"] = (folder_.path() / "bin").string() + ":/usr/bin:/bin";
    EXPECT_THAT(refusal(), IsEmpty());
    EXPECT_EQ(look().kind, "cuda");
    needs_.options["backend"] = "cpu";
    EXPECT_EQ(look().kind, "cpu");
}

class Checkout : public RecipeNeedsTest {
protected:
    Checkout() {
        const std::string upstream = (folder_.path() / "upstream").string();
        EXPECT_EQ(paste("git init -q " + quoted(upstream) + " && cd " + quoted(upstream) +
                        " && mkdir imagenet && echo 1 >imagenet/main.py && git add . && " + commit +
                        " && echo 2 >other && git add . && " + commit),
                  0);
        first_ = output("git -C " + quoted(upstream) + " rev-parse HEAD~");
        EXPECT_EQ(paste("git clone -q " + quoted(upstream) + " " + quoted(folder_.path() / "own")), 0);
        needs_.source = SourceNeeds{"some/one", first_, "source_dir", {"imagenet/main.py"}};
        needs_.options["source_dir"] = (folder_.path() / "own").string();
    }
    static std::string quoted(const fs::path& path) { return shellQuote(path.string()); }
    static std::string output(const std::string& command) {
        return std::string(trim(remote::runChild({command, {}}, {}, "a").value().output));
    }

    const std::string commit = "git -c user.name=n -c user.email=e commit -qm m";
    std::string first_;
};

TEST_F(Checkout, AnotherCommitIsRefusedAndTheRightOneIsNot) {
    EXPECT_THAT(refusal(), HasSubstr("checkout " + first_));
    EXPECT_EQ(paste("git -C " + quoted(folder_.path() / "own") + " checkout -q " + first_), 0);
    EXPECT_THAT(refusal(), IsEmpty());
    fs::remove(folder_.path() / "own/imagenet/main.py");
    EXPECT_THAT(refusal(), HasSubstr("imagenet/main.py is not in"));
}

TEST_F(Checkout, AFolderWithoutGitIsMovedAway) {
    needs_.options["source_dir"] = (folder_.path() / "copied").string();
    folder_.write("copied/imagenet/main.py", "1\n");
    EXPECT_THAT(refusal(), HasSubstr("copied is no checkout"));
    EXPECT_THAT(refusal(), HasSubstr("copied.before' && git clone https://github.com/some/one "));
    needs_.source->commit.clear();
    EXPECT_THAT(refusal(), IsEmpty()) << "nothing is wanted of git";
}

TEST_F(Checkout, WhatGitSaysIsTold) {
    folder_.write("own/.git/HEAD", "nonsense\n");
    EXPECT_THAT(refusal(), HasSubstr("git does not tell the commit of"));
    EXPECT_THAT(look().gitSays, HasSubstr("fatal"));
}

TEST_F(Checkout, ABranchIsClonedAsOne) {
    needs_.options["source_dir"] = (folder_.path() / "nowhere").string();
    needs_.source->commit.clear();
    needs_.source->branch = "r2.3.0";
    EXPECT_THAT(refusal(), HasSubstr("git clone --branch r2.3.0 https://github.com/some/one "));
}

TEST_F(Checkout, OneThatIsMissingIsNamedWithWhatGetsIt) {
    needs_.options["source_dir"] = (folder_.path() / "nowhere").string();
    EXPECT_THAT(refusal(), HasSubstr("git clone https://github.com/some/one "));
    EXPECT_THAT(refusal(), HasSubstr("checkout " + first_));
    const std::string copied = "it's here/cache/source/" + first_;
    folder_.write(copied + ".complete", "");
    EXPECT_THAT(refusal(), IsEmpty()) << "a copy was brought";
    EXPECT_EQ(look().source, (folder_.path() / copied).string());
}

TEST_F(RecipeNeedsTest, DataThatTheTrainerReadsHaveToBeThere) {
    needs_.data = DataNeeds{"data", {"folder with train/ and val/"}, false, {{"dummy", "yes"}}};
    EXPECT_THAT(refusal(), HasSubstr("no folder is named"));
    node_.dataDir = (folder_.path() / "data").string();
    EXPECT_THAT(refusal(), HasSubstr("is not there"));
    fs::create_directories(node_.dataDir);
    EXPECT_THAT(refusal(), HasSubstr("is empty"));
    needs_.options["dummy"] = "yes";
    EXPECT_THAT(refusal(), IsEmpty());
    needs_.options["dummy"] = "no";
    folder_.write("data/train/x", "");
    EXPECT_THAT(refusal(), IsEmpty());
    needs_.options["data"] = "/no/such/data";
    EXPECT_THAT(refusal(), HasSubstr("/no/such/data is not there"));
    needs_.options["data"] = "";
    needs_.data->optional = true;
    node_.dataDir = "/no/such/data";
    EXPECT_THAT(refusal(), IsEmpty()) << "the trainer makes data itself";
}

TEST_F(RecipeNeedsTest, ASetupThatFailsIsNotTheRecipesFault) {
    needs_.python = PythonNeeds{"", {}, {"no_such_module"}, {}};
    node_.setup = "exit 3";
    EXPECT_TRUE(look().setupFailed);
    node_.setup = "return 3";
    EXPECT_THAT(refusal(), IsEmpty());
}

TEST(RecipeEnvironmentText, HostileAnswersAreBoundedAndClean) {
    const std::string printed = "kind cpu\npython /x\xff" + std::string(100'000, 'y') + "\n" + [] {
        std::string lines;
        for (int i = 0; i < 10'000; ++i) {
            lines += "no_file f\n";
        }
        return lines;
    }();
    const RecipeEnvironment found = parseEnvironment(printed);
    EXPECT_LE(found.python.size(), 1000U);
    EXPECT_LE(found.missingFiles.size(), 100U);
}

}  // namespace
}  // namespace dlperf::cluster
