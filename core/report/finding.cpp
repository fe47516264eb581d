// SPDX-License-Identifier: Apache-2.0
#include "core/report/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::report {
namespace {

struct Words {
    const char* key;
    const char* title;
    const char* why;
};

// As FindingKind counts.
constexpr std::array<Words, 27> words{{
    {"missing-figure", "Missing figure", "What is read off the others leaves this case out"},
    {"quoted-speedup", "Quoted speedup is off",
     "Whoever quotes the source repeats the mistake; what is shown comes from its figures"},
    {"identical-figures", "Identical figures",
     "Measurements do not agree to the last digit: one of the two is probably a copy"},
    {"throughput-falls", "Throughput falls",
     "Devices are added and training slows down: fewer of them would train faster"},
    {"scaling-loss", "Scaling loss", "Whatever is lost here is missing on all larger topologies, too"},
    {"super-linear", "Super-linear speedup",
     "Devices do not speed each other up: the figure for one device is too low, or their work differs"},
    {"no-base", "No 1n1g figure",
     "Speedup and efficiency have no base, and a quoted speedup cannot be checked"},
    {"outlier", "Outlier",
     "It was measured under other conditions than the rest: exclude it with a reason, or repeat it"},
    {"wide-spread", "Wide spread", "The next repetition may move the median by as much"},
    {"skewed", "Average and median disagree",
     "Some repetitions ran under other conditions, and neither figure stands for all of them"},
    {"held-back", "Slow repetitions were held back",
     "The others were spared: exclude these with a reason, or repeat them"},
    {"versions-differ", "Versions differ", "The repetitions are not of one thing"},
    {"one-machine", "Nodes are one machine",
     "They share its processors, devices and network: the figure says nothing of how training scales over "
     "nodes"},
    {"more-threads-than-cores", "More threads than cores",
     "Threads that wait for a core keep all others waiting: give each process fewer threads, or use fewer "
     "processes"},
    {"short-window", "Measurement range not reached",
     "The run gives no figure, and fewer stand behind the median"},
    {"overwritten", "Repetition overwritten", "Which of the two logs counts moves average and median"},
    {"doubtful-case", "Case in doubt", "Under a wrong case the right figure misleads"},
    {"long-iterations", "Times that DLPerf's extractor misreads",
     "Figures that DLPerf's extractor gave for such logs are wrong by a multiple"},
    {"odd-clock", "Odd clock", "Throughput is samples over time, and the time is in doubt"},
    {"drift", "Drift within the measurement range", "The figure depends on where the range lies"},
    {"data-share", "Waits for data",
     "Faster devices would not raise the figure: it measures disks and loading processes"},
    {"disturbed", "Disturbed run", "What happened then is in the figure: repeat the run, or exclude it"},
    {"several-ranks", "Several ranks in one log",
     "Each iteration counts as often as a rank prints it: the range is shorter than it says"},
    {"resumed", "Resumed from a checkpoint",
     "A trainer that starts again warms up again, within the measurement range"},
    {"odd-lines", "Odd lines", "What a log does not say whole is not in its figure"},
    {"remark", "Remark on a run", "It may have changed the figure"},
    {"window-changed", "Measurement range changed",
     "These are not the figures that were taken when it ran, and figures of other ranges do not compare"},
}};

const Words& wordsOf(FindingKind kind) {
    return words.at(static_cast<std::size_t>(kind));
}

using Id = std::pair<std::string_view, FindingKind>;

// The ids are those of core/analysis and core/run; what is not here is of folders, not of logs.
constexpr std::array ids{Id{"short-window", FindingKind::ShortRange},
                         Id{"repeated-repetition", FindingKind::Overwritten},
                         Id{"odd-name", FindingKind::DoubtfulCase},
                         Id{"header-contradicts", FindingKind::DoubtfulCase},
                         Id{"doubtful-case", FindingKind::DoubtfulCase},
                         Id{"bad-name", FindingKind::DoubtfulCase},
                         Id{"mixed-folder", FindingKind::DoubtfulCase},
                         Id{"mixed-formats", FindingKind::DoubtfulCase},
                         Id{"mixed-speedup", FindingKind::DoubtfulCase},
                         Id{"no-header", FindingKind::DoubtfulCase},
                         Id{"no-base", FindingKind::NoBase},
                         Id{"leading-digit", FindingKind::MisreadTimes},
                         Id{"clock-steps-back", FindingKind::OddClock},
                         Id{"clock-steps-back-within", FindingKind::OddClock},
                         Id{"midnight", FindingKind::OddClock},
                         Id{"second-pass", FindingKind::OddClock},
                         Id{"no-time", FindingKind::OddClock},
                         Id{"drift", FindingKind::Drift},
                         Id{"data-share", FindingKind::DataShare},
                         Id{"disturbed", FindingKind::Disturbed},
                         Id{"other-processes", FindingKind::Disturbed},
                         Id{"stolen-time", FindingKind::Disturbed},
                         Id{"heat", FindingKind::Disturbed},
                         Id{"gpu-heat", FindingKind::Disturbed},
                         Id{"power-brake", FindingKind::Disturbed},
                         Id{"gpu-slowdown", FindingKind::Disturbed},
                         Id{"gpu-shared", FindingKind::Disturbed},
                         Id{"one-machine", FindingKind::OneMachine},
                         Id{"more-threads-than-cores", FindingKind::ManyThreads},
                         Id{"several-ranks", FindingKind::SeveralRanks},
                         Id{"resumed", FindingKind::Resumed},
                         Id{"torn-line", FindingKind::OddLines},
                         Id{"odd-line", FindingKind::OddLines},
                         Id{"unreadable-line", FindingKind::OddLines},
                         Id{"line-cut", FindingKind::OddLines},
                         Id{"test-line", FindingKind::OddLines},
                         Id{"too-many-lines", FindingKind::OddLines},
                         Id{"odd-window", FindingKind::OddLines},
                         Id{"odd-stride", FindingKind::OddLines},
                         Id{"coarse-mean", FindingKind::OddLines},
                         Id{"few-lines", FindingKind::OddLines}};

bool isSaid(const RunResult& run, const RunFinding& finding) {
    const FindingKind kind = kindOfLogFinding(finding.kind);
    if (run.excluded) {
        return kind == FindingKind::Overwritten || kind == FindingKind::DoubtfulCase;
    }
    return kind != FindingKind::ShortRange || run.outcome == Outcome::Ok || run.outcome == Outcome::Short;
}

struct Said {
    std::string kind;
    std::string first;          // as the first run says it
    const RunResult* last;      // that says it: once, whatever its nodes
    std::vector<int> others{};  // the repetitions that say it, too
};

std::string sentenceOf(const RunResult& run, const RunFinding& finding) {
    return fmt::format("repetition {}{}{}: {}", run.repetition, finding.where.empty() ? "" : ", ",
                       finding.where, finding.what);
}

// "repetition 1: the iterations of …; repetitions 2, 3 and 2 more alike"
std::string sentenceOf(const Said& said) {
    constexpr std::size_t mostNamed = 5;
    if (said.others.empty()) {
        return said.first;
    }
    const auto others = mapped(said.others, [](int repetition) { return std::to_string(repetition); });
    return fmt::format("{}; repetition{} {} likewise", said.first, others.size() == 1 ? "" : "s",
                       joinSome(others, mostNamed));
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
    return join(mapped(findings, [&](const CellFinding& finding) { return findingText(finding, why); }),
                "\n");
}

FindingKind kindOfLogFinding(std::string_view id) {
    const auto* const found = std::ranges::find_if(ids, [&](const Id& one) { return one.first == id; });
    return found == ids.end() ? FindingKind::Remark : found->second;
}

const RunFinding* findingOf(const RunResult& run, FindingKind kind) {
    const auto found = std::ranges::find_if(
        run.findings, [&](const RunFinding& finding) { return kindOfLogFinding(finding.kind) == kind; });
    return found == run.findings.end() ? nullptr : &*found;
}

std::string withWhy(std::string_view id, const std::string& what) {
    const FindingKind kind = kindOfLogFinding(id);
    if (kind == FindingKind::Remark) {
        return what;
    }
    return fmt::format("{}{} {}.", what, what.ends_with('.') ? "" : ".", whyItMatters(kind));
}

std::vector<CellFinding> logFindings(const std::vector<const RunResult*>& runs) {
    std::vector<Said> all;
    for (const RunResult* run : runs) {
        for (const RunFinding& finding : run->findings) {
            if (!isSaid(*run, finding)) {
                continue;
            }
            const auto same =
                std::ranges::find_if(all, [&](const Said& said) { return said.kind == finding.kind; });
            if (same == all.end()) {
                all.push_back({finding.kind, sentenceOf(*run, finding), run});
            } else if (same->last != run) {
                same->others.push_back(run->repetition);
                same->last = run;
            }
        }
    }
    return mapped(all, [](const Said& said) {
        return CellFinding{kindOfLogFinding(said.kind), sentenceOf(said)};
    });
}

std::string disturbedText(const std::vector<const RunResult*>& runs) {
    std::size_t counted = 0;
    std::size_t disturbed = 0;
    std::string first;
    for (const RunResult* run : runs) {
        if (!run->throughput || run->excluded) {
            continue;
        }
        ++counted;
        if (const RunFinding* found = findingOf(*run, FindingKind::Disturbed)) {
            first = ++disturbed == 1 ? sentenceOf(*run, *found) : first;
        }
    }
    return disturbed == 0 ? std::string()
                          : fmt::format("{} of {} runs were disturbed, repeat them on idle nodes: {}",
                                        disturbed, counted, first);
}

}  // namespace dlperf::report
