// SPDX-License-Identifier: Apache-2.0
// The questions of logins, asked on the terminal that the program was started from.
#pragma once

#include "core/remote/credentials.h"

namespace dlperf::app {

struct AskOptions {
    bool mayPrompt = true;                  // false: the program has no terminal of its own for long
    bool acceptNew = false;                 // new host keys are trusted and stored without a question
    remote::CachedCredentials cached = {};  // in the window that starts this program
};

// The transports of a command. What is typed once holds for all of its nodes; without a terminal, what needs
// the user fails with a sentence.
[[nodiscard]] remote::TransportFactory terminalTransports(const AskOptions& options);

// What the window was answered and hands to a program that it starts, from standard input: --answers.
inline constexpr const char* answersHelp =
    "Read answers to logins from standard input, as the window gives them";
[[nodiscard]] Result<remote::CachedCredentials> readCachedCredentials();

}  // namespace dlperf::app
