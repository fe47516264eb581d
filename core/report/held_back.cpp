// SPDX-License-Identifier: Apache-2.0
#include "core/report/held_back.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/model/node_name.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr double tellFrom = 0.05;
constexpr double timesTheOthers = 2;
constexpr double lowerClock = 0.95;  // of the lowest of the others
constexpr std::size_t mostTold = 4;

using Runs = std::vector<const RunResult*>;

struct Groups {
    Runs slow;
    Runs others;
};

Groups splitAtWidestGap(Runs runs) {
    const bool isTime = !runs.empty() && lowerIsBetter(runs.front()->unit);
    const auto speed = [&](const RunResult* run) { return isTime ? 1 / *run->throughput : *run->throughput; };
    std::ranges::stable_sort(runs, {}, speed);
    std::size_t first = 0;  // of the others
    double widest = 0;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const double gap = speed(runs[i]) / speed(runs[i - 1]);
        first = gap > widest ? i : first;
        widest = std::max(widest, gap);
    }
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(first);
    return {{runs.begin(), middle}, {middle, runs.end()}};
}

// One kind of hindrance at one place.
using Hold = std::pair<std::string, std::string>;
using Hindrances = std::map<Hold, Hindrance>;

Hindrances hindrancesIn(const RunResult& run) {
    Hindrances all;
    for (const NodeNoise& node : run.noise) {
        for (Hindrance& one : hindrancesOf(node)) {
            all.insert_or_assign({one.kind, one.where}, std::move(one));
        }
    }
    return all;
}

using Clock = std::optional<double> NodeNoise::*;

std::optional<double> clockAt(const RunResult& run, const std::string& node, Clock clock) {
    const auto found = std::ranges::find(run.noise, node, &NodeNoise::node);
    return found == run.noise.end() ? std::nullopt : (*found).*clock;
}

class Comparer {
public:
    explicit Comparer(Groups groups) : groups_(std::move(groups)) {}

    std::vector<std::string> compare() {
        for (const RunResult* run : groups_.others) {
            for (const auto& [hold, one] : hindrancesIn(*run)) {
                mostOfOthers_[hold] = std::max(mostOfOthers_[hold], one.share);
            }
        }
        for (const RunResult* run : groups_.slow) {
            for (const auto& [hold, one] : hindrancesIn(*run)) {
                if (one.share >= tellFrom && one.share >= timesTheOthers * mostOfOthers_[hold]) {
                    tell(hold, *run, one.share, one.what);
                }
            }
            for (const NodeNoise& node : run->noise) {
                compareClock(*run, node, &NodeNoise::clock);
                compareClock(*run, node, &NodeNoise::gpuClock);
            }
        }
        return mapped(told_, [](const auto& entry) { return textOf(entry.second); });
    }

private:
    // What the slow runs have in common, in the words of the one that had most of it.
    struct Told {
        std::vector<std::string> repetitions{};
        double share = 0;
        std::string what{};
    };

    static std::string textOf(const Told& told) {
        const std::string repetitions = join(told.repetitions, ", ");
        return told.repetitions.size() == 1 ? fmt::format("{} (repetition {})", told.what, repetitions)
                                            : fmt::format("{} (repetitions {})", told.what, repetitions);
    }

    void tell(const Hold& hold, const RunResult& run, double share, const std::string& what) {
        if (told_.size() == mostTold && !told_.contains(hold)) {
            return;
        }
        Told& told = told_[hold];
        told.repetitions.push_back(std::to_string(run.repetition));
        if (share > told.share) {
            told.share = share;
            told.what = what;
        }
    }

    void compareClock(const RunResult& run, const NodeNoise& node, Clock clock) {
        double lowest = std::numeric_limits<double>::infinity();
        for (const RunResult* other : groups_.others) {
            lowest = std::min(lowest, clockAt(*other, node.node, clock).value_or(lowest));
        }
        const double own = (node.*clock).value_or(lowest);
        if (lowest == std::numeric_limits<double>::infinity() || own >= lowerClock * lowest) {
            return;
        }
        const bool isGpu = clock == &NodeNoise::gpuClock;
        const std::string title = nodeTitle(node.node);
        const std::string ran = grouped(own, 0);
        const std::string others = grouped(lowest, 0);
        tell({isGpu ? "gpu-clock" : "clock", node.node}, run, 1 - own / lowest,
             isGpu ? fmt::format("the GPUs of {} ran at {} MHz, in the others at {} MHz or more", title, ran,
                                 others)
                   : fmt::format("the processors of {} ran at {} MHz, in the others at {} MHz or more", title,
                                 ran, others));
    }

    Groups groups_;
    std::map<Hold, double> mostOfOthers_;
    std::map<Hold, Told> told_;
};

}  // namespace

std::vector<std::string> whatHeldSlowOnesBack(const Runs& runs) {
    Runs recorded;
    std::ranges::copy_if(runs, std::back_inserter(recorded),
                         [](const RunResult* run) { return !run->noise.empty(); });
    return recorded.size() < 2 ? std::vector<std::string>()
                               : Comparer(splitAtWidestGap(std::move(recorded))).compare();
}

}  // namespace dlperf::report
