// SPDX-License-Identifier: Apache-2.0
#include "core/remote/command_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "core/base/node_script.h"
#include "core/base/text.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

bool isPlain(char letter) {
    constexpr std::string_view others = " _./,:=+-";
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || others.find(letter) != std::string_view::npos;
}

// Nobody prints it by chance or on purpose: it is new for each command.
std::string makeMark() {
    std::random_device random;
    return fmt::format("dlperf:{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

constexpr std::size_t longestNumber = 24;  // " 4194304\n"

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

void FramedStream::take(std::string_view bytes) {
    if (last_) {
        return;  // of what runs on in the background
    }
    pending_ += bytes;
    if (!first_) {
        const std::size_t at = pending_.find(mark_);
        if (at == std::string::npos) {
            pending_.erase(0, pending_.size() - std::min(pending_.size(), mark_.size()));
            return;
        }
        pending_.erase(0, at);
        first_ = takeMark();
        if (!first_) {
            return;
        }
    }
    const std::size_t at = pending_.find(mark_);
    keep(at == std::string::npos ? pending_.size() - std::min(pending_.size(), mark_.size()) : at);
    if (at != std::string::npos) {
        last_ = takeMark();
    }
}

// The number behind the mark that pending_ begins with, once its line is whole.
std::optional<int> FramedStream::takeMark() {
    const std::size_t end = pending_.find('\n');
    if (end == std::string::npos || end > mark_.size() + longestNumber) {
        return {};
    }
    const auto number = toInt(trim(std::string_view(pending_).substr(mark_.size(), end - mark_.size())));
    if (number) {
        pending_.erase(0, end + 1);
    }
    return number;
}

void FramedStream::keep(std::size_t bytes) {
    const std::size_t room = most_ - std::min(most_, words_.size());
    cut_ = cut_ || bytes > room;
    words_.append(pending_, 0, std::min(bytes, room));
    pending_.erase(0, bytes);
}

std::string killCommand(pid_t leader) {
    return node_script::set("leader", std::to_string(leader)) + std::string(node_script::kill);
}

CommandFrame::CommandFrame(const Command& command)
    : mark_(makeMark()),
      command_(command.script),
      output_(mark_, command.maxOutput),
      errors_(mark_, command.maxOutput) {}

std::string CommandFrame::script() const {
    const std::string begin = fmt::format("printf '{} %s\\n' $$", mark_);
    const std::string end = fmt::format("printf '{} %s\\n' $dlperf_code", mark_);
    // In Base64, of which no layer quotes a letter: quotes within quotes would not fit into a packet of SSH.
    return fmt::format(
        "{0}; {0} >&2; dlperf_script=$(printf %s {1} | base64 -d) && /bin/sh -c \"$dlperf_script\"; "
        "dlperf_code=$?; {2}; {2} >&2",
        begin, encodeBase64(command_), end);
}

CommandResult CommandFrame::result() {
    return {.exitCode = output_.last().value_or(-1),
            .output = std::move(output_.words()),
            .errors = std::move(errors_.words()),
            .cut = output_.cut() || errors_.cut()};
}

Error CommandFrame::brokenOff() const {
    return process() ? Error{"the command was ended from outside", {}, {}, ErrorKind::Transient}
                     : Error{"the account does not run commands",
                             {},
                             "Check its login shell there, and a forced command in its authorized_keys.",
                             ErrorKind::Work};
}

}  // namespace dlperf::remote
