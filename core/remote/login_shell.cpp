// SPDX-License-Identifier: Apache-2.0
#include "core/remote/login_shell.h"

#include <fmt/format.h>

#include <iterator>

namespace dlperf::remote {
namespace {

bool isPlain(char letter) {
    constexpr std::string_view others = " _./,:=+-";
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || others.find(letter) != std::string_view::npos;
}

}  // namespace

std::string loginShellCommand(std::string_view script) {
    // The quotes are those of csh and fish too; printf's %b is POSIX's and built into every sh.
    std::string command = "exec /bin/sh -c 'eval \"$(printf %b \"";
    for (const char letter : script) {
        if (isPlain(letter)) {
            command += letter;
        } else {
            fmt::format_to(std::back_inserter(command), "\\0{:03o}", static_cast<unsigned char>(letter));
        }
    }
    return command + "\")\"'";
}

}  // namespace dlperf::remote
