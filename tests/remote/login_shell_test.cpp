// SPDX-License-Identifier: Apache-2.0
// The same script through every login shell that this machine has, and the marks around a command.
#include <gmock/gmock.h>

#include "core/base/text.h"
#include "core/remote/command_frame.h"
#include "core/remote/local_transport.h"

namespace dlperf::remote {
namespace {

const std::string shellScript =
    "printf '%s|' 'it'\\''s' \"a \\\"b\\\"\" '$HOME' '`x`' '!!' '\\n' 'é'\nprintf 'end\\n'";
const std::string said = "it's|a \"b\"|$HOME|`x`|!!|\\n|é|end\n";

class LoginShell : public testing::TestWithParam<const char*> {};

TEST_P(LoginShell, ReadsTheScriptAsItIs) {
    const auto found = runChild({std::string("command -v ") + GetParam(), {}}, {}, "test");
    ASSERT_TRUE(found && found->exitCode == 0)
        << GetParam() << " is missing: packaging/install-build-deps.sh installs it";
    const std::string line = std::string(GetParam()) + " -c " + shellQuote(loginShellCommand(shellScript));
    const auto result = runChild({line, {}}, {}, "test");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, said) << result->errors;
}

INSTANTIATE_TEST_SUITE_P(Of, LoginShell, testing::Values("sh", "bash", "zsh", "fish", "tcsh"),
                         [](const auto& shell) { return std::string(shell.param); });

TEST(CommandFrame, TellsTheCommandsWordsFromAllOthers) {
    CommandFrame frame({"echo said; echo wrong >&2; exit 3", {}});
    const auto result =
        runChild({"echo from a shell file; echo and there >&2; " + frame.script(), {}}, {}, "test");
    ASSERT_TRUE(result);
    // As a network brings them: byte by byte.
    for (const char letter : result->output) {
        frame.takeOutput({&letter, 1});
    }
    EXPECT_FALSE(frame.ended());
    for (const char letter : result->errors) {
        frame.takeErrors({&letter, 1});
    }
    frame.takeOutput("late, from the background");
    ASSERT_TRUE(frame.ended());
    EXPECT_GT(frame.process().value_or(0), 1);
    const CommandResult framed = frame.result();
    EXPECT_EQ(framed.exitCode, 3);
    EXPECT_EQ(framed.output, "said\n");
    EXPECT_EQ(framed.errors, "wrong\n");
    EXPECT_FALSE(framed.cut);
}

TEST(CommandFrame, IsBoundedAndKnowsIt) {
    CommandFrame frame({"head -c 100000 /dev/zero; printf end >&2", {}, 10});
    const auto result = runChild({frame.script(), {}, 1U << 20U}, {}, "test");
    frame.takeOutput(result->output);
    frame.takeErrors(result->errors);
    ASSERT_TRUE(frame.ended());
    const CommandResult framed = frame.result();
    EXPECT_EQ(framed.output.size(), 10U);
    EXPECT_EQ(framed.errors, "end");
    EXPECT_TRUE(framed.cut);
}

TEST(CommandFrame, DoesNotEndWithoutItsMark) {
    CommandFrame frame({"true", {}});
    frame.takeOutput("dlperf:0123 0\n");
    frame.takeErrors("dlperf:0123 0\n");
    EXPECT_FALSE(frame.ended());
    EXPECT_FALSE(frame.process());
}

}  // namespace
}  // namespace dlperf::remote
