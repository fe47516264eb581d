// SPDX-License-Identifier: Apache-2.0
#include "comm/membership.h"

#include <algorithm>
#include <cstdio>

namespace dlperf::worker {
namespace {

constexpr int maxRanks = 1 << 16;
constexpr std::size_t maxReason = 4096;

// Reasons come from the network and go to terminals.
std::string printable(const std::string& text) {
    std::string line = text.substr(0, maxReason);
    std::replace_if(
        line.begin(), line.end(), [](char letter) { return (letter >= 0 && letter < ' ') || letter == 127; },
        ' ');
    return line;
}

}  // namespace

bool Membership::join(int rank, Time now) {
    return rank >= 0 && rank < maxRanks && members_.emplace(rank, Member{now}).second;
}

void Membership::heartbeat(int rank, std::int64_t steps, Time now) {
    const auto member = members_.find(rank);
    if (member != members_.end()) {
        member->second = {now, steps};
    }
}

void Membership::fail(int rank, const std::string& reason) {
    lose(rank, " failed: " + printable(reason));
}

void Membership::leave(int rank) {
    members_.erase(rank);
}

void Membership::vanish(int rank) {
    lose(rank, " ended without a word");
}

void Membership::judge(Time now) {
    const auto silent = std::find_if(members_.begin(), members_.end(),
                                     [&](const auto& entry) { return now - entry.second.heard > silence_; });
    if (silent == members_.end()) {
        return;
    }
    lose(silent->first, " has been silent for " + inSeconds(silence_) + " since it had done " +
                            std::to_string(silent->second.steps) +
                            " steps: it is stopped or cannot be reached");
}

void Membership::lose(int rank, const std::string& how) {
    if (members_.erase(rank) != 0 && !loss_) {
        loss_ = "rank " + std::to_string(rank) + how;
    }
}

std::optional<Membership::Time> Membership::nextSilence() const {
    if (members_.empty() || loss_) {
        return std::nullopt;
    }
    const auto first = std::min_element(members_.begin(), members_.end(), [](const auto& a, const auto& b) {
        return a.second.heard < b.second.heard;
    });
    return first->second.heard + silence_;
}

std::string inSeconds(std::chrono::milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
    return text;
}

}  // namespace dlperf::worker
