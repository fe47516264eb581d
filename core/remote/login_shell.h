// SPDX-License-Identifier: Apache-2.0
// sshd hands a command to the user's login shell, which may be any: bash, zsh, fish, tcsh.
#pragma once

#include <string>
#include <string_view>

namespace dlperf::remote {

// A command line that runs the POSIX sh script whatever the login shell is. It holds neither quotes nor signs
// that one of them reads in its own way: what is not a plain letter is written as its octal number.
[[nodiscard]] std::string loginShellCommand(std::string_view script);

}  // namespace dlperf::remote
