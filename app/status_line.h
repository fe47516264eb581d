// SPDX-License-Identifier: Apache-2.0
// Output that goes on while something works: one line on standard error that is redrawn on a terminal (plain
// lines elsewhere), and what redraws on standard output.
#pragma once

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "app/commands.h"

namespace dlperf::app {

// What a terminal shows in one row and cuts at its edge: a line that wrapped would keep all but its last row
// when it is redrawn.
inline std::string inOneRow(const std::string& text) {
    return fmt::format("\033[?7l{}\033[?7h", text);
}

// Between two looks at what is followed: also fails where the reader of standard output has gone, which one
// that has nothing new to print would never find out.
inline Result<void> flushFollowed() {
    pollfd output{STDOUT_FILENO, 0, 0};
    if (::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0) {
        std::cout.setstate(std::ios::badbit);
    }
    return flushOutput();
}

class StatusLine {
public:
    StatusLine() = default;
    ~StatusLine() { clear(); }
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    [[nodiscard]] bool isOnTerminal() const { return terminal_; }
    void show(const std::string& text) {
        drawn_ = terminal_;
        std::cerr << (terminal_ ? "\r\033[K" + inOneRow(text) : text + "\n") << std::flush;
    }
    // Takes the redrawn line away, so that others can be printed.
    void clear() {
        if (drawn_) {
            std::cerr << "\r\033[K" << std::flush;
            drawn_ = false;
        }
    }

private:
    bool terminal_ = ::isatty(STDERR_FILENO) == 1;
    bool drawn_ = false;
};

}  // namespace dlperf::app
