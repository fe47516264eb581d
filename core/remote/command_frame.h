// SPDX-License-Identifier: Apache-2.0
// What stands around a command that another machine runs. Marks in both of its streams tell its words from
// those of the user's shell files, its end from the end of what it left in the background, and which process
// it is, which an SSH channel tells late or never.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/remote/transport.h"

namespace dlperf::remote {

// A command line that runs the POSIX sh script whatever the login shell is, to which sshd hands it: bash,
// zsh, fish, tcsh. It holds neither quotes nor signs that one of them reads in its own way: what is not a
// plain letter is written as its octal number.
[[nodiscard]] std::string loginShellCommand(std::string_view script);

// One stream: "…MARK 4711\n" its words "MARK 0\n…".
class FramedStream {
public:
    // Keeps at most `most` bytes of the words and drops the rest.
    FramedStream(std::string mark, std::size_t most) : mark_(std::move(mark)), most_(most) {}

    void take(std::string_view bytes);

    [[nodiscard]] std::optional<int> first() const { return first_; }  // number behind the first mark
    [[nodiscard]] std::optional<int> last() const { return last_; }    // and behind the last
    [[nodiscard]] bool cut() const { return cut_; }
    [[nodiscard]] std::string& words() { return words_; }

private:
    [[nodiscard]] std::optional<int> takeMark();
    void keep(std::size_t bytes);

    std::string mark_;
    std::size_t most_;
    std::string pending_;  // not yet known to be words
    std::string words_;
    std::optional<int> first_;
    std::optional<int> last_;
    bool cut_ = false;
};

// Kills a command that a frame has named, with all of its session: sshd gives each command one.
[[nodiscard]] std::string killCommand(pid_t leader);

class CommandFrame {
public:
    explicit CommandFrame(const Command& command);

    // The command with its marks, as POSIX sh text.
    [[nodiscard]] std::string script() const;

    void takeOutput(std::string_view bytes) { output_.take(bytes); }
    void takeErrors(std::string_view bytes) { errors_.take(bytes); }

    // Leader of the session, once the command has begun.
    [[nodiscard]] std::optional<pid_t> process() const { return errors_.first(); }
    [[nodiscard]] bool ended() const { return output_.last() && errors_.last(); }
    // Once it has ended.
    [[nodiscard]] CommandResult result();
    // Why the streams are over before that.
    [[nodiscard]] Error brokenOff() const;

private:
    std::string mark_;
    std::string command_;
    FramedStream output_;
    FramedStream errors_;
};

}  // namespace dlperf::remote
