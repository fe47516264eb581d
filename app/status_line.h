// SPDX-License-Identifier: Apache-2.0
// One line on standard error that is redrawn on a terminal; plain lines elsewhere.
#pragma once

#include <unistd.h>

#include <iostream>
#include <string>

namespace dlperf::app {

class StatusLine {
public:
    StatusLine() = default;
    ~StatusLine() { clear(); }
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    [[nodiscard]] bool isOnTerminal() const { return terminal_; }
    void show(const std::string& text) {
        drawn_ = terminal_;
        std::cerr << (terminal_ ? "\r\033[K" + text : text + "\n") << std::flush;
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
