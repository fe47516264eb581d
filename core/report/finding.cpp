// SPDX-License-Identifier: Apache-2.0
#include "core/report/finding.h"

#include <fmt/format.h>

#include <array>

#include "core/base/text.h"

namespace dlperf::report {
namespace {

struct Words {
    const char* key;
    const char* title;
    const char* why;
};

// As FindingKind counts.
constexpr std::array<Words, 22> words{{
    {"missing-figure", "Missing figure", "What is read off the others leaves this case out"},
    {"quoted-speedup", "Quoted speedup is off",
     "Whoever quotes the source repeats the mistake; what is shown comes from its figures"},
    {"identical-figures", "Identical figures",
     "Measurements do not agree to the last digit: one of the two is probably a copy"},
    {"throughput-falls", "Throughput falls",
     "Devices are added and training slows down: data loading or communication is the bottleneck"},
    {"scaling-loss", "Scaling loss", "Whatever is lost here is missing on all larger topologies, too"},
    {"super-linear", "Super-linear speedup",
     "Devices do not speed each other up: the figure for one device is too low, or their work differs"},
    {"no-base", "No 1n1g figure",
     "Speedup and efficiency have no base, and a quoted speedup cannot be checked"},
    {"outlier", "Outlier",
     "Something else ran, throttled or warmed up: exclude it with a reason, or repeat it"},
    {"wide-spread", "Wide spread", "The next repetition may move the median by as much"},
    {"skewed", "Average and median disagree",
     "Some repetitions ran under other conditions, and neither figure stands for all of them"},
    {"versions-differ", "Versions differ", "The repetitions are not of one thing"},
    {"short-window", "Window not reached", "The run gives no figure, and fewer stand behind the median"},
    {"overwritten", "Repetition overwritten", "Which of the two logs counts moves average and median"},
    {"doubtful-case", "Case in doubt", "Under a wrong case the right figure misleads"},
    {"long-iterations", "Iterations of 10 s and more",
     "Figures that DLPerf's extractor gave for such logs are wrong by a multiple"},
    {"odd-clock", "Odd clock", "Throughput is samples over time, and the time is in doubt"},
    {"drift", "Drift within the window", "The figure depends on where the window lies"},
    {"data-share", "Waits for data",
     "Faster devices would not raise the figure: it measures disks and loading processes"},
    {"several-ranks", "Several ranks in one log",
     "Each iteration counts as often as a rank prints it: the window is shorter than it says"},
    {"odd-lines", "Odd lines", "What a log does not say whole is not in its figure"},
    {"remark", "Remark on a run", "It may have changed the figure"},
    {"window-changed", "Window changed",
     "These are not the figures that were taken when it ran, and figures of other windows do not compare"},
}};

const Words& wordsOf(FindingKind kind) {
    return words.at(static_cast<std::size_t>(kind));
}

}  // namespace

const char* keyOf(FindingKind kind) {
    return wordsOf(kind).key;
}

const char* titleOf(FindingKind kind) {
    return wordsOf(kind).title;
}

const char* whyItMatters(FindingKind kind) {
    return wordsOf(kind).why;
}

std::string findingText(const CellFinding& finding, bool why) {
    std::string text = fmt::format("{}: {}", titleOf(finding.kind), finding.howMuch);
    return why ? fmt::format("{}. {}.", text, whyItMatters(finding.kind)) : text;
}

std::string findingText(const std::vector<CellFinding>& findings, bool why) {
    std::vector<std::string> lines;
    lines.reserve(findings.size());
    for (const CellFinding& finding : findings) {
        lines.push_back(findingText(finding, why));
    }
    return join(lines, "\n");
}

}  // namespace dlperf::report
